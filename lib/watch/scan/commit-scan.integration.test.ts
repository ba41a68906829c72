import { beforeEach, expect, test } from "vitest";
import { findCursor } from "@/db/queries/networks/cursors";
import { blocks, transfers } from "@/db/schema";
import { getNetwork, getToken } from "@/lib/domain/networks";
import type { ChainTransfer } from "@/lib/domain/transfers/transfer";
import { leaseNetwork } from "@/lib/watch/network-reader";
import { commitScan } from "@/lib/watch/scan/scan-state";
import { useTestDb } from "@/testing/database/clone";
import { empty } from "@/testing/database/empty";
import { seedAddress, seedMerchant } from "@/testing/database/seed";

const testDb = useTestDb();
const db = () => testDb.pool.db;
const network = getNetwork("ethereum");
const now = new Date("2026-01-01T12:00:00Z");
const block = { height: 7, hash: "0x7", parentHash: "0x6", time: now };
const head = { ...block, height: 9, finalizedHeight: 3 };

let shop: Awaited<ReturnType<typeof seedAddress>>;

beforeEach(async () => {
  await empty(db(), "merchants", "transfers", "blocks", "cursors");
  shop = await seedAddress(db(), { merchantId: (await seedMerchant(db(), now)).id, network: network.id }, now);
  await leaseNetwork(db(), network.id, "one");
});

const payment = (position: string | null): ChainTransfer => ({
  network: network.id,
  currency: "USDT",
  token: getToken(network, "USDT").contract.toLowerCase(),
  from: `0x${"a".repeat(40)}`,
  to: shop.address,
  baseUnits: 5n,
  txId: "0x1",
  position: position as string,
  blockHeight: block.height,
  blockHash: block.hash,
  blockTime: now,
});

function commit(owner: string, found: readonly ChainTransfer[]) {
  const span = {
    from: { height: null, hash: null },
    to: block,
    blocks: [block],
    transfers: found,
    keepFrom: 1,
    blockMs: 12_000,
    seen: { head, isCaughtUp: false },
  };
  return commitScan(db(), network, { owner }, span, new Map([[shop.address, shop.id]]), now);
}

async function written() {
  const cursor = await findCursor(db(), network.id);
  return {
    height: cursor?.height,
    headHeight: cursor?.headHeight,
    blocks: (await db().select().from(blocks)).length,
    transfers: (await db().select().from(transfers)).length,
  };
}

const NOTHING = { height: null, headHeight: null, blocks: 0, transfers: 0 };

test("the blocks, the transfers, the cursor and the head of a scan are written together", async () => {
  expect(await commit("one", [payment("one")])).toBe(1);
  expect(await written()).toEqual({ height: 7, headHeight: 9, blocks: 1, transfers: 1 });
});

test("a scan of which one part cannot be written writes nothing, and its error is that part's", async () => {
  await expect(commit("one", [payment("one"), payment(null)])).rejects.toMatchObject({
    cause: { code: "23502", column_name: "position" },
  });
  expect(await written()).toEqual(NOTHING);
});

test("a worker without the lease, and one whose cursor was moved, write nothing", async () => {
  expect(await commit("two", [payment("one")])).toBeNull();
  expect(await written()).toEqual(NOTHING);
  expect(await commit("one", [])).toBe(0);
  expect(await commit("one", [payment("one")])).toBeNull();
  expect(await written()).toMatchObject({ blocks: 1, transfers: 0 });
});
