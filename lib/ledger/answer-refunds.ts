import type { Db } from "@/db/client";
import { eachAlone, forgetFailures } from "@/db/queries/many-rows";
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
  type RefundSays,
} from "@/lib/domain/transfers/refund";
import type { Log } from "@/lib/log";
import { touchOrders } from "@/lib/orders/move-order";

export interface RefundContext {
  network: Network;
  /** The chain as it is now; asked for only where a refund is due. @throws ChainError when nobody says anything */
  head: () => Promise<Head>;
  checker: Pick<FinalityChecker, "checkFinality">;
  /** The receipt of a transaction; null where no endpoint knows it. @throws ChainError when nobody says anything */
  receipt: (txId: string) => Promise<Receipt | null>;
  log: Log;
}

const BATCH = 10;
/** Of a transaction that pays one receiver in many parts, so many are looked at once more. */
const MOST_LEGS = 20;
const NO_WISH = { minConfirmations: null, minSeconds: null };

/** What a chain says of a transaction; the legs where they are final. */
type Said = { says: Exclude<RefundSays, "toPayer" | "toOther"> } | { legs: RefundLegs<ReceiptTransfer> };

/**
 * Looks at the refunds noted on a network whose time has come, a bounded number. One that its chain shows beyond being taken back
 * counts, one that contradicts its note is refused with the reason, any other is looked at again later; it is given up when nobody
 * knew of it for a day. One that cannot be written down holds up no other, and has its turn again later. Safe to repeat, and with
 * other workers at it.
 * @returns how many were looked at
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
  const said = await look(db, ctx, refund);
  const items = [{ id: refund.transferId }];
  const work = () =>
    db.transaction(async (tx) => {
      await write(tx, refund, said, now);
      await forgetFailures(tx, "refund", [refund.transferId]);
    });
  await eachAlone(db, ctx, { name: "refund", items, work }, now);
}

async function look(db: Db, ctx: RefundContext, refund: DueRefund): Promise<Said> {
  try {
    const receipt = await ctx.receipt(refund.txId);
    if (receipt === null) return { says: "absent" };
    const receivers = [...new Set(receipt.transfers.map(({ to }) => to))];
    const own = new Set([
      ...(await listOwnAddresses(db, refund.merchantId, refund.network, receivers)),
      // What went to the treasury was swept, whoever says otherwise.
      ...(await listTreasuries(db, refund.merchantId, receivers)),
    ]);
    const found = findRefundLegs(refund, receipt, (address) => own.has(address));
    if ("flaw" in found) return { says: found.flaw };
    return await checkLegs(ctx, found);
  } catch (error) {
    const { network, txId } = refund;
    if (!(error instanceof ChainError)) ctx.log.error({ err: error, network, txId }, "a refund could not be looked up");
    return { says: "silent" };
  }
}

/** All of it must be final by the network's rule, as others than who told of it show it, at the block time on which they agree. */
async function checkLegs({ network, head, checker }: RefundContext, found: RefundLegs<ReceiptTransfer>): Promise<Said> {
  const seen = await head();
  const legs = [...found.legs];
  for (const [index, leg] of found.legs.slice(0, MOST_LEGS).entries()) {
    // Where there is one endpoint alone, nobody else measures this.
    if (!isFinalAt(network, seen, leg, NO_WISH)) return { says: "unfinal" };
    const ruleFor = (blockTime: Date) => (other: Head) => isFinalAt(network, other, { ...leg, blockTime }, NO_WISH);
    const { kind, blockTime } = await checkReported(checker, leg, ruleFor);
    if (kind === "gone") return { says: "absent" };
    if (kind === "contradicted") return { says: "disputed" };
    if (kind !== "final") return { says: "unfinal" };
    legs[index] = { ...leg, blockTime };
  }
  return { legs: { ...found, legs } };
}

const actions = { final: "refund.final", refused: "refund.refused", never: "refund.never" } as const;

/** What was read before the chain was asked decides nothing: how much is left to count is read under the locks. */
async function write(tx: Db, refund: DueRefund, said: Said, now: Date): Promise<void> {
  const transfer = await lockTransferOf(tx, refund.merchantId, refund.transferId);
  if (!transfer || !(await lockRefund(tx, refund))) return;
  const result =
    "legs" in said ? await count(tx, refund, transfer.baseUnits, said.legs) : notFinal(refund, said.says, now);
  if (!(await updateRefund(tx, refund, result)) || result.state === "open") return;
  const { merchantId, transferId, network, txId } = refund;
  const amount = { baseUnits: result.baseUnits?.toString(), toAddress: result.toAddress };
  const detail = { transferId, network, txId, says: result.said, ...amount };
  const { orderId } = transfer;
  await insertAuditEvent(tx, { merchantId, orderId, action: actions[result.state], detail }, now);
  if (orderId) await touchOrders(tx, [orderId], now);
}

function notFinal({ notedAt }: DueRefund, said: RefundSays, now: Date): RefundLook {
  if (said === "silent" || said === "unfinal" || said === "disputed" || said === "absent") {
    if (isNeverSeen(said, notedAt, now)) return { state: "never", said, lookAt: null };
    return { state: "open", said, lookAt: nextRefundLook(notedAt, now) };
  }
  return { state: "refused", said, lookAt: null };
}

async function count(
  tx: Db,
  refund: DueRefund,
  arrivedUnits: bigint,
  { to, movedUnits, isToPayer, legs }: RefundLegs<ReceiptTransfer>,
): Promise<RefundLook> {
  const counted = countRefund(arrivedUnits, movedUnits, await sumCounted(tx, refund, to));
  const shown = { toAddress: to, movedUnits, lookAt: null };
  if ("flaw" in counted) return { ...shown, state: "refused", said: counted.flaw };
  const said = isToPayer ? "toPayer" : "toOther";
  return { ...shown, state: "final", said, baseUnits: counted.units, sentAt: legs[0]?.blockTime };
}
