import type { Deposit, Event, Order, Refund } from "./api.ts";
import { CallbackError } from "./errors.ts";
import { isEqual, signMessage, toBytes } from "./signature.ts";

type Types<Prefix extends string> = Extract<Event["type"], `${Prefix}.${string}`>;

/** An event about an order, a deposit or a refund. `type` decides the type of `data`. */
export type CallbackEvent =
  | (Omit<Event, "type" | "data"> & { type: Types<"payment" | "order">; data: Order })
  | (Omit<Event, "type" | "data"> & { type: Types<"deposit">; data: Deposit })
  | (Omit<Event, "type" | "data"> & { type: Types<"refund">; data: Refund });

/** The headers of a request: those of `fetch`, or an object such as `request.headers` in Node. */
export type CallbackHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The settings of the verification of a callback. */
export interface VerifyOptions {
  /** The maximum difference between the time of the signature and your clock. The default is 300 seconds. */
  toleranceSeconds?: number;
  /** The current time, for tests. */
  now?: Date;
}

const UNIX_SECONDS = /^\d{1,12}$/;

/**
 * Verifies the signature of a callback with the secret of your API key, and returns its event. Deliveries repeat: handle an event with the
 * same effect once, by its `id` or by the order's `trade_id`.
 * @param body the raw body as it was received, before it is parsed
 * @param secrets `whsec_…`; several while you replace a secret
 * @throws CallbackError
 */
export async function verifyCallback(
  body: string | Uint8Array | ArrayBuffer,
  headers: CallbackHeaders,
  secrets: string | readonly string[],
  options: VerifyOptions = {},
): Promise<CallbackEvent> {
  const id = readHeader(headers, "webhook-id");
  const timestamp = readHeader(headers, "webhook-timestamp");
  const signatures = readHeader(headers, "webhook-signature").split(" ");
  checkTime(timestamp, options);
  const bytes = toBytes(body);
  let isSigned = false;
  for (const secret of typeof secrets === "string" ? [secrets] : secrets) {
    const expected = `v1,${await signMessage(secret, id, timestamp, bytes)}`;
    for (const signature of signatures) isSigned = isEqual(signature, expected) || isSigned;
  }
  if (!isSigned) {
    throw new CallbackError("signature_invalid", "No signature of the callback matches the secret and the raw body.");
  }
  return readEvent(bytes);
}

function readHeader(headers: CallbackHeaders, name: string): string {
  const value = isFetchHeaders(headers) ? headers.get(name) : findHeader(headers, name);
  const text = typeof value === "string" ? value : (value?.[0] ?? "");
  if (text === "") throw new CallbackError("header_missing", `The header ${name} is missing.`);
  return text;
}

function isFetchHeaders(headers: CallbackHeaders): headers is { get(name: string): string | null } {
  return typeof headers["get"] === "function";
}

function findHeader(headers: Exclude<CallbackHeaders, { get(name: string): string | null }>, name: string) {
  const own = Object.keys(headers).find((key) => key.toLowerCase() === name);
  return own === undefined ? undefined : headers[own];
}

function checkTime(timestamp: string, { toleranceSeconds = 300, now = new Date() }: VerifyOptions): void {
  if (!UNIX_SECONDS.test(timestamp)) {
    throw new CallbackError(
      "timestamp_invalid",
      `webhook-timestamp must be Unix seconds; got "${timestamp.slice(0, 40)}".`,
    );
  }
  const ageSeconds = Math.floor(now.getTime() / 1000) - Number(timestamp);
  if (Math.abs(ageSeconds) <= toleranceSeconds) return;
  const difference = `${Math.abs(ageSeconds)} seconds ${ageSeconds > 0 ? "old" : "in the future"}`;
  throw new CallbackError(
    "timestamp_out_of_range",
    `The callback is ${difference}; at most ${toleranceSeconds} are allowed.`,
  );
}

function readEvent(bytes: Uint8Array): CallbackEvent {
  try {
    const event: CallbackEvent = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof event.id === "string" && typeof event.type === "string" && typeof event.data === "object") return event;
  } catch {
    // Not JSON: the error below is for both cases.
  }
  throw new CallbackError("body_invalid", "The body is signed, but is not an event in the standard format.");
}
