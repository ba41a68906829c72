import { eq } from "drizzle-orm";
import pino from "pino";
import { beforeEach, expect, test } from "vitest";
import { auditEvents, callbacks, orders, quotes, transfers } from "@/db/schema";
import { type BlockSource, ChainError } from "@/lib/chains/endpoints/source";
import { getNetwork } from "@/lib/domain/networks";
import { confirmTransfers } from "@/lib/ledger/confirm-transfers";
import { matchTransfers } from "@/lib/ledger/match-transfers";
import { expireOrders } from "@/lib/orders/expire-orders";
import { releaseHolds } from "@/lib/orders/release-holds";
import { useTestDb } from "@/testing/database/clone";
import { empty } from "@/testing/database/empty";
import { seedAddress, seedCursor, seedMerchant, seedOrder, seedTransfer } from "@/testing/database/seed";

const testDb = useTestDb();
const ctx = { publicUrl: "https://pay.example.com", log: pino({ level: "silent" }) };
const ethereum = getNetwork("ethereum");
const now = new Date("2026-01-01T12:00:00Z");
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
const price = 10_000_000n;

type Address = Awaited<ReturnType<typeof seedAddress>>;
type Seen = Awaited<ReturnType<typeof seedTransfer>>;
let shared: Address;
let merchantId: string;

const db = () => testDb.pool.db;
const readOrder = async (id: string) => (await db().select().from(orders).where(eq(orders.id, id)))[0];
const readTransfer = async (id: string) => (await db().select().from(transfers).where(eq(transfers.id, id)))[0];
const readQuote = async (id: string) => (await db().select().from(quotes).where(eq(quotes.id, id)))[0];
const listCallbacks = (orderId: string) => db().select().from(callbacks).where(eq(callbacks.orderId, orderId));
const match = (network = "ethereum", at = now) => matchTransfers(db(), ctx, network, at);

/** Returns a chain that contains exactly `present`; all other transfers have been removed by a reorg. */
function chainWith(
  present: Seen[],
  hashAt = (height: number) => `0x${height.toString(16).padStart(64, "0")}`,
): BlockSource {
  const refuse = () => Promise.reject(new ChainError("unavailable", "not asked in these tests"));
  const answers: Pick<BlockSource, "block" | "receipt"> = {
    block: async (at) =>
      "height" in at ? { height: at.height, hash: hashAt(at.height), parentHash: "", time: now } : null,
    receipt: async (txId) => {
      const found = present.filter((transfer) => transfer.txId === txId);
      const [first] = found;
      if (!first) return null;
      const chain = found.map((row) => ({ ...row, from: row.fromAddress, to: row.toAddress }));
      const { blockHeight, blockHash, blockTime: time } = first;
      return { isSuccess: true, blockHeight, blockHash, time, transfers: chain };
    },
  };
  const checkFinality: BlockSource["checkFinality"] = async ({ txId, position, blockHeight, blockHash }) => {
    const found = present.find((row) => row.txId === txId && row.position === position);
    if (found?.blockHash === blockHash) return { kind: "final" };
    if (found) return { kind: "moved", height: found.blockHeight, hash: found.blockHash, time: found.blockTime };
    return { kind: hashAt(blockHeight) === blockHash ? "unclear" : "gone" };
  };
  return {
    ...answers,
    readBy: "blocks",
    lookUp: refuse,
    receivers: null,
    head: refuse,
    transfers: refuse,
    endpoints: [],
    blockTimes: refuse,
    transfersBy: refuse,
    problem: refuse,
    balances: refuse,
    freezeState: refuse,
    warning: () => null,
    quorumMiss: () => null,
    mistrust: () => {},
    heads: () => [],
    checkFinality,
  };
}

const headAt = (height: number) => ({ height, hash: "0x1", parentHash: "0x0", time: now, finalizedHeight: null });
const confirm = (source: BlockSource, height: number, at = now) =>
  confirmTransfers(db(), ctx, source, ethereum, headAt(height), at);

beforeEach(async () => {
  await empty(db(), "merchants", "orders", "quotes", "audit_events", "cursors");
  merchantId = (await seedMerchant(db(), now)).id;
  shared = await seedAddress(db(), { merchantId }, now);
});

test("an exact transfer is confirming at once and paid when it is final, with one callback enqueued", async () => {
  const order = await seedOrder(
    db(),
    { address: shared, baseUnits: price, notifyUrl: "https://shop.example.com/hook" },
    now,
  );
  const seen = await seedTransfer(db(), { address: shared, baseUnits: price }, now);
  expect(await match()).toBe(1);
  expect(await readOrder(order.id)).toMatchObject({ status: "confirming", exception: null, paidUnits: 0n, version: 2 });
  expect(await confirm(chainWith([seen]), 110)).toBe(0);
  expect(await confirm(chainWith([seen]), 111)).toBe(1);
  expect(await readOrder(order.id)).toMatchObject({
    status: "paid",
    exception: null,
    paidUnits: price,
    settledByTransferId: seen.id,
    paidAt: now,
  });
  expect(await readTransfer(seen.id)).toMatchObject({ status: "confirmed", confirmations: 12 });
  expect(await listCallbacks(order.id)).toHaveLength(1);
  expect(await readQuote(order.quoteId)).toMatchObject({ releasedAt: null, reservedUntil: later(60) });
});

test("running every step again after it succeeded changes nothing", async () => {
  const order = await seedOrder(
    db(),
    { address: shared, baseUnits: price, notifyUrl: "https://shop.example.com/hook" },
    now,
  );
  const seen = await seedTransfer(db(), { address: shared, baseUnits: price }, now);
  await match();
  await confirm(chainWith([seen]), 200);
  const before = await readOrder(order.id);
  expect([await match(), await confirm(chainWith([seen]), 200), await expireOrders(db(), ctx, later(60))]).toEqual([
    0, 0, 0,
  ]);
  expect(await readOrder(order.id)).toEqual(before);
  expect(await listCallbacks(order.id)).toHaveLength(1);
});

test("a payer who is one base unit short has not paid; the transfer is kept as unmatched", async () => {
  const order = await seedOrder(db(), { address: shared, baseUnits: price }, now);
  const seen = await seedTransfer(db(), { address: shared, baseUnits: price - 1n }, now);
  await match();
  expect(await readOrder(order.id)).toMatchObject({ status: "pending", version: 1 });
  expect(await readTransfer(seen.id)).toMatchObject({
    orderId: null,
    unmatchedReason: "no_such_amount",
    matchedAt: now,
  });
  await confirm(chainWith([seen]), 200);
  expect(await readTransfer(seen.id)).toMatchObject({ status: "confirmed", orderId: null });
});

test("the right amount in the other currency pays nothing and has a reason", async () => {
  const order = await seedOrder(db(), { address: shared, baseUnits: price }, now);
  const seen = await seedTransfer(db(), { address: shared, currency: "USDC", baseUnits: price }, now);
  await match();
  expect((await readOrder(order.id))?.status).toBe("pending");
  expect((await readTransfer(seen.id))?.unmatchedReason).toBe("other_currency");
});

test("the right amount at the same address of another network pays nothing and has a reason", async () => {
  const onBsc = await seedAddress(db(), { merchantId, network: "bsc", address: shared.address }, now);
  await seedOrder(db(), { address: shared, baseUnits: price }, now);
  const seen = await seedTransfer(db(), { address: onBsc, baseUnits: 10n ** 19n }, now);
  await match("bsc");
  expect((await readTransfer(seen.id))?.unmatchedReason).toBe("other_network");
});

test("a second equal transfer after the hold of a settled order stays visible as unmatched", async () => {
  await seedOrder(db(), { address: shared, baseUnits: price }, now);
  const first = await seedTransfer(db(), { address: shared, baseUnits: price }, now);
  await match();
  await confirm(chainWith([first]), 200);
  const second = await seedTransfer(db(), { address: shared, baseUnits: price }, later(61));
  await match();
  expect(await readTransfer(second.id)).toMatchObject({ orderId: null, unmatchedReason: "order_settled" });
});

test("two equal transfers while the order confirms are both counted: overpaid, one callback", async () => {
  const order = await seedOrder(
    db(),
    { address: shared, baseUnits: price, notifyUrl: "https://shop.example.com/hook" },
    now,
  );
  const both = [
    await seedTransfer(db(), { address: shared, baseUnits: price }, now),
    await seedTransfer(db(), { address: shared, baseUnits: price }, now),
  ];
  await match();
  expect(await confirm(chainWith(both), 200)).toBe(2);
  expect(await readOrder(order.id)).toMatchObject({ status: "paid", exception: "overpaid", paidUnits: price * 2n });
  expect(await listCallbacks(order.id)).toHaveLength(1);
});

test("a transfer mined before the quote existed does not pay it", async () => {
  const order = await seedOrder(db(), { address: shared, baseUnits: price }, now);
  await seedTransfer(db(), { address: shared, baseUnits: price, blockTime: later(-10) }, now);
  await match();
  expect((await readOrder(order.id))?.status).toBe("pending");
});

test("one transaction pays two orders, each once", async () => {
  const orders = [
    await seedOrder(db(), { address: shared, baseUnits: price }, now),
    await seedOrder(db(), { address: shared, baseUnits: price + 100n }, now),
  ];
  const txId = `0x${"ab".repeat(32)}`;
  const first = await seedTransfer(db(), { address: shared, baseUnits: price, txId, position: "0" }, now);
  const second = await seedTransfer(db(), { address: shared, baseUnits: price + 100n, txId, position: "1" }, now);
  await match();
  expect(await confirm(chainWith([first, second]), 200)).toBe(2);
  expect(await Promise.all(orders.map(async ({ id }) => (await readOrder(id))?.status))).toEqual(["paid", "paid"]);
});

test("a reorg that drops the transfer puts the order back to pending; re-included it is paid once", async () => {
  const order = await seedOrder(
    db(),
    { address: shared, baseUnits: price, notifyUrl: "https://shop.example.com/hook" },
    now,
  );
  const seen = await seedTransfer(db(), { address: shared, baseUnits: price }, now);
  await match();
  await db().update(transfers).set({ status: "dropped", matchedAt: null }).where(eq(transfers.id, seen.id));
  await match();
  expect(await readOrder(order.id)).toMatchObject({ status: "pending", exception: null });
  const again = {
    status: "seen" as const,
    matchedAt: null,
    blockHeight: 105,
    blockHash: `0x${(105).toString(16).padStart(64, "0")}`,
  };
  await db().update(transfers).set(again).where(eq(transfers.id, seen.id));
  await match();
  expect(await confirm(chainWith([{ ...seen, ...again }]), 200)).toBe(1);
  expect((await readOrder(order.id))?.status).toBe("paid");
  expect(await listCallbacks(order.id)).toHaveLength(1);
});

test("a transfer whose block left the chain is dropped instead of confirmed", async () => {
  const order = await seedOrder(db(), { address: shared, baseUnits: price }, now);
  const seen = await seedTransfer(db(), { address: shared, baseUnits: price }, now);
  await match();
  expect(
    await confirm(
      chainWith([], () => "0xother"),
      200,
    ),
  ).toBe(0);
  expect((await readTransfer(seen.id))?.status).toBe("dropped");
  await match();
  expect((await readOrder(order.id))?.status).toBe("pending");
});

test("an endpoint that does not know the receipt of a canonical block settles nothing, either way", async () => {
  await seedOrder(db(), { address: shared, baseUnits: price }, now);
  const seen = await seedTransfer(db(), { address: shared, baseUnits: price }, now);
  await match();
  expect(await confirm(chainWith([]), 200)).toBe(0);
  expect((await readTransfer(seen.id))?.status).toBe("seen");
});

test("a transfer that moved to another block is followed there and confirmed when that is final", async () => {
  const order = await seedOrder(db(), { address: shared, baseUnits: price }, now);
  const seen = await seedTransfer(db(), { address: shared, baseUnits: price, blockHeight: 100 }, now);
  await match();
  const moved = { ...seen, blockHeight: 103, blockHash: `0x${(103).toString(16).padStart(64, "0")}` };
  expect(await confirm(chainWith([moved]), 111)).toBe(0);
  expect(await readTransfer(seen.id)).toMatchObject({ blockHeight: 103, status: "seen" });
  expect(await confirm(chainWith([moved]), 114)).toBe(1);
  expect((await readOrder(order.id))?.status).toBe("paid");
});

test("an order expires only when the network is read past its time", async () => {
  const order = await seedOrder(db(), { address: shared, baseUnits: price }, now);
  await seedCursor(db(), "ethereum", later(29));
  expect(await expireOrders(db(), ctx, later(31))).toBe(0);
  await seedCursor(db(), "ethereum", later(31));
  expect(await expireOrders(db(), ctx, later(29))).toBe(0);
  expect(await expireOrders(db(), ctx, later(31))).toBe(1);
  expect(await readOrder(order.id)).toMatchObject({ status: "expired", version: 2 });
  expect((await readQuote(order.quoteId))?.releasedAt).toBeNull();
});

test("an order does not expire while a transfer of its network is not matched yet", async () => {
  const order = await seedOrder(db(), { address: shared, baseUnits: price }, now);
  await seedCursor(db(), "ethereum", later(31));
  await seedTransfer(db(), { address: shared, baseUnits: price, blockTime: later(29) }, later(31));
  expect(await expireOrders(db(), ctx, later(31))).toBe(0);
  await match("ethereum", later(31));
  expect(await expireOrders(db(), ctx, later(31))).toBe(0);
  expect((await readOrder(order.id))?.status).toBe("confirming");
});

test("a late payment within the late window is paid as late; after the window it is unmatched", async () => {
  const order = await seedOrder(
    db(),
    { address: shared, baseUnits: price, notifyUrl: "https://shop.example.com/hook" },
    now,
  );
  await seedCursor(db(), "ethereum", later(31));
  await expireOrders(db(), ctx, later(31));
  const seen = await seedTransfer(db(), { address: shared, baseUnits: price, blockTime: later(60) }, later(60));
  await match("ethereum", later(60));
  await confirm(chainWith([seen]), 200, later(62));
  expect(await readOrder(order.id)).toMatchObject({ status: "paid", exception: "late" });
  expect(await listCallbacks(order.id)).toHaveLength(1);

  const forgotten = await seedOrder(db(), { address: shared, baseUnits: price + 1n }, now);
  await seedCursor(db(), "ethereum", later(300));
  await expireOrders(db(), ctx, later(300));
  await releaseHolds(db(), ctx, later(300));
  expect((await readQuote(forgotten.quoteId))?.releasedAt).toEqual(later(300));
  const tooLate = await seedTransfer(
    db(),
    { address: shared, baseUnits: price + 1n, blockTime: later(301) },
    later(301),
  );
  await match("ethereum", later(301));
  expect((await readTransfer(tooLate.id))?.unmatchedReason).toBe("late");
});

test("a block that is stamped after the late window takes nothing from money that was seen within it", async () => {
  const order = await seedOrder(db(), { address: shared, baseUnits: price, lateWindowSeconds: 3_600 }, now);
  await seedCursor(db(), "ethereum", later(89));
  const seen = await seedTransfer(db(), { address: shared, baseUnits: price, blockTime: later(90.1) }, later(89));
  await match("ethereum", later(89));
  expect(await readTransfer(seen.id)).toMatchObject({ orderId: order.id, unmatchedReason: null });
});

test("money from after the late window pays nothing, also while its amount is not set free yet", async () => {
  const lateWindowSeconds = 3_600;
  const order = await seedOrder(db(), { address: shared, baseUnits: price, lateWindowSeconds }, now);
  await seedCursor(db(), "ethereum", later(91));
  const inTime = await seedTransfer(db(), { address: shared, baseUnits: price, blockTime: later(90) }, later(91));
  const tooLate = await seedTransfer(db(), { address: shared, baseUnits: price, blockTime: later(90.1) }, later(91));
  await match("ethereum", later(91));
  expect((await readQuote(order.quoteId))?.releasedAt).toBeNull();
  expect(await readTransfer(inTime.id)).toMatchObject({ orderId: order.id, unmatchedReason: null });
  expect(await readTransfer(tooLate.id)).toMatchObject({ orderId: null, unmatchedReason: "late" });
});

test("an amount stays reserved while the network is not read to the end of its late window", async () => {
  const order = await seedOrder(db(), { address: shared, baseUnits: price }, now);
  await seedCursor(db(), "ethereum", later(60));
  await expireOrders(db(), ctx, later(600));
  expect((await readQuote(order.quoteId))?.releasedAt).toBeNull();
});

test("a dedicated address sums transfers: underpaid, then paid; further ones are overpaid", async () => {
  const own = await seedAddress(db(), { merchantId, kind: "dedicated" }, now);
  const order = await seedOrder(
    db(),
    { address: own, baseUnits: price, notifyUrl: "https://shop.example.com/hook" },
    now,
  );
  const first = await seedTransfer(db(), { address: own, baseUnits: 4_000_000n }, now);
  await match();
  await confirm(chainWith([first]), 200);
  expect(await readOrder(order.id)).toMatchObject({ status: "pending", exception: "underpaid", paidUnits: 4_000_000n });
  const second = await seedTransfer(db(), { address: own, baseUnits: 6_000_000n }, later(2));
  await match();
  expect((await readOrder(order.id))?.status).toBe("confirming");
  await confirm(chainWith([second]), 200);
  expect(await readOrder(order.id)).toMatchObject({
    status: "paid",
    exception: null,
    paidUnits: price,
    settledByTransferId: second.id,
  });
  const dust = await seedTransfer(db(), { address: own, baseUnits: 99_999n }, later(3));
  await match();
  await confirm(chainWith([dust]), 200);
  expect(await readOrder(order.id)).toMatchObject({ status: "paid", exception: null, paidUnits: price + 99_999n });
  const third = await seedTransfer(db(), { address: own, baseUnits: 1n }, later(3));
  await match();
  await confirm(chainWith([third]), 200);
  expect(await readOrder(order.id)).toMatchObject({
    status: "paid",
    exception: "overpaid",
    paidUnits: price + 100_000n,
  });
  expect(await listCallbacks(order.id)).toHaveLength(1);
});

test("an underpaid order stays underpaid when it expires, and a late top-up pays it", async () => {
  const own = await seedAddress(db(), { merchantId, kind: "dedicated" }, now);
  const order = await seedOrder(db(), { address: own, baseUnits: price }, now);
  const first = await seedTransfer(db(), { address: own, baseUnits: 4_000_000n }, now);
  await match();
  await confirm(chainWith([first]), 200);
  await seedCursor(db(), "ethereum", later(31));
  await expireOrders(db(), ctx, later(31));
  expect(await readOrder(order.id)).toMatchObject({ status: "expired", exception: "underpaid" });
  const topUp = await seedTransfer(db(), { address: own, baseUnits: 6_000_000n, blockTime: later(40) }, later(40));
  await match("ethereum", later(40));
  await confirm(chainWith([topUp]), 200, later(41));
  expect(await readOrder(order.id)).toMatchObject({ status: "paid", exception: "late", paidUnits: price });
});

test("a transfer that is final at first sight still passes confirming, and the history shows it", async () => {
  const order = await seedOrder(db(), { address: shared, baseUnits: price }, now);
  const seen = await seedTransfer(db(), { address: shared, baseUnits: price }, now);
  await db()
    .update(transfers)
    .set({ status: "confirmed", confirmedAt: now, confirmations: 40 })
    .where(eq(transfers.id, seen.id));
  await match();
  const moves = await db().select().from(auditEvents).where(eq(auditEvents.orderId, order.id));
  expect(moves).toHaveLength(1);
  expect(moves[0]).toMatchObject({
    action: "order.paid",
    detail: { from: "pending", via: ["confirming"], cause: "fundsChanged" },
  });
});

test("two concurrently matching workers count a transfer once", async () => {
  const order = await seedOrder(
    db(),
    { address: shared, baseUnits: price, notifyUrl: "https://shop.example.com/hook" },
    now,
  );
  const seen = await seedTransfer(db(), { address: shared, baseUnits: price }, now);
  const counts = await Promise.all([match(), match(), match()]);
  expect(counts.reduce((a, b) => a + b)).toBe(1);
  const confirmed = await Promise.all([1, 2, 3].map(() => confirm(chainWith([seen]), 200)));
  expect(confirmed.reduce((a, b) => a + b)).toBe(1);
  expect((await readOrder(order.id))?.paidUnits).toBe(price);
  expect(await listCallbacks(order.id)).toHaveLength(1);
});
