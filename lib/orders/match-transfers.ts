import type { Db } from "@/db/client";
import { forgetFailures } from "@/db/queries/failing-rows";
import { findMeantOrder } from "@/db/queries/stray-transfers";
import {
  findLiveQuote,
  findUnmatchedReason,
  isStillLive,
  type Judgement,
  linkTransfer,
  listUnjudged,
  lockUnjudged,
  markJudged,
  type PublicUnits,
  type StoredTransfer,
} from "@/db/queries/transfer-matches";
import { canonicalAddress } from "@/lib/domain/address";
import { formatUnits, parseUnits } from "@/lib/domain/money";
import { allNetworks } from "@/lib/domain/networks";
import { tokenOf } from "@/lib/domain/token";
import { eachAlone } from "@/lib/orders/each-alone";
import { moveOrder } from "@/lib/orders/move-order";
import type { StoryContext } from "@/lib/orders/story-context";
import { touchOrder } from "@/lib/orders/touch-order";

const BATCH = 500;

/**
 * Judges what the scanner wrote: a new transfer pays the live quote that asks for it or is kept as unmatched with the
 * reason; one that a reorg took back is taken from its order. Each transfer and its order change together; one that
 * cannot be judged is told and tried again later, and holds up no other.
 * @returns how many transfers were judged
 */
export async function matchTransfers(db: Db, ctx: StoryContext, network: string, now: Date): Promise<number> {
  const judged: string[] = [];
  for (const id of await listUnjudged(db, network, now, BATCH)) {
    const work = async () => {
      if (await db.transaction((tx) => judge(tx, ctx, id, now))) judged.push(id);
    };
    await eachAlone(db, ctx, { name: "match", items: [{ id }], work }, now);
  }
  await forgetFailures(db, "match", judged);
  return judged.length;
}

async function judge(tx: Db, ctx: StoryContext, id: string, now: Date): Promise<boolean> {
  const transfer = await lockUnjudged(tx, id);
  if (!transfer) return false;
  const orderId = transfer.orderId ?? (transfer.status === "dropped" ? null : await pay(tx, transfer, now));
  const judgement = orderId ? PAYS : await judgeUnmatched(tx, transfer);
  await markJudged(tx, id, judgement, now);
  if (orderId) await moveOrder(tx, ctx, orderId, { type: "fundsChanged" }, now);
  else ctx.log.warn({ transferId: id, txId: transfer.txId, network: transfer.network, ...judgement }, UNMATCHED);
  await tellMeant(tx, transfer.meantOrderId, judgement.meantOrderId, now);
  return true;
}

const UNMATCHED = "a transfer pays no order";
const PAYS: Judgement = { reason: null, meantOrderId: null };

async function judgeUnmatched(tx: Db, transfer: StoredTransfer): Promise<Judgement> {
  if (transfer.status === "dropped") return { reason: "taken_back", meantOrderId: null };
  const elsewhere = sameAmountElsewhere(transfer);
  const reason = transfer.currency === null ? "look_alike" : await findUnmatchedReason(tx, transfer, elsewhere);
  const isStray = reason === "other_currency" || reason === "other_network" || reason === "look_alike";
  return { reason, meantOrderId: isStray ? await findMeantOrder(tx, transfer, elsewhere) : null };
}

/** The payer of the order that a transfer was meant for is told, and told no more when that turns out otherwise. */
async function tellMeant(tx: Db, before: string | null, after: string | null, now: Date): Promise<void> {
  if (before === after) return;
  for (const orderId of [before, after].toSorted()) if (orderId) await touchOrder(tx, orderId, now);
}

/**
 * Links a transfer to the quote it pays. A quote that was set free meanwhile is not paid: the next look finds what replaced it.
 * A look-alike pays none.
 */
async function pay(tx: Db, transfer: StoredTransfer, now: Date): Promise<string | null> {
  if (transfer.currency === null) return null;
  const quote = await findLiveQuote(tx, transfer);
  if (!quote) return null;
  if (!(await isStillLive(tx, quote))) return pay(tx, transfer, now);
  await linkTransfer(tx, transfer.id, quote, now);
  return quote.orderId;
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
