import type { KeyFormat, OptInType } from "@/lib/domain/keys/key-rules";
import { type Currency, getNetwork, getToken } from "@/lib/domain/networks";
import type { OrderException, OrderStatus, QuoteFunds } from "@/lib/domain/orders/order";
import { type DetailData, exactNumber, JsonText, writeJson } from "@/lib/domain/orders/order-wire";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

export type CallbackType = "payment.confirmed" | OptInType;
/** The events that webhooks of integrations are written from, besides confirmed payments. */
export const WEBHOOK_EVENTS = [
  "payment.detected",
  "payment.underpaid",
  "payment.overpaid",
  "order.expired",
  "order.cancelled",
] as const satisfies readonly CallbackType[];

export type CallbackStatus = "pending" | "delivered" | "failed";

/** Waits before each attempt of a series, counted from the end of the attempt before; there are no more attempts than waits. */
export const CALLBACK_WAITS_MS: readonly number[] = [
  0,
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
  12 * HOUR,
  24 * HOUR,
  24 * HOUR,
];

/** Deliveries that may be under way to one origin at a time, over all workers; to one whose last delivery failed it is one. */
export const MAX_IN_FLIGHT_PER_ORIGIN = 8;

/** From this many failures in a row on, an origin is paused after each. */
export const PAUSE_FROM_FAILURES = 3;

const JITTER = 0.2;
const FIRST_PAUSE_MS = 5 * SECOND;
const LONGEST_PAUSE_MS = MINUTE;
const GONE = 410;

/** How an attempt ended. */
export interface AttemptOutcome {
  /** Null when no answer came. */
  httpStatus: number | null;
  /** What the answer's Retry-After asked for. */
  retryAfterMs: number | null;
  /** Whether the answer says so in the callback's format. */
  isAcknowledged: boolean;
}

export type AfterAttempt = { status: "delivered" } | { status: "failed" } | { status: "pending"; waitMs: number };

/**
 * What follows an attempt: what the format takes for one acknowledges, 410 ends the series, anything else waits for the next step.
 * Retry-After can lengthen a wait to twice its step, never shorten it.
 * @param attempts attempts of the series so far, this one included.
 * @param random from 0 to 1: spreads the wait by ±20 %.
 */
export function afterAttempt(attempts: number, outcome: AttemptOutcome, random: number): AfterAttempt {
  if (outcome.isAcknowledged) return { status: "delivered" };
  const stepMs = CALLBACK_WAITS_MS[attempts];
  if (outcome.httpStatus === GONE || stepMs === undefined) return { status: "failed" };
  const jitteredMs = Math.round(stepMs * (1 - JITTER + 2 * JITTER * random));
  return { status: "pending", waitMs: Math.max(jitteredMs, Math.min(outcome.retryAfterMs ?? 0, stepMs * 2)) };
}

/** Whether an outcome says that the origin itself is ill; an answer that merely refuses says it is well. */
export function isOriginIll(httpStatus: number | null): boolean {
  return httpStatus === null || httpStatus === 429 || httpStatus >= 500;
}

/** How long an origin rests after that many failures in a row: not at all at first, at most a minute, never for good. */
export function originPauseMs(failures: number): number {
  if (failures < PAUSE_FROM_FAILURES) return 0;
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures - PAUSE_FROM_FAILURES, 10));
}

interface Health {
  /** In a row. */
  failures: number;
  /** Nothing is sent before. */
  pausedUntil: Date | null;
}

interface Try {
  startedAt: Date;
  endedAt: Date;
  /** Null when no answer came. */
  httpStatus: number | null;
}

/**
 * How an origin is after attempts. Failures of attempts that ran side by side count once: only one that began after the pause
 * of the last counted failure adds to it.
 */
export function healthAfter({ failures, pausedUntil }: Health, tries: readonly Try[]): Health {
  let health: Health = { failures, pausedUntil };
  for (const { startedAt, endedAt, httpStatus } of tries.toSorted(
    (a, b) => a.endedAt.getTime() - b.endedAt.getTime(),
  )) {
    const isCounted = health.pausedUntil !== null && health.pausedUntil > startedAt;
    if (!isOriginIll(httpStatus)) health = { failures: 0, pausedUntil: null };
    else if (!isCounted) {
      const failed = health.failures + 1;
      health = { failures: failed, pausedUntil: new Date(endedAt.getTime() + originPauseMs(failed)) };
    }
  }
  return health;
}

/** What deliveries take turns by: scheme, host and port of a URL; "null" for what is none, so that nothing is stopped by it. */
export function callbackOrigin(url: string): string {
  return URL.parse(url)?.origin ?? "null";
}

/** What of an order its news depend on; `paidUnits` is the confirmed sum. */
export interface Standing {
  status: OrderStatus;
  exception: OrderException | null;
  paidUnits: bigint;
}

/** Something that happened to an order. "payment.restored": a settled payment that the chain took back is final once more. */
export type News = CallbackType | "payment.restored";

/**
 * What a change of an order is told as, in the order of its steps; nothing where nobody could care.
 * @param path every status on the way from `before` to `after`
 * @param held what arrived for the order afterwards
 */
export function newsOf(
  before: Standing,
  path: readonly OrderStatus[],
  after: Standing,
  { confirmedParts, maxDustUnits }: Pick<QuoteFunds, "confirmedParts" | "maxDustUnits">,
): CallbackType[] {
  const steps: CallbackType[] = path.flatMap((status, index) => newsOfStep(path[index - 1] ?? before.status, status));
  const isTakenBack = before.exception === "underpaid" && after.exception === null && after.status !== "paid";
  // A cancellation unlinks what had arrived; no payment was reversed.
  if (isTakenBack && !path.includes("confirming") && !path.includes("cancelled")) steps.unshift("payment.reversed");
  const isGrown = after.paidUnits > before.paidUnits;
  // The first part was told when it came; several can become final in one change.
  const isFurtherPart = isGrown && (before.paidUnits > maxDustUnits || confirmedParts > 1);
  if (after.exception === "underpaid" && (before.exception !== "underpaid" || isFurtherPart))
    steps.push("payment.underpaid");
  if (after.exception === "overpaid" && (before.exception !== "overpaid" || isGrown)) steps.push("payment.overpaid");
  return steps;
}

/**
 * What of the news a merchant hears: confirmed payments always, the others where it asked for them. Who hears of payments that are
 * taken back hears, too, that one is confirmed once more.
 */
export function wantedNews(news: readonly News[], optIns: ReadonlySet<string> | undefined): CallbackType[] {
  return news.flatMap((type) => {
    if (type === "payment.restored") return optIns?.has("payment.reversed") ? ["payment.confirmed"] : [];
    return type === "payment.confirmed" || optIns?.has(type) ? [type] : [];
  });
}

function newsOfStep(from: OrderStatus, to: OrderStatus): CallbackType[] {
  const reversed = from === "confirming" ? (["payment.reversed"] as const) : [];
  switch (to) {
    case "pending":
      return [...reversed];
    case "confirming":
      return ["payment.detected"];
    case "paid":
      return ["payment.confirmed"];
    case "expired":
      return [...reversed, "order.expired"];
    case "cancelled":
      return ["order.cancelled"];
  }
}

/** News of an order, before it is written in a format. */
export interface CallbackEvent {
  /** evt_ + id */
  id: string;
  type: CallbackType;
  at: Date;
  /** The order as the merchant's server shall read it. */
  data: DetailData;
}

/** Statuses of plugin v1; it knows no others. */
const PLUGIN_STATUS: Partial<Record<CallbackType, number>> = {
  "payment.confirmed": 2,
  "order.expired": 3,
  "order.cancelled": 4,
};

/** Writes an event in the format of an API key; null: the format has no message for it, and the event is only listed. */
const WRITERS: Readonly<Record<KeyFormat, (event: CallbackEvent) => string | null>> = {
  standard: writeEvent,
  "plugin-v1": writePluginBody,
};

/** An event in the standard format, in which it is listed too. */
export function writeEvent({ id, type, at, data }: { id: string; type: CallbackType; at: Date; data: object }): string {
  return writeJson({ id, type, timestamp: at.toISOString(), data });
}

const EXACT_FIELD = /(^|_)amount$/;

/** Reads an event that `writeEvent` wrote. @param metadata of the order, to the last byte; null: none */
export function readEvent(body: string, metadata: string | null): CallbackEvent {
  const restore = (name: string, value: unknown, context?: { source?: string }) =>
    EXACT_FIELD.test(name) && typeof value === "number" ? exactNumber(context?.source ?? String(value)) : value;
  const { id, type, timestamp, data } = JSON.parse(body, restore) as Omit<CallbackEvent, "at"> & { timestamp: string };
  return {
    id,
    type,
    at: new Date(timestamp),
    data: { ...data, metadata: metadata === null ? null : new JsonText(metadata) },
  };
}

/** Returns the body of a callback in the format of an API key; null where the format has no message for the event. */
export function writeCallback(format: KeyFormat, event: CallbackEvent): string | null {
  return WRITERS[format](event);
}

/** Returns whether a response acknowledges a callback in the format of an API key. */
export function isAcknowledged(httpStatus: number): boolean {
  return httpStatus === 200;
}

/** The flat body that shop plugins of the hosted service read. A payment by hand has no transaction: `hash` is then empty. */
function writePluginBody({ id, type, data }: CallbackEvent): string | null {
  const status = PLUGIN_STATUS[type];
  if (status === undefined) return null;
  return writeJson({
    event_id: id,
    order_no: data.mch_order_id,
    trade_id: data.trade_id,
    status,
    amount: data.amount,
    actual_amount: data.actual_amount,
    currency: data.currency,
    network: data.network,
    contract_addr: contractOf(data.network, data.currency),
    hash: data.tx_hash ?? "",
    wallet_address: data.address,
  });
}

/** Null while the payer has chosen nothing. */
function contractOf(network: string | null, currency: Currency | null): string | null {
  return network && currency ? getToken(getNetwork(network), currency).contract : null;
}
