import type { Db } from "@/db/client";
import {
  findLiveQuote,
  findUnmatchedReason,
  isStillLive,
  linkTransfer,
  listUnjudged,
  lockUnjudged,
  markJudged,
  type PublicUnits,
  type StoredTransfer,
} from "@/db/queries/transfer-matches";
import { canonicalAddress } from "@/lib/domain/address";
import { formatUnits, parseUnits } from "@/lib/domain/money";
import { getNetwork, getToken, NETWORKS } from "@/lib/domain/networks";
import { moveOrder } from "@/lib/orders/move-order";
import type { StoryContext } from "@/lib/orders/story-context";

const BATCH = 500;

/**
 * Judges what the scanner wrote: a new transfer pays the live quote that asks for it or is kept as unmatched with the
 * reason; one that a reorg took back is taken from its order. Each transfer and its order change together.
 * @returns how many transfers were judged
 */
export async function matchTransfers(db: Db, ctx: StoryContext, network: string, now: Date): Promise<number> {
  const ids = await listUnjudged(db, network, BATCH);
  let judged = 0;
  for (const id of ids) {
    const isJudged = await db.transaction((tx) => judge(tx, ctx, id, now));
    if (isJudged) judged += 1;
  }
  return judged;
}

async function judge(tx: Db, ctx: StoryContext, id: string, now: Date): Promise<boolean> {
  const transfer = await lockUnjudged(tx, id);
  if (!transfer) return false;
  const orderId = transfer.orderId ?? (transfer.status === "dropped" ? null : await pay(tx, transfer, now));
  if (orderId) {
    await markJudged(tx, id, null, now);
    await moveOrder(tx, ctx, orderId, { type: "fundsChanged" }, now);
    return true;
  }
  const reason =
    transfer.status === "dropped"
      ? "taken_back"
      : await findUnmatchedReason(tx, transfer, sameAmountElsewhere(transfer));
  await markJudged(tx, id, reason, now);
  ctx.log.warn({ transferId: id, txId: transfer.txId, network: transfer.network, reason }, "a transfer pays no order");
  return true;
}

/** Links a transfer to the quote it pays. A quote that was set free meanwhile is not paid: the next look finds what replaced it. */
async function pay(tx: Db, transfer: StoredTransfer, now: Date): Promise<string | null> {
  const quote = await findLiveQuote(tx, transfer);
  if (!quote) return null;
  if (!(await isStillLive(tx, quote))) return pay(tx, transfer, now);
  await linkTransfer(tx, transfer.id, quote, now);
  return quote.orderId;
}

/** The transfer's public amount in every other token of every network: where a payer may have meant to send it. */
function sameAmountElsewhere(transfer: StoredTransfer): PublicUnits[] {
  const { decimals } = getToken(getNetwork(transfer.network), transfer.currency);
  const text = formatUnits(transfer.baseUnits, decimals);
  return NETWORKS.flatMap((network) =>
    network.tokens.flatMap((token) => {
      const contract = canonicalAddress(network.family, token.contract);
      const baseUnits = parseUnits(text, token.decimals);
      const isSame = network.id === transfer.network && contract === transfer.token;
      return isSame || baseUnits === null ? [] : [{ network: network.id, token: contract, baseUnits }];
    }),
  );
}
