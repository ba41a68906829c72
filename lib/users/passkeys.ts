import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import * as z from "zod";
import type { Db } from "@/db/client";
import {
  type AttemptRule,
  returnAttempt,
  returnAttemptOf,
  takeAttempt,
  takeAttemptOf,
} from "@/db/queries/merchants/attempts";
import {
  countPasskey,
  findPasskey,
  insertChallenge,
  insertPasskey,
  listPasskeys,
  lockFactors,
  type Passkey,
  spendChallenge,
} from "@/db/queries/users/factors";
import { findUser, isEmailVerified } from "@/db/queries/users/users";
import type { Env } from "@/lib/config/env";
import { type Problem, problem } from "@/lib/domain/problems/problem";
import { CHALLENGE_MS, type ChallengePurpose } from "@/lib/domain/users/challenge";
import type { RequestOrigin } from "@/lib/domain/users/request-origin";
import { hasFactor } from "@/lib/users/change-factors";
import { renewRecoveryCodes } from "@/lib/users/check-code";
import { notePersonEvent } from "@/lib/users/person-events";
import { openSession, type Visitor } from "@/lib/users/session";
import { PER_DEVICE, PER_IP } from "@/lib/users/sign-in";

const MAX = 20;
const NAME_LENGTH = 60;
/** The passkey requirements that are passed to the browser. */
const ASKED = { userVerification: "required", residentKey: "required" } as const;

const ASKED_PER_IP: AttemptRule = { count: 100, windowMs: 900_000 };

const TOO_MANY = problem("too_many_attempts");
const GONE = problem("passkey_challenge_expired");
const UNKNOWN = problem("passkey_unknown");
const REFUSED = problem("passkey_refused");
const COPIED = problem("passkey_copied");

const UNVERIFIED = problem("email_unverified");
const UNVERIFIABLE = problem("email_unverifiable");

const Base64 = z.string().max(20_000);
const Common = {
  id: z.string().max(1_400),
  rawId: z.string().max(1_400),
  type: z.literal("public-key"),
  clientExtensionResults: z.object({}).default({}),
};
const Added = z.looseObject({
  ...Common,
  response: z.looseObject({ clientDataJSON: Base64, attestationObject: Base64 }),
});
const Signed = z.looseObject({
  ...Common,
  response: z.looseObject({ clientDataJSON: Base64, authenticatorData: Base64, signature: Base64 }),
});

/** Returns the relying party: passkeys are valid for no other host (WebAuthn, section 5.1.2). */
function partyOf(publicUrl: string) {
  const { hostname, origin } = new URL(publicUrl);
  return { rpID: hostname, origin };
}

/**
 * Returns the options with which a device creates a passkey for a signed-in user. A user with an unverified email address gets no options
 * if mail can verify it or registration is open. A passkey survives a new password, so a stranger who registered the address would keep
 * access.
 */
export async function beginPasskey(
  db: Db,
  { publicUrl, registration, smtpUrl }: Pick<Env, "publicUrl" | "registration" | "smtpUrl">,
  user: { id: string; email: string },
  now: Date,
): Promise<PublicKeyCredentialCreationOptionsJSON | { problem: Problem }> {
  const mustVerify = registration === "open" || smtpUrl !== null;
  if (mustVerify && !(await isEmailVerified(db, user.id)))
    return { problem: smtpUrl === null ? UNVERIFIABLE : UNVERIFIED };
  const own = await listPasskeys(db, user.id);
  if (own.length >= MAX) return { problem: problem("too_many_passkeys", { max: MAX }) };
  const options = await generateRegistrationOptions({
    rpName: "Stablegate",
    rpID: partyOf(publicUrl).rpID,
    attestationType: "none",
    timeout: CHALLENGE_MS,
    userName: user.email,
    userID: new TextEncoder().encode(user.id),
    excludeCredentials: own.map(({ id, transports }) => ({ id, transports })),
    authenticatorSelection: ASKED,
  });
  await insertChallenge(db, { id: options.challenge, purpose: "passkey_add", userId: user.id }, now);
  return options;
}

/**
 * Adds the passkey that a device created.
 * @returns recovery codes, shown once, if it is the user's first second factor; or the problem
 */
export async function finishPasskey(
  db: Db,
  publicUrl: string,
  { userId, name, answer, from }: { userId: string; name: string; answer: string; from?: RequestOrigin | undefined },
  now: Date,
): Promise<{ codes: string[] | null } | { problem: Problem }> {
  const shown = name.trim();
  if (!shown || shown.length > NAME_LENGTH) return { problem: problem("passkey_name_missing", { max: NAME_LENGTH }) };
  const response = parse(Added, answer);
  if (!response) return { problem: REFUSED };
  const party = partyOf(publicUrl);
  const verified = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedOrigin: party.origin,
    expectedRPID: party.rpID,
    requireUserVerification: true,
    expectedChallenge: (id) => isSpent(db, { id, purpose: "passkey_add", userId }, now),
  }).catch(() => null);
  if (!verified?.verified) return { problem: GONE };
  const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential;
  const key = { id, userId, name: shown, counter, publicKey: Buffer.from(publicKey).toString("base64url") };
  return db.transaction(async (tx) => {
    await lockFactors(tx, userId);
    const isFirst = !(await hasFactor(tx, userId));
    if (!(await insertPasskey(tx, { ...key, transports: [...transports], createdAt: now })))
      return { problem: problem("passkey_exists") };
    await notePersonEvent(tx, { userId, from, action: "passkey.added", detail: { name: shown } }, now);
    return { codes: isFirst ? await renewRecoveryCodes(tx, userId) : null };
  });
}

/** Returns the options for an assertion: any passkey of this host, or those of a signed-in user. */
export async function askPasskey(
  db: Db,
  publicUrl: string,
  userId: string | null,
  now: Date,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const own = userId === null ? [] : await listPasskeys(db, userId);
  const options = await generateAuthenticationOptions({
    rpID: partyOf(publicUrl).rpID,
    userVerification: "required",
    timeout: CHALLENGE_MS,
    allowCredentials: own.map(({ id, transports }) => ({ id, transports })),
  });
  const purpose: ChallengePurpose = userId === null ? "passkey_sign_in" : "passkey_confirm";
  await insertChallenge(db, { id: options.challenge, purpose, userId }, now);
  return options;
}

/**
 * Verifies the assertion of a passkey: for a pending challenge of this service, at this host, with user verification. A passkey whose
 * counter does not increase is refused and recorded, because it may be a copy (WebAuthn, section 6.1.1).
 * @returns the user, or the problem
 */
export async function checkPasskey(
  db: Db,
  publicUrl: string,
  { answer, userId }: { answer: string; userId: string | null },
  now: Date,
): Promise<{ userId: string } | { problem: Problem }> {
  const response = parse(Signed, answer);
  const key = response && (await findPasskey(db, response.id));
  if (!response || !key || (userId !== null && key.userId !== userId)) return { problem: UNKNOWN };
  const purpose: ChallengePurpose = userId === null ? "passkey_sign_in" : "passkey_confirm";
  const party = partyOf(publicUrl);
  const verified = await verifyAuthenticationResponse({
    response: response as AuthenticationResponseJSON,
    expectedOrigin: party.origin,
    expectedRPID: party.rpID,
    requireUserVerification: true,
    expectedChallenge: (id) => isSpent(db, { id, purpose, userId }, now),
    // The counter is 0 here, because `count` compares it below. A counter that did not increase is a separate problem, which `count`
    // records.
    credential: { id: key.id, publicKey: Buffer.from(key.publicKey, "base64url"), counter: 0 },
  }).catch(() => null);
  if (!verified?.verified) return { problem: REFUSED };
  return count(db, key, verified.authenticationInfo.newCounter, now);
}

async function count(db: Db, key: Passkey, newCounter: number, now: Date) {
  const hasGrown = newCounter > key.counter || (newCounter === 0 && key.counter === 0);
  if (hasGrown && (await countPasskey(db, { id: key.id, counter: key.counter, newCounter }, now)))
    return { userId: key.userId };
  const detail = { name: key.name, counter: newCounter, expected_above: key.counter };
  await notePersonEvent(db, { userId: key.userId, action: "passkey.refused", detail }, now);
  return { problem: COPIED };
}

async function isSpent(
  db: Db,
  one: { id: string; purpose: ChallengePurpose; userId: string | null },
  now: Date,
): Promise<boolean> {
  const spent = await spendChallenge(db, one, now);
  return spent !== null && spent.userId === one.userId;
}

function parse<Shape extends z.ZodType>(shape: Shape, answer: string): z.infer<Shape> | null {
  try {
    return shape.safeParse(JSON.parse(answer)).data ?? null;
  } catch {
    return null;
  }
}

/** Creates the challenge of a visitor who is about to sign in. Challenges are limited per IP address, because each is stored as a row. */
export async function askVisitor(
  db: Db,
  publicUrl: string,
  { ip }: Pick<Visitor, "ip">,
  now: Date,
): Promise<PublicKeyCredentialRequestOptionsJSON | { problem: Problem }> {
  if ((await takeAttemptOf(db, "passkey:ip", ip, ASKED_PER_IP, now)) > 0) return { problem: TOO_MANY };
  return askPasskey(db, publicUrl, null, now);
}

/** Signs a user in with a passkey alone, which covers both factors: the device and its user verification. */
export async function signInByPasskey(
  db: Db,
  publicUrl: string,
  form: Visitor & { answer: string; device?: string | null },
  now: Date,
): Promise<{ sessionId: string } | { problem: Problem }> {
  // A device that signed in before has its own limit, so that failures elsewhere in its network do not lock its owner out.
  const bucket = `sign-in:device:${form.device ?? ""}`;
  const retryAfterMs = form.device
    ? await takeAttempt(db, bucket, PER_DEVICE, now)
    : await takeAttemptOf(db, "sign-in:ip", form.ip, PER_IP, now);
  if (retryAfterMs > 0) return { problem: TOO_MANY };
  const checked = await checkPasskey(db, publicUrl, { answer: form.answer, userId: null }, now);
  if ("problem" in checked) return checked;
  const user = await findUser(db, checked.userId);
  const sessionId = user && (await db.transaction((tx) => openSession(tx, user, form, now)));
  if (!sessionId) return { problem: REFUSED };
  await (form.device ? returnAttempt(db, bucket, PER_DEVICE) : returnAttemptOf(db, "sign-in:ip", form.ip, PER_IP));
  return { sessionId };
}
