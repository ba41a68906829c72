import { afterEach, beforeEach, expect, test } from "vitest";
import { findCursor, insertBlocks } from "@/db/queries/networks/cursors";
import { blocks, cursors, transfers } from "@/db/schema";
import { getNetwork } from "@/lib/domain/networks";
import { addAddress } from "@/lib/merchants/addresses";
import { createMerchantWithOwner } from "@/lib/users/register";
import { repairLedger } from "@/sandbox/launcher/ledger-repair";
import { localEvm } from "@/sandbox/launcher/local-node";
import { type EvmNode, startEvmNode } from "@/sandbox/nodes/evm-node";
import { useTestDb } from "@/testing/database/clone";

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
  expect(await repairLedger(testDb.pool.db, localEvm(node))).toBe(false);
});

test("after a chain lost its last blocks, reading continues from the last common block", async () => {
  const common = await blockAt(8);
  const lost = { ...(await blockAt(9)), height: 14, hash: NOWHERE };
  await remember(14, NOWHERE, [common, lost]);
  expect(await repairLedger(testDb.pool.db, localEvm(node))).toBe(true);
  expect(await findCursor(testDb.pool.db, "bsc")).toMatchObject({ height: 8, hash: common.hash });
  expect(await testDb.pool.db.select().from(blocks)).toMatchObject([{ height: 8 }]);
});

test("after a chain was removed, reading starts again", async () => {
  await remember(14, NOWHERE, [{ ...(await blockAt(9)), height: 14, hash: NOWHERE }]);
  expect(await repairLedger(testDb.pool.db, localEvm(node))).toBe(true);
  expect(await findCursor(testDb.pool.db, "bsc")).toMatchObject({ height: null, hash: null });
  expect(await testDb.pool.db.select().from(blocks)).toEqual([]);
});

test("a transfer seen in a lost block is dropped, a confirmed one stays paid", async () => {
  const { db } = testDb.pool;
  const now = new Date();
  const owner = await createMerchantWithOwner(
    db,
    { name: "Shop", email: "a@shop.example", password: "long enough 1" },
    now,
  );
  const form = { ...owner, network: "bsc", address: `0x${"a1".repeat(20)}`, kind: "shared" as const, label: "" };
  const added = await addAddress(db, { appSecret: "a secret of thirty-two characters!" }, form, now);
  if ("errors" in added) throw new Error("The address was refused");
  const there = await blockAt(9);
  const row = (id: string, blockHash: string, status: "seen" | "confirmed") => ({
    id,
    status,
    blockHash,
    network: "bsc",
    txId: id,
    position: "0",
    currency: "USDT" as const,
    token: "0x01",
    fromAddress: "0x02",
    toAddress: added.address,
    baseUnits: 5n,
    blockHeight: 9,
    blockTime: now,
    merchantId: owner.merchantId,
    receivingAddressId: added.id,
    matchedAt: now,
    seenAt: now,
  });
  const rows = [row("lost", NOWHERE, "seen"), row("there", there.hash, "seen"), row("paid", NOWHERE, "confirmed")];
  await db.insert(transfers).values(rows);
  await remember(14, NOWHERE, [there]);
  await repairLedger(db, localEvm(node));
  const found = await db.select({ id: transfers.id, status: transfers.status }).from(transfers).orderBy(transfers.id);
  expect(found).toEqual([
    { id: "lost", status: "dropped" },
    { id: "paid", status: "confirmed" },
    { id: "there", status: "seen" },
  ]);
});
