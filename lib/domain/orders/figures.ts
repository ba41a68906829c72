import type { Currency } from "@/lib/domain/networks";
import { decimalsOf } from "@/lib/domain/orders/order";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A time span that ends now, in whole UTC days including today, and the equal steps in which it is shown. */
export interface Span {
  days: 1 | 7 | 30;
  since: Date;
  step: "hour" | "day";
  /** The start of each step; the last step is still in progress. */
  steps: Date[];
}

export const SPAN_DAYS = [1, 7, 30] as const;

/** Reads a span from a URL: "1", "7" or "30" days. An invalid value counts as "7". */
export function readSpan(typed: string, now: Date): Span {
  const days = SPAN_DAYS.find((known) => String(known) === typed) ?? 7;
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const since = today - (days - 1) * DAY_MS;
  const [step, ms] = days === 1 ? (["hour", HOUR_MS] as const) : (["day", DAY_MS] as const);
  const count = days === 1 ? 24 : days;
  return {
    days,
    since: new Date(since),
    step,
    steps: Array.from({ length: count }, (_, at) => new Date(since + at * ms)),
  };
}

/** The totals of one step for one token; `network` and `currency` are '' for totals that belong to no token. */
export interface StepTotal {
  at: Date;
  network: string;
  currency: Currency | "";
  created: number;
  /** The number of orders created in this step that have been paid since. */
  converted: number;
  paid: number;
  paidUnits: bigint;
  /** The seconds from creation to payment, summed over the paid orders. */
  paySeconds: number;
  callbacks: number;
}

/** The payments in one token. Volumes are whole tokens, for drawing only. */
export interface TokenFigures {
  network: string;
  currency: Currency;
  paid: number;
  units: bigint;
  /** The volumes, one per step of the span. */
  volumes: number[];
}

/** A merchant's figures over a span. */
export interface Figures {
  created: number;
  paid: number;
  callbacks: number;
  /** The share of the orders created within the span that have been paid, from 0 to 1; null if there are no orders. */
  conversion: number | null;
  /** The mean seconds from creation to payment; null if no order was paid. */
  secondsToPay: number | null;
  tokens: TokenFigures[];
}

/** Sums the totals of a span's steps. */
export function sumFigures(totals: readonly StepTotal[], { steps }: Pick<Span, "steps">): Figures {
  const sum = (pick: (total: StepTotal) => number) => totals.reduce((count, total) => count + pick(total), 0);
  const created = sum((t) => t.created);
  const converted = sum((t) => t.converted);
  const paid = sum((t) => t.paid);
  const tokens = new Map<string, TokenFigures>();
  for (const { at, network, currency, paid: count, paidUnits } of totals) {
    if (currency === "" || (count === 0 && paidUnits === 0n)) continue;
    const key = `${network} ${currency}`;
    const token = tokens.get(key) ?? { network, currency, paid: 0, units: 0n, volumes: steps.map(() => 0) };
    const step = steps.findLastIndex((begin) => begin <= at);
    const volume = Number(paidUnits) / 10 ** decimalsOf({ network, currency });
    const volumes = token.volumes.map((known, index) => (index === step ? known + volume : known));
    tokens.set(key, { ...token, paid: token.paid + count, units: token.units + paidUnits, volumes });
  }
  return {
    created,
    paid,
    callbacks: sum((t) => t.callbacks),
    conversion: created === 0 ? null : Math.min(1, converted / created),
    secondsToPay: paid === 0 ? null : sum((t) => t.paySeconds) / paid,
    tokens: [...tokens.values()].toSorted((a, b) => volumeOf(b) - volumeOf(a)),
  };
}

const volumeOf = ({ volumes }: TokenFigures) => volumes.reduce((sum, volume) => sum + volume, 0);
