import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { CLOCK_TOLERANCE_MS } from "@/db/queries/transfers/matches";
import { listFinalizable } from "@/db/queries/transfers/observations";
import { SENT_AT } from "@/db/queries/transfers/sent-at";
import { merchantNetworks, quotes, receivingAddresses, transfers } from "@/db/schema";
import { newId } from "@/lib/domain/id";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { finalBefore, finalHeight, isFinalAt } from "@/lib/domain/networks/finality";
import { MIN_SHARED_LATE_WINDOW_SECONDS, methodName, refusedAmount } from "@/lib/domain/orders/terms";
import { paidAtOf } from "@/lib/domain/transfers/transfer";
import { useTestDb } from "@/testing/database/clone";
import { empty } from "@/testing/database/empty";
import { seedAddress, seedMerchant, seedOrder, seedTransfer } from "@/testing/database/seed";

// These rules exist in SQL and in TypeScript, so the same cases run against both.

const testDb = useTestDb();
const db = () => testDb.pool.db;
const now = new Date("2026-03-01T12:00:00Z");
beforeEach(() => empty(db(), "merchants", "orders", "transfers"));
const seconds = (count: number) => new Date(now.getTime() + count * 1_000);

test.each([
  { micro: 5n },
  { micro: 5n, off: ["bsc USDT"] },
  { micro: 5n, off: ["bsc USDC", "ethereum USDT", "base USDT"] },
  { micro: 5n, off: ["base USDC", "bsc USDT", "bsc USDC"] },
  { micro: 5n, min: 6n },
  { micro: 6n, min: 6n },
  { micro: 7n, min: 6n, max: 7n },
  { micro: 8n, min: 6n, max: 7n },
  { micro: 8n, max: 7n },
  { micro: 8n, max: 7n, off: ["bsc USDT"] },
  { micro: 10n ** 15n, max: 10n ** 15n },
  { micro: 10n ** 15n + 1n, max: 10n ** 15n },
])("a merchant's order terms refuse the same orders: %o", async ({ micro, off = [], min = null, max = null }) => {
  const method = { network: "bsc", currency: "USDT" } as const;
  const isOff = off.includes(methodName(method));
  const rule = isOff ? "notOffered" : (refusedAmount({ minMicro: min, maxMicro: max }, micro)?.refused ?? null);
  const [row] = await db().execute<{ code: string | null }>(sql`
    select order_refusal(${method.network}, ${method.currency}, ${micro.toString()}::numeric, ${`,${off.join(",")},`},
      ${min?.toString() ?? null}::bigint, ${max?.toString() ?? null}::bigint) as code`);
  expect(row?.code ?? null).toBe(rule);
});

test.each([
  [0, 0],
  [-1, 0],
  [1, 0],
  [-3_600, 5],
  [90, -90],
])("a transfer counts as sent at the same time: block at %d s, first seen at %d s", async (block, seen) => {
  const blockTime = seconds(block);
  const seenAt = seconds(seen);
  const [row] = await db().execute<{ ms: string }>(sql`
    select extract(epoch from ${SENT_AT}) * 1000 as ms
    from (select ${blockTime.toISOString()}::timestamptz as block_time, ${seenAt.toISOString()}::timestamptz as seen_at) t`);
  expect(Number(row?.ms)).toBe(paidAtOf({ blockTime, seenAt }).getTime());
});

const LATE_WINDOWS = [0, MIN_SHARED_LATE_WINDOW_SECONDS - 1, MIN_SHARED_LATE_WINDOW_SECONDS, 10_800];

test.each(
  (["shared", "dedicated"] as const).flatMap((kind) => LATE_WINDOWS.map((lateWindow) => ({ kind, lateWindow }))),
)("a hold lasts until the same time: $kind address, late window of $lateWindow s", async ({ kind, lateWindow }) => {
  const { id: merchantId } = await seedMerchant(db(), now);
  const first = await seedAddress(db(), { merchantId, kind: "shared" }, now);
  if (kind === "dedicated") await seedAddress(db(), { merchantId, kind }, now);
  const order = await seedOrder(db(), { address: first, baseUnits: 5n }, now);
  const expiresAt = order.expiresAt.getTime();
  const wanted = {
    id: newId(now),
    order_id: order.id,
    merchant_id: merchantId,
    network: first.network,
    currency: "USDT",
    token: getToken(getNetwork("ethereum"), "USDT").contract,
    base_units: 7_000_000,
    micro_units: 7_000_000,
    reserved_until: new Date(expiresAt + lateWindow * 1_000),
  };
  await db().execute(
    sql`select reserve_one(${JSON.stringify(wanted)}::text::jsonb, ${now.toISOString()}::timestamptz)`,
  );
  const [held] = await db().select().from(quotes).where(eq(quotes.id, wanted.id));
  const minimum = kind === "shared" ? MIN_SHARED_LATE_WINDOW_SECONDS : 0;
  expect(held?.kind).toBe(kind);
  expect(held?.reservedUntil.getTime()).toBe(expiresAt + Math.max(lateWindow, minimum) * 1_000);
});

// A hold also accepts transfers sent within the clock tolerance before it begins. An address is available again only once more than the
// clock tolerance has passed since its last hold ended.
const AGES_OF_LAST_HOLD_MS = [0, CLOCK_TOLERANCE_MS - 1, CLOCK_TOLERANCE_MS, CLOCK_TOLERANCE_MS + 1, 600_000];

test.each(AGES_OF_LAST_HOLD_MS)(
  "a dedicated address whose last hold ended %d ms ago is free by the same tolerance",
  async (ageMs) => {
    const { id: merchantId } = await seedMerchant(db(), now);
    const address = await seedAddress(db(), { merchantId, kind: "dedicated" }, now);
    const availableAt = new Date(now.getTime() - ageMs);
    await db().update(receivingAddresses).set({ availableAt }).where(eq(receivingAddresses.id, address.id));
    const [row] = await db().execute<{ cooled: boolean; picked: number }>(sql`
      select exists (select from cooled_down(array[${address.id}], ${now.toISOString()}::timestamptz)) as cooled,
        (select count(*)::int from pick_own(${merchantId}, ${address.network}, '{}', 1, ${now.toISOString()}::timestamptz)) as picked`);
    expect(row).toEqual({ cooled: ageMs > CLOCK_TOLERANCE_MS, picked: ageMs > CLOCK_TOLERANCE_MS ? 1 : 0 });
  },
);

test.each(AGES_OF_LAST_HOLD_MS)(
  "a shared amount whose hold ended %d ms ago, and was released after now, overlaps by the same tolerance",
  async (ageMs) => {
    const { id: merchantId } = await seedMerchant(db(), now);
    const address = await seedAddress(db(), { merchantId }, now);
    const order = await seedOrder(db(), { address, baseUnits: 7_000_000n }, seconds(-86_400));
    const reservedUntil = new Date(now.getTime() - ageMs);
    const releasedAt = seconds(3_600);
    await db().update(quotes).set({ reservedUntil, releasedAt }).where(eq(quotes.orderId, order.id));
    const [row] = await db().execute<{ overlaps: boolean }>(sql`
      select overlaps_hold(${merchantId}, 'evm', ${address.address}, 7000000, ${now.toISOString()}::timestamptz) as overlaps`);
    expect(row?.overlaps).toBe(ageMs <= CLOCK_TOLERANCE_MS);
  },
);

const HEAD = { height: 1_000, finalizedHeight: 940, time: now };
const HEIGHTS = [1_000, 999, 990, 981, 976, 975, 971, 970, 969, 961, 941, 940, 939, 801, 800, 500];
const AGES = [0, -60, -89, -90, -91, -3_599, -3_600, -7_200, 30];
const CASES = HEIGHTS.flatMap((blockHeight) => AGES.map((age) => ({ blockHeight, blockTime: seconds(age) })));

test.each([
  ["ethereum", null, null],
  ["ethereum", 30, null],
  ["ethereum", 200, null],
  ["ethereum", null, 3_600],
  ["bsc", null, null],
  ["bsc", null, 90],
  ["tron", 25, null],
  ["polygon", null, null],
] as const)(
  "the same transfers are final on %s with a wait of %j confirmations or %j seconds",
  async (id, minConfirmations, minSeconds) => {
    const network = getNetwork(id);
    const { currency } = getToken(network, "USDT");
    const { id: merchantId } = await seedMerchant(db(), now);
    const address = await seedAddress(db(), { merchantId, network: id }, now);
    const wait = { minConfirmations, minSeconds };
    if (minConfirmations !== null || minSeconds !== null)
      await db()
        .insert(merchantNetworks)
        .values({ merchantId, network: id, ...wait, updatedAt: now });
    for (const [index, one] of CASES.entries())
      await seedTransfer(db(), { address, baseUnits: 1n, txId: `tx-${index}`, currency, ...one }, now);
    await db().update(transfers).set({ matchedAt: now });
    const due = {
      network: id,
      finalHeight: finalHeight(network, HEAD),
      finalBefore: finalBefore(network, HEAD),
      headHeight: HEAD.height,
      headTime: HEAD.time,
    };
    const listed = await listFinalizable(db(), due, null, CASES.length, now);
    const final = CASES.flatMap(({ blockHeight, blockTime }, index) => {
      const sentAt = paidAtOf({ blockTime, seenAt: now });
      return isFinalAt(network, HEAD, { blockHeight, blockTime: sentAt }, wait) ? [`tx-${index}`] : [];
    });
    expect(listed.map(({ transfer }) => transfer.txId).toSorted()).toEqual(final.toSorted());
    expect(final.length).toBeGreaterThan(0);
    expect(final.length).toBeLessThan(CASES.length);
  },
);
