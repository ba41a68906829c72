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

/** The charts of a merchant's payments. */
export const CHARTS = ["volume", "conversion", "timeToPay", "failedCallbacks"] as const;
export type ChartName = (typeof CHARTS)[number];

/** The selected chart of payments. */
export interface ChartView {
  span: Span;
  chart: ChartName;
  /** True if the figures of the chart are shown as a table. */
  isTable: boolean;
}

/** Reads the shown period, chart and form from the values of a URL's query. Invalid values count as the first choice. */
export function readChartView(typed: { days: string; chart: string; view: string }, now: Date): ChartView {
  const chart = CHARTS.find((known) => known === typed.chart) ?? "volume";
  return { span: readSpan(typed.days, now), chart, isTable: typed.view === "table" };
}

/** Returns the query of a URL for a view of the charts. */
export function writeChartView({ days, chart, isTable }: { days: number; chart: ChartName; isTable: boolean }): string {
  const query = new URLSearchParams({ days: String(days) });
  if (chart !== "volume") query.set("chart", chart);
  if (isTable) query.set("view", "table");
  return `?${query}`;
}

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

/** The number of callbacks that were created in one step and failed permanently. */
export interface FailedTotal {
  at: Date;
  count: number;
}

/** The figures of one step of a span. */
export interface StepFigures {
  /** The share of the orders created in the step that have been paid, from 0 to 1; null if no orders were created. */
  conversion: number | null;
  /** The mean seconds from creation to payment of the orders paid in the step; null if none was paid. */
  secondsToPay: number | null;
  failedCallbacks: number;
}

/** A merchant's figures over a span. */
export interface Figures {
  created: number;
  paid: number;
  callbacks: number;
  failedCallbacks: number;
  /** The share of the orders created within the span that have been paid, from 0 to 1; null if there are no orders. */
  conversion: number | null;
  /** The mean seconds from creation to payment; null if no order was paid. */
  secondsToPay: number | null;
  tokens: TokenFigures[];
  /** The figures of each step of the span. */
  steps: StepFigures[];
}

/** Sums the totals of a span's steps. */
export function sumFigures(
  totals: readonly StepTotal[],
  failed: readonly FailedTotal[],
  { steps }: Pick<Span, "steps">,
): Figures {
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
    failedCallbacks: failed.reduce((all, { count }) => all + count, 0),
    ...ratiosOf(
      created,
      converted,
      paid,
      sum((t) => t.paySeconds),
    ),
    tokens: [...tokens.values()].toSorted((a, b) => volumeOf(b) - volumeOf(a)),
    steps: figuresBySteps(totals, failed, steps),
  };
}

/** Returns the figures of each step. */
function figuresBySteps(
  totals: readonly StepTotal[],
  failed: readonly FailedTotal[],
  steps: readonly Date[],
): StepFigures[] {
  const stepOf = (at: Date) => steps.findLastIndex((begin) => begin <= at);
  const sums = steps.map(() => ({ created: 0, converted: 0, paid: 0, paySeconds: 0, failedCallbacks: 0 }));
  for (const { at, created, converted, paid, paySeconds } of totals) {
    const sum = sums[stepOf(at)];
    if (!sum) continue;
    sum.created += created;
    sum.converted += converted;
    sum.paid += paid;
    sum.paySeconds += paySeconds;
  }
  for (const { at, count } of failed) {
    const sum = sums[stepOf(at)];
    if (sum) sum.failedCallbacks += count;
  }
  return sums.map(({ created, converted, paid, paySeconds, failedCallbacks }) => ({
    ...ratiosOf(created, converted, paid, paySeconds),
    failedCallbacks,
  }));
}

function ratiosOf(created: number, converted: number, paid: number, paySeconds: number) {
  return {
    conversion: created === 0 ? null : Math.min(1, converted / created),
    secondsToPay: paid === 0 ? null : paySeconds / paid,
  };
}

const volumeOf = ({ volumes }: TokenFigures) => volumes.reduce((sum, volume) => sum + volume, 0);
