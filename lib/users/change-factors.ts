import type { Db } from "@/db/client";
import { type AttemptRule, returnAttempt, takeAttempt } from "@/db/queries/merchants/attempts";
import {
  activateTotp,
  clearTotp,
  countRecoveryCodes,
  deletePasskeys,
  findTotp,
  listPasskeys,
  lockFactors,
  replaceRecoveryCodes,
  setPendingTotp,
} from "@/db/queries/users/factors";
import { isFactorAsked } from "@/db/queries/users/memberships";
import type { AppSecret } from "@/lib/domain/keys/app-secret";
import { type Problem, problem } from "@/lib/domain/problems/problem";
import type { RequestOrigin } from "@/lib/domain/users/request-origin";
import { encrypt, open } from "@/lib/merchants/vault";
import { renewRecoveryCodes, totpRow } from "@/lib/users/check-code";
import { notePersonEvent } from "@/lib/users/person-events";
import { matchTotpStep, newTotpSecret, totpUri } from "@/lib/users/totp";

const LAST_FACTOR = problem("last_factor");
const ALREADY_ON = problem("totp_already_set_up");
const RULE: AttemptRule = { count: 10, windowMs: 900_000 };

/** The user whose factors change, and the origin of the request. */
interface One {
  userId: string;
  from?: RequestOrigin | undefined;
}

/** Starts setting up an authenticator app. @returns the secret and the content of its QR code, or the problem */
export async function beginTotp(
  db: Db,
  { appSecret, user }: { appSecret: AppSecret; user: { id: string; email: string } },
): Promise<{ secret: string; uri: string } | { problem: Problem }> {
  const secret = newTotpSecret();
  const isKept = await setPendingTotp(db, user.id, encrypt(appSecret, totpRow(user.id), secret));
  return isKept ? { secret, uri: totpUri(secret, user.email) } : { problem: ALREADY_ON };
}

/**
 * Completes the setup of an authenticator app with a valid code. Codes are required from then on.
 * @returns recovery codes, shown once, or the problem
 */
export async function finishTotp(
  db: Db,
  { appSecret, userId, code, from }: One & { appSecret: AppSecret; code: string },
  now: Date,
): Promise<{ codes: string[] } | { problem: Problem }> {
  const bucket = `enrol:${userId}`;
  if ((await takeAttempt(db, bucket, RULE, now)) > 0) return { problem: problem("setup_attempts_exceeded") };
  const totp = await findTotp(db, userId);
  if (!totp?.encrypted || totp.since) return { problem: problem("setup_expired") };
  const { encrypted } = totp;
  const step = matchTotpStep(open(appSecret, totpRow(userId), encrypted), code, now);
  if (step === null) return { problem: problem("setup_code_wrong") };
  await returnAttempt(db, bucket, RULE);
  return db.transaction(async (tx) => {
    if (!(await activateTotp(tx, { userId, encrypted, step }, now))) return { problem: ALREADY_ON };
    await notePersonEvent(tx, { userId, from, action: "totp.added" }, now);
    return { codes: await renewRecoveryCodes(tx, userId) };
  });
}

/**
 * Replaces all recovery codes with ten new ones.
 * @returns the new codes, shown once, or the problem
 */
export async function renewCodes(
  db: Db,
  { userId, from }: One,
  now: Date,
): Promise<{ codes: string[] } | { problem: Problem }> {
  return db.transaction(async (tx) => {
    await lockFactors(tx, userId);
    if (!(await hasFactor(tx, userId))) return { problem: problem("factor_missing") };
    await notePersonEvent(tx, { userId, from, action: "recovery_codes.renewed" }, now);
    return { codes: await renewRecoveryCodes(tx, userId) };
  });
}

/** Removes the authenticator app of a user. @returns true, or the problem */
export async function removeTotp(db: Db, { userId, from }: One, now: Date): Promise<true | { problem: Problem }> {
  return remove(db, userId, async (tx) => {
    if (!(await clearTotp(tx, userId))) return { problem: problem("totp_not_set_up") };
    await notePersonEvent(tx, { userId, from, action: "totp.removed" }, now);
    return true;
  });
}

/** Removes a passkey of a user. @returns true, or the problem */
export async function removePasskey(
  db: Db,
  one: One & { id: string },
  now: Date,
): Promise<true | { problem: Problem }> {
  return remove(db, one.userId, async (tx) => {
    const [name] = await deletePasskeys(tx, one);
    if (name === undefined) return { problem: problem("passkey_not_found") };
    await notePersonEvent(tx, { userId: one.userId, from: one.from, action: "passkey.removed", detail: { name } }, now);
    return true;
  });
}

class LastFactor extends Error {}

/**
 * Removes a factor. The last factor cannot be removed if a shop requires a second factor. Otherwise, the recovery codes are removed with
 * the last factor.
 */
async function remove(
  db: Db,
  userId: string,
  take: (tx: Db) => Promise<true | { problem: Problem }>,
): Promise<true | { problem: Problem }> {
  const work = db.transaction(async (tx) => {
    await lockFactors(tx, userId);
    const result = await take(tx);
    if (result !== true || (await hasFactor(tx, userId))) return result;
    if (await isFactorAsked(tx, userId)) throw new LastFactor();
    await replaceRecoveryCodes(tx, userId, []);
    return true as const;
  });
  return work.catch((error: unknown) => {
    if (error instanceof LastFactor) return { problem: LAST_FACTOR };
    throw error;
  });
}

/** Removes every second factor of a user, for the operator. @returns true if there was one */
export async function clearFactors(tx: Db, userId: string): Promise<boolean> {
  await lockFactors(tx, userId);
  const hadTotp = await clearTotp(tx, userId);
  const names = await deletePasskeys(tx, { userId });
  await replaceRecoveryCodes(tx, userId, []);
  return hadTotp || names.length > 0;
}

/** The second factors of a user. */
export interface Factors {
  hasTotp: boolean;
  passkeys: number;
  recoveryCodes: number;
}

/** Returns the second factors of a user. */
export async function findFactors(db: Db, userId: string): Promise<Factors> {
  const totp = await findTotp(db, userId);
  const keys = await listPasskeys(db, userId);
  return {
    hasTotp: totp?.since != null,
    passkeys: keys.length,
    recoveryCodes: await countRecoveryCodes(db, userId),
  };
}

/** Returns true if a user cannot sign in with the password alone. */
export async function hasFactor(db: Db, userId: string): Promise<boolean> {
  const { hasTotp, passkeys } = await findFactors(db, userId);
  return hasTotp || passkeys > 0;
}
