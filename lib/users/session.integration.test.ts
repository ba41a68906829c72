import { and, eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { setSessionShop } from "@/db/queries/users/sessions";
import { auditEvents, memberships, sessions } from "@/db/schema";
import { inEnglish } from "@/lib/domain/problems/in-english";
import { keepRetention } from "@/lib/orders/keep-retention";
import { changePassword } from "@/lib/users/change-password";
import { confirmPerson } from "@/lib/users/confirm-person";
import { createMerchantWithOwner } from "@/lib/users/register";
import { resetPassword } from "@/lib/users/reset-password";
import { endSession, findSession, openSession, toMember } from "@/lib/users/session";
import { signIn } from "@/lib/users/sign-in";
import { useTestDb } from "@/testing/database/clone";
import { explain } from "@/testing/database/explain";
import { recordStatements } from "@/testing/database/record-statements";
import { seedMerchant, TEST_APP_SECRET } from "@/testing/database/seed";
import { inSentences } from "@/testing/problem-sentences";

const now = new Date("2026-03-01T10:00:00Z");
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
const password = "correct horse battery";
const ENV = { appSecret: TEST_APP_SECRET, publicUrl: "https://pay.example.com" };
const database = useTestDb();
const db = () => database.pool.db;

let count = 0;
let owner: { merchantId: string; userId: string };
let form: { email: string; password: string; ip: string; userAgent: string };
beforeEach(async () => {
  const email = `owner-${count++}@example.com`;
  owner = await createMerchantWithOwner(db(), { name: "Tea House", email, password }, now);
  form = { email, password, ip: `192.0.2.${count}`, userAgent: "curl/8" };
});

async function begin(at = now): Promise<string> {
  const answer = await signIn(db(), form, at);
  if (!("sessionId" in answer)) throw new Error(JSON.stringify(answer));
  return answer.sessionId;
}
const memberOf = async (sessionId: string, at = now) => {
  const person = await findSession(db(), sessionId, at);
  return person && toMember(person);
};
const isMine = () => and(eq(memberships.userId, owner.userId), eq(memberships.merchantId, owner.merchantId));

test("a session is read with its person and their shops by one statement, through indexes", async () => {
  const id = await begin();
  const recorded = recordStatements(database.pool.sql);
  expect(await findSession(recorded.db, id, now)).not.toBeNull();
  expect(recorded.sent).toHaveLength(1);
  const facts = await explain(database.pool.sql, (asked) => findSession(asked, id, now));
  expect(facts.scanned).toEqual([]);
});

test("a session that was signed out is over in every process from the next request on, and recorded once", async () => {
  const id = await begin();
  const other = await begin();
  expect(await memberOf(id)).toMatchObject({ user: { id: owner.userId }, role: "owner" });
  await Promise.all([endSession(db(), id, now), endSession(db(), id, now)]);
  expect(await memberOf(id)).toBeNull();
  expect(await memberOf(other)).not.toBeNull();
  expect(await db().$count(auditEvents, eq(auditEvents.action, "session.ended"))).toBe(1);
});

test("a role that changed, and a shop that was left, hold from the next request on", async () => {
  const id = await begin();
  await db().update(memberships).set({ role: "viewer" }).where(isMine());
  expect(await memberOf(id)).toMatchObject({ role: "viewer" });
  await db().delete(memberships).where(isMine());
  expect(await memberOf(id)).toBeNull();
  expect(await findSession(db(), id, now)).toMatchObject({ shops: [], shop: null });
});

test("one person works in several shops, in each with the role they have there", async () => {
  const id = await begin();
  const second = await seedMerchant(db(), now);
  await setSessionShop(db(), id, second.id);
  expect(await memberOf(id)).toMatchObject({ merchantId: owner.merchantId });
  await db().insert(memberships).values({ merchantId: second.id, userId: owner.userId, role: "viewer", since: now });
  expect(await memberOf(id)).toMatchObject({ merchantId: second.id, role: "viewer" });
  const next = await begin(later(1));
  expect(await memberOf(next)).toMatchObject({ merchantId: second.id, shops: [{ role: "owner" }, { role: "viewer" }] });
});

test("a session runs out a week after it began, however often it is used", async () => {
  const id = await begin();
  expect(await memberOf(id, later(7 * 24 * 60 - 1))).not.toBeNull();
  expect(await memberOf(id, later(7 * 24 * 60))).toBeNull();
});

test("that it was used is written once a minute at most", async () => {
  const id = await begin();
  const seen = async () => (await db().select().from(sessions).where(eq(sessions.id, id)))[0]?.lastSeenAt;
  await memberOf(id, later(0.9));
  expect(await seen()).toEqual(now);
  await memberOf(id, later(1.1));
  expect(await seen()).toEqual(later(1.1));
});

test("a changed password ends every other session, and the current one continues", async () => {
  const mine = await begin();
  const other = await begin();
  const change = {
    userId: owner.userId,
    sessionId: mine,
    newPassword: "another horse battery",
  };
  expect(await changePassword(db(), { ...change, newPassword: "short" }, now)).toMatchObject({
    errors: [{ field: "newPassword" }],
  });
  expect(await memberOf(other)).not.toBeNull();
  expect(await changePassword(db(), change, now)).toBe(true);
  expect(await memberOf(mine)).not.toBeNull();
  expect(await memberOf(other)).toBeNull();
  expect(inSentences(await signIn(db(), form, now))).toEqual({ problem: "wrong" });
});

test("a concurrent sign-in with the old password ends in no session after a password change", async () => {
  const mine = await begin();
  const change = { userId: owner.userId, sessionId: mine, newPassword: "another horse battery" };
  const [changed, ...answers] = await Promise.all([
    changePassword(db(), change, now),
    ...Array.from({ length: 8 }, () => signIn(db(), form, now)),
  ]);
  expect(changed).toBe(true);
  const ids = answers.flatMap((answer) => ("sessionId" in answer ? [answer.sessionId] : []));
  expect(await Promise.all(ids.map((id) => memberOf(id)))).toEqual(ids.map(() => null));
  const stale = await db().transaction((tx) =>
    openSession(tx, { id: owner.userId, passwordHash: "the hash of before" }, form, now),
  );
  expect(stale).toBeNull();
});

test("a password that was reset on the machine signs in, ends every session and is recorded", async () => {
  const one = await begin();
  const other = await begin();
  expect(await resetPassword(db(), { typed: "unknown@example.com", areFactorsLost: false }, now)).toHaveProperty(
    "problem",
  );
  const done = await resetPassword(db(), { typed: ` ${form.email.toUpperCase()}`, areFactorsLost: false }, now);
  if (!("password" in done)) throw new Error(inEnglish(done.problem));
  expect(done).toMatchObject({ email: form.email, sessions: 2 });
  expect([await memberOf(one), await memberOf(other)]).toEqual([null, null]);
  expect(inSentences(await signIn(db(), form, now))).toEqual({ problem: "wrong" });
  expect(await signIn(db(), { ...form, password: done.password }, now)).toHaveProperty("sessionId");
  const [line] = await db().select().from(auditEvents).where(eq(auditEvents.action, "user.password_reset"));
  expect(line).toMatchObject({ merchantId: owner.merchantId, detail: { sessions_ended: 2 } });
});

test("a role that is not enough, a wrong password and an ended session change nothing", async () => {
  const id = await begin();
  const member = await memberOf(id);
  if (!member) throw new Error("the session did not begin");
  const confirm = (change: object, typed = password, need: "work" | "own" = "work") =>
    confirmPerson(db(), ENV, { ...member, ...change }, { need, password: typed, code: "", passkey: "" }, later(2));
  expect(await confirm({})).toBeNull();
  expect(await memberOf(id)).toMatchObject({ session: { strongAt: later(2) } });
  expect(inSentences(await confirm({}, "wrong"))).toEqual({ field: "password", message: "The password is wrong" });
  expect(inSentences(await confirm({ role: "viewer" }))).toMatchObject({
    message: expect.stringMatching(/read-only/),
  });
  expect(inSentences(await confirm({ role: "admin" }, password, "own"))).toMatchObject({
    message: expect.stringMatching(/Only an owner/),
  });
  await endSession(db(), id, now);
  expect(inSentences(await confirm({}))).toMatchObject({ message: expect.stringMatching(/session has ended/) });
});

test("expired sessions are deleted after a month, regardless of other retention", async () => {
  const old = await begin();
  const young = await begin(later(30 * 24 * 60));
  await keepRetention(db(), null, later(37 * 24 * 60 + 1));
  const left = await db().select().from(sessions).where(eq(sessions.userId, owner.userId));
  expect(left.map(({ id }) => id)).toEqual([young]);
  expect(left.map(({ id }) => id)).not.toContain(old);
});
