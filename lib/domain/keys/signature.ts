import { createHmac, timingSafeEqual } from "node:crypto";

/** Seconds by which the clock of a signer may differ from ours. */
export const SIGNATURE_TOLERANCE_SECONDS = 300;

const SECRET_PREFIX = "whsec_";
const REQUEST_ID = /^[\x21-\x7e]{1,256}$/;
const UNIX_SECONDS = /^\d{1,12}$/;

/** The three headers of a Standard Webhooks signature, as they were sent. */
export interface SignatureHeaders {
  id: string;
  /** Unix seconds. */
  timestamp: string;
  /** Space-separated `v1,<base64>` entries. */
  signature: string;
}

/** What of a request is signed. */
export interface RequestContent {
  /** "POST" */
  method: string;
  /** "/api/v1/pay/sdk/order/add?x=1", as on the request line. */
  pathAndQuery: string;
  rawBody: string | Uint8Array;
}

/**
 * The `webhook-signature` of a message by Standard Webhooks: base64 HMAC-SHA256 over `{id}.{timestamp}.{body}`,
 * one `v1,<base64>` entry per secret, in the order of the secrets, separated by spaces.
 * @param secrets `whsec_` + base64, newest first.
 * @param at moment of signing; whole seconds of it are signed.
 */
export function signMessage(secrets: readonly string[], id: string, at: Date, body: string | Uint8Array): string {
  return secrets.map((secret) => `v1,${digest(secret, id, unixSeconds(at), body)}`).join(" ");
}

/** The headers that sign a request to this service: the text is `{id}.{timestamp}.{METHOD} {path and query}\n{raw body}`. */
export function signRequest(secret: string, id: string, at: Date, content: RequestContent): SignatureHeaders {
  return {
    id,
    timestamp: unixSeconds(at),
    signature: signMessage([secret], id, at, requestText(content)),
  };
}

/**
 * Checks a signed request. Whether its id was seen before is for the caller to ask.
 * @returns null when it is right, or what is wrong with it, in words for the caller.
 */
export function verifyRequestSignature(
  secret: string,
  headers: SignatureHeaders,
  content: RequestContent,
  now: Date,
): string | null {
  if (!REQUEST_ID.test(headers.id)) return "webhook-id must be 1 to 256 printable ASCII characters without spaces";
  if (!UNIX_SECONDS.test(headers.timestamp)) return "webhook-timestamp must be Unix time in whole seconds";
  const ageSeconds = Math.floor(now.getTime() / 1000) - Number(headers.timestamp);
  if (Math.abs(ageSeconds) > SIGNATURE_TOLERANCE_SECONDS) {
    const relation = ageSeconds > 0 ? "behind" : "ahead of";
    return `webhook-timestamp is ${Math.abs(ageSeconds)} seconds ${relation} our clock; at most ${SIGNATURE_TOLERANCE_SECONDS} are allowed`;
  }
  const expected = digest(secret, headers.id, headers.timestamp, requestText(content));
  const isSigned = headers.signature
    .split(" ")
    .map((entry) => entry.startsWith("v1,") && isEqual(entry.slice("v1,".length), expected))
    .includes(true);
  if (isSigned) return null;
  return "webhook-signature does not fit this request; it must be v1,<base64 HMAC-SHA256> over {webhook-id}.{webhook-timestamp}.{METHOD} {path and query}\\n{raw body} under the key's secret";
}

function requestText({ method, pathAndQuery, rawBody }: RequestContent): Uint8Array {
  const head = Buffer.from(`${method.toUpperCase()} ${pathAndQuery}\n`);
  return Buffer.concat([head, typeof rawBody === "string" ? Buffer.from(rawBody) : rawBody]);
}

function digest(secret: string, id: string, timestamp: string, body: string | Uint8Array): string {
  const key = Buffer.from(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret, "base64");
  return createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64");
}

function unixSeconds(at: Date): string {
  return Math.floor(at.getTime() / 1000).toString();
}

function isEqual(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
