import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { type Db, openDb } from "@/db/client";
import { accountLetters, auditEvents, challenges, memberships, users } from "@/db/schema";
import { cellOfSecret } from "@/lib/domain/cells";
import { cellOfId } from "@/lib/domain/id";
import {
  askResetAnywhere,
  askVisitorAnywhere,
  type Cells,
  enterAnywhere,
  hasAccountElsewhere,
  isSetUp,
  joinHere,
  signInAnywhere,
} from "@/lib/users/cells/come-in";
import { beginTotp, finishTotp } from "@/lib/users/change-factors";
import { findInvitation, invite, joinShop } from "@/lib/users/invitations";
import { beginPasskey, finishPasskey } from "@/lib/users/passkeys";
import { createMerchantWithOwner, register } from "@/lib/users/register";
import { findReset, openReset } from "@/lib/users/reset-by-mail";
import { findSession } from "@/lib/users/session";
import { takeSecondStep } from "@/lib/users/sign-in";
import { totpCode } from "@/lib/users/totp";
import { CELL_NAMES, type CellName, useTestCells } from "@/testing/database/cells";
import { TEST_APP_SECRET as appSecret } from "@/testing/database/seed";
import { createAuthenticator } from "@/testing/office/authenticator";

const cells = useTestCells();
const now = new Date("2026-03-01T10:00:00Z");
const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
const password = "correct horse battery";
const publicUrl = "https://pay.example.com";
const emailIn = (name: CellName) => `owner-${name}@example.com`;
const all = (): Cells => [cells.db("00"), cells.db("01"), cells.db("02")];
const owners = new Map<CellName, { merchantId: string; userId: string }>();
const ownerOf = (name: CellName) => owners.get(name) ?? { merchantId: "", userId: "" };

beforeAll(async () => {
  for (const name of CELL_NAMES) {
    const owner = { name: "Tea House", email: emailIn(name), password };
    owners.set(name, await createMerchantWithOwner(cells.db(name), owner, now));
  }
});

let count = 0;
/** Everybody from another address of the network, unless the test is about that. */
const visitor = (ip = `192.0.2.${count++}`) => ({ ip, userAgent: "curl/8" });
const signIn = (email: string, typed = password, ip?: string, at = now) =>
  signInAnywhere(all(), { ...visitor(ip), email, password: typed }, at);

test("everybody signs in where their account is, and the session names that cell and lives in no other", async () => {
  for (const name of CELL_NAMES) {
    const answer = await signIn(` ${emailIn(name).toUpperCase()}`);
    const id = "sessionId" in answer ? answer.sessionId : "";
    expect(cellOfId(id)).toBe(name);
    const found = await Promise.all(CELL_NAMES.map((each) => findSession(cells.db(each), id, now)));
    expect(found.map((person) => person?.user.email ?? null)).toEqual(
      CELL_NAMES.map((each) => (each === name ? emailIn(name) : null)),
    );
  }
  expect(await signIn("nobody@example.com")).toEqual({ problem: "wrong" });
  expect(await signIn(emailIn("01"), "wrong horse battery")).toEqual({ problem: "wrong" });
});

test("limits are the same whichever cell an e-mail address is of, and whether anybody has it", async () => {
  const tries = async (email: string, ip: string) => {
    const answers: string[] = [];
    for (let index = 0; index < 12; index++) {
      const answer = await signIn(email, "wrong horse battery", ip);
      answers.push("problem" in answer ? answer.problem : "in");
    }
    return answers;
  };
  const expected = [...Array.from({ length: 10 }, () => "wrong"), "tooMany", "tooMany"];
  for (const [index, email] of [emailIn("00"), emailIn("01"), emailIn("02"), "nobody@example.com"].entries())
    expect(await tries(email, `198.51.100.${index}`)).toEqual(expected);
  // Thirty from one address of the network, over all cells together.
  const spread = ["a@x.org", emailIn("01"), emailIn("02"), emailIn("00")];
  const answers: string[] = [];
  for (let index = 0; index < 32; index++) {
    const answer = await signIn(spread[index % 4] ?? "", "wrong horse battery", "198.51.100.99", later(3_600));
    answers.push("problem" in answer ? answer.problem : "in");
  }
  expect(answers).toEqual(Array.from({ length: 32 }, (_, index) => (index < 30 ? "wrong" : "tooMany")));
});

test("while a cell is away the people of others sign in, and whoever fails hears the same, whatever their e-mail address", async () => {
  await cells.withoutOther(async () => {
    for (const name of ["00", "01"] as const) expect(await signIn(emailIn(name))).toHaveProperty("sessionId");
    const failed = [
      await signIn(emailIn("02")),
      await signIn("nobody@example.com"),
      await signIn(emailIn("00"), "wrong horse battery"),
      await signIn(emailIn("01"), "wrong horse battery"),
    ];
    expect(failed).toEqual(Array.from({ length: 4 }, () => ({ problem: "unsure" })));
    const answers = ["owner-00@example.com", emailIn("02"), "nobody@example.com"].map((email) =>
      askResetAnywhere(all(), { ...visitor(), email, language: "en" }, now),
    );
    const words = {
      errors: [{ field: "", message: expect.stringMatching(/^Part of this service cannot be reached/) }],
    };
    expect(await Promise.all(answers)).toEqual([words, words, words]);
    expect(await isSetUp([cells.db("02"), cells.db("00")])).toBe(true);
  });
  expect(await signIn(emailIn("02"))).toHaveProperty("sessionId");
});

test("the second step is taken where the first one was", async () => {
  const db = cells.db("01");
  const { userId } = ownerOf("01");
  const begun = await beginTotp(db, { appSecret, user: { id: userId, email: emailIn("01") } });
  if ("problem" in begun) throw new Error(begun.problem);
  await finishTotp(db, { appSecret, userId, code: totpCode(begun.secret, now) }, now);
  const answer = await signIn(emailIn("01"), password, undefined, later(60));
  const ticket = "ticket" in answer ? answer.ticket : "";
  expect(cellOfSecret(ticket)).toBe("01");
  const form = { ...visitor(), ticket, code: totpCode(begun.secret, later(60)) };
  expect(await takeSecondStep(cells.db("00"), appSecret, form, later(60))).toMatchObject({ isOver: true });
  const done = await takeSecondStep(db, appSecret, form, later(60));
  expect(cellOfId("sessionId" in done ? done.sessionId : "")).toBe("01");
  await db.update(users).set({ totpSealed: null, totpSince: null, totpStep: null }).where(eq(users.id, userId));
});

test("the link to a new password is owed in the cell of the e-mail address, and leads there", async () => {
  for (const name of CELL_NAMES) {
    const email = emailIn(name);
    expect(await askResetAnywhere(all(), { ...visitor(), email, language: "en" }, now)).toBe(true);
    const letters = await cells.db(name).select().from(accountLetters).where(eq(accountLetters.email, email));
    expect(letters.filter(({ kind }) => kind === "passwordReset").length).toBeGreaterThan(0);
    const url = await openReset(cells.db(name), publicUrl, { email, from: "" }, now);
    const token = url?.split("/").at(-1) ?? "";
    expect(cellOfSecret(token)).toBe(name);
    expect(await findReset(cells.db(name), token, now)).toEqual({ email });
  }
});

test("a passkey of any cell signs in, once for each question", async () => {
  const devices = new Map<CellName, ReturnType<typeof createAuthenticator>>();
  for (const name of ["01", "02"] as const) {
    const device = createAuthenticator(publicUrl);
    const { userId } = ownerOf(name);
    const options = await beginPasskey(
      cells.db(name),
      { publicUrl, registration: "closed", smtpUrl: null },
      { id: userId, email: emailIn(name) },
      now,
    );
    if ("problem" in options) throw new Error(options.problem);
    const added = { userId, name: "Phone", answer: device.add(options.challenge) };
    expect(await finishPasskey(cells.db(name), publicUrl, added, now)).not.toHaveProperty("problem");
    devices.set(name, device);
  }
  for (const [name, device] of devices) {
    const asked = await askVisitorAnywhere(all(), publicUrl, visitor(), now);
    if ("problem" in asked) throw new Error(asked.problem);
    const form = { ...visitor(), answer: device.sign(asked.challenge) };
    const done = await enterAnywhere(all(), publicUrl, form, now);
    expect(cellOfId("sessionId" in done ? done.sessionId : "")).toBe(name);
    expect(await enterAnywhere(all(), publicUrl, form, now)).toHaveProperty("problem");
  }
  const stranger = createAuthenticator(publicUrl);
  const asked = await askVisitorAnywhere(all(), publicUrl, visitor(), now);
  const answer = stranger.sign("challenge" in asked ? asked.challenge : "");
  expect(await enterAnywhere(all(), publicUrl, { ...visitor(), answer }, now)).toMatchObject({
    problem: expect.stringContaining("not known here"),
  });
});

test("whose account is in another cell cannot join, and is told so", async () => {
  const form = { email: emailIn("00"), role: "viewer" };
  const made = await invite(cells.db("01"), ownerOf("01"), form, now);
  const token = "token" in made ? made.token : "";
  expect(cellOfSecret(token)).toBe("01");
  expect(await findInvitation(cells.db("01"), token, now)).toMatchObject({ hasAccount: false });
  expect(await hasAccountElsewhere(all(), cells.db("01"), emailIn("00"))).toBe(true);
  expect(await hasAccountElsewhere(all(), cells.db("01"), "new@example.com")).toBe(false);
  expect(await hasAccountElsewhere([cells.db("01")], cells.db("01"), emailIn("00"))).toBe(false);
  const answer = await signIn(emailIn("00"), password, undefined, later(7_200));
  const person = await findSession(cells.db("00"), "sessionId" in answer ? answer.sessionId : "", later(7_200));
  if (!person) throw new Error("there is a person");
  expect(await joinHere(cells.db("00"), person, token, now)).toMatchObject({
    problem: expect.stringContaining("another part of this installation"),
  });
  expect(await joinShop(cells.db("00"), person, token, now)).toHaveProperty("problem");
  expect(await cells.db("01").select().from(memberships)).toHaveLength(1);
});

const newShop = { name: "New", password, code: "" };
const open = { appSecret, registration: "open" } as const;

test("a new merchant's cell is the one that is set for them; the first visitor alone is the first cell's, and whoever runs it", async () => {
  const email = "new-owner@example.com";
  const answer = await register(cells.db("00"), open, { ...newShop, email, ...visitor() }, now, cells.db("02"));
  expect(cellOfId("sessionId" in answer ? answer.sessionId : "")).toBe("02");
  const [user] = await cells.db("02").select().from(users).where(eq(users.email, email));
  expect(user).toMatchObject({ isOperator: false });
  expect(cellOfId(user?.id ?? "")).toBe("02");
  expect(await signIn(email)).toHaveProperty("sessionId");
  const closed = { appSecret, registration: "closed" } as const;
  const late = { ...newShop, email: "late@example.com", ...visitor() };
  expect(await register(cells.db("00"), closed, late, now, cells.db("02"))).toEqual({ refused: "closed" });
});

test("one cell asks its database no more often than it would without others", async () => {
  const url = cells.firstUrl();
  const countOf = async (run: (db: Db) => Promise<unknown>) => {
    let statements = 0;
    const watch = () => {
      statements += 1;
      return () => {};
    };
    const pool = openDb(url, { work: "none", max: 1, watch });
    await run(pool.db);
    await pool.close();
    return statements;
  };
  const form = (email: string) => ({ ...visitor(), email, password });
  const counts = {
    signIn: await countOf((db) => signInAnywhere([db], form(emailIn("00")), now)),
    wrong: await countOf((db) => signInAnywhere([db], form("nobody@example.com"), now)),
    register: await countOf((db) => register(db, open, { ...newShop, email: "one@example.com", ...visitor() }, now)),
    forgot: await countOf((db) => askResetAnywhere([db], { ...form("one@example.com"), language: "en" }, now)),
    askPasskey: await countOf((db) => askVisitorAnywhere([db], publicUrl, visitor(), now)),
    isSetUp: await countOf((db) => isSetUp([db])),
  };
  // As many as before there was more than one cell to come in by.
  expect(counts).toEqual({ signIn: 14, wrong: 6, register: 9, forgot: 3, askPasskey: 2, isSetUp: 1 });
  expect(await cells.db("00").select().from(challenges)).not.toEqual([]);
  expect(await cells.db("00").select().from(auditEvents)).not.toEqual([]);
});
