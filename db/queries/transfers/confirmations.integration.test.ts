import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import type { StoredTransfer } from "@/db/queries/transfers/matches";
import { dropTransfer, relocateTransfer } from "@/db/queries/transfers/observations";
import { transfers } from "@/db/schema";
import { useTestDb } from "@/testing/database/clone";
import { seedAddress, seedMerchant, seedOrder, seedTransfer } from "@/testing/database/seed";

const testDb = useTestDb();
const now = new Date("2026-01-01T12:00:00Z");
const block = { height: 77, hash: "0x77", time: now };
let asked: StoredTransfer;
let assignment: Pick<StoredTransfer, "orderId" | "quoteId" | "isAssigned">;

beforeEach(async () => {
  const { db } = testDb.pool;
  const address = await seedAddress(db, { merchantId: (await seedMerchant(db, now)).id }, now);
  const order = await seedOrder(db, { address, baseUnits: 7n }, now);
  assignment = { orderId: order.id, quoteId: order.quoteId, isAssigned: true };
  const { id } = await seedTransfer(db, { address, baseUnits: 5n }, now);
  await db.update(transfers).set({ matchedAt: now, unmatchedReason: "no_such_amount" }).where(eq(transfers.id, id));
  asked = await read(id);
});

async function read(id: string): Promise<StoredTransfer> {
  const [row] = await testDb.pool.db.select().from(transfers).where(eq(transfers.id, id));
  if (!row) throw new Error("the transfer was not stored");
  return row;
}

const writes = [
  ["taken back", () => dropTransfer(testDb.pool.db, asked)],
  ["followed to another block", () => relocateTransfer(testDb.pool.db, asked, block)],
] as const;

const meanwhile: [string, () => Partial<StoredTransfer>][] = [
  ["confirmed", () => ({ status: "confirmed", confirmedAt: now })],
  ["dropped", () => ({ status: "dropped" })],
  ["in another block", () => ({ blockHash: "0xother" })],
  ["at another height", () => ({ blockHeight: asked.blockHeight + 1 })],
  ["of another token", () => ({ token: "0xother" })],
  ["to another address", () => ({ toAddress: "0xother" })],
  ["of another amount", () => ({ baseUnits: 6n })],
  ["given to an order by a person", () => ({ ...assignment, unmatchedReason: null })],
];

describe.each(writes)("a transfer is %s by an answer", (_what, write) => {
  test("while it is the asked transfer", async () => {
    expect(await write()).toBe(true);
    expect(await read(asked.id)).not.toEqual(asked);
  });

  test.each(meanwhile)("but not once it is %s", async (_change, change) => {
    await testDb.pool.db.update(transfers).set(change()).where(eq(transfers.id, asked.id));
    const before = await read(asked.id);
    expect(await write()).toBe(false);
    expect(await read(asked.id)).toEqual(before);
  });
});
