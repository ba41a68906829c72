import type { TrueTransfer } from "@/chaos/chains/chain";

/** A row of the ledger, as far as the judges look at it. */
export interface LedgerRow {
  network: string;
  txId: string;
  position: string;
  /** Null: a look-alike. */
  currency: string | null;
  toAddress: string;
  baseUnits: bigint;
  status: string;
  orderId: string | null;
  unmatchedReason: string | null;
  isJudged: boolean;
}

export interface LedgerVerdict {
  /** Final on a chain, but not confirmed in the ledger. */
  lost: string[];
  /** Confirmed in the ledger, but not (or not so) on a chain; or there twice. */
  double: string[];
  /** Neither paid to an order nor kept with a reason, or still waiting although everything is final. */
  unclear: string[];
}

/** Compares the ledger with what the chains have. */
export function judgeLedger(truth: readonly TrueTransfer[], ledger: readonly LedgerRow[]): LedgerVerdict {
  const rows = Map.groupBy(ledger, keyOf);
  const trueKeys = new Set(truth.map(keyOf));
  const lost = truth.filter((transfer) => !(rows.get(keyOf(transfer)) ?? []).some((row) => isSame(row, transfer)));
  const ghosts = ledger.filter((row) => row.status === "confirmed" && !trueKeys.has(keyOf(row)));
  const twins = [...rows.values()].flatMap((same) => same.slice(1));
  const unclear = ledger.filter(
    (row) =>
      row.status === "seen" || !row.isJudged || (row.status === "confirmed" && !row.orderId && !row.unmatchedReason),
  );
  return {
    lost: lost.map((transfer) => `${nameOf(transfer)}; the ledger has ${words(rows.get(keyOf(transfer)))}`),
    double: [...ghosts, ...twins].map((row) => `${nameOf({ ...row, to: row.toAddress })} is confirmed`),
    unclear: unclear.map((row) => `${nameOf({ ...row, to: row.toAddress })} is ${row.status}, judged: ${row.isJudged}`),
  };
}

/** A transaction on an address of ours that no node shows to anybody. */
export interface Unreadable {
  network: string;
  txId: string;
}

/** What nobody can read must wait for a person, and nothing else may; nobody can know what it moved. */
export function judgeUnreadable(
  truth: readonly Unreadable[],
  waiting: readonly Unreadable[],
  ledger: readonly LedgerRow[],
): { lost: string[]; wrong: string[] } {
  const nameOf = ({ network, txId }: Unreadable) => `${network} ${txId}`;
  const [there, told] = [new Set(truth.map(nameOf)), new Set(waiting.map(nameOf))];
  const made = ledger.filter((row) => row.status !== "dropped" && there.has(nameOf(row)));
  return {
    lost: [...there]
      .filter((name) => !told.has(name))
      .map((name) => `${name} cannot be read, and nobody is told of it`),
    wrong: [
      ...[...told]
        .filter((name) => !there.has(name))
        .map((name) => `${name} waits for a person, but can be read or is gone`),
      ...made.map((row) => `${nameOf(row)} cannot be read, but the ledger has ${row.baseUnits} of it`),
    ],
  };
}

function isSame(row: LedgerRow, { currency, to, baseUnits }: TrueTransfer): boolean {
  return row.status === "confirmed" && row.currency === currency && row.toAddress === to && row.baseUnits === baseUnits;
}

/** Who a transfer is, in the ledger and on the chain. */
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

function words(rows: readonly LedgerRow[] | undefined): string {
  return rows?.map(({ status, baseUnits }) => `${baseUnits} ${status}`).join(", ") ?? "nothing";
}
