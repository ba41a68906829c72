import { pbkdf2Sync, randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { HDKey } from "@scure/bip32";
import { eq } from "drizzle-orm";
import fc from "fast-check";
import postgres from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { type Db, type DbPool, driverOf, openDb } from "@/db/client";
import { guardLostOrders } from "@/db/dump/guard-lost-orders";
import { restoreDump } from "@/db/dump/restore-dump";
import { writeDump } from "@/db/dump/write-dump";
import { migrate } from "@/db/migrate";
import { takeDepositAddress } from "@/db/queries/deposits/deposit-addresses";
import { insertAddress } from "@/db/queries/merchants/address-settings";
import { insertOrders, type NewOrder } from "@/db/queries/orders/order-creation";
import { quotes, receivingAddresses } from "@/db/schema";
import { ACCOUNT_PATHS } from "@/lib/domain/addresses/xpub";
import { newId } from "@/lib/domain/id";
import { unitsPerStep } from "@/lib/domain/money";
import { type Currency, getNetwork, getToken } from "@/lib/domain/networks";
import { isOffered } from "@/lib/domain/orders/quote";
import { createLog } from "@/lib/log";
import { addSource } from "@/lib/merchants/address-sources";
import { deriveAhead } from "@/lib/merchants/derive-addresses";
import { seedAddress, seedCursor, seedMerchant, seedPerson, TEST_APP_SECRET } from "@/testing/database/seed";

const XPUB = HDKey.fromMasterSeed(pbkdf2Sync("lost orders", "mnemonic", 2_048, 64, "sha512")).derive(
  ACCOUNT_PATHS.evm,
).publicExtendedKey;
const vault = { appSecret: TEST_APP_SECRET, log: createLog("test", "fatal") };
const now = new Date();
/** The sum of the longest expiry (24 h), three extensions of half an hour, the late window of 3 h, and two minutes. */
const GUARD_MS = (24 * 60 + 3 * 30 + 3 * 60 + 2) * 60_000;
/** Prices in millionths: one that many orders have, one with six decimals, and ones that end in nines. */
const PRICES = [10_000_000n, 10_000_000n, 10_000_000n, 10_000_123n, 10_000_009n, 10_000_899n, 10_009_999n];

const made: string[] = [];
let folder: string;
let merchant: Awaited<ReturnType<typeof seedMerchant>>;
let [pool, count]: [DbPool, number] = [{} as DbPool, 0];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "stablegate lost-"));
});
afterAll(async () => {
  await onServer(async (sql) => {
    for (const name of made) await sql`drop database ${sql(name)} with (force)`;
  });
  await rm(folder, { recursive: true, force: true });
});

async function onServer(run: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres(inject("testServerUrl"), { max: 1, onnotice: () => {} });
  await run(sql).finally(() => sql.end());
}

async function emptyDatabase(): Promise<string> {
  const name = `lost_${randomBytes(6).toString("hex")}`;
  await onServer((sql) => sql`create database ${sql(name)}`);
  made.push(name);
  const url = new URL(inject("testServerUrl"));
  url.pathname = `/${name}`;
  return url.href;
}

beforeEach(async () => {
  const url = await emptyDatabase();
  await migrate(url);
  pool = openDb(url, { work: "none", max: 2 });
  merchant = await seedMerchant(pool.db, now);
  for (const network of ["ethereum", "bsc", "polygon", "arbitrum"]) await seedCursor(pool.db, network, now);
  return () => pool.close();
});

/** Dumps the database. Returns a function that restores the dump into a different database, which `pool` then uses. */
async function dump(): Promise<() => ReturnType<typeof restoreDump>> {
  const file = path.join(folder, `${randomBytes(6).toString("hex")}.dump.gz`);
  const from = await currentUrl();
  await writeDump(from, file, now);
  return async () => {
    await pool.close();
    const url = await emptyDatabase();
    const restored = await restoreDump(url, file, "db");
    pool = openDb(url, { work: "none", max: 2 });
    return restored;
  };
}

async function currentUrl(): Promise<string> {
  const [row] = await pool.sql`select current_database() as name`;
  const url = new URL(inject("testServerUrl"));
  url.pathname = `/${row?.["name"]}`;
  return url.href;
}

/** Creates an order and returns its hold, or null if it was refused. */
async function order(network: string, micro: bigint, currency: Currency = "USDT", at = new Date()) {
  const { contract, decimals } = getToken(getNetwork(network), currency);
  const wanted: NewOrder = {
    id: newId(at),
    quoteId: newId(at),
    apiKeyId: merchant.keyId,
    merchantId: merchant.id,
    mchOrderId: `order-${++count}`,
    network,
    currency,
    token: contract.toLowerCase(),
    amountUnits: micro * unitsPerStep(decimals),
    unitsPerStep: unitsPerStep(decimals),
    notifyUrl: null,
    redirectUrl: null,
    locale: null,
    expiresInSeconds: null,
  };
  await pool.sql`update cursors set heard_at = ${at.toISOString()}::text::timestamptz`;
  const [creation] = await insertOrders(pool.db, [wanted], at);
  if (!creation || !("baseUnits" in creation)) return null;
  const [quote] = await pool.db.select().from(quotes).where(eq(quotes.id, wanted.quoteId));
  if (quote) expect(quote.baseUnits).toBe(creation.baseUnits);
  return quote ?? null;
}

const deposit = (network: string, customerRef: string) =>
  pool.db.transaction((tx) =>
    takeDepositAddress(
      tx,
      {
        id: newId(new Date()),
        apiKeyId: merchant.keyId,
        merchantId: merchant.id,
        customerRef,
        network,
        notifyUrl: null,
      },
      new Date(),
    ),
  );

const common = (one: ReadonlySet<string>, other: ReadonlySet<string>) => [...one].filter((key) => other.has(key));

const shared = (network: string, address?: string) =>
  seedAddress(pool.db, { merchantId: merchant.id, network, ...(address && { address }) }, now);

describe("shared addresses", () => {
  test("no new order gets an amount of a lost order after the dump; nor after a second loss", async () => {
    const step = fc.record({
      network: fc.constantFrom("ethereum", "bsc"),
      price: fc.constantFrom(...PRICES),
      currency: fc.constantFrom<Currency>("USDT", "USDC"),
    });
    const { address } = await shared("ethereum");
    await shared("bsc", address);
    await shared("ethereum");
    const steps = fc.sample(step, { seed: 5, numRuns: 120 });
    const create = async (level: number) => {
      const holds = new Set<string>();
      for (const { network, price, currency } of steps) {
        const quote = await order(network, price, currency);
        if (!quote) throw new Error("An order was refused");
        expect([quote.microUnits, isOffered(quote.microUnits, level)]).toEqual([quote.microUnits, true]);
        expect(quote.microUnits).toBeGreaterThanOrEqual(price);
        expect(quote.microUnits).toBeLessThan(price + 10_000n);
        holds.add(`${quote.address} ${quote.microUnits}`);
      }
      expect(holds.size).toBe(steps.length);
      return holds;
    };
    await order("ethereum", 10_000_000n);
    const restore = await dump();
    const lost = await create(0);
    await restore();
    const restoreAgain = await dump();
    const lostAgain = await create(1);
    expect(common(lost, lostAgain)).toEqual([]);
    await restoreAgain();
    const last = await create(2);
    expect(common(last, new Set([...lost, ...lostAgain]))).toEqual([]);
  });

  test("the time ends when no lost order can be paid any more; addresses that are added since offer every amount", async () => {
    const first = await shared("ethereum");
    const restore = await dump();
    const before = Date.now();
    const { guard } = await restore();
    const until = guard?.until.getTime() ?? 0;
    expect(until - before).toBeGreaterThanOrEqual(GUARD_MS);
    expect(until - Date.now()).toBeLessThanOrEqual(GUARD_MS + 60_000);
    expect(await order("ethereum", 10_000_000n, "USDT", new Date(until - 1))).toMatchObject({
      microUnits: 10_000_009n,
    });
    expect(await order("ethereum", 20_000_000n, "USDT", new Date(until))).toMatchObject({ microUnits: 20_000_000n });
    const second = await shared("ethereum");
    const amounts = [];
    for (let index = 0; index < 3; index++) amounts.push(await order("ethereum", 30_000_000n));
    expect(amounts).toMatchObject([
      { address: second.address, microUnits: 30_000_000n },
      { address: second.address, microUnits: 30_000_100n },
      { address: second.address, microUnits: 30_000_200n },
    ]);
    // The same account on a different network is not a new address.
    const again = { ...first, id: newId(now), network: "bsc", label: "", mac: "mac" };
    await pool.db.transaction((tx) => insertAddress(tx, again, now));
    expect(await order("bsc", 30_000_000n)).toMatchObject({ address: first.address, microUnits: 30_000_009n });
  });

  test("a merchant with a longer late window makes the time longer", async () => {
    await pool.sql`update merchants set late_window_seconds = 86400`;
    const restore = await dump();
    const { guard } = await restore();
    expect((guard?.until.getTime() ?? 0) - Date.now()).toBeGreaterThan(GUARD_MS + 20 * 3_600_000);
  });
});

describe("dedicated addresses", () => {
  const hold = async (network: string, orders: number) => {
    const held: string[] = [];
    for (let index = 0; index < orders; index++) {
      const quote = await order(network, 10_000_000n);
      if (quote) held.push(quote.address);
    }
    return held;
  };

  test("that were idle, or became so after the dump, get no order until the time is over, and never a customer", async () => {
    for (let index = 0; index < 3; index++)
      await seedAddress(pool.db, { merchantId: merchant.id, network: "polygon", kind: "dedicated" }, now);
    const [open] = await hold("polygon", 1);
    const restore = await dump();
    expect(await hold("polygon", 1)).toHaveLength(1);
    const customer = await deposit("polygon", "lost customer");
    expect(customer).toMatchObject({ outcome: "made" });
    const { guard } = await restore();
    expect(await hold("polygon", 3)).toEqual([]);
    expect(await deposit("polygon", "new customer")).toEqual({ refused: "noAddress" });
    const later = new Date((guard?.until.getTime() ?? 0) + 121_000);
    const next = await order("polygon", 10_000_000n, "USDT", later);
    expect(next).not.toBeNull();
    expect(next?.address).not.toBe(open);
    expect(await deposit("polygon", "new customer")).toEqual({ refused: "noAddress" });
    const added = await seedAddress(pool.db, { merchantId: merchant.id, network: "polygon", kind: "dedicated" }, now);
    expect(await deposit("polygon", "new customer")).toMatchObject({ outcome: "made", address: added.address });
  });

  test("that never served are removed if the merchant has deposit addresses: a lost customer may have one", async () => {
    for (let index = 0; index < 3; index++)
      await seedAddress(pool.db, { merchantId: merchant.id, network: "polygon", kind: "dedicated" }, now);
    const [served] = await hold("polygon", 1);
    await deposit("polygon", "customer");
    const restore = await dump();
    const { guard } = await restore();
    expect(guard).toMatchObject({ dedicated: 2, removed: 1 });
    const later = new Date((guard?.until.getTime() ?? 0) + 121_000);
    await pool.sql`update quotes set released_at = ${later.toISOString()}::text::timestamptz`;
    expect(await order("polygon", 10_000_000n, "USDT", later)).toMatchObject({ address: served });
    expect(await order("polygon", 10_000_000n, "USDT", later)).toBeNull();
  });

  test("of a public key continue 1,000 indexes later: no order or customer gets a lost address, now or later", async () => {
    const userId = await seedPerson(pool.db, { merchantId: merchant.id }, now);
    const form = { merchantId: merchant.id, userId, family: "evm" as const, xpub: XPUB, label: "", max: 60 };
    const source = await addSource(pool.db, vault, { ...form, networks: ["polygon", "arbitrum"] }, now);
    expect(source).toMatchObject({ id: expect.any(String) });
    const served = await hold("polygon", 2);
    await deriveAhead(pool.db, vault, now);
    const restore = await dump();
    const lost = new Set(await hold("polygon", 15));
    for (let index = 0; index < 5; index++) {
      const reserved = await deposit("arbitrum", `lost ${index}`);
      if ("address" in reserved) lost.add(reserved.address);
    }
    await deriveAhead(pool.db, vault, now);
    for (const address of await hold("arbitrum", 10)) lost.add(address);
    expect(lost.size).toBe(30);

    const { guard } = await restore();
    expect(guard).toMatchObject({ sources: 1 });
    expect(await hold("polygon", 1)).toEqual([]);
    expect(await deposit("polygon", "too early")).toEqual({ refused: "noAddress" });
    await deriveAhead(pool.db, vault, now);
    const indexes = await indexesOf(pool.db);
    expect(Math.min(...indexes.offered)).toBe(Math.max(...indexes.all.filter((index) => index < 1_000)) + 1_001);
    const next = new Set(await hold("polygon", 10));
    const customer = await deposit("arbitrum", "new customer");
    if ("address" in customer) next.add(customer.address);
    expect(next.size).toBe(11);
    expect(common(next, lost)).toEqual([]);
    expect(common(next, new Set(served))).toEqual([]);

    // Afterward, the addresses that were used before the dump are used again. The other addresses may belong to a customer.
    const later = new Date((guard?.until.getTime() ?? 0) + 121_000);
    await pool.sql`update quotes set released_at = ${later.toISOString()}::text::timestamptz`;
    const again = new Set<string>();
    for (let index = 0; index < 14; index++)
      again.add((await order("polygon", 10_000_000n, "USDT", later))?.address ?? "refused");
    expect(common(new Set(served), again)).toHaveLength(served.length);
    expect(common(again, lost)).toEqual([]);
    // The limit counts addresses, not indexes.
    for (let rounds = 0; rounds < 5; rounds++) {
      await hold("polygon", 20);
      await deriveAhead(pool.db, vault, now);
    }
    const { all } = await indexesOf(pool.db);
    expect(all.filter((index) => index >= 1_000)).toHaveLength(60 - served.length);
  });

  async function indexesOf(db: Db) {
    const rows = await db.select().from(receivingAddresses).where(eq(receivingAddresses.network, "polygon"));
    const derived = rows.filter(({ source }) => source === "xpub");
    const offered = derived.filter(({ removedAt, availableAt }) => removedAt === null && availableAt.getTime() === 0);
    return { all: derived.map((row) => row.sourceIndex ?? -1), offered: offered.map((row) => row.sourceIndex ?? -1) };
  }
});

test("after a restore by other means the same is done by a call of its own, and once more by the next", async () => {
  await shared("ethereum");
  const guard = () => pool.db.transaction((tx) => guardLostOrders(driverOf(tx)));
  await guard();
  expect(await order("ethereum", 10_000_000n)).toMatchObject({ microUnits: 10_000_009n });
  await guard();
  expect(await order("ethereum", 10_000_000n)).toMatchObject({ microUnits: 10_000_099n });
});
