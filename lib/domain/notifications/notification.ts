import type { NetworkRefusal } from "@/lib/domain/networks/refusal";
import type { SecurityFact } from "@/lib/domain/notifications/account-email";

/** The kinds of notification channels. */
export const WAYS = ["email", "telegram", "webhook"] as const;
export type Way = (typeof WAYS)[number];

/** The kinds of notification. */
export const NOTIFICATION_KINDS = [
  "orderPaid",
  "moneyUnmatched",
  "paymentReversed",
  "callbackFailing",
  "networkTrouble",
  "endpointsContradict",
  "signedIn",
  "addressTampered",
  "securityChanged",
  "dailyReport",
] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** A token amount as stored with a fact: base units as a string. */
export interface FactAmount {
  network: string;
  currency: string;
  units: string;
}

/** The facts of each kind of notification. They contain only strings and counts, so that they can be stored as JSON. */
export interface FactsOf {
  orderPaid: FactAmount & { orderId: string; number: string };
  moneyUnmatched: FactAmount & { transferId: string };
  paymentReversed: FactAmount & { transferId: string; number: string | null };
  /** `origin`: the origin to which deliveries are paused; `number`: the number of the order whose callback failed. */
  callbackFailing: { origin: string; orderId: string | null; number: string | null };
  /** Rows from the previous version have `problem`, a sentence, instead of `refusal`. */
  networkTrouble: { network: string } & ({ refusal: NetworkRefusal } | { problem: string });
  endpointsContradict: FactAmount & { transferId: string };
  signedIn: { network: string; browser: string };
  addressTampered: { network: string; address: string };
  securityChanged: SecurityFact;
  dailyReport: {
    /** YYYY-MM-DD, in the user's time zone. */
    day: string;
    created: number;
    paid: number;
    sums: FactAmount[];
    unmatched: number;
    failedCallbacks: number;
  };
}

/** A fact that is pending for a channel. */
export type Fact = { [Kind in NotificationKind]: { kind: Kind; facts: FactsOf[Kind] } }[NotificationKind];

/** The number of messages of a kind within `STORM_MS` that are sent individually. Further messages are held and sent together. */
export const MAX_SINGLE = 5;
export const STORM_MS = 300_000;

/**
 * Returns the time when a channel may receive its next message of a kind.
 * @param sentAt the times when the last messages of the kind were sent to the channel
 * @returns the earliest send time; null if the message can be sent now
 */
export function waitsUntil(sentAt: readonly Date[], now: Date): Date | null {
  const recent = sentAt.map((at) => at.getTime()).filter((ms) => ms > now.getTime() - STORM_MS);
  if (recent.length < MAX_SINGLE) return null;
  const first = recent.toSorted((a, b) => a - b).at(-MAX_SINGLE) ?? now.getTime();
  return new Date(first + STORM_MS);
}

/**
 * Returns the number of pending facts that the next message includes: one, or all of them if messages are being combined.
 * @param recent the number of messages of the kind that were sent to the channel within `STORM_MS`
 * @param waiting the number of pending facts of the kind, at least one
 * @param isHeld true if the first of them was held back
 */
export function includedCount(recent: number, waiting: number, isHeld: boolean): number {
  return isHeld || recent + waiting > MAX_SINGLE ? waiting : 1;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** The delays after failures; after the last of them, about a day after the first attempt, the message fails. */
const WAITS_MS = [
  10 * SECOND_MS,
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  8 * HOUR_MS,
  9 * HOUR_MS,
];

/**
 * Returns the delay after a failed attempt, with ±20% jitter; null if there is no further attempt.
 * @param attempts the number of attempts so far, including this one
 * @param random from 0 to 1
 */
export function retryAfterMs(attempts: number, random: number): number | null {
  const waitMs = WAITS_MS[attempts - 1];
  return waitMs === undefined ? null : Math.round(waitMs * (0.8 + 0.4 * random));
}

/** Returns the calendar day (YYYY-MM-DD) and the hour of an instant in a time zone. */
export function calendarAt(timeZone: string, at: Date): { day: string; hour: number } {
  const parts = new Intl.DateTimeFormat("en-CA", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    hourCycle: "h23",
  }).formatToParts(at);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? "";
  return { day: `${part("year")}-${part("month")}-${part("day")}`, hour: Number(part("hour")) };
}

/** Returns true if a string is the name of a time zone that this runtime supports. */
export function isTimeZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the report that is due at a given time. The report of a day is due on the next day, from the given hour on.
 * @returns the day of the report, and the start and end of that day (a UTC hour that contains midnight counts toward the later day); null
 * if no report is due yet
 */
export function dueReport(timeZone: string, hour: number, now: Date): { day: string; from: Date; to: Date } | null {
  const today = calendarAt(timeZone, now);
  if (today.hour < hour) return null;
  const to = startOfDay(timeZone, today.day, now);
  const before = new Date(to.getTime() - 1);
  const { day } = calendarAt(timeZone, before);
  return { day, from: startOfDay(timeZone, day, before), to };
}

/** Returns the first whole UTC hour of the day that contains an instant. Days have 23 to 25 hours. */
function startOfDay(timeZone: string, day: string, within: Date): Date {
  let start = Math.floor(within.getTime() / HOUR_MS) * HOUR_MS;
  while (calendarAt(timeZone, new Date(start - 1)).day === day) start -= HOUR_MS;
  return new Date(start);
}

/** Returns true if the host of a URL is this machine. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}
