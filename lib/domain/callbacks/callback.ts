import type { RefundStepName } from "@/lib/domain/callbacks/refund-step";
import type { KeyFormat, OptInType } from "@/lib/domain/keys/key-rules";
import { type Currency, getNetwork, getToken } from "@/lib/domain/networks";
import type { OrderException, OrderStatus, QuoteFunds } from "@/lib/domain/orders/order";
import { type DetailData, exactNumber, JsonText, writeJson } from "@/lib/domain/orders/order-wire";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

export type CallbackType = "payment.confirmed" | OptInType;

/** The type of a stored callback: an event of the API, or a step of a refund that an integration reports. */
export type StoredCallbackType = CallbackType | RefundStepName;

/** The events that webhooks of integrations are based on, besides confirmed payments. */
export const WEBHOOK_EVENTS = [
  "payment.detected",
  "payment.underpaid",
  "payment.overpaid",
  "order.expired",
  "order.cancelled",
] as const satisfies readonly CallbackType[];

export type CallbackStatus = "pending" | "delivered" | "failed";

/**
 * The delays before each attempt of a series, counted from the end of the previous attempt. The number of delays is the maximum number of
 * attempts.
 */
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

/** The maximum number of concurrent deliveries to one origin, over all workers; one if the last delivery to it failed. */
export const MAX_IN_FLIGHT_PER_ORIGIN = 8;

/** The number of consecutive failures at which an origin is first paused. Each further failure pauses it again. */
export const PAUSE_FROM_FAILURES = 3;

const JITTER = 0.2;
const FIRST_PAUSE_MS = 5 * SECOND;
const LONGEST_PAUSE_MS = MINUTE;
const GONE = 410;

/** The result of an attempt. */
export interface AttemptOutcome {
  /** The HTTP status; null if there was no response. */
  httpStatus: number | null;
  /** The delay that the response's Retry-After requests. */
  retryAfterMs: number | null;
  /** True if the response acknowledges the event in the callback's format. */
  isAcknowledged: boolean;
}

export type AfterAttempt = { status: "delivered" } | { status: "failed" } | { status: "pending"; waitMs: number };

/**
 * Returns the next step after an attempt: an acknowledgement in the callback's format or a 410 ends the series, any other result schedules
 * the next attempt. Retry-After can lengthen a delay to at most twice its step, but never shorten it.
 * @param attempts attempts of the series so far, including this one.
 * @param random from 0 to 1: spreads the delay by ±20%.
 */
export function afterAttempt(attempts: number, outcome: AttemptOutcome, random: number): AfterAttempt {
  if (outcome.isAcknowledged) return { status: "delivered" };
  const stepMs = CALLBACK_WAITS_MS[attempts];
  if (outcome.httpStatus === GONE || stepMs === undefined) return { status: "failed" };
  const jitteredMs = Math.round(stepMs * (1 - JITTER + 2 * JITTER * random));
  return { status: "pending", waitMs: Math.max(jitteredMs, Math.min(outcome.retryAfterMs ?? 0, stepMs * 2)) };
}

/**
 * Returns true if an outcome indicates that the origin itself fails. A response that only rejects the request indicates that the origin
 * works.
 */
export function isOriginIll(httpStatus: number | null): boolean {
  return httpStatus === null || httpStatus === 429 || httpStatus >= 500;
}

/** Returns the pause of an origin after a number of consecutive failures: none at first, at most a minute. */
export function originPauseMs(failures: number): number {
  if (failures < PAUSE_FROM_FAILURES) return 0;
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures - PAUSE_FROM_FAILURES, 10));
}

interface Health {
  /** The number of consecutive failures. */
  failures: number;
  /** The time before which no delivery is sent to the origin. */
  pausedUntil: Date | null;
}

interface Try {
  startedAt: Date;
  endedAt: Date;
  /** The HTTP status; null if there was no response. */
  httpStatus: number | null;
}

/**
 * Returns the health of an origin after attempts. Failures of concurrent attempts count once: a failure counts only if its attempt started
 * after the pause of the last counted failure.
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

/**
 * Returns the key by which deliveries are served in turn: scheme, host and port of a URL; "null" if it is not a URL, so that it does not
 * block other deliveries.
 */
export function callbackOrigin(url: string): string {
  return URL.parse(url)?.origin ?? "null";
}

/** The properties of an order on which its events depend; `paidUnits` is the confirmed sum. */
export interface Standing {
  status: OrderStatus;
  exception: OrderException | null;
  paidUnits: bigint;
}

/** An event of an order. "payment.restored": a settled payment that a reorg removed is final again. */
export type OrderEventType = CallbackType | "payment.restored";

/**
 * Returns the events for a change to an order, in the sequence of its steps; empty if there are none.
 * @param path every status on the way from `before` to `after`
 * @param held the sum that had arrived for the order after the change
 */
export function eventsOf(
  before: Standing,
  path: readonly OrderStatus[],
  after: Standing,
  { confirmedParts, maxDustUnits }: Pick<QuoteFunds, "confirmedParts" | "maxDustUnits">,
): CallbackType[] {
  const steps: CallbackType[] = path.flatMap((status, index) => eventsOfStep(path[index - 1] ?? before.status, status));
  const isReverted = before.exception === "underpaid" && after.exception === null && after.status !== "paid";
  // A cancellation unlinks the arrived transfers; no payment was reversed.
  if (isReverted && !path.includes("confirming") && !path.includes("cancelled")) steps.unshift("payment.reversed");
  const isGrown = after.paidUnits > before.paidUnits;
  // The first partial payment was reported when it arrived; several can become final in one change.
  const isFurtherPart = isGrown && (before.paidUnits > maxDustUnits || confirmedParts > 1);
  if (after.exception === "underpaid" && (before.exception !== "underpaid" || isFurtherPart))
    steps.push("payment.underpaid");
  if (after.exception === "overpaid" && (before.exception !== "overpaid" || isGrown)) steps.push("payment.overpaid");
  return steps;
}

/**
 * Returns the events that a merchant receives: confirmed payments always, and the others by opt-in. A merchant that opted in to reversed
 * payments also receives the second confirmation.
 */
export function wantedEvents(
  events: readonly OrderEventType[],
  optIns: ReadonlySet<string> | undefined,
): CallbackType[] {
  return events.flatMap((type) => {
    if (type === "payment.restored") return optIns?.has("payment.reversed") ? ["payment.confirmed"] : [];
    return type === "payment.confirmed" || optIns?.has(type) ? [type] : [];
  });
}

function eventsOfStep(from: OrderStatus, to: OrderStatus): CallbackType[] {
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

/** An event of an order, before it is written in a format. */
export interface CallbackEvent {
  /** The id with the prefix evt_. */
  id: string;
  type: CallbackType;
  at: Date;
  /** The order as the merchant's server receives it. */
  data: DetailData;
}

/** The statuses of plugin v1, which defines no others. */
const PLUGIN_STATUS: Partial<Record<CallbackType, number>> = {
  "payment.confirmed": 2,
  "order.expired": 3,
  "order.cancelled": 4,
};

/**
 * The functions that write an event in the format of an API key. They return null if the format has no message for the event, so that it
 * is only listed.
 */
const WRITERS: Readonly<Record<KeyFormat, (event: CallbackEvent) => string | null>> = {
  standard: writeEvent,
  "plugin-v1": writePluginBody,
};

/** Writes an event in the standard format, which is also used when events are listed. */
export function writeEvent({ id, type, at, data }: { id: string; type: CallbackType; at: Date; data: object }): string {
  return writeJson({ id, type, timestamp: at.toISOString(), data });
}

const EXACT_FIELD = /(^|_)amount$/;

/**
 * Reads an event that `writeEvent` wrote.
 * @param metadata the metadata of the order, byte for byte; null if there is none
 */
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

/** Returns the body of a callback in the format of an API key; null if the format has no message for the event. */
export function writeCallback(format: KeyFormat, event: CallbackEvent): string | null {
  return WRITERS[format](event);
}

/** Returns true if a response acknowledges a callback in the format of an API key. */
export function isAcknowledged(httpStatus: number): boolean {
  return httpStatus === 200;
}

/**
 * Writes the flat body that shop plugins of the hosted service read. A payment that was marked manually has no transaction, so `hash` is
 * empty.
 */
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

/** Returns the token's contract; null until the payer selects a method. */
function contractOf(network: string | null, currency: Currency | null): string | null {
  return network && currency ? getToken(getNetwork(network), currency).contract : null;
}
