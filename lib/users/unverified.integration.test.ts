import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { insertPasskey, listPasskeys } from "@/db/queries/users/factors";
import { auditEvents, users } from "@/db/schema";
import { inEnglish } from "@/lib/domain/problems/in-english";
import { beginTotp, findFactors, finishTotp } from "@/lib/users/change-factors";
import { invite, registerInvited } from "@/lib/users/invitations";
import { beginPasskey } from "@/lib/users/passkeys";
import { createMerchantWithOwner, register } from "@/lib/users/register";
import { resetByMail } from "@/lib/users/reset-by-mail";
import { openReset } from "@/lib/users/reset-link";
import { findSession } from "@/lib/users/session";
import { signIn } from "@/lib/users/sign-in";
import { totpCode } from "@/lib/users/totp";
import { useTestDb } from "@/testing/database/clone";
import { inSentences } from "@/testing/problem-sentences";

const now = new Date("2026-03-01T10:00:00Z");
const appSecret = "a secret of at least 32 characters";
const publicUrl = "https://pay.example.com";
const withMail = { publicUrl, registration: "open", smtpUrl: "smtp://mail.example.com" } as const;
const origin = { ip: "192.0.2.1", userAgent: "curl/8" };
const PASSWORD = "the attacker's words";
const NEW = "the owner's own words";
const database = useTestDb();
const db = () => database.pool.db;
let count = 0;
let operator: { merchantId: string; userId: string };

beforeEach(async () => {
  const email = `operator-${count++}@example.com`;
  operator = await createMerchantWithOwner(db(), { name: "First", email, password: "correct horse battery" }, now);
});

/** Registers a victim's address, which open registration allows. */
async function registerOpenly() {
  const email = `victim-${count++}@example.com`;
  const form = { ...origin, code: "", name: "Shop", email, password: PASSWORD };
  const made = await register(db(), { appSecret, registration: "open" }, { ...form, ip: `192.0.2.${count}` }, now);
  if (!("sessionId" in made)) throw new Error(JSON.stringify(made));
  const [user] = await db().select().from(users).where(eq(users.email, email));
  if (!user) throw new Error("the account was registered");
  return { user, sessionId: made.sessionId };
}

async function addFactors(user: { id: string; email: string }): Promise<void> {
  const started = await beginTotp(db(), { appSecret, user });
  if ("problem" in started) throw new Error(inEnglish(started.problem));
  const finished = await finishTotp(db(), { appSecret, userId: user.id, code: totpCode(started.secret, now) }, now);
  expect(finished).toHaveProperty("codes");
  const key = { id: `key-${user.id}`, userId: user.id, name: "Phone", counter: 0, publicKey: "", transports: [] };
  await insertPasskey(db(), { ...key, createdAt: now });
}

async function reset(email: string): Promise<unknown> {
  const url = await openReset(db(), publicUrl, { email, from: "" }, now);
  const token = url?.split("/").at(-1) ?? "";
  return resetByMail(db(), { token, newPassword: NEW, from: { ip: origin.ip, browser: "" } }, now);
}

test("a new account gets no passkey until the mailed link proves the mailbox", async () => {
  const { user } = await registerOpenly();
  expect(inSentences(await beginPasskey(db(), withMail, user, now))).toEqual({
    problem: expect.stringContaining("Verify your email address first"),
  });
  const withoutMail = { ...withMail, smtpUrl: null };
  expect(inSentences(await beginPasskey(db(), withoutMail, user, now))).toMatchObject({
    problem: expect.stringMatching(/SMTP_URL/),
  });
  expect(await reset(user.email)).toEqual({ email: user.email });
  expect(await beginPasskey(db(), withMail, user, now)).toHaveProperty("challenge");
});

test("an invited person verifies the address too, for the link of an invitation passes through the inviter's hands", async () => {
  const email = `friend-${count++}@example.com`;
  const invited = await invite(db(), operator, { email, role: "viewer" }, now);
  if ("errors" in invited) throw new Error(JSON.stringify(invited));
  const form = { ...origin, token: invited.token, password: PASSWORD };
  expect(await registerInvited(db(), { registration: "invite" }, form, now)).toHaveProperty("sessionId");
  const [user] = await db().select().from(users).where(eq(users.email, email));
  if (!user) throw new Error("the account was registered");
  const closed = { ...withMail, registration: "closed" } as const;
  expect(await beginPasskey(db(), closed, user, now)).toHaveProperty("problem");
  // Without mail and with closed registration there is neither verification nor reset by mail.
  expect(await beginPasskey(db(), { ...closed, smtpUrl: null }, user, now)).toHaveProperty("challenge");
});

test("the first mailed link of an account removes the factors and sessions of its registrant", async () => {
  const { user, sessionId } = await registerOpenly();
  await addFactors(user);
  expect(await reset(user.email)).toEqual({ email: user.email });
  expect(await findFactors(db(), user.id)).toEqual({ hasTotp: false, passkeys: 0, recoveryCodes: 0 });
  expect(await listPasskeys(db(), user.id)).toEqual([]);
  expect(await findSession(db(), sessionId, now)).toBeNull();
  expect(inSentences(await signIn(db(), { ...origin, email: user.email, password: PASSWORD }, now))).toEqual({
    problem: "wrong",
  });
  expect(await signIn(db(), { ...origin, email: user.email, password: NEW }, now)).toHaveProperty("sessionId");
  const events = await db().select().from(auditEvents).where(eq(auditEvents.userId, user.id));
  const [done] = events.filter(({ action }) => action === "user.password_reset");
  expect(done?.detail).toMatchObject({ factors_removed: true });
});

test("a later link leaves the second factor of a verified account as it is", async () => {
  const { user } = await registerOpenly();
  await reset(user.email);
  await addFactors(user);
  expect(await reset(user.email)).toEqual({ email: user.email });
  expect(await findFactors(db(), user.id)).toMatchObject({ hasTotp: true, passkeys: 1, recoveryCodes: 10 });
  expect(await signIn(db(), { ...origin, email: user.email, password: NEW }, now)).toHaveProperty("ticket");
});

test("the operator's own account, proved by the set-up code, counts as verified", async () => {
  const [user] = await db().select().from(users).where(eq(users.id, operator.userId));
  expect(user?.emailVerifiedAt).toEqual(now);
});
