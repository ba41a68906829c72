import { randomBytes } from "node:crypto";
import type { Db } from "@/db/client";
import { type CallbackKey, listCallbackKeys } from "@/db/queries/callbacks/callback-keys";
import { isDatabaseAway } from "@/db/unavailable";
import { createBatcher } from "@/lib/batcher";
import { createIntegrationSigner, type OpeningContext } from "@/lib/callbacks/sign-for-integration";
import { findInstallationKey } from "@/lib/callbacks/signing-keys";
import { type UnsignedReason, unsignedProblem } from "@/lib/domain/callbacks/unsigned";
import type { Integrations, SignedRequest } from "@/lib/domain/integrations/integration";
import { type CallbackFormat, isKeyFormat } from "@/lib/domain/keys/key-rules";
import {
  type CallbackSigners,
  type InstallationKey,
  type SignedAttempt,
  type SigningMerchantKey,
  signedHeaders,
  toHmacKey,
} from "@/lib/domain/keys/signature";
import type { Problem } from "@/lib/domain/problems/problem";
import { openKeyHash } from "@/lib/merchants/key-hashes";
import { open } from "@/lib/merchants/vault";

/** The dependencies for signing with API keys. */
export interface KeyContext extends OpeningContext {
  environment: CallbackSigners["environment"];
}

export interface SigningContext extends KeyContext {
  integrations: Integrations;
}

/** An attempt to be signed. */
export interface UnsignedAttempt extends Omit<SignedAttempt, "at" | "nonce"> {
  /** The id of the order or other target of the event. */
  targetId: string;
  merchantId: string;
  format: CallbackFormat;
  url: string;
  /** The webhook whose secret signs the attempt; null: an API key signs it. */
  webhookId: string | null;
}

/** A function that signs one attempt that begins at the given time, or returns the reason why it cannot be signed. */
export type SignAt = (at: Date) => Promise<SignedRequest | UnsignedReason>;

/** A function that signs an attempt, or returns the reason why it cannot be signed. */
export interface SignCallback {
  (attempt: UnsignedAttempt, at: Date): ReturnType<SignAt>;
  /** Starts to read the keys of an attempt that is about to begin, together with those of other attempts. */
  prepare?(attempt: UnsignedAttempt, at: Date): SignAt;
}

const KEEP_MS = 60_000;
/** The longest time for which the keys that were read for an attempt are used, so that a revoked key is not. */
const PREPARED_MS = 1_000;

const MAX_OPENED = 10_000;

/**
 * Creates the function that signs the callbacks of a process. Keys for concurrent attempts are queried together, at most a second before
 * an attempt begins. The installation's key is cached for a minute.
 */
export function createCallbackSigner(db: Db, ctx: SigningContext): SignCallback {
  let known: { key: InstallationKey | null; until: number } | null = null;
  const opened = new Map<string, SigningMerchantKey>();

  /** Decrypts a secret once per stored value; the row itself is read for every callback. */
  function openOnce(encrypted: CallbackKey): SigningMerchantKey | null {
    const name = `${encrypted.id} ${encrypted.secretCipher} ${encrypted.hashCipher ?? ""}`;
    const key = opened.get(name) ?? openKey(ctx, encrypted);
    if (opened.size >= MAX_OPENED) opened.clear();
    if (key) opened.set(name, key);
    return key;
  }

  async function findInstallation(at: Date): Promise<InstallationKey | null> {
    if (known && known.until > at.getTime()) return known.key;
    const key = await findInstallationKey(db, ctx, at);
    known = { key, until: at.getTime() + KEEP_MS };
    return key;
  }

  const findKeys = createBatcher<{ targetId: string; at: Date }, CallbackKey[]>({
    async run(asked) {
      const at = new Date(Math.max(...asked.map((one) => one.at.getTime())));
      const ids = asked.map(({ targetId }) => targetId);
      const keys = await listCallbackKeys(db, ids, at);
      return ids.map((id) => keys.get(id) ?? []);
    },
    ownerOf: () => "",
    isWorthRetrying: (error) => !isDatabaseAway(error),
  });

  const signForIntegration = createIntegrationSigner(db, ctx);

  function prepare({ targetId, format, url, webhookId, ...attempt }: UnsignedAttempt, preparedAt: Date): SignAt {
    if (!isKeyFormat(format))
      return (at) => signForIntegration({ ...attempt, webhookId, integration: format, url }, at);
    const prepared = findKeys({ targetId, at: preparedAt });
    // A failure is reported when the attempt begins.
    prepared.catch(() => {});
    return async (at) => {
      const isRecent = at.getTime() - preparedAt.getTime() <= PREPARED_MS;
      const keys = await (isRecent ? prepared : findKeys({ targetId, at }));
      const headers = signWith(ctx, keys.map(openOnce), await findInstallation(at), attempt, at);
      return typeof headers === "string" ? headers : jsonPost(url, attempt.body, headers);
    };
  }

  return Object.assign((attempt: UnsignedAttempt, at: Date) => prepare(attempt, at)(at), { prepare });
}

/** Returns a POST request with a JSON body. */
function jsonPost(url: string, body: string, headers: Record<string, string>): SignedRequest {
  return { method: "POST", url, headers: { "content-type": "application/json", ...headers }, body };
}

type AttemptOfKey = Omit<UnsignedAttempt, "targetId" | "format" | "url" | "webhookId">;

/** Signs an attempt with keys, given newest first. Returns the reason if it cannot be signed. */
export function signBy(
  ctx: KeyContext,
  encrypted: readonly CallbackKey[],
  installation: InstallationKey | null,
  attempt: AttemptOfKey,
  at: Date,
): { headers: Record<string, string> } | { problem: Problem } {
  const keys = encrypted.map((key) => openKey(ctx, key));
  const signed = signWith(ctx, keys, installation, attempt, at);
  return typeof signed === "string" ? { problem: unsignedProblem(signed, "standard") } : { headers: signed };
}

/**
 * Signs an attempt with decrypted keys.
 * @param opened the decrypted keys; null for a key that cannot be decrypted
 */
function signWith(
  { environment }: KeyContext,
  opened: readonly (SigningMerchantKey | null)[],
  installation: InstallationKey | null,
  { merchantId, ...attempt }: AttemptOfKey,
  at: Date,
): Record<string, string> | UnsignedReason {
  if (opened.length === 0) return "no_key";
  const [newest, ...older] = opened.filter((key) => key !== null);
  if (!newest) return "unreadable_key";
  const nonce = randomBytes(16).toString("hex");
  return signedHeaders({ ...attempt, at, nonce }, { merchantId, environment, keys: [newest, ...older], installation });
}

function openKey(
  { appSecret, log }: KeyContext,
  { id, secretCipher, prefix, ...hash }: CallbackKey,
): SigningMerchantKey | null {
  try {
    const keyHash = openKeyHash(appSecret, { id, ...hash });
    return { prefix, keyHash, secret: toHmacKey(open(appSecret, `api_keys:${id}`, secretCipher)) };
  } catch (error) {
    log.error({ err: error, apiKeyId: id }, "the secret of an API key cannot be decrypted: check APP_SECRET");
    return null;
  }
}
