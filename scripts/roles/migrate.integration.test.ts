import { spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import path from "node:path";
import { text } from "node:stream/consumers";
import { eq } from "drizzle-orm";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDb } from "@/db/client";
import { migrate } from "@/db/migrate";
import { addressClaims, apiKeys, emailClaims, users } from "@/db/schema";
import { urlOfCell } from "@/lib/domain/cells";
import { newId } from "@/lib/domain/id";
import { hashApiKey } from "@/lib/domain/keys/api-key";
import { keyLookups, openKeyHash } from "@/lib/merchants/key-hashes";
import { useTestDb } from "@/testing/database/clone";
import { seedAddress, seedMerchant, TEST_APP_SECRET } from "@/testing/database/seed";
import { TEST_APP_ROLE } from "@/testing/database/server";

const first = useTestDb();
const other = useTestDb();
const program = path.resolve(".build", `migrate-under-test-${process.pid}.js`);
const now = new Date("2026-03-01T10:00:00Z");

beforeAll(async () => {
  const entryPoints = [path.resolve("scripts/roles/migrate.ts")];
  const target = { platform: "node", format: "esm", target: "node24" } as const;
  await build({ entryPoints, outfile: program, bundle: true, packages: "external", ...target });
});
afterAll(() => rm(program, { force: true }));

let secret = "";
/** Settings of one test. */
const change: Record<string, string> = {};

async function run(...args: string[]) {
  const owners = { DATABASE_OWNER_URL: first.ownerUrl, CELL_01_DATABASE_OWNER_URL: other.ownerUrl };
  const urls = { DATABASE_URL: first.url, CELL_01_DATABASE_URL: other.url, ...owners, ...change };
  const env = { NODE_ENV: "production" as const, LOG_FORMAT: "pretty", ...urls, APP_SECRET: secret };
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, words: out + err };
}

const claims = async () =>
  (await first.pool.db.select().from(addressClaims)).map(({ address, cell }) => [address, cell]).toSorted();

test("a second cell enters the first one's addresses with its own, and is refused where both have one", async () => {
  const shop = await seedMerchant(first.pool.db, now);
  const here = await seedAddress(first.pool.db, { merchantId: shop.id }, now);
  expect(await run("--cell", "01")).toMatchObject({ code: 0, words: "The cell 01 is up to date.\n" });
  expect(await claims()).toEqual([[here.address, "00"]]);

  await migrate(urlOfCell(other.ownerUrl, "01"), undefined, TEST_APP_ROLE);
  const cell = openDb(urlOfCell(other.url, "01"), { work: "none", max: 1 });
  try {
    const merchantId = (await seedMerchant(cell.db, now)).id;
    const there = await seedAddress(cell.db, { merchantId, address: `0x${"77".repeat(20)}` }, now);
    await seedAddress(cell.db, { merchantId, address: here.address }, now);
    const refused = await run("--cell", "01");
    expect(refused.code).toBe(1);
    expect(refused.words).toContain(`${here.address}: cells 00 and 01`);
    expect(refused.words).toMatch(/one cell only\. Remove it .*CELLS=00 alone/s);
    expect(await claims()).toEqual(
      [
        [here.address, "00"],
        [there.address, "01"],
      ].toSorted(),
    );
    expect((await run()).code).toBe(0);
  } finally {
    await cell.close();
  }
});

test("an e-mail address that has an account in two cells is told, with what to do, and ends nothing", async () => {
  const one = openDb(urlOfCell(first.url, "02"), { work: "none", max: 1 });
  try {
    expect(await run("--cell", "02")).toMatchObject({ code: 0, words: "The cell 02 is up to date.\n" });
    const person = { email: "twice@example.com", passwordHash: "-", createdAt: now };
    await first.pool.db.insert(users).values({ ...person, id: newId(now) });
    await one.db.insert(users).values([
      { ...person, id: newId(now, "02") },
      { ...person, id: newId(now, "02"), email: "once@example.com" },
    ]);
    const { code, words } = await run("--cell", "02");
    expect(code).toBe(0);
    expect(words).toContain("twice@example.com: cells 00 and 02");
    expect(words).not.toContain("once@example.com");
    const claimed = await first.pool.db.select().from(emailClaims);
    expect(new Map(claimed.map(({ email, cell }) => [email, cell]))).toEqual(
      new Map([
        ["once@example.com", "02"],
        ["twice@example.com", "00"],
      ]),
    );
  } finally {
    await one.close();
  }
});

test("API keys of an earlier version are encrypted under APP_SECRET, without which nothing but the tables is changed", async () => {
  const shop = await seedMerchant(first.pool.db, now);
  const keyHash = hashApiKey(shop.apiKey);
  const isOfShop = eq(apiKeys.id, shop.keyId);
  await first.pool.db.update(apiKeys).set({ lookupMac: null, hashCipher: null, keyHash }).where(isOfShop);
  const refused = await run();
  expect(refused.code).toBe(1);
  expect(refused.words).toMatch(
    /^APP_SECRET is missing: the database holds API keys in the form of an earlier version/,
  );
  secret = "another secret than the one of this installation";
  expect((await run()).words).toContain("APP_SECRET is not the secret of this installation");
  const rowOf = async () => (await first.pool.db.select().from(apiKeys).where(isOfShop))[0];
  expect((await rowOf())?.hashCipher).toBeNull();

  secret = TEST_APP_SECRET;
  expect(await run()).toMatchObject({ code: 0, words: "The database is up to date.\n" });
  const row = await rowOf();
  expect(openKeyHash(TEST_APP_SECRET, { id: shop.keyId, hashCipher: row?.hashCipher ?? "", keyHash: null })).toBe(
    keyHash,
  );
  expect(row?.lookupMac).toBe(keyLookups(TEST_APP_SECRET)(keyHash)[0]);
  expect(row?.keyHash).toBe(keyHash);
  secret = "";
  expect((await run()).code).toBe(0);
});
