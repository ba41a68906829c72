/** The owner and token of a balance, in canonical form. On EVM networks the token may be `COIN`. */
export interface Holder {
  owner: string;
  token: string;
}

/** The balance in base units after the block of this height. */
export interface Balance {
  baseUnits: bigint;
  height: number;
}

/** The response of one endpoint that contradicts others, for display. */
export interface ReportedBalance {
  endpoint: string;
  says: string;
}

/**
 * The result of reading a balance at the endpoints of a network. `silent`: no endpoint responded; `unknown`: the endpoints that responded
 * cannot return the balance, for example because the state at that height is pruned; `contradicted`: they returned different balances at
 * the same height.
 */
export type BalanceAnswer =
  | { kind: "read"; balance: Balance }
  | { kind: "silent" }
  | { kind: "unknown" }
  | { kind: "contradicted"; said: readonly ReportedBalance[] };

export type BalanceOutcome = BalanceAnswer["kind"];

/**
 * Returns the combined result of several endpoints. If they read different heights, the newest reading counts.
 * @param answers null: the endpoint cannot return the balance
 */
export function agreedBalance(answers: readonly { endpoint: string; balance: Balance | null }[]): BalanceAnswer {
  if (answers.length === 0) return { kind: "silent" };
  const shown = answers.flatMap(({ endpoint, balance }) => (balance ? [{ endpoint, balance }] : []));
  const [newest] = shown.map(({ balance }) => balance).toSorted((a, b) => b.height - a.height);
  if (!newest) return { kind: "unknown" };
  const differs = shown.some(({ balance: one }) =>
    shown.some(({ balance: other }) => one.height === other.height && one.baseUnits !== other.baseUnits),
  );
  if (!differs) return { kind: "read", balance: newest };
  const messageOf = ({ baseUnits, height }: Balance) => `${baseUnits} base units at height ${height}`;
  return { kind: "contradicted", said: shown.map(({ endpoint, balance }) => ({ endpoint, says: messageOf(balance) })) };
}

/** The sums of an address in the ledger up to a height, and its balance on the chain at that height, in base units. */
export interface Compared {
  inUnits: bigint;
  /** The sum of the recorded refunds, sent from any address. */
  backUnits: bigint;
  balanceUnits: bigint;
}

/** Returns the excess of the chain's balance over the ledger's; negative: a shortfall. */
export function differenceOf({ inUnits, backUnits, balanceUnits }: Compared): bigint {
  return balanceUnits - (inUnits - backUnits);
}

/** Returns the meaning of a difference. `less`: funds were spent or swept; `more`: funds came from elsewhere, or a transfer was missed. */
export function meaningOf(compared: Compared): "equal" | "less" | "more" {
  const difference = differenceOf(compared);
  if (difference === 0n) return "equal";
  return difference < 0n ? "less" : "more";
}
