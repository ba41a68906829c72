import type { Db } from "@/db/client";
import { lockSource, updateSource } from "@/db/queries/merchants/address-sources";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { listDueTrials, type TrialRow, updateTrial } from "@/db/queries/merchants/receiver-trials";
import { checkReported } from "@/lib/chains/endpoints/finality-check";
import { ChainError, type FinalityChecker, type ReceiverSource } from "@/lib/chains/endpoints/source";
import { RECEIVER_FACTORY } from "@/lib/domain/addresses/receiver";
import { findTrial, nextTrialLook, type TrialTransfer } from "@/lib/domain/addresses/trial";
import { atBlockTime, blocksIn, type Network } from "@/lib/domain/networks";
import { type Head, isFinalAt } from "@/lib/domain/networks/finality";
import type { ChainTransfer } from "@/lib/domain/transfers/transfer";
import type { Log } from "@/lib/log";
import { settledHeight } from "@/lib/watch/blocks/next-span";

export interface TrialContext {
  network: Network;
  source: ReceiverSource;
  /** Returns the current head; called only if a trial is due. @throws ChainError if no endpoint responds */
  head: () => Promise<Head>;
  checker: Pick<FinalityChecker, "checkFinality">;
  log: Log;
}

const BATCH = 5;
/** The time before the start of a trial from which transfers count, because the user may have sent one already. */
const BEFORE_MS = 600_000;
const MAX_BLOCKS = 500;
const MAX_SPANS = 20;
const NO_REQUIREMENT = { minConfirmations: null, minSeconds: null };

/**
 * Checks a bounded number of due trials on a network. A trial is complete if the factory exists, a transfer to receiver 0 was forwarded to
 * its treasury, and both transfers are final. Orders then get receivers on that network. Safe to repeat and to run in several workers.
 * @returns the number of checked trials
 */
export async function answerTrials(db: Db, ctx: TrialContext, now: Date): Promise<number> {
  const due = await listDueTrials(db, ctx.network.id, now, BATCH);
  if (due.length === 0) return 0;
  const head = await ctx.head();
  for (const trial of due) {
    const look = await lookAt(ctx, trial, head);
    try {
      await db.transaction((tx) => write(tx, trial, look, now));
    } catch (err) {
      const { sourceId, network } = trial;
      ctx.log.error({ err, sourceId, network }, "the result of a trial could not be stored; the next round will retry");
    }
  }
  return due.length;
}

type Found = Pick<TrialRow, "hasFactory" | "arrival" | "sweep" | "scannedHeight"> & { isTried: boolean };

/** Returns the findings of a check; null if no endpoint gave a trustworthy response, so that known findings are kept. */
async function lookAt(ctx: TrialContext, trial: TrialRow, head: Head): Promise<Found | null> {
  try {
    const hasFactory = await ctx.source.hasCode(RECEIVER_FACTORY);
    const { moves, scannedHeight } = await readMoves(ctx, trial, head);
    const known = [trial.arrival, trial.sweep].filter((one) => one !== null);
    const found = findTrial([...known, ...moves], trial);
    return await settle(ctx, { ...found, hasFactory, scannedHeight }, head);
  } catch (error) {
    const { sourceId, network } = trial;
    if (!(error instanceof ChainError))
      ctx.log.error({ err: error, sourceId, network }, "a trial could not be checked");
    return null;
  }
}

/** Returns all transfers to the receiver, and from it to its treasury, in blocks that were not settled at the last check. */
async function readMoves({ source, network }: TrialContext, trial: TrialRow, head: Head) {
  const sinceMs = Math.max(0, head.time.getTime() - trial.askedAt.getTime()) + BEFORE_MS;
  const first = trial.scannedHeight ?? head.height - blocksIn(sinceMs, atBlockTime(network, head.blockMs));
  const moves: TrialTransfer[] = [];
  let from = Math.max(0, first + 1);
  let blocks = MAX_BLOCKS;
  for (let spans = 0; spans < MAX_SPANS && from <= head.height; spans++) {
    const span = { from, to: Math.min(head.height, from + blocks - 1) };
    try {
      const arrived = await source.transfers(span, new Set([trial.receiver]));
      const swept = await source.transfersFrom(trial.receiver, span, new Set([trial.treasury]));
      moves.push(...[...arrived, ...swept].filter(({ currency }) => currency !== null).map(toStored));
      from = span.to + 1;
    } catch (error) {
      if (!(error instanceof ChainError) || error.kind !== "rangeTooLarge" || span.from === span.to) throw error;
      blocks = Math.ceil((span.to - span.from + 1) / 2);
    }
  }
  return { moves, scannedHeight: Math.min(from - 1, settledHeight(network, head)) };
}

/**
 * Settles findings. A transfer that a reorg removed is searched for again. The trial is complete when endpoints other than the reporting
 * one show it as final.
 */
async function settle(ctx: TrialContext, found: Omit<Found, "isTried">, head: Head): Promise<Found> {
  const { arrival, sweep } = found;
  if (!arrival || !sweep) return { ...found, isTried: false };
  const finalities = [await finalityOf(ctx, arrival, head), await finalityOf(ctx, sweep, head)];
  if (!finalities.includes("gone")) return { ...found, isTried: finalities.every((one) => one === "final") };
  const scannedHeight = Math.min(found.scannedHeight ?? 0, arrival.blockHeight - 1);
  return { ...found, arrival: null, sweep: null, scannedHeight, isTried: false };
}

async function finalityOf({ network, checker }: TrialContext, transfer: TrialTransfer, head: Head) {
  const known = { ...transfer, baseUnits: BigInt(transfer.baseUnits), blockTime: new Date(transfer.blockTime) };
  if (!isFinalAt(network, head, known, NO_REQUIREMENT)) return "waiting";
  const ruleFor = (blockTime: Date) => (other: Head) =>
    isFinalAt(network, other, { ...known, blockTime }, NO_REQUIREMENT);
  const { kind } = await checkReported(checker, known, ruleFor);
  return kind === "moved" ? "gone" : kind;
}

/**
 * Stores a result only if the trial was not requested again in the meantime and the treasury still exists. Rows that were read before the
 * chain was queried may be outdated.
 */
async function write(tx: Db, trial: TrialRow, look: Found | null, now: Date): Promise<void> {
  const { merchantId, sourceId, network } = trial;
  const next = nextTrialLook(trial.askedAt, now);
  if (!look?.isTried) {
    const { isTried: _, ...found } = look ?? { isTried: false };
    const { hasFactory, arrival, sweep, scannedHeight } = { ...trial, ...found };
    await updateTrial(tx, trial, { hasFactory, arrival, sweep, scannedHeight, lookAt: next, triedAt: null });
    return;
  }
  const source = await lockSource(tx, merchantId, sourceId);
  if (!source) return;
  const { isTried: _, ...found } = look;
  if (!(await updateTrial(tx, trial, { ...found, lookAt: null, triedAt: now }))) return;
  await updateSource(tx, source, { networks: [...new Set([...source.networks, network])] });
  const detail = { network, address: trial.treasury, txId: look.sweep?.txId };
  await insertAuditEvent(tx, { merchantId, action: "receivers.tried", detail }, now);
}

function toStored({ txId, position, token, from, to, ...rest }: ChainTransfer): TrialTransfer {
  const { baseUnits, blockHeight, blockHash, blockTime } = rest;
  const block = { blockHeight, blockHash, blockTime: blockTime.toISOString() };
  return { txId, position, token, from, to, baseUnits: baseUnits.toString(), ...block };
}
