import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { openDb } from "@/db/client";
import { claimEmail, listPendingEmails, settleEmailClaim } from "@/db/queries/users/email-claims";
import { emailClaims, users } from "@/db/schema";
import { newId } from "@/lib/domain/id";
import { enterPeople, tidyEmailClaims } from "@/lib/users/cells/claims";
import { register } from "@/lib/users/register";
import { CELL_NAMES, type CellName, useTestCells } from "@/testing/database/cells";
import { TEST_APP_SECRET } from "@/testing/database/seed";

const cells = useTestCells();
const now = new Date("2026-03-01T10:00:00Z");
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
const env = { appSecret: TEST_APP_SECRET, registration: "open" } as const;
const SAYS_TAKEN = { errors: [{ field: "email", message: "Somebody has this e-mail address. Sign in instead" }] };

let count = 0;
const freshEmail = () => `person-${count++}@example.com`;
const seed = (name: CellName, email: string) =>
  cells
    .db(name)
    .insert(users)
    .values({ id: newId(now, name), email, passwordHash: "-", createdAt: now });
/** Of a cell that has its first visitor behind it. */
async function add(name: CellName, email: string, at = now) {
  if ((await cells.db(name).select().from(users).limit(1)).length === 0) await seed(name, freshEmail());
  const form = { name: "Tea House", email, password: "correct horse battery", code: "", userAgent: "" };
  return register(cells.db(name), env, { ...form, ip: `192.0.2.${count++ % 250}` }, at);
}
const isAdded = async (name: CellName, email: string, at = now) => "sessionId" in (await add(name, email, at));
const claimOf = async (email: string) =>
  (await cells.db("00").select().from(emailClaims).where(eq(emailClaims.email, email)))[0];
const accountsOf = async (email: string) => {
  const rows = await Promise.all(
    CELL_NAMES.map((name) => cells.db(name).select().from(users).where(eq(users.email, email))),
  );
  return CELL_NAMES.filter((_, index) => (rows[index]?.length ?? 0) > 0);
};

test.each([
  ["00", ["01", "02"]],
  ["01", ["00", "02"]],
  ["02", ["00", "01"]],
] as const)(
  "who has an account in cell %s makes none in another, in whatever case they write it",
  async (mine, others) => {
    const email = freshEmail();
    expect(await isAdded(mine, email)).toBe(true);
    for (const name of others) expect(await add(name, ` ${email.toUpperCase()}`)).toEqual(SAYS_TAKEN);
    expect(await add(mine, email)).toEqual(SAYS_TAKEN);
    expect(await accountsOf(email)).toEqual([mine]);
    expect((await claimOf(email))?.cell).toBe(mine);
  },
);

test("of visitors of three cells who register one e-mail address at the same moment one has it", async () => {
  for (const name of CELL_NAMES) await add(name, freshEmail());
  const emails = Array.from({ length: 6 }, freshEmail);
  await Promise.all(emails.flatMap((email) => CELL_NAMES.map((name) => add(name, email))));
  for (const email of emails) {
    const accounts = await accountsOf(email);
    expect(accounts).toHaveLength(1);
    expect((await claimOf(email))?.cell).toBe(accounts[0]);
  }
});

test("who dies between claim and account leaves a claim that its cell takes again, and gives up after an hour", async () => {
  const again = freshEmail();
  const unused = freshEmail();
  for (const email of [again, unused]) {
    expect(await claimEmail(cells.db("00"), "02", email, now)).toBe(true);
    expect(await isAdded("00", email)).toBe(false);
  }
  expect(await isAdded("02", again, later(1))).toBe(true);
  await tidyEmailClaims(cells.db("02"), later(59));
  expect((await claimOf(unused))?.pendingSince).toEqual(now);
  await tidyEmailClaims(cells.db("02"), later(62));
  expect(await claimOf(again)).toMatchObject({ cell: "02", pendingSince: null });
  expect(await claimOf(unused)).toBeUndefined();
  expect(await isAdded("00", unused, later(63))).toBe(true);
});

test("a claim that is made anew while it is looked at stays", async () => {
  const email = freshEmail();
  await claimEmail(cells.db("00"), "01", email, now);
  const claim = (await listPendingEmails(cells.db("00"), "01", later(1), 500)).find((row) => row.email === email);
  if (!claim) throw new Error("It was not listed");
  expect(await isAdded("01", email, later(70))).toBe(true);
  await settleEmailClaim(cells.db("00"), claim, false);
  expect(await claimOf(email)).toMatchObject({ cell: "01", pendingSince: later(70) });
});

test("a cell that was opened without the directory makes no account", async () => {
  const pool = openDb(cells.urlOf("01"), { work: "none", max: 1 });
  const form = { name: "Tea House", password: "correct horse battery", code: "", userAgent: "", ip: "198.51.100.9" };
  const email = freshEmail();
  await expect(register(pool.db, env, { ...form, email }, now)).rejects.toThrow("without the directory");
  await pool.close();
  expect(await accountsOf(email)).toEqual([]);
});

const enter = (...names: CellName[]) =>
  enterPeople(
    names.map((name) => cells.db(name)),
    later(300),
  );

test("who was there before there was a directory is entered, once and again, however many there are", async () => {
  const many = Array.from({ length: 1_100 }, () => freshEmail());
  const rows = many.map((email) => ({ id: newId(now, "02"), email, passwordHash: "-", createdAt: now }));
  await cells.db("02").insert(users).values(rows);
  const old = freshEmail();
  await seed("00", old);
  expect(await enter(...CELL_NAMES)).toEqual([]);
  expect(await enter(...CELL_NAMES)).toEqual([]);
  const entered = await cells.db("00").select().from(emailClaims).where(eq(emailClaims.cell, "02"));
  const known = new Set(entered.map(({ email }) => email));
  expect(many.filter((email) => !known.has(email))).toEqual([]);
  expect(await claimOf(old)).toEqual({ email: old, cell: "00", pendingSince: null });
  expect(await isAdded("01", old)).toBe(false);
});

test("two accounts of one e-mail address from before are told and stay; a claim without an account goes to the cell that has one", async () => {
  const twice = freshEmail();
  const moved = freshEmail();
  const recent = freshEmail();
  await Promise.all([seed("00", twice), seed("01", twice), seed("01", moved), seed("01", recent)]);
  await claimEmail(cells.db("00"), "00", moved, now);
  await claimEmail(cells.db("00"), "00", recent, later(299));
  const shared = [twice, recent].map((email) => ({ email, claimedBy: "00", usedBy: "01" }));
  const told = await enter(...CELL_NAMES);
  expect(new Set(told.map(({ email }) => email))).toEqual(new Set([twice, recent]));
  expect(told).toEqual(expect.arrayContaining(shared));
  expect(await accountsOf(twice)).toEqual(["00", "01"]);
  expect(await claimOf(moved)).toEqual({ email: moved, cell: "01", pendingSince: null });
  expect(await isAdded("02", twice)).toBe(false);
});
