import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";
import { eq, sql } from "drizzle-orm";
import pino from "pino";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { renderAccountEmail } from "@/components/notifications/render-email";
import { accountEmails, auditEvents, challenges, sessions, users } from "@/db/schema";
import { createAccountMailer } from "@/lib/notifications/account-mailer";
import { openPostOffice } from "@/lib/notifications/mail-transport";
import { changePassword } from "@/lib/users/change-password";
import { createMerchantWithOwner } from "@/lib/users/register";
import { askReset, findReset, resetByMail } from "@/lib/users/reset-by-mail";
import { openReset } from "@/lib/users/reset-link";
import { openSession } from "@/lib/users/session";
import { signIn } from "@/lib/users/sign-in";
import { type Post, startPost } from "@/sandbox/post/server";
import { useTestDb } from "@/testing/database/clone";
import { inSentences } from "@/testing/problem-sentences";

const testDb = useTestDb();
const db = () => testDb.pool.db;
const START = new Date("2026-03-10T12:00:00Z");
const URL = "https://pay.example.com";
const PASSWORD = "correct horse battery";
const NEW = "another horse battery";
const visitor = { ip: "192.0.2.7", userAgent: "curl/8", language: "en" };
const from = { ip: "192.0.2.7", browser: "curl" };
let now = START;
let post: Post;
let userId: string;

beforeAll(async () => {
  post = await startPost(() => now);
});
afterAll(() => post.close());

beforeEach(async () => {
  now = START;
  await db().execute(sql`truncate merchants, users, audit_events, account_letters, rate_limits cascade`);
  (post.arrived as unknown[]).length = 0;
  post.refuseMail(false);
  const owner = { name: "Tea", email: "ann@example.com", password: PASSWORD };
  ({ userId } = await createMerchantWithOwner(db(), owner, now));
});

const pass = (minutes: number) => {
  now = new Date(now.getTime() + minutes * 60_000);
};
const ask = (email: string, change: Partial<typeof visitor> = {}) =>
  askReset(db(), { ...visitor, ...change, email }, now);
const mails = () => post.arrived.flatMap((one) => (one.way === "mail" ? [one.mail] : []));

function mailer(smtpUrl: string | null = post.smtpUrl) {
  const settings = { mailFrom: "Pay <pay@example.com>", telegramUrl: "", allowCidrs: [], version: "1.2.3" };
  return createAccountMailer(db(), {
    office: openPostOffice({ ...settings, smtpUrl }),
    write: renderAccountEmail.bind(null, URL),
    openReset: (email, where, at) => openReset(db(), URL, { email, from: where }, at),
    log: pino({ level: "silent" }),
    now: () => now,
    random: () => 0.5,
  });
}

async function send(): Promise<void> {
  const one = mailer();
  await one.tick();
  await one.settled();
}

const tokenOf = (text: string | undefined) => /\/reset\/([\w-]{43})\b/.exec(text ?? "")?.[1] ?? "";
const reset = (token: string, newPassword = NEW) => resetByMail(db(), { token, newPassword, from }, now);
const actions = async () => (await db().select().from(auditEvents)).map(({ action }) => action);

test("a link is emailed that sets a new password once, ends all sessions and signs in no one", async () => {
  const [user] = await db().select().from(users).where(eq(users.id, userId));
  if (!user) throw new Error("there is a person");
  await openSession(db(), user, visitor, now);
  expect(await ask("Ann@Example.com")).toBe(true);
  await send();
  expect(mails()).toMatchObject([{ to: "ann@example.com", subject: "Set a new password" }]);
  expect(mails()[0]?.text).toContain("from 192.0.2.7");
  const token = tokenOf(mails()[0]?.text);
  expect(await db().select().from(challenges)).toHaveLength(1);
  expect(JSON.stringify(await db().select().from(challenges))).not.toContain(token);
  expect(await findReset(db(), token, now)).toEqual({ email: "ann@example.com" });
  expect(await reset(token, "short")).toMatchObject({ errors: [{ field: "newPassword" }] });
  expect(await reset(token)).toEqual({ email: "ann@example.com" });
  expect(inSentences(await reset(token))).toMatchObject({ errors: [{ message: /was used, or is older/ }] });
  expect(await findReset(db(), token, now)).toBeNull();
  expect((await db().select().from(sessions)).filter(({ endedAt }) => endedAt === null)).toEqual([]);
  expect(inSentences(await signIn(db(), { ...visitor, email: "ann@example.com", password: PASSWORD }, now))).toEqual({
    problem: "wrong",
  });
  const opened = await signIn(db(), { ...visitor, email: "ann@example.com", password: NEW }, now);
  expect(opened).toHaveProperty("sessionId");
  expect(await actions()).toEqual(expect.arrayContaining(["user.reset_asked", "user.password_reset"]));
  await send();
  expect(mails()[1]).toMatchObject({ to: "ann@example.com", subject: "Security change in your account" });
  expect(mails()[1]?.text).toContain("Password reset (ann@example.com · 192.0.2.7 · curl");
});

test("an unknown e-mail address gets the same response and the same work, but no email", async () => {
  expect(await ask("unknown@example.com")).toBe(await ask("ann@example.com"));
  expect(await db().select().from(accountEmails)).toHaveLength(2);
  await send();
  expect(mails().map(({ to }) => to)).toEqual(["ann@example.com"]);
  expect(await db().select().from(accountEmails)).toEqual([]);
});

test("three emails an hour to one address, others are dropped silently; ten attempts from one network", async () => {
  for (let count = 0; count < 5; count++) expect(await ask("ann@example.com", { ip: `192.0.2.${count}` })).toBe(true);
  expect(await db().select().from(accountEmails)).toHaveLength(3);
  const answers: unknown[] = [];
  for (let count = 0; count < 11; count++) answers.push(await ask(`ann${count}@example.com`));
  expect(answers.filter((one) => one === true)).toHaveLength(10);
  expect(inSentences(answers.at(-1))).toMatchObject({ errors: [{ message: /Too many attempts/ }] });
});

test("a link works for half an hour, and no longer than the password that it is to replace", async () => {
  const link = async () => tokenOf((await openReset(db(), URL, { email: "ann@example.com", from: "" }, now)) ?? "");
  const first = await link();
  pass(29);
  expect(await findReset(db(), first, now)).not.toBeNull();
  pass(2);
  expect(await findReset(db(), first, now)).toBeNull();
  expect(inSentences(await reset(first))).toMatchObject({ errors: [{ message: /older than 30 minutes/ }] });
  const second = await link();
  const form = { userId, sessionId: "none", newPassword: NEW, from };
  expect(await changePassword(db(), form, now)).toBe(true);
  expect(inSentences(await reset(second))).toMatchObject({ errors: [{ message: /was used/ }] });
});

test("a mail that is refused comes later; one that would come too late does not come", async () => {
  await ask("ann@example.com");
  post.refuseMail(true);
  await send();
  expect(mails()).toEqual([]);
  post.refuseMail(false);
  await send();
  expect(mails()).toEqual([]);
  pass(1);
  await send();
  expect(mails()).toHaveLength(1);
  await ask("ann@example.com");
  pass(31);
  await send();
  expect(mails()).toHaveLength(1);
  expect(await db().select().from(accountEmails)).toEqual([]);
});

test("without a mail server nothing is accepted, and nothing is revealed", async () => {
  await ask("ann@example.com");
  expect(await mailer(null).tick()).toBe(0);
  expect(await db().select().from(accountEmails)).toHaveLength(1);
});

test("a silent mail server does not block requests", async () => {
  const calls = new Set<Socket>();
  const silent = createServer((socket) => void calls.add(socket)).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const hanging = mailer(`smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`);
  await ask("ann@example.com");
  expect(await hanging.tick()).toBe(1);
  // This call hangs. It does not delay requests, sign-ins and emails of other processes.
  await expect.poll(() => calls.size).toBe(1);
  expect(await ask("ben@example.com")).toBe(true);
  expect(await signIn(db(), { ...visitor, email: "ann@example.com", password: PASSWORD }, now)).toHaveProperty(
    "sessionId",
  );
  expect(calls.size).toBe(1);
  await createMerchantWithOwner(db(), { name: "Ben", email: "ben@example.com", password: PASSWORD }, now);
  await send();
  expect(mails().map(({ to }) => to)).toEqual(["ben@example.com"]);
  for (const socket of calls) socket.destroy();
  await hanging.settled();
  expect(await db().select().from(accountEmails)).toMatchObject([{ email: "ann@example.com", attempts: 1 }]);
  silent.close();
});
