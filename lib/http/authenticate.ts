import type { Db, DbPool } from "@/db/client";
import { findLiveKey, touchKey } from "@/db/queries/merchants/api-keys";
import { forgetRequestIds, rememberRequestId } from "@/db/queries/merchants/request-ids";
import { isDatabaseAway } from "@/db/unavailable";
import type { Env } from "@/lib/config/env";
import { hashApiKey, isApiKey, withinCidrs } from "@/lib/domain/keys/api-key";
import type { AppSecret } from "@/lib/domain/keys/app-secret";
import type { Scope } from "@/lib/domain/keys/key-rules";
import { type SignatureHeaders, verifyRequestSignature } from "@/lib/domain/keys/signature";
import { problem } from "@/lib/domain/problems/problem";
import { AppError } from "@/lib/errors";
import type { ApiCall } from "@/lib/http/api-call";
import type { RateLimiter, RateVerdict } from "@/lib/http/rate-limit";
import { addressNetwork, clientAddress } from "@/lib/http/visitors";
import type { Log } from "@/lib/log";
import { keyLookups } from "@/lib/merchants/key-hashes";
import { open } from "@/lib/merchants/vault";

/** A key that was live when it was last looked up. */
export interface KnownKey {
  id: string;
  merchantId: string;
  mustSign: boolean;
  /** True if agents may use the key. */
  isForAgents: boolean;
  scopes: readonly Scope[];
  /** Returns true if the key may be used from an address; null: the key may be used from any address. */
  isAllowedFrom: ((address: string) => boolean) | null;
  /** Returns the secret that signs requests with this key: `whsec_` + base64. */
  secret(): string;
}

/** A cache of keys that this process used recently, so that most requests need no lookup. */
export interface KeyRing {
  /**
   * Returns the live key that a string represents, or null. A revoked key may be returned for up to 5 s after its revocation, so SQL
   * statements check the key again.
   */
  find(text: string, now: Date): Promise<KnownKey | null>;
  /** Removes a key that is no longer live. */
  forget(text: string): void;
}

/** The dependencies of authentication. */
export interface AuthContext {
  env: Pick<Env, "isSandbox" | "trustedProxies">;
  pool: Pick<DbPool, "db">;
  keyRing: KeyRing;
  rateLimiter: RateLimiter;
}

const KEEP_MS = 5_000;
const TOUCH_MS = 60_000;
const MAX_KEYS = 10_000;
const HEADERS = { id: "webhook-id", timestamp: "webhook-timestamp", signature: "webhook-signature" } as const;
const BEARER = /^Bearer +(\S+) *$/i;
const FORGET_CHANCE = 1 / 100;
const REMEMBER_MS = 10 * 60_000;
const MAX_KEY_CHARACTERS = 200;
const FAILURES = { name: "failures", perMinute: 20, burst: 20 };

/** Creates the key ring of a process. */
export function createKeyRing(db: Db, { appSecret, log }: { appSecret: AppSecret; log: Log }): KeyRing {
  const known = new Map<string, { key: KnownKey; until: number }>();
  const lookups = keyLookups(appSecret);

  async function look(text: string, now: Date): Promise<KnownKey | null> {
    const keyHash = hashApiKey(text);
    const row = await findLiveKey(db, { macs: lookups(keyHash), keyHash }, now);
    if (!row) return null;
    if (row.last_used_ms === null || row.last_used_ms <= now.getTime() - TOUCH_MS) {
      touchKey(db, row.id, now).catch((error) =>
        log.warn({ err: error, apiKeyId: row.id }, "the last use was not recorded"),
      );
    }
    let secret: string | null = null;
    const key: KnownKey = {
      id: row.id,
      merchantId: row.merchant_id,
      mustSign: row.must_sign,
      isForAgents: row.is_for_agents,
      scopes: row.scopes,
      isAllowedFrom: row.cidrs.length === 0 ? null : withinCidrs(row.cidrs),
      secret() {
        secret ??= open(appSecret, `api_keys:${row.id}`, row.secret_cipher);
        return secret;
      },
    };
    const until = Math.min(now.getTime() + KEEP_MS, row.ends_ms ?? Number.POSITIVE_INFINITY);
    if (known.size >= MAX_KEYS) known.clear();
    known.set(text, { key, until });
    return key;
  }

  return {
    async find(text, now) {
      const entry = known.get(text);
      if (entry && entry.until > now.getTime()) return entry.key;
      known.delete(text);
      return isApiKey(text) ? look(text, now) : null;
    },
    forget(text) {
      known.delete(text);
    },
  };
}

/** The scope that a request requires; "any" accepts any key. */
export type Needed = Scope | "any";

/**
 * Returns the valid key of a request after checking its scope and address range.
 * @throws AppError 10002 with the reason
 */
export async function authenticate(context: AuthContext, call: ApiCall, needed: Needed, now: Date): Promise<KnownKey> {
  const text = readKey(call);
  if (!text) {
    throw new AppError(problem("api_key_missing"));
  }
  const key = text.length <= MAX_KEY_CHARACTERS ? await context.keyRing.find(text, now) : null;
  if (!key) {
    throw new AppError(problem("api_key_unknown"));
  }
  if (key.isAllowedFrom) checkOrigin(key.isAllowedFrom, addressOf(context, call));
  if (needed === "any" || key.scopes.includes(needed)) return key;
  throw new AppError(problem("api_key_lacks_scope", { needed, scopes: key.scopes.join(", ") || "none" }));
}

function checkOrigin(isAllowed: (address: string) => boolean, from: string): void {
  if (isAllowed(from)) return;
  throw new AppError(problem("api_key_wrong_address", { address: from.slice(0, 60) }));
}

function addressOf({ env }: AuthContext, call: ApiCall): string {
  return clientAddress(call.header("x-forwarded-for"), env.trustedProxies);
}

/**
 * Returns the key in X-API-Key, or the bearer token of clients that support no other header; "" if there is none.
 * @throws AppError 10002 if the two differ
 */
function readKey(call: ApiCall): string {
  const [own, bearer] = keysOf(call);
  if (own && bearer && own !== bearer) throw new AppError(problem("api_keys_differ"));
  return own || bearer;
}

function keysOf(call: ApiCall): [own: string, bearer: string] {
  const authorization = call.header("authorization");
  const bearer = authorization === null ? "" : (BEARER.exec(authorization)?.[1] ?? "");
  return [call.header("x-api-key") ?? "", bearer];
}

/**
 * Counts a failed authentication. Returns the error of the failure (10002), or the error for too many failures after 20 failures from its
 * network within a minute.
 */
export async function countFailure(
  context: AuthContext,
  call: ApiCall,
  failure: AppError,
  now: Date,
): Promise<AppError> {
  for (const text of keysOf(call)) context.keyRing.forget(text);
  if (context.env.isSandbox) return failure;
  const verdict = await takeFailure(context, networkOf(context, call), now);
  return !verdict || verdict.isAllowed ? failure : tooManyFailures(verdict.retryAfterSeconds);
}

/**
 * Refuses a request whose address has just had too many failed authentications, before any work is done for it.
 * @throws AppError 10005
 */
export function refuseAfterFailures(context: AuthContext, call: ApiCall, now: Date): void {
  if (context.env.isSandbox) return;
  const wait = context.rateLimiter.refusedSeconds(FAILURES, networkOf(context, call), now);
  if (wait > 0) throw tooManyFailures(wait);
}

/** Returns the network by which failed requests are counted: the whole IPv4 address, or the /64 network of an IPv6 address. */
export function networkOf(context: AuthContext, call: ApiCall): string {
  return addressNetwork(addressOf(context, call));
}

function tooManyFailures(retryAfterSeconds: number): AppError {
  return new AppError(problem("too_many_failures", { seconds: retryAfterSeconds }), { retryAfterSeconds });
}

/** Counts a failure. Returns null if the database is unavailable, because an invalid key is rejected in any case. */
async function takeFailure(context: AuthContext, network: string, now: Date): Promise<RateVerdict | null> {
  try {
    return await context.rateLimiter.take(FAILURES, network, now);
  } catch (error) {
    if (isDatabaseAway(error)) return null;
    throw error;
  }
}

/**
 * Checks the signature of a request. If a signature is present, it must be valid and new. If the key requires a signature, it must be
 * present.
 * @throws AppError 10002 with the reason
 */
export async function checkSignature(
  context: AuthContext,
  key: KnownKey,
  call: ApiCall,
  rawBody: Uint8Array,
  now: Date,
): Promise<void> {
  const headers = readHeaders(call, key);
  if (!headers) return;
  const { pathname, search } = new URL(call.target, "http://localhost");
  const content = { method: call.method, pathAndQuery: pathname + search, rawBody };
  const invalid = verifyRequestSignature(key.secret(), headers, content, now);
  if (invalid) throw new AppError(invalid);
  const entry = { apiKeyId: key.id, requestId: headers.id };
  const isNew = await rememberRequestId(context.pool.db, entry, new Date(now.getTime() + REMEMBER_MS), now);
  if (!isNew) {
    throw new AppError(problem("signature_id_used", { id: headers.id.slice(0, 60) }));
  }
  if (Math.random() < FORGET_CHANCE) await forgetRequestIds(context.pool.db, now);
}

function readHeaders(call: ApiCall, key: KnownKey): SignatureHeaders | null {
  const id = call.header(HEADERS.id);
  const timestamp = call.header(HEADERS.timestamp);
  const signature = call.header(HEADERS.signature);
  if (id !== null && timestamp !== null && signature !== null) return { id, timestamp, signature };
  if (id === null && timestamp === null && signature === null) {
    if (!key.mustSign) return null;
    throw new AppError(problem("signature_required", { headers: Object.values(HEADERS).join(", ") }));
  }
  const missing = Object.values(HEADERS).filter((name) => call.header(name) === null);
  throw new AppError(problem("signature_incomplete", { missing: missing.join(" and ") }));
}
