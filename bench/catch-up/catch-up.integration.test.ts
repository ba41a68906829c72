import { expect, test } from "vitest";
import { measureCatchUp } from "@/bench/catch-up/catch-up";
import { getNetwork } from "@/lib/domain/networks";
import { useTestDb } from "@/testing/database/clone";
import { seedMerchant } from "@/testing/database/seed";

const world = useTestDb();
const db = () => world.pool.db;

test.each(["ethereum", "bsc", "tron", "solana"])("a short day of %s is read whole, at few calls", async (id) => {
  const { id: merchantId } = await seedMerchant(db(), new Date());
  const day = { blocks: 2_400, payments: 12 };
  const row = await measureCatchUp({ db: db(), merchantId }, getNetwork(id), { day });
  expect(row).toMatchObject({ transfers: 12, problems: [] });
  expect(row.blocks).toBeGreaterThanOrEqual(2_390);
  const calls = [...row.calls.values()].reduce((sum, count) => sum + count, 0);
  expect(calls).toBeGreaterThan(24);
  expect(calls).toBeLessThan(120);
});

test("a node of a free plan is asked for ten blocks at once", async () => {
  const { id: merchantId } = await seedMerchant(db(), new Date());
  const options = { day: { blocks: 300, payments: 6 }, maxBlocks: 10 };
  const row = await measureCatchUp({ db: db(), merchantId }, getNetwork("ethereum"), options);
  expect(row).toMatchObject({ transfers: 6, problems: [] });
  expect(row.calls.get("eth_getLogs")).toBeGreaterThan(29);
  expect(row.calls.get("eth_getLogs")).toBeLessThan(60);
});
