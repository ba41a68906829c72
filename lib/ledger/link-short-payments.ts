import type { Db } from "@/db/client";
import { insertAuditEvents } from "@/db/queries/merchants/audit-events";
import { announceWaiting } from "@/db/queries/networks/waiting";
import { reserveRest, type ShortPayment } from "@/db/queries/transfers/short-payments";
import { newId } from "@/lib/domain/id";
import { formatUnits, unitsPerStep } from "@/lib/domain/money";
import { maxDustUnits } from "@/lib/domain/orders/dust";
import { decimalsOf } from "@/lib/domain/orders/order";

interface LockedOrder {
  id: string;
  status: string;
  quoteId: string | null;
}

/**
 * Requests the rest of orders for which too little arrived at a shared address: each gets a quote for what is missing, whose transfers
 * count toward the quote that was paid in part. Dust requests nothing, because anyone can send it. Call it in the transaction that links
 * the transfers, with the orders locked.
 * @param orders the locked orders, whose status and quote decide
 * @returns the transfers to link, by their ids; a transfer is left out if its order changed, or no amount is available for the rest
 */
export async function requestRests(
  tx: Db,
  shorts: readonly ShortPayment[],
  orders: readonly LockedOrder[],
  now: Date,
): Promise<Map<string, ShortPayment>> {
  const linked = new Map<string, ShortPayment>();
  for (const short of shorts) {
    const order = orders.find(({ id }) => id === short.orderId);
    if (order?.status !== "pending" || order.quoteId !== short.quoteId || isDust(short)) continue;
    if (await reserveRest(tx, restOf(short, now), now)) linked.set(short.transferId, short);
  }
  await insertAuditEvents(tx, [...linked.values()].map(toAudit), now);
  for (const network of new Set([...linked.values()].map((short) => short.network))) await announceWaiting(tx, network);
  return linked;
}

function isDust({ dueUnits, paidUnits, ...token }: ShortPayment): boolean {
  return paidUnits <= maxDustUnits(dueUnits, unitsPerStep(decimalsOf(token)));
}

function restOf({ orderId, merchantId, transferId, quoteId, dueUnits, paidUnits }: ShortPayment, now: Date) {
  const rest = { id: newId(now), orderId, merchantId, restUnits: dueUnits - paidUnits };
  return { ...rest, completesQuoteId: quoteId, completesTransferId: transferId };
}

function toAudit({ merchantId, orderId, transferId, network, currency, dueUnits, paidUnits }: ShortPayment) {
  const text = (units: bigint) => formatUnits(units, decimalsOf({ network, currency }));
  const detail = { transferId, network, currency, amount: text(paidUnits), rest: text(dueUnits - paidUnits) };
  return { merchantId, orderId, action: "transfer.linked_as_part" as const, detail };
}
