import type { Db } from "@/db/client";
import { forEachIsolated, forgetFailures } from "@/db/queries/many-rows";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { listTreasuries } from "@/db/queries/merchants/receiver-trials";
import { listOwnAddresses } from "@/db/queries/transfers/lookups";
import { lockTransferOf } from "@/db/queries/transfers/matches";
import {
  type DueRefund,
  listDueRefunds,
  lockRefund,
  type RefundLook,
  sumCounted,
  updateRefund,
} from "@/db/queries/transfers/refunds";
import { checkReported } from "@/lib/chains/endpoints/finality-check";
import { ChainError, type FinalityChecker, type Receipt, type ReceiptTransfer } from "@/lib/chains/endpoints/source";
import type { Network } from "@/lib/domain/networks";
import { type Head, isFinalAt } from "@/lib/domain/networks/finality";
import {
  countRefund,
  findRefundLegs,
  isNeverSeen,
  nextRefundLook,
  type RefundLegs,
  type RefundObservation,
} from "@/lib/domain/transfers/refund";
import type { Log } from "@/lib/log";
import { touchOrders } from "@/lib/orders/move-order";

export interface RefundContext {
  network: Network;
  /** Returns the current head; called only if a refund is due. @throws ChainError if no endpoint responds */
  head: () => Promise<Head>;
  checker: Pick<FinalityChecker, "checkFinality">;
  /** Returns the receipt of a transaction; null if no endpoint has it. @throws ChainError if no endpoint responds */
  receipt: (txId: string) => Promise<Receipt | null>;
  log: Log;
}

const BATCH = 10;
/** The maximum number of a transaction's transfers to one receiver that are verified. */
const MAX_LEGS = 20;
const NO_REQUIREMENT = { minConfirmations: null, minSeconds: null };

/**
 * The result of checking the transaction of a refund on its chain: an observation, or the transfers that make the refund ("legs") if they
 * are final.
 */
type RefundLookup =
  | { observation: Exclude<RefundObservation, "toPayer" | "toOther"> }
  | { legs: RefundLegs<ReceiptTransfer> };

/**
 * Checks a bounded number of due refunds of a network. A refund that is final on its chain counts. A refund that contradicts its record is
 * refused with the reason, and any other is checked again later. A refund is abandoned if no endpoint returned its transaction for a day.
 * A refund that cannot be stored is retried and does not delay others. Safe to repeat and to run in several workers.
 * @returns the number of refunds checked
 */
export async function answerRefunds(db: Db, ctx: RefundContext, now: Date): Promise<number> {
  const due = await listDueRefunds(db, ctx.network.id, now, BATCH);
  let asked: Promise<Head> | null = null;
  const head = () => {
    asked ??= ctx.head();
    return asked;
  };
  await Promise.all(due.map((refund) => answerOne(db, { ...ctx, head }, refund, now)));
  return due.length;
}

async function answerOne(db: Db, ctx: RefundContext, refund: DueRefund, now: Date): Promise<void> {
  const observation = await look(db, ctx, refund);
  const items = [{ id: refund.transferId }];
  const work = () =>
    db.transaction(async (tx) => {
      await write(tx, refund, observation, now);
      await forgetFailures(tx, "refund", [refund.transferId]);
    });
  await forEachIsolated(db, ctx, { name: "refund", items, work }, now);
}

async function look(db: Db, ctx: RefundContext, refund: DueRefund): Promise<RefundLookup> {
  try {
    const receipt = await ctx.receipt(refund.txId);
    if (receipt === null) return { observation: "absent" };
    const receivers = [...new Set(receipt.transfers.map(({ to }) => to))];
    const own = new Set([
      ...(await listOwnAddresses(db, refund.merchantId, refund.network, receivers)),
      // A transfer to the treasury was a sweep, even if it was recorded as a refund.
      ...(await listTreasuries(db, refund.merchantId, receivers)),
    ]);
    const found = findRefundLegs(refund, receipt, (address) => own.has(address));
    if ("flaw" in found) return { observation: found.flaw };
    return await checkLegs(ctx, found);
  } catch (error) {
    const { network, txId } = refund;
    if (!(error instanceof ChainError)) ctx.log.error({ err: error, network, txId }, "a refund could not be looked up");
    return { observation: "silent" };
  }
}

/**
 * Verifies at endpoints other than the reporting one that all legs (the transfers that make the refund) are final by the network's rule.
 * Each leg gets the block time on which the endpoints agree.
 */
async function checkLegs(
  { network, head, checker }: RefundContext,
  found: RefundLegs<ReceiptTransfer>,
): Promise<RefundLookup> {
  const seen = await head();
  const legs = [...found.legs];
  for (const [index, leg] of found.legs.slice(0, MAX_LEGS).entries()) {
    // With a single endpoint, this is the only check of finality.
    if (!isFinalAt(network, seen, leg, NO_REQUIREMENT)) return { observation: "unfinal" };
    const ruleFor = (blockTime: Date) => (other: Head) =>
      isFinalAt(network, other, { ...leg, blockTime }, NO_REQUIREMENT);
    const { kind, blockTime } = await checkReported(checker, leg, ruleFor);
    if (kind === "gone") return { observation: "absent" };
    if (kind === "contradicted") return { observation: "disputed" };
    if (kind !== "final") return { observation: "unfinal" };
    legs[index] = { ...leg, blockTime };
  }
  return { legs: { ...found, legs } };
}

const actions = { final: "refund.final", refused: "refund.refused", never: "refund.never" } as const;

/**
 * Stores the result. The remaining amount is read under the locks, because rows that were read before the chain was queried may be
 * outdated.
 */
async function write(tx: Db, refund: DueRefund, observation: RefundLookup, now: Date): Promise<void> {
  const transfer = await lockTransferOf(tx, refund.merchantId, refund.transferId);
  if (!transfer || !(await lockRefund(tx, refund))) return;
  const result =
    "legs" in observation
      ? await count(tx, refund, transfer.baseUnits, observation.legs)
      : notFinal(refund, observation.observation, now);
  if (!(await updateRefund(tx, refund, result)) || result.state === "open") return;
  const { merchantId, transferId, network, txId } = refund;
  const amount = { baseUnits: result.baseUnits?.toString(), toAddress: result.toAddress };
  const detail = { transferId, network, txId, says: result.observation, ...amount };
  const { orderId } = transfer;
  await insertAuditEvent(tx, { merchantId, orderId, action: actions[result.state], detail }, now);
  if (orderId) await touchOrders(tx, [orderId], now);
}

function notFinal({ notedAt }: DueRefund, observation: RefundObservation, now: Date): RefundLook {
  if (observation === "silent" || observation === "unfinal" || observation === "disputed" || observation === "absent") {
    if (isNeverSeen(observation, notedAt, now)) return { state: "never", observation, lookAt: null };
    return { state: "open", observation, lookAt: nextRefundLook(notedAt, now) };
  }
  return { state: "refused", observation, lookAt: null };
}

async function count(
  tx: Db,
  refund: DueRefund,
  arrivedUnits: bigint,
  { to, movedUnits, isToPayer, legs }: RefundLegs<ReceiptTransfer>,
): Promise<RefundLook> {
  const counted = countRefund(arrivedUnits, movedUnits, await sumCounted(tx, refund, to));
  const shown = { toAddress: to, movedUnits, lookAt: null };
  if ("flaw" in counted) return { ...shown, state: "refused", observation: counted.flaw };
  const observation = isToPayer ? "toPayer" : "toOther";
  return { ...shown, state: "final", observation, baseUnits: counted.units, sentAt: legs[0]?.blockTime };
}
