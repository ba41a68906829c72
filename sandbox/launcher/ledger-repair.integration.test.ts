import { afterEach, beforeEach, expect, test } from "vitest";
import { insertBlocks } from "@/db/queries/blocks";
import { findCursor } from "@/db/queries/cursors";
import { blocks, cursors } from "@/db/schema";
import { useTestDb } from "@/db/testing";
import { getNetwork } from "@/lib/domain/networks";
import { type EvmNode, startEvmNode } from "@/sandbox/evm-node";
import { repairLedger } from "@/sandbox/launcher/ledger-repair";

const testDb = useTestDb();
const NOWHERE = `0x${"f".repeat(64)}`;
let node: EvmNode;

beforeEach(async () => {
  node = await startEvmNode(getNetwork("bsc"), { blockMs: null });
  await node.call("anvil_mine", ["0xa"]);
  await testDb.pool.db.delete(blocks);
  await testDb.pool.db.delete(cursors);
});
afterEach(() => node.stop());

async function blockAt(height: number) {
  const block = (await node.call("eth_getBlockByNumber", [`0x${height.toString(16)}`, false])) as Record<
    string,
    string
  >;
  return { height, hash: block["hash"] ?? "", parentHash: block["parentHash"] ?? "", time: new Date(0) };
}

const remember = async (height: number, hash: string, known: Awaited<ReturnType<typeof blockAt>>[]) => {
  await insertBlocks(testDb.pool.db, "bsc", known);
  await testDb.pool.db.insert(cursors).values({ network: "bsc", height, hash });
};

test("a chain that is as it was is left alone", async () => {
  const block = await blockAt(9);
  await remember(9, block.hash, [block]);
  expect(await repairLedger(testDb.pool.db, node)).toBe(false);
});

test("after a chain lost its last blocks, reading goes on from the last block that both know", async () => {
  const [common, lost] = [await blockAt(8), { ...(await blockAt(9)), height: 14, hash: NOWHERE }];
  await remember(14, NOWHERE, [common, lost]);
  expect(await repairLedger(testDb.pool.db, node)).toBe(true);
  expect(await findCursor(testDb.pool.db, "bsc")).toMatchObject({ height: 8, hash: common.hash });
  expect(await testDb.pool.db.select().from(blocks)).toMatchObject([{ height: 8 }]);
});

test("after a chain was removed, reading begins anew", async () => {
  await remember(14, NOWHERE, [{ ...(await blockAt(9)), height: 14, hash: NOWHERE }]);
  expect(await repairLedger(testDb.pool.db, node)).toBe(true);
  expect(await findCursor(testDb.pool.db, "bsc")).toMatchObject({ height: null, hash: null });
  expect(await testDb.pool.db.select().from(blocks)).toEqual([]);
});
