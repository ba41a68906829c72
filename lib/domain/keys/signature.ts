import { createHmac, createSecretKey, type KeyObject, sign, timingSafeEqual } from "node:crypto";
import { type Problem, problem } from "@/lib/domain/problems/problem";

/** The maximum difference between a signer's clock and the server's clock, in seconds. */
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

/** The signed parts of a request. */
export interface RequestContent {
  /** "POST" */
  method: string;
  /** The path and query as in the request line, such as "/api/v1/pay/order/add?x=1". */
  pathAndQuery: string;
  rawBody: string | Uint8Array;
}

/**
 * Returns the `webhook-signature` of a message as defined by Standard Webhooks: base64 HMAC-SHA256 over `{id}.{timestamp}.{body}`, one
 * `v1,<base64>` entry per secret, in the order of the secrets, separated by spaces.
 * @param secrets `whsec_` + base64, newest first.
 * @param at time of signing, truncated to whole seconds.
 */
export function signMessage(secrets: readonly string[], id: string, at: Date, body: string | Uint8Array): string {
  const text = messageText(id, unixSeconds(at), body);
  return secrets.map((secret) => `v1,${digest(toHmacKey(secret), text)}`).join(" ");
}

/** Returns the headers that sign a request to this service. The signed text is `{id}.{timestamp}.{METHOD} {path and query}\n{raw body}`. */
export function signRequest(secret: string, id: string, at: Date, content: RequestContent): SignatureHeaders {
  return {
    id,
    timestamp: unixSeconds(at),
    signature: signMessage([secret], id, at, requestText(content)),
  };
}

/**
 * Verifies the signature of a request. It does not detect replays: the caller must reject request ids that were used before.
 * @returns null if the signature is valid; otherwise the problem
 */
export function verifyRequestSignature(
  secret: string,
  headers: SignatureHeaders,
  content: RequestContent,
  now: Date,
): Problem | null {
  if (!REQUEST_ID.test(headers.id)) return problem("signature_id_malformed");
  if (!UNIX_SECONDS.test(headers.timestamp)) return problem("signature_timestamp_malformed");
  const ageSeconds = Math.floor(now.getTime() / 1000) - Number(headers.timestamp);
  if (Math.abs(ageSeconds) > SIGNATURE_TOLERANCE_SECONDS) {
    const params = { seconds: Math.abs(ageSeconds), max: SIGNATURE_TOLERANCE_SECONDS };
    return ageSeconds > 0 ? problem("signature_too_old", params) : problem("signature_too_new", params);
  }
  const text = messageText(headers.id, headers.timestamp, requestText(content));
  const expected = digest(toHmacKey(secret), text);
  const isSigned = headers.signature
    .split(" ")
    .map((entry) => entry.startsWith("v1,") && isEqual(entry.slice("v1,".length), expected))
    .includes(true);
  if (isSigned) return null;
  return problem("signature_mismatch", {
    signed: "{webhook-id}.{webhook-timestamp}.{METHOD} {path and query}\\n{raw body}",
  });
}

/** A live key of the merchant. */
export interface SigningMerchantKey {
  /** The secret in the form that `toHmacKey` returns. */
  secret: KeyObject;
  /** The start of the API key, 12 characters or more. */
  prefix: string;
  /** SHA-256 of the API key, lower-case hex. */
  keyHash: string;
}

/** The Ed25519 key that signs for the installation. */
export interface InstallationKey {
  /** The `kid` of its JWK. */
  id: string;
  privateKey: KeyObject;
}

/** The keys that sign a callback. */
export interface CallbackSigners {
  merchantId: string;
  environment: "production" | "sandbox";
  /** The merchant's live keys, newest first; at least one. */
  keys: readonly [SigningMerchantKey, ...SigningMerchantKey[]];
  /** The Ed25519 key of the installation; null if it cannot be decrypted. */
  installation: InstallationKey | null;
}

/** The signed parts of an attempt. */
export interface SignedAttempt {
  /** The id, which is the same for all attempts. */
  id: string;
  body: string;
  /** The number of earlier attempts in this series. */
  attemptsBefore: number;
  at: Date;
  /** 32 characters of [A-Za-z0-9], newly generated for every attempt. */
  nonce: string;
}

/**
 * The first line of the text that the v2 signature covers. It is part of the wire format, which receivers have hard-coded. The name has no
 * other meaning in this project.
 */
export const V2_DOMAIN = "polypay-webhook-v2";

const PREFIX_CHARACTERS = 12;

/**
 * Returns the headers that prove the origin of a callback. Every format includes all of them: Standard Webhooks, signed with the secrets
 * and with the installation's key; plugin v1, signed with the API key; v2, signed with the installation's key.
 */
export function signedHeaders(attempt: SignedAttempt, signers: CallbackSigners): Record<string, string> {
  const { id, at, body, nonce } = attempt;
  const timestamp = unixSeconds(at);
  const text = messageText(id, timestamp, body);
  const bySecret = signers.keys.map(({ secret }) => `v1,${digest(secret, text)}`).join(" ");
  const byPublicKey = signers.installation && signBytes(signers.installation, text, "base64");
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": byPublicKey ? `${bySecret} v1a,${byPublicKey}` : bySecret,
    "X-Timestamp": timestamp,
    "X-Nonce": nonce,
    ...pluginHeaders(attempt, signers, timestamp),
    ...(signers.installation && v2Headers(attempt, signers, signers.installation, timestamp)),
  };
}

/**
 * Returns the headers of plugin v1. They contain one key: during a rotation, attempts alternate between the keys, so that a receiver with
 * either key accepts one of them.
 */
function pluginHeaders({ body, nonce, attemptsBefore }: SignedAttempt, { keys }: CallbackSigners, timestamp: string) {
  const { prefix, keyHash } = keys[attemptsBefore % keys.length] ?? keys[0];
  return {
    "X-Key-Prefix": prefix.slice(0, PREFIX_CHARACTERS),
    "X-Signature": createHmac("sha256", keyHash).update(`${timestamp}\n${nonce}\n${body}`).digest("hex"),
  };
}

function v2Headers(
  { body, nonce }: SignedAttempt,
  { merchantId, environment }: CallbackSigners,
  installation: InstallationKey,
  timestamp: string,
) {
  const text = Buffer.from([V2_DOMAIN, installation.id, timestamp, nonce, merchantId, environment, body].join("\n"));
  return {
    "X-Webhook-Signature-Version": "v2",
    "X-Webhook-Key-Id": installation.id,
    "X-Webhook-Merchant-Id": merchantId,
    "X-Webhook-Environment": environment,
    "X-Webhook-Signature-V2": signBytes(installation, text, "base64url"),
  };
}

function signBytes({ privateKey }: InstallationKey, text: Uint8Array, encoding: "base64" | "base64url"): string {
  return sign(null, text, privateKey).toString(encoding);
}

function requestText({ method, pathAndQuery, rawBody }: RequestContent): Uint8Array {
  const head = Buffer.from(`${method.toUpperCase()} ${pathAndQuery}\n`);
  return Buffer.concat([head, typeof rawBody === "string" ? Buffer.from(rawBody) : rawBody]);
}

/**
 * Returns the HMAC key of a secret.
 * @param secret `whsec_` + base64
 */
export function toHmacKey(secret: string): KeyObject {
  const text = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;
  return createSecretKey(Buffer.from(text, "base64"));
}

function messageText(id: string, timestamp: string, body: string | Uint8Array): Buffer {
  const head = `${id}.${timestamp}.`;
  return typeof body === "string" ? Buffer.from(head + body) : Buffer.concat([Buffer.from(head), body]);
}

function digest(key: KeyObject, text: Uint8Array): string {
  return createHmac("sha256", key).update(text).digest("base64");
}

function unixSeconds(at: Date): string {
  return Math.floor(at.getTime() / 1000).toString();
}

function isEqual(left: string, right: string): boolean {
  const a = Buffer.from(left);
  const b = Buffer.from(right);
  return a.length === b.length && timingSafeEqual(a, b);
}
