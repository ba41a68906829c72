import { eq } from "drizzle-orm";
import pino from "pino";
import { beforeEach, expect, test } from "vitest";
import { writeMerchantWait } from "@/db/queries/merchants/networks";
import { orders, transfers } from "@/db/schema";
import { ChainError, type Finality, type FinalityChecker, type KnownTransfer } from "@/lib/chains/endpoints/source";
import { getNetwork } from "@/lib/domain/networks";
import { assignTransfer } from "@/lib/ledger/assign-transfer";
import {
  type ConfirmMemory,
  confirmTransfers,
  MAX_CONCURRENCY,
  newConfirmMemory,
} from "@/lib/ledger/confirm-transfers";
import { useTestDb } from "@/testing/database/clone";
import { empty } from "@/testing/database/empty";
import { seedAddress, seedMerchant, seedOrder, seedPerson, seedTransfer } from "@/testing/database/seed";

const testDb = useTestDb();
const db = () => testDb.pool.db;
const ctx = { publicUrl: "https://pay.example.com", log: pino({ level: "silent" }) };
const now = new Date("2026-01-01T12:00:00Z");
const head = { height: 1_000, hash: "0x1", parentHash: "0x0", time: now, finalizedHeight: null };

let asked: string[];
let merchantId: string;
let address: Awaited<ReturnType<typeof seedAddress>>;
beforeEach(async () => {
  await empty(db(), "merchants", "orders", "quotes", "audit_events");
  asked = [];
  merchantId = (await seedMerchant(db(), now)).id;
  address = await seedAddress(db(), { merchantId }, now);
});

/** Creates a checker that returns the result of `finality_` for each transfer and records its calls. */
const checkerThat = (finality_: (transfer: KnownTransfer) => Finality["kind"]): FinalityChecker => ({
  problem: async () => null,
  warning: () => null,
  quorumMiss: () => null,
  mistrust: () => {},
  heads: () => [],
  async checkFinality(transfer) {
    asked.push(transfer.txId);
    return { kind: finality_(transfer) } as Finality;
  },
});
const confirm = (checker: FinalityChecker, memory?: ConfirmMemory) =>
  confirmTransfers(db(), ctx, checker, getNetwork("ethereum"), head, now, memory);

/** Inserts matched transfers, many of them in one block. */
async function seedMany(count: number, blockHeight: number): Promise<void> {
  for (let one = 0; one < count; one++) await seedTransfer(db(), { address, baseUnits: 1n, blockHeight }, now);
  await db().update(transfers).set({ matchedAt: now });
}
const confirmed = () => db().$count(transfers, eq(transfers.status, "confirmed"));

test("everything that is due is confirmed in one round, however much it is, and each asked for once", async () => {
  await seedMany(450, 500);
  expect(await confirm(checkerThat(() => "final"))).toBe(450);
  expect(await confirmed()).toBe(450);
  expect(new Set(asked).size).toBe(450);
  expect(asked).toHaveLength(450);
});

test("transfers without a response do not block others, and no round asks for all of them", async () => {
  await seedMany(250, 400);
  await seedMany(30, 500);
  const checker = checkerThat(({ blockHeight }) => (blockHeight === 400 ? "unclear" : "final"));
  const memory = newConfirmMemory();
  const rounds = [];
  for (let round = 0; round < 4; round++) {
    asked = [];
    rounds.push({ confirmed: await confirm(checker, memory), asked: asked.length });
  }
  expect(rounds).toEqual([
    { confirmed: 0, asked: 100 },
    { confirmed: 0, asked: 100 },
    { confirmed: 30, asked: 80 },
    { confirmed: 0, asked: 100 },
  ]);
});

test("endpoints are not asked for a transfer while its merchant's rule is not met", async () => {
  await writeMerchantWait(db(), { merchantId, network: "ethereum", minConfirmations: 502, minSeconds: null }, now);
  await seedMany(1, 500);
  expect(await confirm(checkerThat(() => "final"))).toBe(0);
  expect(asked).toEqual([]);
  await writeMerchantWait(db(), { merchantId, network: "ethereum", minConfirmations: 501, minSeconds: null }, now);
  await writeMerchantWait(db(), { merchantId, network: "bsc", minConfirmations: 900, minSeconds: null }, now);
  expect(await confirm(checkerThat(() => "final"))).toBe(1);
});

test("a transfer that a person assigns while the network is asked about it pays that order", async () => {
  const order = await seedOrder(db(), { address, baseUnits: 7n }, now);
  await seedMany(1, 500);
  const [transfer] = await db().select().from(transfers);
  if (!transfer) throw new Error("the transfer was not stored");
  const userId = await seedPerson(db(), { merchantId }, now);
  await db().update(transfers).set({ baseUnits: 7n, unmatchedReason: "no_such_amount" });
  const checker: FinalityChecker = {
    ...checkerThat(() => "final"),
    async checkFinality() {
      const what = { transferId: transfer.id, orderId: order.id };
      const done = await assignTransfer(db(), ctx, { userId, merchantId, role: "owner" }, what, now);
      expect(done).toEqual({ status: "confirming" });
      return { kind: "final" };
    },
  };
  expect(await confirm(checker)).toBe(1);
  const [row] = await db().select().from(orders).where(eq(orders.id, order.id));
  expect(row).toMatchObject({ status: "paid", exception: "manual", paidUnits: 7n });
});

test("a transfer that is another payment by the time of the answer is not confirmed by it", async () => {
  await seedMany(1, 500);
  const checker: FinalityChecker = {
    ...checkerThat(() => "final"),
    async checkFinality() {
      await db().update(transfers).set({ baseUnits: 9n });
      return { kind: "final" };
    },
  };
  expect(await confirm(checker)).toBe(0);
  expect(await confirmed()).toBe(0);
});

/** Creates a chain with slow responses that counts concurrent requests. */
function slowChecker(finality_: (index: number) => Finality["kind"]) {
  const flight = { now: 0, max: 0, index: 0 };
  const checker: FinalityChecker = {
    ...checkerThat(() => "final"),
    async checkFinality() {
      const kind = finality_(flight.index++);
      flight.max = Math.max(flight.max, ++flight.now);
      await new Promise((resolve) => setImmediate(resolve));
      flight.now -= 1;
      return { kind } as Finality;
    },
  };
  return { checker, flight };
}

test("transfers are looked at together, more and more of them, and never more than a few", async () => {
  await seedMany(200, 500);
  const { checker, flight } = slowChecker(() => "final");
  expect(await confirm(checker)).toBe(200);
  expect(flight.max).toBe(MAX_CONCURRENCY);
});

test("when nothing is settled, fewer and fewer are asked for concurrently", async () => {
  await seedMany(60, 500);
  const memory = newConfirmMemory();
  const { checker } = slowChecker(() => "unclear");
  expect(await confirm(checker, memory)).toBe(0);
  expect(memory.concurrency).toBe(1);
});

test("responses beside silence are confirmed, and silence ends the round", async () => {
  await seedMany(40, 500);
  let index = 0;
  const checker: FinalityChecker = {
    ...checkerThat(() => "final"),
    async checkFinality() {
      const isSilent = index++ % 4 !== 0;
      if (isSilent) throw new ChainError("unavailable", "no endpoint responds");
      return { kind: "final" };
    },
  };
  const memory = newConfirmMemory();
  await expect(confirm(checker, memory)).rejects.toThrow("no endpoint responds");
  expect(await confirmed()).toBe(1);
  expect(memory.after).not.toBeNull();
});

test("a round ends after six hundred transfers, reports that there are more, and the next continues behind them", async () => {
  await seedMany(700, 500);
  const memory = newConfirmMemory();
  const checker = checkerThat(() => "final");
  expect(await confirm(checker, memory)).toBe(600);
  expect(memory.hasMore).toBe(true);
  expect(await confirm(checker, memory)).toBe(100);
  expect(memory).toMatchObject({ hasMore: false, after: null });
  expect(asked).toHaveLength(700);
});
