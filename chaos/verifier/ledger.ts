import type { TrueTransfer } from "@/chaos/chains/chain";

/** The fields of a ledger row that the verifier reads. */
export interface LedgerRow {
  network: string;
  txId: string;
  position: string;
  /** The currency; null for a look-alike. */
  currency: string | null;
  toAddress: string;
  baseUnits: bigint;
  blockTime: Date;
  status: string;
  orderId: string | null;
  unmatchedReason: string | null;
  /** The order that is listed first for an unmatched transfer. */
  meantOrderId: string | null;
  /** True if the transfer was sent by one of the merchant's own addresses. */
  isSweep: boolean;
  isVerified: boolean;
}

export interface LedgerVerdict {
  /** Transfers that are final on a chain, but not confirmed in the ledger. */
  lost: string[];
  /** Transfers that are confirmed in the ledger but are missing or different on the chain, or that are in the ledger twice. */
  double: string[];
  /** Transfers that are neither credited to an order nor stored with a reason, or that are still pending although everything is final. */
  unclear: string[];
}

/** Compares the ledger with the transfers on the chains. */
export function verifyLedger(expected: readonly TrueTransfer[], ledger: readonly LedgerRow[]): LedgerVerdict {
  const rows = Map.groupBy(ledger, keyOf);
  const trueKeys = new Set(expected.map(keyOf));
  const lost = expected.filter((transfer) => !(rows.get(keyOf(transfer)) ?? []).some((row) => isSame(row, transfer)));
  const ghosts = ledger.filter((row) => row.status === "confirmed" && !trueKeys.has(keyOf(row)));
  const twins = [...rows.values()].flatMap((same) => same.slice(1));
  const unclear = ledger.filter(
    (row) =>
      row.status === "seen" ||
      !row.isVerified ||
      (row.status === "confirmed" && !row.orderId && !row.unmatchedReason && !row.isSweep),
  );
  return {
    lost: lost.map((transfer) => `${nameOf(transfer)}; the ledger has ${text(rows.get(keyOf(transfer)))}`),
    double: [...ghosts, ...twins].map((row) => `${nameOf({ ...row, to: row.toAddress })} is confirmed`),
    unclear: unclear.map(
      (row) => `${nameOf({ ...row, to: row.toAddress })} is ${row.status}, judged: ${row.isVerified}`,
    ),
  };
}

/** Returns the confirmed transfers whose stored time differs from the time of their block. */
export function verifyTimes(expected: readonly TrueTransfer[], ledger: readonly LedgerRow[]): string[] {
  const times = new Map(expected.map((transfer) => [keyOf(transfer), transfer.blockTime]));
  return ledger.flatMap((row) => {
    const time = times.get(keyOf(row));
    if (row.status !== "confirmed" || !time || time.getTime() === row.blockTime.getTime()) return [];
    return [`${keyOf(row)} is stored with ${row.blockTime.toISOString()}, but its block has ${time.toISOString()}`];
  });
}

/**
 * Returns the transfers between addresses of a merchant that are not stored as sweeps, and the transfers that are wrongly stored as
 * sweeps.
 */
export function verifySweeps(
  sweeps: readonly TrueTransfer[],
  payments: readonly TrueTransfer[],
  ledger: readonly LedgerRow[],
): string[] {
  const rows = new Map(ledger.map((row) => [keyOf(row), row]));
  const isKept = (row: LedgerRow | undefined) => !row || (row.isSweep && !row.orderId && !row.unmatchedReason);
  return [
    ...sweeps
      .map((transfer) => ({ transfer, row: rows.get(keyOf(transfer)) }))
      .filter(({ row }) => !isKept(row))
      .map(
        ({ transfer, row }) => `${nameOf(transfer)} is a sweep; the ledger has ${row?.orderId ?? row?.unmatchedReason}`,
      ),
    ...payments
      .filter((transfer) => rows.get(keyOf(transfer))?.isSweep)
      .map((transfer) => `${nameOf(transfer)} is recorded as a sweep`),
  ];
}

/** A token on the derived addresses of a network. */
export interface OwnSum {
  network: string;
  currency: string;
  /** The on-chain balance of `addresses`. */
  held: bigint;
  addresses: ReadonlySet<string>;
}

/** Returns the tokens for which the received amount less the swept amount differs from the balance on the chain. */
export function verifySums(
  sums: readonly OwnSum[],
  sweeps: readonly TrueTransfer[],
  ledger: readonly LedgerRow[],
): string[] {
  return sums.flatMap(({ network, currency, held, addresses }) => {
    const isHere = (one: { network: string; currency: string | null }) =>
      one.network === network && one.currency === currency;
    const received = sum(
      ledger.filter((row) => isHere(row) && row.status === "confirmed" && addresses.has(row.toAddress)),
    );
    const swept = sum(sweeps.filter(isHere));
    if (received - swept === held) return [];
    return [
      `on ${network} ${received} ${currency} reached derived addresses and ${swept} were swept, but they hold ${held}`,
    ];
  });
}

/** Returns the sum of the transfers, in base units. */
export function sum(transfers: readonly { baseUnits: bigint }[]): bigint {
  return transfers.reduce((total, { baseUnits }) => total + baseUnits, 0n);
}

/** A transaction on a merchant's address that no node returns. */
export interface Unreadable {
  network: string;
  txId: string;
}

/** Verifies that unreadable transactions, and no others, are stored for review. Their amounts are unknown. */
export function verifyUnreadable(
  expected: readonly Unreadable[],
  waiting: readonly Unreadable[],
  ledger: readonly LedgerRow[],
): { lost: string[]; invalid: string[] } {
  const nameOf = ({ network, txId }: Unreadable) => `${network} ${txId}`;
  const there = new Set(expected.map(nameOf));
  const reported = new Set(waiting.map(nameOf));
  const made = ledger.filter((row) => row.status !== "dropped" && there.has(nameOf(row)));
  return {
    lost: [...there].filter((name) => !reported.has(name)).map((name) => `${name} cannot be read and is not reported`),
    invalid: [
      ...[...reported]
        .filter((name) => !there.has(name))
        .map((name) => `${name} is reported as unreadable, but can be read or is gone`),
      ...made.map((row) => `${nameOf(row)} cannot be read, but the ledger has ${row.baseUnits} of it`),
    ],
  };
}

function isSame(row: LedgerRow, { currency, to, baseUnits }: TrueTransfer): boolean {
  return row.status === "confirmed" && row.currency === currency && row.toAddress === to && row.baseUnits === baseUnits;
}

/** Returns the key that identifies a transfer both in the ledger and on the chain. */
export function keyOf({ network, txId, position }: { network: string; txId: string; position: string }): string {
  return `${network} ${txId} ${position}`;
}

function nameOf(one: {
  network: string;
  txId: string;
  position: string;
  currency: string | null;
  baseUnits: bigint;
  to: string;
}) {
  return `${keyOf(one)}: ${one.baseUnits} ${one.currency ?? "of a look-alike"} to ${one.to}`;
}

function text(rows: readonly LedgerRow[] | undefined): string {
  return rows?.map(({ status, baseUnits }) => `${baseUnits} ${status}`).join(", ") ?? "nothing";
}
