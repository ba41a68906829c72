import { and, eq, ne } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { auditEvents } from "@/db/schema";
import { inEnglish } from "@/lib/domain/problems/in-english";
import { createMerchantWithOwner } from "@/lib/users/register";
import { resetPassword } from "@/lib/users/reset-password";
import { findSession, toMember } from "@/lib/users/session";
import { signIn } from "@/lib/users/sign-in";
import { useTestDb } from "@/testing/database/clone";
import { inSentences } from "@/testing/problem-sentences";

const now = new Date("2026-03-01T10:00:00Z");
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
const password = "correct horse battery";
const userAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const database = useTestDb();

let count = 0;
const newOwner = async () => {
  const email = `owner-${count++}@example.com`;
  const { userId } = await createMerchantWithOwner(database.pool.db, { name: "Tea House", email, password }, now);
  return { email, userId, ip: `192.0.2.${count}`, userAgent };
};
const idOf = (answer: object) => ("sessionId" in answer ? String(answer.sessionId) : "");
const recordOf = (userId: string) =>
  database.pool.db
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.userId, userId), ne(auditEvents.action, "merchant.registered")))
    .orderBy(auditEvents.id);
let owner: Awaited<ReturnType<typeof newOwner>>;
beforeAll(async () => {
  owner = await newOwner();
});

test("the correct password signs in, with the e-mail address in any letter case", async () => {
  const answer = await signIn(database.pool.db, { ...owner, email: ` ${owner.email.toUpperCase()} `, password }, now);
  const person = await findSession(database.pool.db, idOf(answer), now);
  expect(person).toMatchObject({ user: { id: owner.userId }, isOperator: false });
  expect(person && toMember(person)).toMatchObject({ role: "owner", merchantName: "Tea House" });
  expect(JSON.stringify(person)).not.toContain("argon2");
  const [line] = await recordOf(owner.userId);
  expect(line).toMatchObject({
    action: "session.started",
    detail: { network: owner.ip, browser: "Firefox on Linux" },
  });
});

test("a wrong password and an unknown e-mail address get the same answer", async () => {
  const forms = [
    { email: owner.email, password: "wrong horse battery" },
    { email: "unknown@example.com", password },
  ];
  for (const form of forms)
    expect(inSentences(await signIn(database.pool.db, { ...form, ip: "198.51.100.1", userAgent }, now))).toEqual({
      problem: "wrong",
    });
});

test("after ten wrong passwords for one e-mail address the right one must wait too, from there alone", async () => {
  const { email } = await newOwner();
  const attempt = (text: string, ip: string, at: Date) =>
    signIn(database.pool.db, { email, password: text, ip, userAgent }, at);
  for (let index = 0; index < 10; index++)
    expect(inSentences(await attempt("wrong", "203.0.113.99", now))).toEqual({ problem: "wrong" });
  expect(inSentences(await attempt(password, "203.0.113.99", now))).toEqual({
    problem: "tooMany",
    retryAfterMs: 90_000,
  });
  expect(await attempt(password, "203.0.113.98", now)).toHaveProperty("sessionId");
  expect(await attempt(password, "203.0.113.99", later(2))).toHaveProperty("sessionId");
});

test("wrong passwords from many addresses cannot lock out the owner; the shop's record has some of them, not all", async () => {
  const { email, ip, userId } = await newOwner();
  for (let index = 0; index < 40; index++) {
    const form = { email, password: "wrong", ip: `203.0.112.${index}`, userAgent };
    expect(inSentences(await signIn(database.pool.db, form, now))).toEqual({ problem: "wrong" });
  }
  expect(await signIn(database.pool.db, { email, password, ip, userAgent }, now)).toHaveProperty("sessionId");
  const failures = (await recordOf(userId)).filter(({ action }) => action === "sign_in.failed");
  expect(failures).toHaveLength(20);
  expect(failures[0]).toMatchObject({ detail: { network: expect.stringMatching(/^203\.0\.112\./) } });
});

test("one IP address cannot try many e-mail addresses", async () => {
  const attempt = (index: number) =>
    signIn(database.pool.db, { email: `guess-${index}@example.com`, password, ip: "198.51.100.77", userAgent }, now);
  for (let index = 0; index < 30; index++) expect(inSentences(await attempt(index))).toEqual({ problem: "wrong" });
  expect(inSentences(await attempt(30))).toMatchObject({ problem: "tooMany" });
});

test("signing in rightly again and again never meets the limit", async () => {
  const { email, ip } = await newOwner();
  for (let index = 0; index < 15; index++)
    expect(await signIn(database.pool.db, { email, password, ip, userAgent }, now)).toHaveProperty("sessionId");
});

test("one account has 50 failures a day on unknown devices, from however many networks; a known device and a passkey are not affected", async () => {
  const { email } = await newOwner();
  const attempt = (text: string, origin: { ip: string; device?: string }, at = now) =>
    signIn(database.pool.db, { email, password: text, userAgent, ...origin }, at);
  for (let index = 0; index < 50; index++)
    expect(inSentences(await attempt("wrong", { ip: `2001:db8:${index}:1::/64` }))).toEqual({ problem: "wrong" });
  expect(inSentences(await attempt("wrong", { ip: "2001:db8:99:1::/64" }))).toMatchObject({ problem: "unknownDevice" });
  // The right password is refused as well, because the response must not reveal a right guess.
  expect(inSentences(await attempt(password, { ip: "2001:db8:98:1::/64" }))).toMatchObject({
    problem: "unknownDevice",
  });
  expect(await attempt(password, { ip: "2001:db8:99:1::/64", device: "laptop" })).toHaveProperty("sessionId");
  const halfAnHour = new Date(now.getTime() + 30 * 60_000);
  expect(await attempt(password, { ip: "2001:db8:98:1::/64" }, halfAnHour)).toHaveProperty("sessionId");
  for (let index = 0; index < 10; index++)
    expect(inSentences(await attempt("wrong", { ip: "192.0.2.99", device: "laptop" }))).toEqual({ problem: "wrong" });
  expect(inSentences(await attempt(password, { ip: "192.0.2.99", device: "laptop" }))).toMatchObject({
    problem: "tooMany",
  });
  expect(await attempt(password, { ip: "192.0.2.99", device: "phone" })).toHaveProperty("sessionId");
});

test("an account that does not exist meets the same limit", async () => {
  const attempt = (index: number) =>
    signIn(database.pool.db, { email: "unknown-here@example.com", password, ip: `10.1.${index}.1`, userAgent }, now);
  for (let index = 0; index < 50; index++) expect(inSentences(await attempt(index))).toEqual({ problem: "wrong" });
  expect(inSentences(await attempt(50))).toMatchObject({ problem: "unknownDevice" });
});

test("an IPv6 /48 has a limit of its own, so that a subscriber's 65,536 networks are not as many visitors", async () => {
  const attempt = (index: number, site = "2001:db8:4800") =>
    signIn(
      database.pool.db,
      { email: `six-${index}@example.com`, password, ip: `${site}:${index.toString(16)}::/64`, userAgent },
      now,
    );
  for (let index = 0; index < 120; index++) expect(inSentences(await attempt(index))).toEqual({ problem: "wrong" });
  expect(inSentences(await attempt(120))).toMatchObject({ problem: "tooMany" });
  expect(inSentences(await attempt(121, "2001:db8:4801"))).toEqual({ problem: "wrong" });
});

test("the operator's new password lets an unknown device try again", async () => {
  const { email } = await newOwner();
  const attempt = (text: string, ip: string) => signIn(database.pool.db, { email, password: text, ip, userAgent }, now);
  for (let index = 0; index < 51; index++) await attempt("wrong", `10.2.${index}.1`);
  expect(inSentences(await attempt(password, "10.3.0.1"))).toMatchObject({ problem: "unknownDevice" });
  const reset = await resetPassword(database.pool.db, { typed: email, areFactorsLost: false }, now);
  if ("problem" in reset) throw new Error(inEnglish(reset.problem));
  expect(await attempt(reset.password, "10.3.0.1")).toHaveProperty("sessionId");
});
