import { expect, test } from "vitest";
import { findCursor, insertBlocks } from "@/db/queries/networks/cursors";
import { accountCursors, cursors } from "@/db/schema";
import { repairLedger } from "@/sandbox/launcher/ledger-repair";
import { localSolana, localTron } from "@/sandbox/launcher/local-node";
import { startSolanaNode } from "@/sandbox/nodes/solana-node";
import { startTronNode } from "@/sandbox/nodes/tron-node";
import { useTestDb } from "@/testing/database/clone";

const testDb = useTestDb();
const PARENT = { parentHash: "", time: new Date(0) };

async function startSolana() {
  const node = await startSolanaNode({ slotMs: null });
  await node.call("solana_advance", [40]);
  return node;
}

async function solanaBlock(node: Awaited<ReturnType<typeof startSolana>>, height: number) {
  const block = await node.call("getBlock", [height, { transactionDetails: "none", rewards: false }]);
  return { ...PARENT, height, hash: String((block as Record<string, unknown>)["blockhash"]) };
}

test("a Solana chain knows its blocks, and one that took its place is not taken for it", async () => {
  const first = await startSolana();
  const second = await startSolana();
  const mine = localSolana(first);
  const other = localSolana(second);
  const block = await solanaBlock(first, 7);
  expect(await mine.hasBlock(block)).toBe(true);
  expect(await other.hasBlock(block)).toBe(false);
  expect(await mine.hasBlock({ ...block, height: 4_000 })).toBe(false);

  const { db } = testDb.pool;
  await insertBlocks(db, "solana", [block]);
  await db.insert(cursors).values({ network: "solana", height: 7, hash: block.hash });
  await db.insert(accountCursors).values({ network: "solana", account: "one", slot: 7 });
  expect(await repairLedger(db, mine)).toBe(false);
  expect(await db.select().from(accountCursors)).toHaveLength(1);
  expect(await repairLedger(db, other)).toBe(true);
  expect(await findCursor(db, "solana")).toMatchObject({ height: null, hash: null });
  expect(await db.select().from(accountCursors)).toEqual([]);
  await Promise.all([mine.stop(), other.stop()]);
});

test("a TRON chain knows its blocks by their TRON ids, and offers both of its interfaces", async () => {
  const node = localTron(await startTronNode({ blockMs: null }));
  const answer = await fetch(`${node.rpcUrl}/wallet/getnowblock`, { method: "POST", body: "{}" });
  const { blockID } = (await answer.json()) as { blockID: string };
  expect(await node.hasBlock({ height: 1, hash: `0x${blockID}` })).toBe(true);
  expect(await node.hasBlock({ height: 1, hash: `0x${blockID.slice(0, -4)}0000` })).toBe(false);
  expect(node.serviceUrls).toEqual([`${node.rpcUrl}/jsonrpc`, node.rpcUrl]);
  await node.stop();
});
