import { describe, expect, test } from "vitest";
import type { Db } from "@/db/client";
import {
  claimCursor,
  deleteBlocksAbove,
  findBlock,
  findCursor,
  findLowestBlock,
  listWatchedAddresses,
  pruneBlocks,
  updateCursor,
} from "@/db/queries/networks/cursors";
import { listFinalizable } from "@/db/queries/transfers/observations";
import { dropTransfersAbove, listConfirmedAfter } from "@/db/queries/transfers/reorgs";
import { firstIdAt } from "@/lib/domain/id";
import { useTestDb } from "@/testing/database/clone";
import { explain } from "@/testing/database/explain";

const testDb = useTestDb();
const now = new Date(0);
const due = { network: "ethereum", finalHeight: 8, finalBefore: null, headHeight: 9, headTime: new Date(0) };
const point = { height: 2, hash: "0x02", time: new Date(0) };

describe("every statement of a scan is served by an index", () => {
  test.each<[string, (db: Db) => Promise<unknown>]>([
    ["the cursor", (db) => findCursor(db, "ethereum")],
    ["the lease", (db) => claimCursor(db, "ethereum", "one", 1_000)],
    ["moving the cursor", (db) => updateCursor(db, "ethereum", "one", { height: 1, hash: "0x01" }, point, now)],
    ["the hash of a height", (db) => findBlock(db, "ethereum", 1)],
    ["the lowest hash", (db) => findLowestBlock(db, "ethereum")],
    ["forgetting old hashes", (db) => pruneBlocks(db, "ethereum", { keepFrom: 1, countedFrom: 9, blockMs: 12_000 })],
    ["forgetting replaced hashes", (db) => deleteBlocksAbove(db, "ethereum", 1)],
    ["taking transfers back", (db) => dropTransfersAbove(db, "ethereum", 1)],
    [
      "confirmed transfers of replaced blocks",
      (db) => listConfirmedAfter(db, "ethereum", { blockHeight: 2, id: "" }, 10),
    ],
    ["transfers to confirm", (db) => listFinalizable(db, due, null, 9, now)],
    ["transfers to confirm, further on", (db) => listFinalizable(db, due, { blockHeight: 5, id: "a" }, 9, now)],
    ["new addresses", (db) => listWatchedAddresses(db, "ethereum", firstIdAt(new Date(0)))],
  ])("%s", async (_what, run) => {
    const { scanned } = await explain(testDb.pool.sql, run);
    expect(scanned).toEqual([]);
  });
});

test("pending confirmations are read from open transfers only, in chain order", async () => {
  const { indexes } = await explain(testDb.pool.sql, (db) => listFinalizable(db, due, null, 9, now));
  expect(indexes).toContain("transfers_open_idx");
});
