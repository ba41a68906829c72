import { eq } from "drizzle-orm";
import type { Db } from "@/db/client";
import { quotes, transfers } from "@/db/schema";
import { toMicro } from "@/lib/domain/refunds/amounts";
import { matchTransfers } from "@/lib/ledger/match-transfers";
import { moveOrder, type OrderContext } from "@/lib/orders/move-order";
import { seedTransfer } from "@/testing/database/seed";

/**
 * Receives a percentage of the asked amount of an order, final immediately.
 * @returns the received amount in millionths of the currency
 */
export async function receivePayment(
  db: Db,
  ctx: OrderContext,
  { orderId, percent = 100n }: { orderId: string; percent?: bigint },
  at: Date,
): Promise<bigint> {
  const [quote] = await db.select().from(quotes).where(eq(quotes.orderId, orderId));
  if (!quote) throw new Error("The order has no payment method");
  const { id: quoteId, receivingAddressId, merchantId, network, currency, address } = quote;
  const baseUnits = (quote.baseUnits * percent) / 100n;
  const to = { id: receivingAddressId, merchantId, network, address };
  const sent = await seedTransfer(db, { address: to, baseUnits, blockTime: at }, at);
  // Only the exact amount identifies the order.
  if (percent === 100n) await matchTransfers(db, ctx, network, at);
  else await db.update(transfers).set({ orderId, quoteId, matchedAt: at }).where(eq(transfers.id, sent.id));
  const final = { status: "confirmed" as const, confirmedAt: at, confirmations: 100 };
  await db.update(transfers).set(final).where(eq(transfers.id, sent.id));
  await moveOrder(db, ctx, orderId, { type: "fundsChanged" }, at);
  return toMicro(network, currency, baseUnits);
}
