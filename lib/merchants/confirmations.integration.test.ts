import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { listMerchantNetworks, lockMerchantWait, writeMerchantWait } from "@/db/queries/merchants/networks";
import { auditEvents } from "@/db/schema";
import { newId } from "@/lib/domain/id";
import { listConfirmationSettings, setMerchantWait } from "@/lib/merchants/confirmations";
import { createMerchantWithOwner } from "@/lib/users/register";
import { useTestDb } from "@/testing/database/clone";
import { seedAddress, seedCursor } from "@/testing/database/seed";
import { inSentences } from "@/testing/problem-sentences";

const now = new Date("2026-03-01T10:00:00Z");
const later = new Date("2026-03-02T10:00:00Z");
const muchLater = new Date("2026-03-03T10:00:00Z");
const testDb = useTestDb();
const db = () => testDb.pool.db;

let shop: { merchantId: string; userId: string };
beforeEach(async () => {
  const owner = { name: "Tea House", email: `${newId(now)}@example.com`, password: "correct horse battery" };
  shop = await createMerchantWithOwner(db(), owner, now);
});

const set = (network: string, text: string, at = now) => setMerchantWait(db(), { ...shop, network, text }, at);
const preferences = async () =>
  (await listMerchantNetworks(db(), shop.merchantId)).map(({ network, minConfirmations, updatedAt }) => ({
    network,
    minConfirmations,
    updatedAt,
  }));
const events = async () =>
  (await db().select().from(auditEvents).where(eq(auditEvents.merchantId, shop.merchantId)).orderBy(auditEvents.id))
    .filter(({ action }) => action === "confirmations.changed")
    .map(({ userId, detail, at }) => ({ userId, detail, at }));

test("a number is stored for one network, changed and removed, with the user and the time in the audit log", async () => {
  expect(await set("ERC20", " 30 ")).toEqual({ minConfirmations: 30, minSeconds: null });
  expect(await set("ethereum", "64", later)).toEqual({ minConfirmations: 64, minSeconds: null });
  expect(await preferences()).toEqual([{ network: "ethereum", minConfirmations: 64, updatedAt: later }]);
  expect(await set("ethereum", "", muchLater)).toEqual({ minConfirmations: null, minSeconds: null });
  expect(await preferences()).toEqual([]);
  const { userId } = shop;
  expect(await events()).toEqual([
    { userId, at: now, detail: { network: "ethereum", before: null, after: 30 } },
    { userId, at: later, detail: { network: "ethereum", before: 30, after: 64 } },
    { userId, at: muchLater, detail: { network: "ethereum", before: 64, after: null } },
  ]);
});

test("a time is stored too, and the audit entry has it", async () => {
  await set("ethereum", "30");
  expect(await set("ethereum", "10 min", later)).toEqual({ minConfirmations: null, minSeconds: 600 });
  const [setting] = await listMerchantNetworks(db(), shop.merchantId);
  expect(setting).toMatchObject({ network: "ethereum", minConfirmations: null, minSeconds: 600 });
  expect(await set("ethereum", "600 s", muchLater)).toEqual({ minConfirmations: null, minSeconds: 600 });
  expect((await events()).map(({ detail }) => detail)).toMatchObject([
    { before: null, after: 30 },
    { before: 30, after: "600 s" },
  ]);
});

test("saving the same number again changes and records nothing", async () => {
  await set("ethereum", "30");
  expect(await set("ethereum", "30", later)).toEqual({ minConfirmations: 30, minSeconds: null });
  expect(await preferences()).toMatchObject([{ updatedAt: now }]);
  expect(await events()).toHaveLength(1);
});

test("of two concurrent saves the second waits, and its audit entry has the earlier value", async () => {
  const key = { merchantId: shop.merchantId, network: "bsc" };
  const second = await db().transaction(async (tx) => {
    await lockMerchantWait(tx, key);
    const saving = set("bsc", "40");
    await vi.waitFor(async () => expect(await countWaiting()).toBe(1), { timeout: 10_000 });
    await writeMerchantWait(tx, { ...key, minConfirmations: 30, minSeconds: null }, now);
    return { saving };
  });
  expect(await second.saving).toEqual({ minConfirmations: 40, minSeconds: null });
  expect(await events()).toMatchObject([{ detail: { before: 30, after: 40 } }]);
});

async function countWaiting(): Promise<number> {
  const [row] = await db().execute<{ waiting: number }>(
    sql`select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return row?.waiting ?? 0;
}

test("invalid rules are refused with a message, and nothing is written", async () => {
  expect(inSentences(await set("ethereum", "7201"))).toEqual({
    errors: [
      { field: "confirmations", message: "Enter at most 7,200 confirmations, which take about a day on Ethereum" },
    ],
  });
  expect(await set("ethereum", "a few")).toMatchObject({ errors: [{ field: "confirmations" }] });
  expect(await set("dogecoin", "30")).toMatchObject({ errors: [{ field: "" }] });
  expect([await preferences(), await events()]).toEqual([[], []]);
});

test("the settings show the networks of the merchant's addresses, and their current rules", async () => {
  expect(await listConfirmationSettings(db(), shop.merchantId)).toEqual([]);
  for (const network of ["bsc", "ethereum"]) {
    await seedAddress(db(), { merchantId: shop.merchantId, network }, now);
    await seedCursor(db(), network, now);
  }
  await set("bsc", "40");
  const settings = await listConfirmationSettings(db(), shop.merchantId);
  expect(settings).toEqual([
    {
      network: "ethereum",
      by: "depth",
      byRule: 12,
      minConfirmations: null,
      minSeconds: null,
      required: 12,
      max: 7_200,
      blockMs: 12_000,
    },
    {
      network: "bsc",
      by: "finalized",
      byRule: 5,
      minConfirmations: 40,
      minSeconds: null,
      required: 40,
      max: 192_000,
      blockMs: 450,
    },
  ]);
});
