import { createHash, randomBytes } from "node:crypto";
import type { Db } from "@/db/client";
import { type AttemptRule, returnAttempt, takeAttempt } from "@/db/queries/merchants/attempts";
import {
  countRecoveryCodes,
  findTotp,
  replaceRecoveryCodes,
  spendRecoveryCode,
  spendTotpStep,
} from "@/db/queries/users/factors";
import type { AppSecret } from "@/lib/domain/keys/app-secret";
import { type Problem, problem } from "@/lib/domain/problems/problem";
import type { RequestOrigin } from "@/lib/domain/users/request-origin";
import { open } from "@/lib/merchants/vault";
import { notePersonEvent } from "@/lib/users/person-events";
import { matchTotpStep } from "@/lib/users/totp";

const RULE: AttemptRule = { count: 10, windowMs: 900_000 };
const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 10;
/** The alphabet of Crockford's base32, in which no character resembles another. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Returns the name of the row to which a one-time code's secret is bound. */
export const totpRow = (userId: string) => `totp:${userId}`;

/**
 * Checks a second factor: a code of the authenticator app, which is accepted once, or a recovery code, which is then used up. Failures are
 * limited per user, like passwords.
 * @returns the kind of code, or the problem; `isGuess` is true if a code was compared
 */
export async function checkCode(
  db: Db,
  {
    appSecret,
    userId,
    code,
    from,
  }: { appSecret: AppSecret; userId: string; code: string; from?: RequestOrigin | undefined },
  now: Date,
): Promise<{ by: "totp" | "recovery" } | { problem: Problem; isGuess?: true }> {
  const typed = code.replace(/[\s-]/g, "").toUpperCase();
  if (!typed) return { problem: problem("code_missing") };
  const bucket = `second-factor:${userId}`;
  const retryAfterMs = await takeAttempt(db, bucket, RULE, now);
  if (retryAfterMs > 0)
    return { problem: problem("code_attempts_exceeded", { minutes: Math.ceil(retryAfterMs / 60_000) }) };
  const by = /^\d{6}$/.test(typed)
    ? await spendTotp(db, { appSecret, userId, code: typed }, now)
    : await spendRecovery(db, { userId, from }, typed, now);
  if (!by) return { problem: problem("code_wrong"), isGuess: true };
  await returnAttempt(db, bucket, RULE);
  return { by };
}

async function spendTotp(db: Db, one: { appSecret: AppSecret; userId: string; code: string }, now: Date) {
  const { appSecret, userId, code } = one;
  const totp = await findTotp(db, userId);
  if (!totp?.encrypted || !totp.since) return null;
  const step = matchTotpStep(open(appSecret, totpRow(userId), totp.encrypted), code, now);
  if (step === null) return null;
  return (await spendTotpStep(db, { userId, encrypted: totp.encrypted, step })) ? "totp" : null;
}

async function spendRecovery(
  db: Db,
  { userId, from }: { userId: string; from: RequestOrigin | undefined },
  typed: string,
  now: Date,
) {
  return db.transaction(async (tx) => {
    if (!(await spendRecoveryCode(tx, userId, hashOf(typed)))) return null;
    const detail = { left: await countRecoveryCodes(tx, userId) };
    await notePersonEvent(tx, { userId, from, action: "recovery_code.used", detail }, now);
    return "recovery" as const;
  });
}

const hashOf = (code: string) => createHash("sha256").update(code).digest("hex");

/**
 * Creates ten new recovery codes of 80 random bits for a user, which replace all others.
 * @returns the codes, shown once
 */
export async function renewRecoveryCodes(tx: Db, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => charactersOf(randomBytes(RECOVERY_BYTES)));
  await replaceRecoveryCodes(tx, userId, codes.map(hashOf));
  return codes.map((code) => code.match(/.{4}/g)?.join("-") ?? code);
}

function charactersOf(bytes: Buffer): string {
  let rest = BigInt(`0x${bytes.toString("hex")}`);
  let text = "";
  for (let bits = 0; bits < bytes.length * 8; bits += 5) {
    text += ALPHABET[Number(rest & 31n)];
    rest >>= 5n;
  }
  return text;
}
