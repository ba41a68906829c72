import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { users } from "@/db/schema";
import { changePassword } from "@/lib/people/change-password";
import { confirmPerson } from "@/lib/people/confirm-person";
import { createMerchantWithOwner } from "@/lib/people/register";
import { findSession } from "@/lib/people/session";
import { signIn } from "@/lib/people/sign-in";
import { useTestDb } from "@/testing/database/clone";

const now = new Date("2026-03-01T10:00:00Z");
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
const password = "correct horse battery";
const database = useTestDb();

let count = 0;
const newOwner = async () => {
  const email = `owner-${count++}@example.com`;
  const { userId } = await createMerchantWithOwner(database.pool.db, { name: "Tea House", email, password }, now);
  return { email, userId, ip: `192.0.2.${count}` };
};
let owner: Awaited<ReturnType<typeof newOwner>>;
beforeAll(async () => {
  owner = await newOwner();
});

test("the right password opens the door, in whatever case the e-mail address is written", async () => {
  const answer = await signIn(
    database.pool.db,
    { email: ` ${owner.email.toUpperCase()} `, password, ip: owner.ip },
    now,
  );
  expect(answer).toMatchObject({ person: { id: owner.userId, role: "owner", merchantName: "Tea House" } });
  expect(answer).not.toHaveProperty("person.passwordHash");
});

test("a wrong password and an unknown e-mail address get the same answer", async () => {
  const forms = [
    { email: owner.email, password: "wrong horse battery" },
    { email: "nobody@example.com", password },
  ];
  for (const form of forms)
    expect(await signIn(database.pool.db, { ...form, ip: "198.51.100.1" }, now)).toEqual({ problem: "wrong" });
});

test("after ten wrong passwords for one e-mail address the right one must wait too, from there alone", async () => {
  const { email } = await newOwner();
  const attempt = (text: string, ip: string, at: Date) => signIn(database.pool.db, { email, password: text, ip }, at);
  for (let index = 0; index < 10; index++)
    expect(await attempt("wrong", "203.0.113.99", now)).toEqual({ problem: "wrong" });
  expect(await attempt(password, "203.0.113.99", now)).toEqual({ problem: "tooMany", retryAfterMs: 90_000 });
  expect(await attempt(password, "203.0.113.98", now)).toHaveProperty("person");
  expect(await attempt(password, "203.0.113.99", later(2))).toHaveProperty("person");
});

test("nobody locks the owner out by wrong passwords from many addresses", async () => {
  const { email, ip } = await newOwner();
  for (let index = 0; index < 40; index++) {
    const form = { email, password: "wrong", ip: `203.0.112.${index}` };
    expect(await signIn(database.pool.db, form, now)).toEqual({ problem: "wrong" });
  }
  expect(await signIn(database.pool.db, { email, password, ip }, now)).toHaveProperty("person");
});

test("one IP address cannot try many e-mail addresses", async () => {
  const attempt = (index: number) =>
    signIn(database.pool.db, { email: `guess-${index}@example.com`, password, ip: "198.51.100.77" }, now);
  for (let index = 0; index < 30; index++) expect(await attempt(index)).toEqual({ problem: "wrong" });
  expect(await attempt(30)).toMatchObject({ problem: "tooMany" });
});

test("signing in rightly again and again never meets the limit", async () => {
  const { email, ip } = await newOwner();
  for (let index = 0; index < 15; index++)
    expect(await signIn(database.pool.db, { email, password, ip }, now)).toHaveProperty("person");
});

test("a changed password ends the sessions that began before it", async () => {
  const { email, userId, ip } = await newOwner();
  const before = { userId, epoch: 0 };
  expect(await findSession(database.pool.db, before)).toMatchObject({ id: userId });
  const form = { userId, oldPassword: password, newPassword: "another horse battery" };
  expect(await changePassword(database.pool.db, { ...form, oldPassword: "wrong" }, now)).toMatchObject({
    errors: [{ field: "oldPassword" }],
  });
  expect(await changePassword(database.pool.db, form, now)).toEqual({ epoch: 1 });
  expect(await findSession(database.pool.db, before)).toBeNull();
  expect(await findSession(database.pool.db, { userId, epoch: 1 })).toMatchObject({ id: userId });
  expect(await signIn(database.pool.db, { email, password, ip }, now)).toEqual({ problem: "wrong" });
});

test("a viewer, an ended session and a wrong password may change nothing", async () => {
  const { userId } = await newOwner();
  const claim = { userId, epoch: 0 };
  expect(await confirmPerson(database.pool.db, claim, password, now)).toBeNull();
  expect(await confirmPerson(database.pool.db, claim, "wrong", now)).toBe("This is not your password");
  expect(await confirmPerson(database.pool.db, { userId, epoch: 7 }, password, now)).toMatch(/session has ended/);
  await database.pool.db.update(users).set({ role: "viewer" }).where(eq(users.id, userId));
  expect(await confirmPerson(database.pool.db, claim, password, now)).toMatch(/not change/);
});
