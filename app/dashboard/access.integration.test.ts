import { readdir } from "node:fs/promises";
import path from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createContext } from "@/app/context";
import { keepSession } from "@/app/session";
import { findClosure } from "@/db/queries/networks/closures";
import { setFactorAsked } from "@/db/queries/users/memberships";
import type { Need, Role } from "@/lib/domain/keys/role";
import { ROLES, refusalOf } from "@/lib/domain/keys/role";
import { inEnglish } from "@/lib/domain/problems/in-english";
import type { FieldError } from "@/lib/domain/problems/problem";
import { openSession } from "@/lib/users/session";
import { useTestDb } from "@/testing/database/clone";
import { ENTRY_POINTS, type EntryPoint } from "@/testing/office/entry-points";
import { PASSWORD, type SeededShop, seedShop } from "@/testing/office/shop";
import { TEST_ENV } from "@/testing/web";

/** The cookies of the only browser of this test. */
const jar = vi.hoisted(() => new Map<string, string>());
vi.mock("next/headers", () => ({
  cookies: async () => ({
    get: (name: string) => (jar.has(name) ? { name, value: jar.get(name) } : undefined),
    set: (name: string, value: string) => void jar.set(name, value),
  }),
  headers: async () => new Headers({ "user-agent": "curl/8", "x-forwarded-for": "192.0.2.9" }),
}));
vi.mock("next-intl/server", async () => {
  const [{ createTranslator }, { en }] = await Promise.all([import("next-intl"), import("@/components/messages/en")]);
  const getTranslations = async (namespace: keyof typeof en) =>
    createTranslator({ locale: "en", messages: en, namespace });
  return { getTranslations, getLocale: async () => "en" };
});
vi.mock("next/cache", () => ({ revalidatePath: () => undefined }));

const ROOT = "app/dashboard";
const database = useTestDb();
const db = () => database.pool.db;
const now = () => new Date();
let [mine, theirs]: SeededShop[] = [];
let onDisk: string[] = [];

beforeAll(async () => {
  globalThis.stablegateContext = createContext({ ...TEST_ENV, databaseUrl: database.url });
  [mine, theirs] = [await seedShop(db(), "mine", now()), await seedShop(db(), "theirs", now())];
  onDisk = await findEntryPoints();
});
afterAll(() => globalThis.stablegateContext?.close());

/**
 * Returns every page, route method and server action of the back office: "orders/page.tsx", "orders/actions.ts#resend".
 */
async function findEntryPoints(): Promise<string[]> {
  const files = (await readdir(ROOT, { recursive: true })).filter((name) =>
    /(?:^|\/)(?:page\.tsx|route\.tsx?|[\w-]*actions\.ts)$/.test(name),
  );
  const found = await Promise.all(
    files.map(async (file) => {
      if (file.endsWith("page.tsx")) return [file];
      const names = Object.entries(await load(file)).filter(([, one]) => typeof one === "function");
      return names.map(([name]) => `${file}#${name}`);
    }),
  );
  return found.flat().sort();
}

const load = (file: string): Promise<Record<string, (input: unknown) => Promise<unknown>>> =>
  import(path.resolve(ROOT, file));

/** Signs the browser in as a member of the first shop with this role, or signs it out if `role` is null. */
async function become(role: Role | null): Promise<void> {
  jar.clear();
  if (!role || !mine) return;
  const person = mine.members[role];
  const visitor = { ip: "192.0.2.9", userAgent: "curl/8" };
  await keepSession((await openSession(db(), person, visitor, now())) ?? "");
}

type Outcome = { redirectedTo: string } | { refused: string } | { ok: unknown } | { notFound: true };

/** Calls an entry point with ids and form fields of a shop. */
async function call(
  name: string,
  entry: EntryPoint,
  shop: SeededShop,
  more: Record<string, string> = {},
): Promise<Outcome> {
  const [file = "", action] = name.split("#");
  const module = await load(file);
  try {
    if (!action) return { ok: await module["default"]?.(pageInput(entry, shop)) };
    if (/route\.tsx?$/.test(file))
      return { ok: await module[action]?.(new Request(`https://pay.example.com/${file}`)) };
    const answer = await module[action]?.(formOf({ ...entry.form?.(shop), password: PASSWORD, ...more }));
    return outcomeOf(answer);
  } catch (error) {
    const digest = String((error as { digest?: unknown }).digest ?? "");
    if (digest.startsWith("NEXT_REDIRECT")) return { redirectedTo: digest.split(";")[2] ?? "" };
    if (digest.startsWith("NEXT_HTTP_ERROR_FALLBACK;404")) return { notFound: true };
    throw error;
  }
}

function pageInput(entry: EntryPoint, shop: SeededShop) {
  return { params: Promise.resolve(entry.params?.(shop) ?? {}), searchParams: Promise.resolve({}) };
}

function outcomeOf(answer: unknown): Outcome {
  const { errors, ok } = answer as { errors?: FieldError[]; ok?: unknown };
  return errors ? { refused: errors.map(inEnglish).join("; ") } : { ok };
}

function formOf(fields: Record<string, string | string[]>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) form.append(name, one);
  return form;
}

/** A condition that excludes the audit records of file downloads. Viewers may also download files, and a download changes no other data. */
const KEPT = sql`action <> 'file.downloaded'`;

/** Returns all database rows of a shop as text, by table. */
async function everythingOf(shop: SeededShop): Promise<Record<string, string>> {
  const tables = await db().execute<{ name: string }>(sql`
    select c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
    where a.attname = 'merchant_id' and c.relkind in ('r', 'p') and not c.relispartition
      and c.relnamespace = current_schema()::regnamespace`);
  const all: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await db().execute<{ text: string }>(sql`
      select coalesce(string_agg(t::text, e'\n' order by t::text), '') as text
      from ${sql.identifier(name)} t where merchant_id = ${shop.merchantId} and ${name === "audit_events" ? KEPT : sql`true`}`);
    all[name] = row?.text ?? "";
  }
  return all;
}

const shops = () => {
  if (!mine || !theirs) throw new Error("the shops are there before the first test");
  return { mine, theirs };
};
const entries = Object.entries(ENTRY_POINTS);
const actions = entries.filter(([name]) => name.includes("actions.ts#"));
const enough: Need[] = ["look", "work", "own"];

test("every page, route and server action of the back office is listed here with its permission", () => {
  expect(onDisk.length).toBeGreaterThan(35);
  expect(Object.keys(ENTRY_POINTS).sort()).toEqual(onDisk);
  expect(entries.filter(([, { need }]) => !enough.includes(need))).toEqual([]);
});

test.each(entries)("%s requires signing in", async (name, entry) => {
  await become(null);
  expect(await call(name, entry, shops().mine)).toEqual({ redirectedTo: "/login" });
});

test.each(ROLES)("%s can use what the role permits, and is refused everything else with a message", async (role) => {
  await become(role);
  const before = await everythingOf(shops().mine);
  for (const [name, entry] of entries) {
    const refusal = refusalOf(role, entry.need);
    if (!name.includes("actions.ts#")) {
      const expected = refusal || entry.isOfOperator ? { notFound: true } : { ok: expect.anything() };
      expect([name, await call(name, entry, shops().mine)]).toEqual([name, expected]);
    } else if (refusal)
      expect([name, await call(name, entry, shops().mine)]).toEqual([name, { refused: inEnglish(refusal) }]);
  }
  expect(await everythingOf(shops().mine)).toEqual(before);
});

test("an operator sees the shops of the installation, but no orders of other shops", async () => {
  await become("viewer");
  await db().execute(sql`update users set is_operator = true where id = ${shops().mine.members.viewer.id}`);
  const outcome = await call("installation/page.tsx", { need: "look" }, shops().mine);
  expect(outcome).toEqual({ ok: expect.anything() });
  const theirOrder = ENTRY_POINTS["orders/[tradeId]/page.tsx"];
  if (theirOrder)
    expect(await call("orders/[tradeId]/page.tsx", theirOrder, shops().theirs)).toEqual({ notFound: true });
});

test("a network is closed and reopened by an operator, regardless of role, and by no other user", async () => {
  const run = async (action: "close" | "reopen") => {
    const name = `installation/actions.ts#${action}`;
    const entry = ENTRY_POINTS[name];
    return entry && call(name, entry, shops().mine);
  };
  const state = async () => (await findClosure(db(), "ethereum"))?.closedBy ?? "open";
  await become("owner");
  for (const action of ["close", "reopen"] as const)
    expect(await run(action)).toEqual({ refused: "Only an operator of this installation can do this" });
  expect(await state()).toBe("open");
  await become("viewer");
  expect(await run("close")).toEqual({ ok: true });
  expect(await state()).toContain("@");
  expect(await run("reopen")).toEqual({ ok: true });
  expect(await state()).toBe("open");
});

test("a window that shows another shop than the one that is worked in changes nothing", async () => {
  await become("owner");
  const before = await everythingOf(shops().mine);
  for (const [name, entry] of actions.filter(([, { isOfNoShop }]) => !isOfNoShop)) {
    const outcome = await call(name, entry, shops().mine, { shop: shops().theirs.merchantId });
    expect([name, outcome]).toEqual([name, { refused: expect.stringContaining("another shop") }]);
  }
  expect(await everythingOf(shops().mine)).toEqual(before);
});

test("a list that another shop is shown in gets no rows of the one that is worked in", async () => {
  await become("viewer");
  const { GET } = await import("@/app/dashboard/orders/live/route");
  const ask = (query: string) => GET(new Request(`https://pay.example.com/dashboard/orders/live${query}`));
  const own = await (await ask(`?shop=${shops().mine.merchantId}`)).text();
  expect(own).toContain(shops().mine.orders.open);
  expect(own).not.toContain(shops().theirs.orders.open);
  const refused = await ask(`?shop=${shops().theirs.merchantId}`);
  expect([refused.status, await refused.text()]).toEqual([409, ""]);
});

test("if the shop requires a second factor, a user without one can only set one up", async () => {
  await become("viewer");
  await setFactorAsked(db(), shops().mine.merchantId, true);
  const setsUp = /#(?:startTotp|enableTotp|startPasskey|addPasskey)$/;
  for (const [name, entry] of entries.filter(([one]) => !setsUp.test(one)))
    expect([name, await call(name, entry, shops().mine)]).toEqual([name, { redirectedTo: "/second-factor" }]);
  const start = { need: "look", form: () => ({}) } as const;
  const outcome = await call("settings/security/actions.ts#startTotp", start, shops().mine);
  expect(outcome).toEqual({ ok: { secret: expect.any(String), uri: expect.any(String) } });
  await setFactorAsked(db(), shops().mine.merchantId, false);
});

test("records of another shop are not found and stay unchanged", async () => {
  await become("owner");
  const before = await everythingOf(shops().theirs);
  for (const [name, entry] of entries.filter(([, { params, form, isFree }]) => params || (form && !isFree))) {
    const outcome = await call(name, entry, shops().theirs);
    const expected = entry.params ? { notFound: true } : { refused: expect.any(String) };
    expect([name, outcome]).toEqual([name, expected]);
  }
  expect(await everythingOf(shops().theirs)).toEqual(before);
});

test("actions on one's own shop are performed and recorded, and do not appear in other shops", async () => {
  await become("owner");
  const before = await everythingOf(shops().theirs);
  for (const [name, entry] of actions.filter(([, { isElsewhere }]) => !isElsewhere)) {
    const { audit_events: record } = await everythingOf(shops().mine);
    expect([name, await call(name, entry, shops().mine)]).toEqual([name, { ok: expect.anything() }]);
    const { audit_events: after } = await everythingOf(shops().mine);
    expect([name, record !== after || entry.isUnrecorded === true]).toEqual([name, true]);
  }
  expect(await everythingOf(shops().theirs)).toEqual(before);
});

test("a new password needs the second factor where there is one", async () => {
  await become("admin");
  const { id } = shops().mine.members.admin;
  await db().execute(sql`update users set totp_sealed = 'x', totp_since = now() where id = ${id}`);
  const entry: EntryPoint = { need: "look", form: () => ({ newPassword: "another horse battery" }) };
  const before = await everythingOf(shops().mine);
  const outcome = await call("settings/account/actions.ts#changePassword", entry, shops().mine);
  expect(outcome).toEqual({ refused: expect.stringMatching(/code/i) });
  expect(await everythingOf(shops().mine)).toEqual(before);
});

test("every audit entry of a user contains its origin", async () => {
  const lines = await db().execute<{ action: string; detail: Record<string, unknown> }>(sql`
    select action, detail from audit_events where user_id is not null and merchant_id = ${shops().mine.merchantId}
      and action <> 'invitation.created' or action = 'invitation.created' and detail ->> 'email' = 'new@example.com'`);
  const seeded = ["merchant.registered", "api_key.created"];
  const placeless = lines.filter(({ detail }) => !detail["from_ip"] && !detail["network"]).map(({ action }) => action);
  expect(placeless.filter((action) => !seeded.includes(action))).toEqual([]);
  const recorded = new Set(lines.filter(({ detail }) => detail["from_ip"]).map(({ action }) => action));
  expect(recorded.size).toBeGreaterThan(25);
  expect(recorded).toContain("api_key.created");
  for (const { detail } of lines.filter((one) => one.detail["from_ip"])) expect(detail["from_browser"]).toBe("curl");
});
