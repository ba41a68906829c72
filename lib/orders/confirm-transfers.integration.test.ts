import { eq } from "drizzle-orm";
import pino from "pino";
import { beforeEach, expect, test } from "vitest";
import { writeMerchantWait } from "@/db/queries/merchant-networks";
import { transfers } from "@/db/schema";
import { useTestDb } from "@/db/testing";
import { seedAddress, seedMerchant, seedTransfer } from "@/db/testing-seed";
import type { KnownTransfer, Standing, TransferJudge } from "@/lib/chains/source";
import { getNetwork } from "@/lib/domain/networks";
import { type ConfirmMemory, confirmTransfers } from "@/lib/orders/confirm-transfers";

const testDb = useTestDb();
const db = () => testDb.pool.db;
const ctx = { publicUrl: "https://pay.example.com", log: pino({ level: "silent" }) };
const now = new Date("2026-01-01T12:00:00Z");
const head = { height: 1_000, hash: "0x1", parentHash: "0x0", time: now, finalizedHeight: null };

let asked: string[];
let merchantId: string;
let address: Awaited<ReturnType<typeof seedAddress>>;
beforeEach(async () => {
  await db().delete(transfers);
  asked = [];
  merchantId = (await seedMerchant(db(), now)).id;
  address = await seedAddress(db(), { merchantId }, now);
});

/** A chain that says of each transfer what `say` does; what it was asked is kept. */
const judgeThat = (say: (transfer: KnownTransfer) => Standing["kind"]): TransferJudge => ({
  problem: async () => null,
  warning: () => null,
  quorumMiss: () => null,
  async standing(transfer) {
    asked.push(transfer.txId);
    return { kind: say(transfer) } as Standing;
  },
});
const confirm = (judge: TransferJudge, memory?: ConfirmMemory) =>
  confirmTransfers(db(), ctx, judge, getNetwork("ethereum"), head, now, memory);

/** Judged transfers, many in one block. */
async function seedMany(count: number, blockHeight: number): Promise<void> {
  for (let one = 0; one < count; one++) await seedTransfer(db(), { address, baseUnits: 1n, blockHeight }, now);
  await db().update(transfers).set({ judgedAt: now });
}
const confirmed = () => db().$count(transfers, eq(transfers.status, "confirmed"));

test("everything that is due is confirmed in one round, however much it is, and each asked for once", async () => {
  await seedMany(450, 500);
  expect(await confirm(judgeThat(() => "final"))).toBe(450);
  expect(await confirmed()).toBe(450);
  expect(new Set(asked).size).toBe(450);
  expect(asked).toHaveLength(450);
});

test("transfers of which nothing is told hold nothing up for ever, and no round asks for all of them", async () => {
  await seedMany(250, 400);
  await seedMany(30, 500);
  const judge = judgeThat(({ blockHeight }) => (blockHeight === 400 ? "unclear" : "final"));
  const memory = { after: null };
  const rounds = [];
  for (let round = 0; round < 4; round++) {
    asked = [];
    rounds.push({ confirmed: await confirm(judge, memory), asked: asked.length });
  }
  expect(rounds).toEqual([
    { confirmed: 0, asked: 100 },
    { confirmed: 0, asked: 100 },
    { confirmed: 30, asked: 80 },
    { confirmed: 0, asked: 100 },
  ]);
});

test("endpoints are not asked for a transfer whose merchant still waits", async () => {
  await writeMerchantWait(db(), { merchantId, network: "ethereum", minConfirmations: 502, minSeconds: null }, now);
  await seedMany(1, 500);
  expect(await confirm(judgeThat(() => "final"))).toBe(0);
  expect(asked).toEqual([]);
  await writeMerchantWait(db(), { merchantId, network: "ethereum", minConfirmations: 501, minSeconds: null }, now);
  await writeMerchantWait(db(), { merchantId, network: "bsc", minConfirmations: 900, minSeconds: null }, now);
  expect(await confirm(judgeThat(() => "final"))).toBe(1);
});
