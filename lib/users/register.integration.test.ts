import { expect, test } from "vitest";
import { auditEvents, memberships, merchants, sessions, users } from "@/db/schema";
import { setUpCode } from "@/lib/merchants/vault";
import { register } from "@/lib/users/register";
import { findSession } from "@/lib/users/session";
import { useTestDb } from "@/testing/database/clone";

const now = new Date("2026-03-01T10:00:00Z");
const context = { appSecret: "a secret of at least 32 characters", registration: "closed" } as const;
const form = {
  code: setUpCode(context.appSecret),
  name: "  Tea House ",
  email: " Owner@Example.com ",
  password: "correct horse battery",
  ip: "192.0.2.1",
  userAgent: "curl/8.14.1",
};
const database = useTestDb();

test("all invalid fields are reported together, and no user is registered", async () => {
  const bad = {
    code: "0000-0000-0000",
    name: " ",
    email: "no address",
    password: "short",
    ip: "192.0.2.2",
    userAgent: "",
  };
  const answer = await register(database.pool.db, context, bad, now);
  expect(answer).toMatchObject({
    errors: [{ field: "code" }, { field: "name" }, { field: "email" }, { field: "password" }],
  });
  expect(await database.pool.db.select().from(users)).toEqual([]);
});

test("the set-up code cannot be guessed by trying", async () => {
  const guess = () => register(database.pool.db, context, { ...form, code: "0000", ip: "192.0.2.3" }, now);
  for (let index = 0; index < 20; index++) expect(await guess()).toHaveProperty("errors");
  expect(await guess()).toEqual({ refused: "tooMany" });
});

test("of ten concurrent first visitors exactly one owns the installation", async () => {
  const visitors = Array.from({ length: 10 }, (_, index) => ({ ...form, email: `${index}@example.com` }));
  const answers = await Promise.all(visitors.map((visitor) => register(database.pool.db, context, visitor, now)));
  expect(answers.filter((answer) => "sessionId" in answer)).toHaveLength(1);
  expect(answers.filter((answer) => "refused" in answer)).toHaveLength(9);
  expect(await database.pool.db.select().from(merchants)).toMatchObject([{ name: "Tea House" }]);
  expect(await database.pool.db.select().from(users)).toMatchObject([{ isOperator: true }]);
  expect(await database.pool.db.select().from(memberships)).toMatchObject([{ role: "owner" }]);
  expect(await database.pool.db.select().from(sessions)).toMatchObject([{ browser: "curl", network: "192.0.2.1" }]);
  const recorded = await database.pool.db.select().from(auditEvents);
  expect(recorded.map(({ action }) => action)).toEqual(["merchant.registered", "session.started"]);
});

test("open registration gives every user a shop, without operator rights", async () => {
  const open = { ...context, registration: "open" } as const;
  const visitor = { ...form, code: "", email: "third@example.com", name: "Coffee", ip: "192.0.2.9" };
  const answer = await register(database.pool.db, open, visitor, now);
  const person = await findSession(database.pool.db, "sessionId" in answer ? answer.sessionId : "", now);
  expect(person).toMatchObject({ isOperator: false, shop: { name: "Coffee", role: "owner" } });
  expect(await register(database.pool.db, open, visitor, now)).toMatchObject({ errors: [{ field: "email" }] });
  expect(await database.pool.db.select().from(merchants)).toHaveLength(2);
});

test("a second registration is refused even with the right code", async () => {
  expect(await register(database.pool.db, context, { ...form, email: "second@example.com" }, now)).toEqual({
    refused: "closed",
  });
});
