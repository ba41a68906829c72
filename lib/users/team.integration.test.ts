import { and, eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { listInstalledShops } from "@/db/queries/users/installation";
import { listInvitations } from "@/db/queries/users/invitations";
import { listMembers } from "@/db/queries/users/memberships";
import { auditEvents, memberships, users } from "@/db/schema";
import { newId } from "@/lib/domain/id";
import type { Role } from "@/lib/domain/keys/role";
import { findInvitation, invite, joinShop, registerInvited, revokeInvitation } from "@/lib/users/invitations";
import { findSession, openSession, toMember } from "@/lib/users/session";
import { makeShop, switchShop } from "@/lib/users/shops";
import { changeRole, removeMember } from "@/lib/users/team";
import { useTestDb } from "@/testing/database/clone";
import { explain } from "@/testing/database/explain";
import { seedMerchant, seedPerson } from "@/testing/database/seed";
import { inSentences } from "@/testing/problem-sentences";

const now = new Date("2026-03-01T10:00:00Z");
const later = (days: number) => new Date(now.getTime() + days * 86_400_000);
const visitor = { ip: "192.0.2.1", userAgent: "curl/8" };
const password = "correct horse battery";
const open = { registration: "invite" } as const;
const database = useTestDb();
const db = () => database.pool.db;

let merchantId: string;
let owner: { merchantId: string; userId: string };
beforeEach(async () => {
  merchantId = (await seedMerchant(db(), now)).id;
  owner = { merchantId, userId: await seedPerson(db(), { merchantId }, now) };
});

const rolesOf = async () =>
  Object.fromEntries((await listMembers(db(), merchantId)).map(({ userId, role }) => [userId, role]));
const tokenFor = async (email: string, role: Role = "admin") => {
  const invited = await invite(db(), owner, { email, role }, now);
  if (!("token" in invited)) throw new Error(JSON.stringify(invited));
  return invited.token;
};
const newEmail = () => `${newId(now)}@example.com`;
/** Signs in a user who belongs only to the given shop. */
async function signedIn(email: string, shop?: string) {
  const userId = newId(now);
  await db().insert(users).values({ id: userId, email, passwordHash: "", createdAt: now });
  if (shop) await db().insert(memberships).values({ merchantId: shop, userId, role: "viewer", since: now });
  const id = await openSession(db(), { id: userId, passwordHash: "" }, visitor, now);
  return async () => {
    const person = await findSession(db(), id ?? "", now);
    if (!person) throw new Error("the session ended");
    return person;
  };
}

test("a new user joins by a link, with its role, once", async () => {
  const email = newEmail();
  const token = await tokenFor(email.toUpperCase());
  expect(await findInvitation(db(), token, now)).toMatchObject({ email, role: "admin", hasAccount: false });
  const form = { ...visitor, token, password };
  expect(await registerInvited(db(), open, { ...form, password: "short" }, now)).toMatchObject({
    errors: [{ field: "password" }],
  });
  expect(await registerInvited(db(), { registration: "closed" }, form, now)).toHaveProperty("errors");
  const answers = await Promise.all([registerInvited(db(), open, form, now), registerInvited(db(), open, form, now)]);
  const [arrived] = answers.flatMap((answer) => ("sessionId" in answer ? [answer.sessionId] : []));
  expect(answers.filter((answer) => "errors" in answer)).toHaveLength(1);
  const person = await findSession(db(), arrived ?? "", now);
  expect(person && toMember(person)).toMatchObject({ merchantId, role: "admin", isOperator: false, user: { email } });
  expect(await findInvitation(db(), token, now)).toBeNull();
  const recorded = await db().select().from(auditEvents).where(eq(auditEvents.merchantId, merchantId));
  expect(recorded.map(({ action }) => action)).toEqual(["invitation.created", "member.joined", "session.started"]);
  expect(JSON.stringify(recorded)).not.toContain(token);
});

test("an existing user joins with that account, and with no other", async () => {
  const email = newEmail();
  const token = await tokenFor(email, "viewer");
  const invited = await signedIn(email);
  const stranger = await signedIn(newEmail());
  expect(inSentences(await joinShop(db(), await stranger(), token, now))).toEqual({
    problem: expect.stringContaining(email),
  });
  expect(await joinShop(db(), await invited(), token, now)).toBe(true);
  expect(toMember(await invited())).toMatchObject({ merchantId, role: "viewer" });
  expect(await joinShop(db(), await invited(), token, now)).toHaveProperty("problem");
  expect(await invite(db(), owner, { email, role: "owner" }, now)).toMatchObject({ errors: [{ field: "email" }] });
});

test("a link that was taken back, replaced, or is older than a week opens nothing", async () => {
  const email = newEmail();
  const first = await tokenFor(email);
  const second = await tokenFor(email);
  expect(await findInvitation(db(), first, now)).toBeNull();
  expect(await findInvitation(db(), second, later(6.9))).not.toBeNull();
  expect(await findInvitation(db(), second, later(7))).toBeNull();
  const [waiting] = await listInvitations(db(), merchantId, now);
  const strange = { merchantId: (await seedMerchant(db(), now)).id, userId: owner.userId };
  expect(await revokeInvitation(db(), { ...strange, id: waiting?.id ?? "" }, now)).toBe(false);
  expect(await revokeInvitation(db(), { ...owner, id: waiting?.id ?? "" }, now)).toBe(true);
  expect(await findInvitation(db(), second, now)).toBeNull();
  expect(await registerInvited(db(), open, { ...visitor, token: second, password }, now)).toHaveProperty("errors");
});

test("two owners who concurrently demote or remove each other leave one owner", async () => {
  for (const run of [
    (one: string, other: string) =>
      changeRole(db(), { merchantId, userId: one }, { userId: other, role: "viewer" }, now),
    (one: string, other: string) => removeMember(db(), { merchantId, userId: one }, other, now),
    (one: string) => removeMember(db(), { merchantId, userId: one }, one, now),
  ]) {
    await db().delete(memberships).where(eq(memberships.merchantId, merchantId));
    const a = await seedPerson(db(), { merchantId }, now);
    const b = await seedPerson(db(), { merchantId }, now);
    const answers = await Promise.all([run(a, b), run(b, a)]);
    expect(answers.filter((answer) => answer === true)).toHaveLength(1);
    expect(Object.values(await rolesOf()).filter((role) => role === "owner")).toHaveLength(1);
  }
});

test("the last owner can neither be demoted nor leave; once there is another, they can", async () => {
  const { userId } = owner;
  expect(inSentences(await changeRole(db(), owner, { userId, role: "admin" }, now))).toEqual({
    problem: expect.stringContaining("needs an owner"),
  });
  expect(await removeMember(db(), owner, userId, now)).toHaveProperty("problem");
  const second = await seedPerson(db(), { merchantId, role: "viewer" }, now);
  expect(await changeRole(db(), owner, { userId: second, role: "owner" }, now)).toBe(true);
  expect(await removeMember(db(), owner, userId, now)).toBe(true);
  expect(await rolesOf()).toEqual({ [second]: "owner" });
});

test("only an owner changes users, and only the shop's; everyone can leave", async () => {
  const admin = await seedPerson(db(), { merchantId, role: "admin" }, now);
  const elsewhere = (await seedMerchant(db(), now)).id;
  const stranger = await seedPerson(db(), { merchantId: elsewhere }, now);
  const before = await rolesOf();
  const asAdmin = { merchantId, userId: admin };
  expect(await changeRole(db(), asAdmin, { userId: admin, role: "owner" }, now)).toHaveProperty("problem");
  expect(await removeMember(db(), asAdmin, owner.userId, now)).toHaveProperty("problem");
  expect(
    await changeRole(db(), { merchantId, userId: stranger }, { userId: admin, role: "owner" }, now),
  ).toHaveProperty("problem");
  expect(await removeMember(db(), owner, stranger, now)).toHaveProperty("problem");
  expect(await rolesOf()).toEqual(before);
  expect(await db().$count(memberships, eq(memberships.userId, stranger))).toBe(1);
  expect(await removeMember(db(), asAdmin, admin, now)).toBe(true);
});

test("a former owner has no pending invitations", async () => {
  const second = await seedPerson(db(), { merchantId }, now);
  const by = { merchantId, userId: second };
  await invite(db(), by, { email: newEmail(), role: "owner" }, now);
  await changeRole(db(), owner, { userId: second, role: "admin" }, now);
  expect(await listInvitations(db(), merchantId, now)).toEqual([]);
});

test("a session enters only its user's shops, and a new shop is created by operators, or by anyone with open registration", async () => {
  const elsewhere = (await seedMerchant(db(), now)).id;
  const person = await signedIn(newEmail(), merchantId);
  expect(await switchShop(db(), await person(), elsewhere)).toBe(false);
  expect(await makeShop(db(), open, await person(), "Coffee", now)).toHaveProperty("errors");
  expect(await makeShop(db(), { registration: "open" }, await person(), " ", now)).toMatchObject({
    errors: [{ field: "name" }],
  });
  expect(await makeShop(db(), { registration: "open" }, await person(), "Coffee", now)).toBe(true);
  expect(toMember(await person())).toMatchObject({ merchantName: "Coffee", role: "owner" });
  expect(await switchShop(db(), await person(), merchantId)).toBe(true);
  expect(toMember(await person())).toMatchObject({ merchantId, role: "viewer" });
  const { user } = await person();
  await db().update(users).set({ isOperator: true }).where(eq(users.id, user.id));
  expect(await makeShop(db(), open, await person(), "Books", now)).toBe(true);
  const listed = await listInstalledShops(db(), "", 1000, now);
  const books = listed.find(({ name }) => name === "Books");
  expect(books).toMatchObject({ owners: [user.email], people: 1, orders: 0, unmatched: 0 });
  const facts = await explain(database.pool.sql, (asked) => listInstalledShops(asked, "", 50, now));
  expect(facts.scanned).toEqual([]);
  expect(await db().$count(memberships, and(eq(memberships.userId, user.id), eq(memberships.role, "owner")))).toBe(2);
});
