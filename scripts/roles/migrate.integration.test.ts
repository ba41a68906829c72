import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import path from "node:path";
import { text } from "node:stream/consumers";
import { eq } from "drizzle-orm";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { apiKeys } from "@/db/schema";
import { withCredentials } from "@/lib/domain/database-url";
import { hashApiKey } from "@/lib/domain/keys/api-key";
import { keyLookups, openKeyHash } from "@/lib/merchants/key-hashes";
import { useTestDb } from "@/testing/database/clone";
import { seedMerchant, TEST_APP_SECRET } from "@/testing/database/seed";

const testDb = useTestDb();
const program = path.resolve(".build", `migrate-under-test-${process.pid}.js`);
const now = new Date("2026-03-01T10:00:00Z");

beforeAll(async () => {
  const entryPoints = [path.resolve("scripts/roles/migrate.ts")];
  const target = { platform: "node", format: "esm", target: "node24" } as const;
  await build({ entryPoints, outfile: program, bundle: true, packages: "external", ...target });
});
afterAll(() => rm(program, { force: true }));

let secret = "";
/** The settings of one test. */
const change: Record<string, string> = {};

function start(...args: string[]) {
  const urls = { DATABASE_URL: testDb.url, DATABASE_OWNER_URL: testDb.ownerUrl, ...change };
  const env = { NODE_ENV: "production" as const, LOG_FORMAT: "pretty", ...urls, APP_SECRET: secret };
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const result = Promise.all([text(child.stdout), text(child.stderr), ended]);
  const done = result.then(([out, err, code]) => ({ code, output: out + err }));
  return { printed: once(child.stdout, "data"), done };
}

const run = (...args: string[]) => start(...args).done;

/** Runs a function with additional settings. */
async function withSettings<T>(settings: Record<string, string>, call: () => Promise<T>): Promise<T> {
  Object.assign(change, settings);
  return call().finally(() => Object.keys(settings).forEach((name) => void delete change[name]));
}

test.each([
  [["--cell", "01"], {}, /^--cell was removed: .*docs\/scaling\.md/],
  [[], { CELLS: "00" }, /CELLS was removed: .*docs\/scaling\.md/],
])("what was removed with cells is refused with what to do: %j %j", async (args, settings, message) => {
  Object.assign(change, settings);
  const { code, output } = await run(...args).finally(() => delete change["CELLS"]);
  expect(code).toBe(1);
  expect(output).toMatch(message);
});

test("API keys of an earlier version are encrypted under APP_SECRET, without which nothing but the tables is changed", async () => {
  const shop = await seedMerchant(testDb.pool.db, now);
  const keyHash = hashApiKey(shop.apiKey);
  const isOfShop = eq(apiKeys.id, shop.keyId);
  await testDb.pool.db.update(apiKeys).set({ lookupMac: null, hashCipher: null, keyHash }).where(isOfShop);
  const refused = await run();
  expect(refused.code).toBe(1);
  expect(refused.output).toMatch(
    /^APP_SECRET is missing: the database contains API keys in the format of an earlier version/,
  );
  secret = "another secret than the one of this installation";
  expect((await run()).output).toContain("APP_SECRET is not the secret of this installation");
  const rowOf = async () => (await testDb.pool.db.select().from(apiKeys).where(isOfShop))[0];
  expect((await rowOf())?.hashCipher).toBeNull();

  secret = TEST_APP_SECRET;
  expect(await run()).toMatchObject({ code: 0, output: "The database is up to date.\n" });
  const row = await rowOf();
  expect(openKeyHash(TEST_APP_SECRET, { id: shop.keyId, hashCipher: row?.hashCipher ?? "", keyHash: null })).toBe(
    keyHash,
  );
  expect(row?.lookupMac).toBe(keyLookups(TEST_APP_SECRET)(keyHash)[0]);
  expect(row?.keyHash).toBe(keyHash);
  secret = "";
  expect((await run()).code).toBe(0);
});

describe("--wait", () => {
  const waitOnce = () => withSettings({ DATABASE_WAIT_SECONDS: "0" }, () => run("--wait"));
  const removeMigration = () =>
    testDb.owner
      .sql`delete from schema_migrations where made_ms = (select max(made_ms) from schema_migrations) returning *`;

  test("ends at once when the schema is the one of this version, or of a newer one", async () => {
    expect(await waitOnce()).toMatchObject({ code: 0, output: expect.stringContaining("The schema is ready") });
    await testDb.owner.sql`insert into schema_migrations values (99999999999999, 'newer')`;
    expect((await waitOnce()).code).toBe(0);
    await testDb.owner.sql`delete from schema_migrations where hash = 'newer'`;
  });

  test("fails after DATABASE_WAIT_SECONDS while a migration is pending or a function is outdated, and changes nothing", async () => {
    const [row] = await removeMigration();
    expect(await waitOnce()).toMatchObject({
      code: 1,
      output: expect.stringMatching(/not ready .*: pending migrations: 1\. Run/),
    });
    await testDb.owner.sql`insert into schema_migrations ${testDb.owner.sql(row as { made_ms: number; hash: string })}`;
    await testDb.owner
      .sql`create or replace function amount_rank(p_offset integer) returns integer language sql immutable as 'select 1'`;
    expect(await waitOnce()).toMatchObject({
      code: 1,
      output: expect.stringContaining("outdated functions: amount_rank."),
    });
  });

  test("waits for another migrate process, also while the role of web and worker does not exist yet", async () => {
    const role = `wait_${process.pid}`;
    const url = withCredentials(testDb.url, { user: role, password: "a-password-of-this-test" });
    try {
      await withSettings({ DATABASE_URL: url, DATABASE_WAIT_SECONDS: "60" }, async () => {
        const waiting = start("--wait");
        expect(String(await waiting.printed)).toMatch(
          new RegExp(`^Waiting for npm run migrate of this version .*${role}`),
        );
        expect((await run()).code).toBe(0);
        expect(await waiting.done).toMatchObject({ code: 0, output: expect.stringContaining("The schema is ready") });
      });
    } finally {
      await testDb.owner.sql.unsafe(`drop owned by ${role}; drop role ${role}`);
    }
  });
});
