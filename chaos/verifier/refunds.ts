import type { TrueTransfer } from "@/chaos/chains/chain";
import type { CreatedRefund } from "@/chaos/operations/refund-orders";
import { keyOf, type LedgerRow } from "@/chaos/verifier/ledger";
import {
  type FoundTransfer,
  findCreditedRefunds,
  findForgedRefunds,
  findMissedRefunds,
  findPairProblems,
  findSumProblems,
  type RefundFacts,
  type SentTransfer,
} from "@/chaos/verifier/refund-rules";

/** The fields of a stored refund that the verifier reads. */
export interface RefundRow extends Omit<RefundFacts, "subject" | "token" | "approvedMs"> {
  orderId: string | null;
  transferId: string | null;
  currency: string;
  approvedAt: Date | null;
}

/** The fields of a stored transfer to the address of a refund that the verifier reads. */
export interface RefundTransferRow {
  network: string;
  txId: string;
  position: string;
  currency: string;
  toAddress: string;
  baseUnits: bigint;
  blockTime: Date;
  seenAt: Date;
  status: string;
  refundId: string | null;
  problem: string | null;
  matchedAt: Date | null;
}

/** The state of the database and the chains that decides about refunds. */
export interface RefundState {
  created: readonly CreatedRefund[];
  rows: readonly RefundRow[];
  transfers: readonly RefundTransferRow[];
  /** The final transfers to the addresses of refunds. */
  onChain: readonly TrueTransfer[];
  ledger: readonly (LedgerRow & { id: string })[];
  /** Returns the received amount of an order or a transfer in millionths of its currency; undefined if there is none. */
  receivedOf(subject: string): bigint | undefined;
}

export interface RefundVerdict {
  /** The transfers that complete a refund, or would have if it had not been cancelled. They pay no order. */
  excluded: ReadonlySet<string>;
  /** The number of refunds that were completed by a transfer to a receiving address. */
  toReceivers: number;
  lost: string[];
  double: string[];
  invalid: string[];
}

/**
 * Compares the refunds with the chains: refunds never exceed what was received, one transfer completes at most one refund and pays no
 * order, every approved refund whose exact transfer is final is completed, and no refund is lost.
 */
export function verifyRefunds({ created, rows, transfers, onChain, ledger, receivedOf }: RefundState): RefundVerdict {
  const creditedTo = new Map(ledger.map(({ id, orderId }) => [id, orderId]));
  const refunds = rows.map((row) => ({
    ...row,
    subject: row.orderId ?? creditedTo.get(row.transferId ?? "") ?? row.transferId,
    token: row.currency,
    approvedMs: row.approvedAt?.getTime() ?? null,
  }));
  const income = new Set(ledger.flatMap((row) => (row.orderId ? [keyOf(row)] : [])));
  const found = transfers.map((row) => toFound(row, income));
  const sent = onChain.flatMap(toSent);
  const keys = new Map(sent.map((transfer) => [transfer.key, transfer]));
  const seenMs = new Map(transfers.map((row) => [keyOf(row), row.seenAt.getTime()]));
  const known = new Set(rows.map(({ id }) => id));
  const completing = new Set(found.flatMap(({ key, refundId }) => (refundId === null ? [] : [key])));
  const ofRefunds = ledger.filter(({ unmatchedReason }) => unmatchedReason === "refund");
  const credited = ledger.flatMap((row) => (row.orderId ? [{ key: keyOf(row), orderId: row.orderId }] : []));
  return {
    excluded: new Set([...completing, ...ofRefunds.map(keyOf)]),
    toReceivers: ledger.filter((row) => completing.has(keyOf(row))).length,
    lost: [
      ...created.filter(({ id, isLost }) => !isLost && !known.has(id)).map(({ id }) => `refund ${id} is missing`),
      ...findMissedRefunds(
        refunds,
        found,
        sent,
        ({ key }, { approvedMs }) => (seenMs.get(key) ?? Infinity) < (approvedMs ?? 0),
      ),
    ],
    double: [
      ...findForgedRefunds(found, ({ key, baseUnits }) => keys.get(key)?.baseUnits === baseUnits),
      ...created
        .filter(({ id, isLost }) => isLost && known.has(id))
        .map(({ id }) => `refund ${id} was requested after the dump that was restored`),
    ],
    invalid: [
      ...findPairProblems(refunds, found),
      ...findSumProblems(refunds, receivedOf),
      ...findCreditedRefunds(found, credited),
      ...unexplained(ofRefunds, refunds, completing),
      ...mistimed(transfers, keys),
    ],
  };
}

const toFound = (row: RefundTransferRow, income: ReadonlySet<string>): FoundTransfer => ({
  key: keyOf(row),
  network: row.network,
  token: row.currency,
  to: row.toAddress,
  baseUnits: row.baseUnits,
  status: row.status,
  refundId: row.refundId,
  isMatched: row.matchedAt !== null,
  isRepeatedIncome: row.problem === "repeated" && income.has(keyOf(row)),
});

function toSent(transfer: TrueTransfer): SentTransfer[] {
  const { network, currency, to, baseUnits, blockTime } = transfer;
  if (currency === null) return [];
  return [{ key: keyOf(transfer), network, token: currency, to, baseUnits, timeMs: blockTime.getTime() }];
}

/** Returns the ledger rows that are stored as transfers of a refund, although no refund is equal to them. */
function unexplained(
  rows: readonly LedgerRow[],
  refunds: readonly RefundFacts[],
  completing: ReadonlySet<string>,
): string[] {
  return rows
    .filter((row) => !completing.has(keyOf(row)))
    .filter(
      ({ network, currency, toAddress, baseUnits }) =>
        !refunds.some(
          (refund) =>
            refund.status === "cancelled" &&
            refund.approvedMs !== null &&
            refund.network === network &&
            refund.token === currency &&
            refund.address === toAddress &&
            refund.baseUnits === baseUnits,
        ),
    )
    .map((row) => `${keyOf(row)} is stored as the transfer of a refund, but no refund is equal to it`);
}

/** Returns the transfers of completed refunds whose stored time differs from that of their block. */
function mistimed(rows: readonly RefundTransferRow[], sent: ReadonlyMap<string, SentTransfer>): string[] {
  return rows
    .filter(({ status, refundId }) => status === "confirmed" && refundId !== null)
    .filter((row) => (sent.get(keyOf(row))?.timeMs ?? 0) !== row.blockTime.getTime())
    .map(
      (row) =>
        `${keyOf(row)} completes a refund with the time ${row.blockTime.toISOString()}, which is not that of its block`,
    );
}
