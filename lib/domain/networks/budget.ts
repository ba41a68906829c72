/** The limits on the calls to an endpoint; an absent limit means no limit. */
export interface Budget {
  perDay?: number;
  perMonth?: number;
  perSecond?: number;
}

/** The number of calls sent to one endpoint of a network, by UTC day and month. */
export interface CallCount {
  network: string;
  /** The name of the endpoint: its host, with a number if one host serves several. */
  endpoint: string;
  today: number;
  thisMonth: number;
  /** The number of failed calls today. */
  errorsToday: number;
}

/** The state of a budget. `near`: nine tenths of a day's or month's calls are used; `spent`: all of them. */
export type BudgetState = "free" | "near" | "spent";

const NEAR = 0.9;
const BUDGET_FIELDS = { day: "perDay", month: "perMonth", s: "perSecond" } as const;

/** Returns the state of the tighter of the two limits. */
export function budgetState(
  { perDay = Number.POSITIVE_INFINITY, perMonth = Number.POSITIVE_INFINITY }: Budget,
  { today, thisMonth }: Pick<CallCount, "today" | "thisMonth">,
): BudgetState {
  const used = Math.max(today / perDay, thisMonth / perMonth);
  if (used >= 1) return "spent";
  return used >= NEAR ? "near" : "free";
}

/**
 * Parses an operator's budget: any of "100000/day 3000000/month 15/s", in any order; "-" for none.
 * @returns null if the text is not a budget
 */
export function parseBudget(text: string): Budget | null {
  if (text.trim() === "-") return {};
  const budget: Budget = {};
  for (const candidate of text.trim().split(/\s+/)) {
    const [, count, unit] = /^([1-9]\d{0,11})\/(day|month|s)$/.exec(candidate) ?? [];
    if (!count || !unit) return null;
    budget[BUDGET_FIELDS[unit as keyof typeof BUDGET_FIELDS]] = Number(count);
  }
  return budget;
}

/** Returns the UTC day under which calls are counted: YYYY-MM-DD. */
export function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10);
}

/** The calls of one endpoint with its budget, for display. */
export interface EndpointUse extends CallCount {
  budget: Budget;
  state: BudgetState;
}

/**
 * Returns each endpoint of a network with its number of calls, in the order of `endpoints`; the number is zero if no calls were counted.
 */
export function usesOf(
  network: string,
  endpoints: readonly string[],
  budgets: readonly Budget[],
  counts: readonly CallCount[],
): EndpointUse[] {
  return endpoints.map((endpoint, index) => {
    const none = { network, endpoint, today: 0, thisMonth: 0, errorsToday: 0 };
    const counted = counts.find((count) => count.network === network && count.endpoint === endpoint) ?? none;
    const budget = budgets[index] ?? {};
    return { ...counted, budget, state: budgetState(budget, counted) };
  });
}
