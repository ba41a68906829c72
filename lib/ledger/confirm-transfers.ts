import type { Db } from "@/db/client";
import { allEnded } from "@/db/pipeline";
import { forEachIsolated, forgetFailures, logRowFailure } from "@/db/queries/many-rows";
import { moveRefundTransfer } from "@/db/queries/refunds/refund-transfers";
import type { StoredTransfer } from "@/db/queries/transfers/matches";
import {
  type ConfirmedTransfer,
  confirmObserved,
  type DueTransfer,
  dropTransfer,
  listFinalizable,
  relocateTransfer,
  type TransferPosition,
  updateBlockTime,
  updateContradiction,
} from "@/db/queries/transfers/observations";
import { isDecided } from "@/lib/chains/endpoints/finality-check";
import { ChainError, type EndpointStatement, type Finality, type FinalityChecker } from "@/lib/chains/endpoints/source";
import type { FundsChange } from "@/lib/domain/credit-target";
import type { Network } from "@/lib/domain/networks";
import { finalBefore, finalHeight, type Head, isFinalAt } from "@/lib/domain/networks/finality";
import { confirmationsAt, paidAtOf } from "@/lib/domain/transfers/transfer";
import { afterFundsChanged } from "@/lib/ledger/credit-targets";
import type { OrderContext } from "@/lib/orders/move-order";

const PAGE = 200;
const MAX_UNCLEAR = 100;
/**
 * The number of confirmed transfers that are written in one batch. A full batch is written immediately, so that its transfers do not wait
 * for further checks.
 */
const TOGETHER = 20;
/** The number of consecutive transfers without a response after which the endpoints count as unavailable. */
const MAX_SILENT = 3;

/** The initial and the maximum number of concurrent checks. Each endpoint has its own limit of requests per second. */
const INITIAL_CONCURRENCY = 4;
export const MAX_CONCURRENCY = 16;
/** The maximum number of transfers checked in a round, so that the reading of new blocks is not delayed further. */
const MAX_PER_ROUND = 3 * PAGE;

/** The state that a worker keeps about a network's confirmation between rounds. It can be lost at any time. */
export interface ConfirmMemory {
  /** The position at which the last round stopped, so that the next one starts after it; null: it starts at the lowest position. */
  after: TransferPosition | null;
  /** The number of concurrent requests: doubled after each wave with responses, halved after one without. */
  concurrency: number;
  /** True if the last round ended before all due transfers were checked. */
  hasMore: boolean;
}

/** Returns the initial state of a worker. */
export function newConfirmMemory(): ConfirmMemory {
  return { after: null, concurrency: INITIAL_CONCURRENCY, hasMore: false };
}

interface Round {
  db: Db;
  ctx: OrderContext;
  checker: FinalityChecker;
  network: Network;
  head: Head;
  now: Date;
  memory: ConfirmMemory;
  /** Final transfers that are not written yet. */
  final: StoredTransfer[];
  confirmed: number;
  unclear: number;
  /** The number of consecutive transfers without a response. */
  silent: number;
}

/**
 * Checks the transfers that have become final by their network's rule and their merchant's rule, several concurrently, and confirms them.
 * If there is a second endpoint, it performs the check with its own heights. A transfer and the order it pays change in one transaction. A
 * transfer that the chain no longer has is dropped. Missing or contradictory responses leave it unchanged for a later round; a round with
 * a hundred of these, or with six hundred transfers, ends early. A transfer that cannot be confirmed is logged and retried, and does not
 * delay others.
 * @param head the chain as the scanner just read it
 * @returns the number of confirmed transfers; `memory` records whether more are due
 * @throws ChainError if no endpoint responds for three consecutive transfers
 */
export async function confirmTransfers(
  db: Db,
  ctx: OrderContext,
  checker: FinalityChecker,
  network: Network,
  head: Head,
  now: Date,
  memory: ConfirmMemory = newConfirmMemory(),
): Promise<number> {
  // The time of the head comes from one endpoint; the endpoint that confirms a transfer uses its own.
  const latest = { ...head, time: head.time > now ? head.time : now };
  const final = { finalHeight: finalHeight(network, head), finalBefore: finalBefore(network, latest) };
  const rule = { network: network.id, ...final, headHeight: head.height, headTime: latest.time };
  const counts = { confirmed: 0, unclear: 0, silent: 0 };
  const round: Round = { db, ctx, checker, network, head, now, memory, final: [], ...counts };
  memory.hasMore = false;
  for (let looked = 0; looked < MAX_PER_ROUND; looked += PAGE) {
    const page = await listFinalizable(db, rule, memory.after, PAGE, now);
    try {
      await lookAtAll(round, page);
    } finally {
      await writeFinal(round);
    }
    if (round.unclear >= MAX_UNCLEAR) return round.confirmed;
    if (page.length < PAGE) {
      memory.after = null;
      return round.confirmed;
    }
  }
  memory.hasMore = true;
  return round.confirmed;
}

/** The result of checking a transfer; null if the check failed, which was logged. */
type Looked = Finality | ChainError | null;

async function lookAtAll(round: Round, page: readonly DueTransfer[]): Promise<void> {
  const { memory } = round;
  for (let from = 0; from < page.length && round.unclear < MAX_UNCLEAR; ) {
    const wave = page.slice(from, from + Math.min(memory.concurrency, MAX_UNCLEAR - round.unclear));
    from += wave.length;
    memory.after = wave.at(-1)?.transfer ?? null;
    const looked = await Promise.all(wave.map((due) => look(round, due)));
    memory.concurrency = looked.every(isAnswered)
      ? Math.min(MAX_CONCURRENCY, memory.concurrency * 2)
      : Math.max(1, memory.concurrency >> 1);
    await settleAll(round, wave, looked);
    if (round.final.length >= TOGETHER) await writeFinal(round);
  }
}

function isAnswered(looked: Looked): boolean {
  return looked !== null && !(looked instanceof ChainError) && isDecided(looked);
}

async function look({ db, ctx, checker, network, head, now }: Round, { transfer, wait }: DueTransfer): Promise<Looked> {
  try {
    const known = { ...transfer, to: transfer.toAddress };
    // A block time in the future does not delay the check, because it may be false. Finality is decided by the time that the head's own
    // endpoint returns, because the clocks of the chain and of this machine may differ.
    const isFinal = (other: Head, blockTime = paidAtOf(transfer)) =>
      isFinalAt(network, other, { blockHeight: transfer.blockHeight, blockTime }, wait);
    const isSole = checker.heads().length < 2;
    if (isSole && !isFinal(head)) return { kind: "waiting" };
    const finality = await checker.checkFinality(known, isFinal);
    const isEarly = isSole && finality.kind === "final" && !isFinal(head, transfer.blockTime);
    return isEarly ? { kind: "waiting" } : finality;
  } catch (error) {
    if (error instanceof ChainError) return error;
    await logRowFailure(db, ctx, { task: "confirm", id: transfer.id }, error, now);
    return null;
  }
}

/**
 * Applies the results that were received, even if others are missing.
 * @throws ChainError if no endpoint responds
 */
async function settleAll(round: Round, wave: readonly DueTransfer[], looked: readonly Looked[]): Promise<void> {
  let unanswered: ChainError | null = null;
  for (const [index, { transfer }] of wave.entries()) {
    const one = looked[index] ?? null;
    if (one === null) continue;
    if (one instanceof ChainError) {
      round.silent += 1;
      if (round.silent >= MAX_SILENT) unanswered ??= one;
    } else {
      round.silent = 0;
      await settle(round, transfer, one);
    }
  }
  if (unanswered) throw unanswered;
}

async function settle(round: Round, transfer: StoredTransfer, finality: Finality): Promise<void> {
  const { db, ctx, now } = round;
  const single = (work: () => Promise<unknown>) =>
    forEachIsolated(db, ctx, { name: "confirm", items: [transfer], work: async () => void (await work()) }, now);
  switch (finality.kind) {
    case "final":
      round.final.push(transfer);
      return;
    case "retimed":
      return single(() => storeAgreedTime(round, transfer, finality.time));
    case "moved":
      return single(async () => {
        await moveRefundTransfer(db, transfer, finality);
        await relocateTransfer(db, transfer, finality);
      });
    case "gone":
      return single(() => dropTransfer(db, transfer));
    case "contradicted":
      round.unclear += 1;
      return single(() => keepContradiction(round, transfer, finality.said));
    case "waiting":
      round.unclear += 1;
      return single(() => keepContradiction(round, transfer, null));
    case "unclear":
      round.unclear += 1;
      ctx.log.warn(
        { txId: transfer.txId, network: transfer.network, tradeId: transfer.orderId, height: transfer.blockHeight },
        "no endpoint can return the status of a transfer in a final block",
      );
  }
}

/**
 * Stores the block time on which the endpoints agree, and schedules the transfer to be matched again. Its target was chosen by the
 * reported time, with which no other endpoint agrees.
 */
async function storeAgreedTime({ db, ctx }: Round, transfer: StoredTransfer, time: Date): Promise<void> {
  await moveRefundTransfer(db, transfer, { height: transfer.blockHeight, hash: transfer.blockHash, time });
  if (!(await updateBlockTime(db, transfer, time))) return;
  const { id, txId, network, orderId: tradeId, blockTime } = transfer;
  const facts = { id, txId, network, tradeId, reported: blockTime, agreed: time };
  ctx.log.warn(
    facts,
    "the endpoints agree on a block time that differs from the reported one: the transfer is matched again",
  );
}

/** Stores and logs a contradiction only when it is new. */
async function keepContradiction(
  { db, ctx, now }: Round,
  transfer: StoredTransfer,
  statements: readonly EndpointStatement[] | null,
): Promise<void> {
  const { id, txId, network, contradiction, orderId: tradeId } = transfer;
  if (statements === null && contradiction === null) return;
  const isKnown = statements !== null && JSON.stringify(contradiction?.said) === JSON.stringify(statements);
  if (isKnown) return;
  await updateContradiction(
    db,
    transfer,
    statements && { since: contradiction?.since ?? now.toISOString(), said: statements },
  );
  if (statements)
    ctx.log.error(
      { id, txId, network, tradeId, said: statements },
      "endpoints contradict each other: a transfer remains unconfirmed",
    );
  else ctx.log.info({ id, txId, network, tradeId }, "endpoints no longer contradict each other");
}

/**
 * Confirms the transfers that were found final. The transaction reads each transfer and its order again, because rows that were read
 * before the network was queried may be outdated.
 */
async function writeFinal(round: Round): Promise<void> {
  const { db, ctx, head, now } = round;
  const items = round.final.splice(0).map((transfer) => ({
    ...transfer,
    confirmations: confirmationsAt(head.height, transfer.blockHeight),
  }));
  const work = async (some: readonly (typeof items)[number][]) => {
    const { confirmed, moved } = await db.transaction(async (tx) => {
      const rows = await confirmObserved(tx, some, now);
      const ids = rows.map(({ id }) => id);
      const changed = afterFundsChanged(tx, ctx, rows.flatMap(changesOf), now);
      const [moved] = await allEnded([changed, forgetFailures(tx, "confirm", ids)]);
      return { confirmed: ids, moved };
    });
    ctx.onOrders?.("confirm transfer", moved);
    round.confirmed += confirmed.length;
  };
  await forEachIsolated(db, ctx, { name: "confirm", items, work }, now);
}

function changesOf({ id: transferId, target, wasLost }: ConfirmedTransfer): FundsChange[] {
  return target ? [{ type: wasLost ? "restored" : "confirmed", transferId, target }] : [];
}
