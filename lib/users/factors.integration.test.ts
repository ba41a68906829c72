import { and, eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { setFactorAsked } from "@/db/queries/users/memberships";
import { auditEvents, recoveryCodes, users } from "@/db/schema";
import type { AuditAction } from "@/lib/domain/audit/audit";
import { inEnglish } from "@/lib/domain/problems/in-english";
import { beginTotp, findFactors, finishTotp, removePasskey, removeTotp, renewCodes } from "@/lib/users/change-factors";
import { changePassword } from "@/lib/users/change-password";
import { checkCode } from "@/lib/users/check-code";
import { confirmPerson } from "@/lib/users/confirm-person";
import { askPasskey, beginPasskey, checkPasskey, finishPasskey, signInByPasskey } from "@/lib/users/passkeys";
import { createMerchantWithOwner } from "@/lib/users/register";
import { resetPassword } from "@/lib/users/reset-password";
import { findSession, lacksFactor, toMember } from "@/lib/users/session";
import { signIn, takeSecondStep } from "@/lib/users/sign-in";
import { matchTotpStep, totpCode } from "@/lib/users/totp";
import { useTestDb } from "@/testing/database/clone";
import { TEST_APP_SECRET as appSecret } from "@/testing/database/seed";
import { createAuthenticator } from "@/testing/office/authenticator";
import { inSentences } from "@/testing/problem-sentences";

const now = new Date("2026-03-01T10:00:00Z");
const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
const password = "correct horse battery";
const publicUrl = "https://pay.example.com";
const env = { publicUrl, registration: "open", smtpUrl: "smtp://mail.example.com" } as const;
const database = useTestDb();
const db = () => database.pool.db;

let count = 0;
let owner: { merchantId: string; userId: string; email: string };
let form: { email: string; password: string; ip: string; userAgent: string };
beforeEach(async () => {
  const email = `owner-${count++}@example.com`;
  owner = { ...(await createMerchantWithOwner(db(), { name: "Tea House", email, password }, now)), email };
  form = { email, password, ip: `192.0.2.${count}`, userAgent: "curl/8" };
});

/** Sets up an authenticator app. Its codes are required from `now` on. */
async function enrol() {
  const started = await beginTotp(db(), { appSecret, user: { id: owner.userId, email: owner.email } });
  if ("problem" in started) throw new Error(inEnglish(started.problem));
  const done = await finishTotp(db(), { appSecret, userId: owner.userId, code: totpCode(started.secret, now) }, now);
  if ("problem" in done) throw new Error(inEnglish(done.problem));
  return { ...started, ...done };
}
async function ticketAt(at = now): Promise<string> {
  const answer = await signIn(db(), form, at);
  if (!("ticket" in answer)) throw new Error(JSON.stringify(answer));
  return answer.ticket;
}
const second = (ticket: string, code: string, at: Date) =>
  takeSecondStep(db(), appSecret, { ip: form.ip, userAgent: form.userAgent, ticket, code }, at);
const check = (code: string, at: Date) => checkCode(db(), { appSecret, userId: owner.userId, code }, at);
const recordOf = async (action: AuditAction) =>
  db()
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.userId, owner.userId), eq(auditEvents.action, action)));

/** Adds a passkey of a test device. */
async function addPasskey(device = createAuthenticator(publicUrl)) {
  const options = await beginPasskey(db(), env, { id: owner.userId, email: owner.email }, now);
  if ("problem" in options) throw new Error(inEnglish(options.problem));
  const answer = device.add(options.challenge);
  const added = { userId: owner.userId, name: "Phone", answer };
  return { device, answer, done: await finishPasskey(db(), publicUrl, added, now) };
}
const challengeOf = async (userId: string | null, at = now) =>
  (await askPasskey(db(), publicUrl, userId, at)).challenge;
const enter = (answer: string, at = now) =>
  signInByPasskey(db(), publicUrl, { ip: form.ip, userAgent: form.userAgent, answer }, at);

test("codes are those of RFC 6238, one step early or late included", () => {
  // RFC 6238, appendix B: the secret is "12345678901234567890". The codes below are the last six of the eight digits in its table.
  const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
  expect(totpCode(secret, new Date(59_000))).toBe("287082");
  expect(totpCode(secret, new Date(1_111_111_109_000))).toBe("081804");
  const steps = [-31, -30, 0, 30, 60].map((s) => matchTotpStep(secret, "287082", new Date(59_000 + s * 1_000)));
  expect(steps).toEqual([1, 1, 1, 1, null]);
  expect(matchTotpStep(secret, "28708", new Date(59_000))).toBeNull();
});

test("codes are required only after a correct one was entered, and the secret is encrypted", async () => {
  const started = await beginTotp(db(), { appSecret, user: { id: owner.userId, email: owner.email } });
  if ("problem" in started) throw new Error(inEnglish(started.problem));
  expect(started.uri).toMatch(/^otpauth:\/\/totp\/Stablegate:owner-\d+%40example\.com\?/);
  const finish = (code: string) => finishTotp(db(), { appSecret, userId: owner.userId, code }, now);
  expect(await finish("000000")).toHaveProperty("problem");
  expect(await signIn(db(), form, now)).toHaveProperty("sessionId");
  expect(await finish(totpCode(started.secret, now))).toMatchObject({ codes: expect.arrayContaining([]) });
  const [row] = await db().select().from(users).where(eq(users.id, owner.userId));
  expect(row?.totpEncrypted).not.toContain(started.secret);
  expect(await recordOf("totp.added")).toHaveLength(1);
});

test("the password alone opens nothing any more: it leads to the second step, which a right code takes once", async () => {
  const { secret } = await enrol();
  const one = await ticketAt(later(60));
  const two = await ticketAt(later(60));
  expect(await findSession(db(), one, later(60))).toBeNull();
  expect(inSentences(await second(one, "000000", later(60)))).toMatchObject({
    problem: expect.stringContaining("wrong"),
  });
  const code = totpCode(secret, later(60));
  const answers = await Promise.all([second(one, code, later(60)), second(two, code, later(60))]);
  expect(answers.filter((answer) => "sessionId" in answer)).toHaveLength(1);
  const spent = answers.findIndex((answer) => "sessionId" in answer) === 0 ? one : two;
  expect(await second(spent, totpCode(secret, later(90)), later(120))).toHaveProperty("problem");
  expect(await recordOf("second_step.failed")).not.toHaveLength(0);
});

test("the code that set up the app cannot also sign in", async () => {
  const { secret } = await enrol();
  expect(await second(await ticketAt(), totpCode(secret, now), now)).toHaveProperty("problem");
});

test("the first step holds for five minutes, for one session, and not over a change of the password", async () => {
  const { secret } = await enrol();
  const stale = await ticketAt();
  expect(await second(stale, totpCode(secret, later(301)), later(301))).toMatchObject({ isOver: true });
  const used = await ticketAt(later(400));
  expect(await second(used, totpCode(secret, later(400)), later(400))).toHaveProperty("sessionId");
  expect(await second(used, totpCode(secret, later(460)), later(460))).toMatchObject({ isOver: true });
  const superseded = await ticketAt(later(500));
  const change = { userId: owner.userId, sessionId: "", newPassword: "another horse battery" };
  expect(await changePassword(db(), change, later(510))).toBe(true);
  expect(await second(superseded, totpCode(secret, later(520)), later(520))).toMatchObject({ isOver: true });
});

test("ten wrong codes and the right one must wait too", async () => {
  const { secret } = await enrol();
  for (let index = 0; index < 10; index++) expect(await check("ABCDEFGH", later(60))).toMatchObject({ isGuess: true });
  expect(inSentences(await check(totpCode(secret, later(60)), later(60)))).toMatchObject({
    problem: expect.stringMatching(/Too many/),
  });
  expect(await check(totpCode(secret, later(150)), later(150))).toEqual({ by: "totp" });
});

test("a recovery code signs in once, in any notation, and new ones replace all", async () => {
  const { codes } = await enrol();
  expect(new Set(codes).size).toBe(10);
  expect(codes[0]).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
  const rows = await db().select().from(recoveryCodes).where(eq(recoveryCodes.userId, owner.userId));
  expect(JSON.stringify(rows)).not.toContain(codes[0]?.replaceAll("-", ""));
  const typed = ` ${codes[0]?.toLowerCase().replaceAll("-", " ")}`;
  const answers = await Promise.all([check(typed, now), check(typed, now), check(typed, now)]);
  expect(answers.filter((answer) => "by" in answer)).toEqual([{ by: "recovery" }]);
  expect(await recordOf("recovery_code.used")).toMatchObject([{ detail: { left: 9 } }]);
  const renewed = await renewCodes(db(), { userId: owner.userId }, now);
  expect(await check(codes[1] ?? "", now)).toHaveProperty("problem");
  expect(await check(("codes" in renewed && renewed.codes[1]) || "", now)).toEqual({ by: "recovery" });
});

test("a change asks for the code too where codes are on, and a passkey is enough by itself", async () => {
  const { secret } = await enrol();
  const { device } = await addPasskey();
  const opened = await second(await ticketAt(later(60)), totpCode(secret, later(60)), later(60));
  const person = await findSession(db(), "sessionId" in opened ? opened.sessionId : "", later(60));
  const member = person && toMember(person);
  if (!member) throw new Error("no session was created");
  const confirm = (proof: object, at: Date) =>
    confirmPerson(
      db(),
      { appSecret, publicUrl },
      member,
      { need: "own", password: "", code: "", passkey: "", ...proof },
      at,
    );
  expect(await confirm({ password }, later(90))).toMatchObject({ field: "code" });
  expect(await confirm({ code: totpCode(secret, later(90)) }, later(90))).toMatchObject({ field: "password" });
  expect(await confirm({ password, code: totpCode(secret, later(90)) }, later(90))).toBeNull();
  const signed = device.sign(await challengeOf(owner.userId));
  expect(await confirm({ passkey: signed }, later(90))).toBeNull();
  expect(await confirm({ passkey: signed }, later(90))).toMatchObject({ field: "password" });
  const lines = await recordOf("person.confirmed");
  const origin = { browser: "curl", network: "192.0.2.8" };
  expect(lines.map(({ detail }) => detail)).toEqual([
    { by: "totp", ...origin },
    { by: "passkey", ...origin },
  ]);
});

test("a passkey alone signs in, each challenge once and within five minutes", async () => {
  const { device, answer, done } = await addPasskey();
  expect(done).toMatchObject({ codes: expect.arrayContaining([expect.any(String)]) });
  expect(await finishPasskey(db(), publicUrl, { userId: owner.userId, name: "Again", answer }, now)).toHaveProperty(
    "problem",
  );
  const signed = device.sign(await challengeOf(null));
  const answers = await Promise.all([enter(signed), enter(signed)]);
  expect(answers.filter((one) => "sessionId" in one)).toHaveLength(1);
  expect(await enter(device.sign(await challengeOf(null)), later(301))).toHaveProperty("problem");
  expect(await enter(device.sign("made up"))).toHaveProperty("problem");
  expect(await signIn(db(), form, now)).toMatchObject({ by: "passkey" });
});

test("a passkey is refused for another purpose or host, unverified, by a stranger, and in another user's name", async () => {
  const { device } = await addPasskey();
  expect(await enter(device.sign(await challengeOf(owner.userId)))).toHaveProperty("problem");
  const adding = await beginPasskey(db(), env, { id: owner.userId, email: owner.email }, now);
  const crossed = { answer: device.sign("challenge" in adding ? adding.challenge : ""), userId: owner.userId };
  expect(await checkPasskey(db(), publicUrl, crossed, now)).toHaveProperty("problem");
  expect(await enter(device.sign(await challengeOf(null), { at: "https://evil.example" }))).toHaveProperty("problem");
  expect(await enter(device.sign(await challengeOf(null), { isVerified: false }))).toHaveProperty("problem");
  expect(await enter(createAuthenticator(publicUrl).sign(await challengeOf(null)))).toHaveProperty("problem");
  expect(await enter("no json")).toHaveProperty("problem");
  const other = await createMerchantWithOwner(db(), { name: "Other", email: `o${count}@example.com`, password }, now);
  const asked = { answer: device.sign(await challengeOf(other.userId)), userId: other.userId };
  expect(await checkPasskey(db(), publicUrl, asked, now)).toHaveProperty("problem");
});

test("a counter that does not increase means a copy: refused, reported and recorded", async () => {
  const { device } = await addPasskey();
  expect(await enter(device.sign(await challengeOf(null), { counter: 5 }))).toHaveProperty("sessionId");
  for (const counter of [5, 4, 0]) {
    const answer = await enter(device.sign(await challengeOf(null), { counter }));
    expect(inSentences(answer)).toMatchObject({ problem: expect.stringContaining("went backwards") });
  }
  expect(await enter(device.sign(await challengeOf(null), { counter: 6 }))).toHaveProperty("sessionId");
  expect(await recordOf("passkey.refused")).toHaveLength(3);
});

test("if the shop requires a second factor, a user without one sets it up, and the last one cannot be removed", async () => {
  await setFactorAsked(db(), owner.merchantId, true);
  const opened = await signIn(db(), form, now);
  const sessionId = "sessionId" in opened ? opened.sessionId : "";
  const lacks = async () => {
    const person = await findSession(db(), sessionId, now);
    return person && lacksFactor(person);
  };
  expect(await lacks()).toBe(true);
  await enrol();
  await addPasskey();
  expect(await lacks()).toBe(false);
  expect(await removeTotp(db(), { userId: owner.userId }, now)).toBe(true);
  const [key] = await db().query.passkeys.findMany({ where: (row) => eq(row.userId, owner.userId) });
  const remove = () => removePasskey(db(), { userId: owner.userId, id: key?.id ?? "" }, now);
  expect(inSentences(await remove())).toMatchObject({ problem: expect.stringContaining("last") });
  expect(await findFactors(db(), owner.userId)).toEqual({ hasTotp: false, passkeys: 1, recoveryCodes: 10 });
  await setFactorAsked(db(), owner.merchantId, false);
  expect(await remove()).toBe(true);
  expect(await findFactors(db(), owner.userId)).toEqual({ hasTotp: false, passkeys: 0, recoveryCodes: 0 });
});

test("a reset on the machine keeps the second factors, or takes them too where that is asked for", async () => {
  await enrol();
  await addPasskey();
  const kept = await resetPassword(db(), { typed: owner.email, areFactorsLost: false }, now);
  expect(await signIn(db(), { ...form, password: "password" in kept ? kept.password : "" }, now)).toHaveProperty(
    "ticket",
  );
  const result = await resetPassword(db(), { typed: owner.email, areFactorsLost: true }, now);
  expect(result).toMatchObject({ hadFactors: true });
  expect(await signIn(db(), { ...form, password: "password" in result ? result.password : "" }, now)).toHaveProperty(
    "sessionId",
  );
});
