import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { listFinalizable } from "@/db/queries/transfers/observations";
import { SENT_AT } from "@/db/queries/transfers/sent-at";
import { merchantNetworks, transfers } from "@/db/schema";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { finalBefore, finalHeight, isFinalAt } from "@/lib/domain/networks/finality";
import { methodName, refusedAmount } from "@/lib/domain/orders/terms";
import { paidAtOf } from "@/lib/domain/transfers/transfer";
import { useTestDb } from "@/testing/database/clone";
import { empty } from "@/testing/database/empty";
import { seedAddress, seedMerchant, seedTransfer } from "@/testing/database/seed";

// Rules that exist in SQL and in TypeScript: the same cases run through both.

const testDb = useTestDb();
const db = () => testDb.pool.db;
const now = new Date("2026-03-01T12:00:00Z");
beforeEach(() => empty(db(), "merchants", "transfers"));
const seconds = (count: number) => new Date(now.getTime() + count * 1_000);

test.each([
  { micro: 5n },
  { micro: 5n, off: ["bsc USDT"] },
  { micro: 5n, off: ["bsc USDC", "ethereum USDT", "base USDT"] },
  { micro: 5n, off: ["base USDC", "bsc USDT", "bsc USDC"] },
  { micro: 5n, least: 6n },
  { micro: 6n, least: 6n },
  { micro: 7n, least: 6n, most: 7n },
  { micro: 8n, least: 6n, most: 7n },
  { micro: 8n, most: 7n },
  { micro: 8n, most: 7n, off: ["bsc USDT"] },
  { micro: 10n ** 15n, most: 10n ** 15n },
  { micro: 10n ** 15n + 1n, most: 10n ** 15n },
])("a merchant's order terms refuse the same orders: %o", async ({ micro, off = [], least = null, most = null }) => {
  const method = { network: "bsc", currency: "USDT" } as const;
  const isOff = off.includes(methodName(method));
  const rule = isOff ? "notOffered" : (refusedAmount({ leastMicro: least, mostMicro: most }, micro)?.refused ?? null);
  const [row] = await db().execute<{ code: string | null }>(sql`
    select order_refusal(${method.network}, ${method.currency}, ${micro.toString()}::numeric, ${`,${off.join(",")},`},
      ${least?.toString() ?? null}::bigint, ${most?.toString() ?? null}::bigint) as code`);
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
