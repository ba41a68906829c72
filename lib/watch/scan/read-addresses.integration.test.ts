import { expect, test } from "vitest";
import { getNetwork } from "@/lib/domain/networks";
import { newScanMemory, readAddresses } from "@/lib/watch/scan/scan-state";
import { useTestDb } from "@/testing/database/clone";
import { seedAddress, seedMerchant } from "@/testing/database/seed";

const testDb = useTestDb();
const start = new Date("2026-01-01T00:00:00Z");
const after = (minutes: number) => new Date(start.getTime() + minutes * 60_000);

test("an address that was added while nothing could be read for some minutes is watched with the next read", async () => {
  const { db } = testDb.pool;
  const memory = newScanMemory();
  const merchantId = (await seedMerchant(db, start)).id;
  await readAddresses(db, getNetwork("ethereum"), memory, start);
  const { address } = await seedAddress(db, { merchantId }, after(1));
  expect([...(await readAddresses(db, getNetwork("ethereum"), memory, after(9))).keys()]).toEqual([address]);
});
