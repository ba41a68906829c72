import { createHmac, type KeyObject, sign } from "node:crypto";
import { signMessage } from "@/lib/domain/keys/signature";

/** A live key of the merchant. */
export interface SigningMerchantKey {
  /** `whsec_` + base64 */
  secret: string;
  /** At least the first 12 characters of the API key. */
  prefix: string;
  /** SHA-256 of the API key, lower-case hex. */
  keyHash: string;
}

/** Who signs a callback. */
export interface CallbackSigners {
  merchantId: string;
  environment: "production" | "sandbox";
  /** Newest first; at least one. */
  keys: readonly [SigningMerchantKey, ...SigningMerchantKey[]];
  /** The Ed25519 key of the installation; null where it cannot be opened. */
  installation: { id: string; privateKey: KeyObject } | null;
}

/** What of an attempt is signed. */
export interface SignedAttempt {
  /** The same at all attempts. */
  id: string;
  body: string;
  /** Attempts of its series before this one. */
  attemptsBefore: number;
  at: Date;
  /** 32 characters of [A-Za-z0-9], new at every attempt. */
  nonce: string;
}

/** First line of what the v2 signature is over: text of the wire, which receivers have built in, and no name of anything here. */
export const V2_DOMAIN = "polypay-webhook-v2";

const PREFIX_CHARACTERS = 12;

/**
 * The headers that prove where a callback comes from, all of them on each, whatever its format: Standard Webhooks by the secrets
 * and by the installation's key, plugin v1 by the API key, v2 by the installation's key.
 */
export function signedHeaders(attempt: SignedAttempt, signers: CallbackSigners): Record<string, string> {
  const { id, at, body, nonce } = attempt;
  const timestamp = Math.floor(at.getTime() / 1000).toString();
  const secrets = signers.keys.map(({ secret }) => secret);
  const bySecret = signMessage(secrets, id, at, body);
  const byPublicKey = signers.installation && signBytes(signers.installation, `${id}.${timestamp}.${body}`, "base64");
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

/** They have room for one key: during a rotation attempts take turns, so that either of both is heard. */
function pluginHeaders({ body, nonce, attemptsBefore }: SignedAttempt, { keys }: CallbackSigners, timestamp: string) {
  const { prefix, keyHash } = keys[attemptsBefore % keys.length] ?? keys[0];
  return {
    "X-Key-Prefix": prefix.slice(0, PREFIX_CHARACTERS),
    "X-Signature": createHmac("sha256", keyHash).update(`${timestamp}\n${nonce}\n${body}`).digest("hex"),
  };
}

type Installation = NonNullable<CallbackSigners["installation"]>;

function v2Headers(
  { body, nonce }: SignedAttempt,
  { merchantId, environment }: CallbackSigners,
  installation: Installation,
  timestamp: string,
) {
  const text = [V2_DOMAIN, installation.id, timestamp, nonce, merchantId, environment, body].join("\n");
  return {
    "X-Webhook-Signature-Version": "v2",
    "X-Webhook-Key-Id": installation.id,
    "X-Webhook-Merchant-Id": merchantId,
    "X-Webhook-Environment": environment,
    "X-Webhook-Signature-V2": signBytes(installation, text, "base64url"),
  };
}

function signBytes({ privateKey }: Installation, text: string, encoding: "base64" | "base64url"): string {
  return sign(null, Buffer.from(text), privateKey).toString(encoding);
}
