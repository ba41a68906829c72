import type { Db } from "@/db/client";
import { lockOrder } from "@/db/queries/orders/order-moves";
import { forgetFailures } from "@/db/queries/transfers/failing-rows";
import {
  findHolder,
  findUnmatchedReason,
  linkTransfer,
  listToMatch,
  lockToMatch,
  type MatchResult,
  markMatched,
  type PublicUnits,
  type StoredTransfer,
  stillPays,
  unlinkTransfer,
} from "@/db/queries/transfers/matches";
import { findMeantOrder } from "@/db/queries/transfers/misdirected-transfers";
import { canonicalAddress } from "@/lib/domain/addresses/address";
import { formatUnits, parseUnits } from "@/lib/domain/money";
import { allNetworks } from "@/lib/domain/networks";
import { tokenOf } from "@/lib/domain/networks/token";
import { eachAlone } from "@/lib/orders/each-alone";
import { moveOrder } from "@/lib/orders/move-order";
import type { StoryContext } from "@/lib/orders/story-context";
import { touchOrder } from "@/lib/orders/touch-order";

const BATCH = 500;

/**
 * Judges what the scanner wrote: a new transfer pays the order that held its amount when it was sent, or is kept as unmatched
 * with the reason; one that a reorg took back is taken from its order, and one that came back as something else is matched anew.
 * Each transfer and its order change together; one that cannot be judged is told and tried again later, and holds up no other.
 * @returns how many transfers were judged
 */
export async function matchTransfers(db: Db, ctx: StoryContext, network: string, now: Date): Promise<number> {
  const judged: string[] = [];
  for (const id of await listToMatch(db, network, now, BATCH)) {
    const work = async () => {
      let outcome = await db.transaction((tx) => judge(tx, ctx, id, now));
      if (outcome === "left its order") outcome = await db.transaction((tx) => judge(tx, ctx, id, now));
      if (outcome === "judged") judged.push(id);
    };
    await eachAlone(db, ctx, { name: "match", items: [{ id }], work }, now);
  }
  await forgetFailures(db, "match", judged);
  return judged.length;
}

/** `left its order`: it pays something else now and is still to be judged, in a transaction of its own: two orders are never moved in one. */
type Outcome = "judged" | "left its order" | "not ours";

async function judge(tx: Db, ctx: StoryContext, id: string, now: Date): Promise<Outcome> {
  const transfer = await lockToMatch(tx, id);
  if (!transfer) return "not ours";
  if (transfer.orderId && (await hasBecomeOther(tx, transfer))) {
    await unlinkTransfer(tx, id);
    await moveOrder(tx, ctx, transfer.orderId, { type: "fundsChanged" }, now);
    return "left its order";
  }
  const held = transfer.orderId || transfer.status === "dropped" ? null : await findHeld(tx, transfer, now);
  const orderId = transfer.orderId ?? held?.paidOrderId ?? null;
  const judgement = orderId ? PAYS : await explainUnmatched(tx, transfer, held?.cancelledOrderId ?? null);
  await markMatched(tx, id, judgement, now);
  if (orderId) await moveOrder(tx, ctx, orderId, { type: "fundsChanged" }, now);
  else ctx.log.warn({ transferId: id, txId: transfer.txId, network: transfer.network, ...judgement }, UNMATCHED);
  await tellMeant(tx, transfer.meantOrderId, judgement.meantOrderId, now);
  return "judged";
}

/** Whether a transfer that is linked to an order came back from a reorg as another payment. Where a person put it, it stays. */
async function hasBecomeOther(tx: Db, transfer: StoredTransfer): Promise<boolean> {
  if (transfer.isAssigned || transfer.status === "dropped") return false;
  return !(await stillPays(tx, transfer));
}

const UNMATCHED = "a transfer pays no order";
const PAYS: MatchResult = { reason: null, meantOrderId: null };

async function explainUnmatched(
  tx: Db,
  transfer: StoredTransfer,
  cancelledOrderId: string | null,
): Promise<MatchResult> {
  if (transfer.status === "dropped") return { reason: "taken_back", meantOrderId: null };
  if (cancelledOrderId) return { reason: "order_cancelled", meantOrderId: cancelledOrderId };
  const elsewhere = sameAmountElsewhere(transfer);
  const reason = transfer.currency === null ? "look_alike" : await findUnmatchedReason(tx, transfer, elsewhere);
  const isMisdirected = reason === "other_currency" || reason === "other_network" || reason === "look_alike";
  return { reason, meantOrderId: isMisdirected ? await findMeantOrder(tx, transfer, elsewhere) : null };
}

/** The payer of the order that a transfer was meant for is told, and told no more when that turns out otherwise. */
async function tellMeant(tx: Db, before: string | null, after: string | null, now: Date): Promise<void> {
  if (before === after) return;
  for (const orderId of [before, after].toSorted()) if (orderId) await touchOrder(tx, orderId, now);
}

/** Whose money a transfer is: it pays that order, or the order was cancelled and it is nobody else's either. */
type Held = { paidOrderId: string; cancelledOrderId?: never } | { cancelledOrderId: string; paidOrderId?: never };

/** Finds who held the amount of a transfer when it was sent, and links the two unless the order was cancelled. A look-alike pays none. */
async function findHeld(tx: Db, transfer: StoredTransfer, now: Date): Promise<Held | null> {
  if (transfer.currency === null) return null;
  const quote = await findHolder(tx, transfer);
  if (!quote) return null;
  const order = await lockOrder(tx, quote.orderId);
  // An order that was withdrawn between the two looks was never told to anybody.
  if (!order) return findHeld(tx, transfer, now);
  if (order.status === "cancelled") return { cancelledOrderId: order.id };
  await linkTransfer(tx, transfer.id, quote, now);
  return { paidOrderId: order.id };
}

/** The transfer's public amount in every other token of every network: where a payer may have meant to send it. */
function sameAmountElsewhere(transfer: StoredTransfer): PublicUnits[] {
  const text = formatUnits(transfer.baseUnits, tokenOf(transfer).decimals);
  return allNetworks().flatMap((network) =>
    network.tokens.flatMap((token) => {
      const contract = canonicalAddress(network.family, token.contract);
      const baseUnits = parseUnits(text, token.decimals);
      const isSame = network.id === transfer.network && contract === transfer.token;
      return isSame || baseUnits === null ? [] : [{ network: network.id, token: contract, baseUnits }];
    }),
  );
}
