/** Whose balance of which token; canonical forms. On EVM networks the token may be `COIN`. */
export interface Holder {
  owner: string;
  token: string;
}

/** So much was there, base units, after the block of this height. */
export interface Balance {
  baseUnits: bigint;
  height: number;
}

/** What one endpoint says that contradicts others, in words for people. */
export interface BalanceSaid {
  endpoint: string;
  says: string;
}

/**
 * What the endpoints of a network say of a balance. `silent`: none answered; `unknown`: those that did cannot show it, as where the
 * state of that height is pruned; `contradicted`: they show different ones at the same height.
 */
export type BalanceAnswer =
  | { kind: "read"; balance: Balance }
  | { kind: "silent" }
  | { kind: "unknown" }
  | { kind: "contradicted"; said: readonly BalanceSaid[] };

export type BalanceSays = BalanceAnswer["kind"];

/** What several endpoints come to; of readings at different heights the newest counts. @param said null: it cannot show it */
export function agreedBalance(said: readonly { endpoint: string; balance: Balance | null }[]): BalanceAnswer {
  if (said.length === 0) return { kind: "silent" };
  const shown = said.flatMap(({ endpoint, balance }) => (balance ? [{ endpoint, balance }] : []));
  const [newest] = shown.map(({ balance }) => balance).toSorted((a, b) => b.height - a.height);
  if (!newest) return { kind: "unknown" };
  const differs = shown.some(({ balance: one }) =>
    shown.some(({ balance: other }) => one.height === other.height && one.baseUnits !== other.baseUnits),
  );
  if (!differs) return { kind: "read", balance: newest };
  const inWords = ({ baseUnits, height }: Balance) => `${baseUnits} base units at height ${height}`;
  return { kind: "contradicted", said: shown.map(({ endpoint, balance }) => ({ endpoint, says: inWords(balance) })) };
}

/** What of an address is in the ledger up to a height, and what the chain says of it there. Base units. */
export interface Compared {
  inUnits: bigint;
  /** Noted as sent back, from wherever. */
  backUnits: bigint;
  balanceUnits: bigint;
}

/** By how much the chain's balance is above what the ledger leaves there; negative: below. */
export function differenceOf({ inUnits, backUnits, balanceUnits }: Compared): bigint {
  return balanceUnits - (inUnits - backUnits);
}

/** What a difference can mean: `less`, spent or swept; `more`, money from elsewhere or a transfer that was missed. */
export function meaningOf(compared: Compared): "equal" | "less" | "more" {
  const difference = differenceOf(compared);
  if (difference === 0n) return "equal";
  return difference < 0n ? "less" : "more";
}
