import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { listEvents } from "@/db/queries/callbacks/events";
import { listWaiting } from "@/db/queries/networks/waiting";
import { findRefund, writeRefundSettings } from "@/db/queries/refunds/refund-requests";
import { insertRefundTransfers } from "@/db/queries/refunds/refund-transfers";
import { insertScannedTransfers } from "@/db/queries/transfers/observations";
import { callbacks, cursors, orders, refundTransfers, transfers } from "@/db/schema";
import type { Finality } from "@/lib/chains/endpoints/source";
import { canonicalAddress } from "@/lib/domain/addresses/address";
import { getNetwork, getToken } from "@/lib/domain/networks";
import type { RefundSubject } from "@/lib/domain/refunds/refund";
import type { ChainTransfer } from "@/lib/domain/transfers/transfer";
import { assignTransfer } from "@/lib/ledger/assign-transfer";
import { confirmRefunds } from "@/lib/ledger/confirm-refunds";
import { confirmTransfers } from "@/lib/ledger/confirm-transfers";
import { matchRefunds } from "@/lib/ledger/match-refunds";
import { matchTransfers } from "@/lib/ledger/match-transfers";
import { unlinkTransfer } from "@/lib/ledger/unlink-transfer";
import { chooseEvents } from "@/lib/merchants/api-keys";
import { cancelOrder } from "@/lib/orders/cancel-order";
import { claimRefund } from "@/lib/refunds/claim-refund";
import { approveRefund, cancelRefund, reopenRefund } from "@/lib/refunds/decide-refund";
import { expireRefunds } from "@/lib/refunds/expire-refunds";
import { type RequestedAmount, requestRefund } from "@/lib/refunds/request-refund";
import { takeBackTo } from "@/lib/watch/blocks/rewind-network";
import { newScanMemory, readAddresses } from "@/lib/watch/scan/scan-state";
import { empty } from "@/testing/database/empty";
import { seedAddress, seedCursor, seedMerchant, seedOrder, seedPerson, seedTransfer } from "@/testing/database/seed";
import { useShop } from "@/testing/database/shop";

const { db, shop, ctx, now, later } = useShop();
const CUSTOMER = "0x8ba1f109551bD432803012645Ac136ddd64DBA72";
const OTHER_CUSTOMER = "0x52908400098527886E0F7030069857D2E4169EE7";
const ethereum = getNetwork("ethereum");
const contract = canonicalAddress("evm", getToken(ethereum, "USDT").contract);
const price = 10_000_300n;
const DAY_SECONDS = 86_400;

let userId: string;
const owner = () => ({ merchantId: shop.merchant.id, userId, role: "owner" as const });
const caller = () => ({ merchantId: shop.merchant.id, apiKeyId: shop.merchant.keyId }) as never;

beforeEach(async () => {
  await empty(db(), "refund_transfers", "transfers", "callbacks", "events");
  userId = await seedPerson(db(), { merchantId: shop.merchant.id }, now);
});

const head = { height: 200, hash: "0x1", parentHash: "0x0", time: now, finalizedHeight: 200 };
const checker = (finality: Finality) => ({ heads: () => [head, head], checkFinality: async () => finality }) as never;

async function paidOrder(more: Partial<Parameters<typeof seedOrder>[1]> = {}) {
  const order = await seedOrder(
    db(),
    { address: shop.address, baseUnits: price, apiKeyId: shop.merchant.keyId, ...more },
    now,
  );
  await seedTransfer(db(), { address: shop.address, baseUnits: price }, now);
  await matchTransfers(db(), ctx, "ethereum", now);
  await confirmTransfers(db(), ctx, checker({ kind: "final" }), ethereum, head, now);
  return order;
}

const request = (subject: RefundSubject, amount: RequestedAmount = "all", more: object = {}) =>
  requestRefund(
    db(),
    owner(),
    { subject, amount, reason: null, email: null, mchRefundId: null, expiresInSeconds: DAY_SECONDS, ...more },
    now,
  ).then(({ refund }) => refund);

const ofOrder = (orderId: string): RefundSubject => ({ orderId, transferId: null });
const claim = (id: string, change: Partial<Parameters<typeof claimRefund>[3]> = {}, at = now) => {
  const input = { network: "ethereum", address: CUSTOMER, check: "", ...change };
  return claimRefund(db(), ctx, id, { confirmation: input.address.slice(-4), ...input }, at);
};
const statusOf = async (id: string) => (await findRefund(db(), shop.merchant.id, { id }))?.status;

async function approved(orderId: string, amount: RequestedAmount = "all", address = CUSTOMER, at = now) {
  const { id } = await request(ofOrder(orderId), amount);
  expect(await claim(id, { address })).toBeNull();
  expect(await approveRefund(db(), ctx, owner(), id, at)).toBeNull();
  return id;
}

function sending(change: Partial<ChainTransfer> = {}): ChainTransfer {
  return {
    network: "ethereum",
    currency: "USDT",
    token: contract,
    txId: `0x${"ab".repeat(32)}`,
    position: `${contract}:0`,
    from: `0x${"22".repeat(20)}`,
    to: CUSTOMER.toLowerCase(),
    baseUnits: price,
    blockHeight: 150,
    blockHash: "0xblock",
    blockTime: later(1),
    ...change,
  };
}

const scan = (transfer: ChainTransfer) => insertRefundTransfers(db(), getNetwork("ethereum"), [transfer], later(2));
const match = () => matchRefunds(db(), ctx, "ethereum", later(2));
const confirm = (finality: Finality = { kind: "final" }) =>
  confirmRefunds(db(), ctx, { checker: checker(finality), network: ethereum, head }, later(3));
const problemOf = async () => (await db().select().from(refundTransfers))[0]?.problem;
async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error("It was not refused");
}

describe("amounts", () => {
  test("without an amount, everything that is left is refunded, and nothing is left after that", async () => {
    const order = await paidOrder();
    expect((await request(ofOrder(order.id), { microUnits: 4_000_000n })).microUnits).toBe(4_000_000n);
    expect((await request(ofOrder(order.id))).microUnits).toBe(6_000_300n);
    expect(await refusal(request(ofOrder(order.id)))).toContain("refunded already");
  });

  test("more than what is left is refused with what is left", async () => {
    const order = await paidOrder();
    await request(ofOrder(order.id), { microUnits: 4_000_000n });
    expect(await refusal(request(ofOrder(order.id), { microUnits: 6_000_301n }))).toBe(
      "6.000301 USDT is more than what is left to refund: 6.0003 USDT",
    );
  });

  test("of ten requests at the same time, those that fit are accepted", async () => {
    const order = await paidOrder();
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, () => request(ofOrder(order.id), { microUnits: 3_000_000n })),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  });

  test("a fiat amount is converted at the rate of the order, and is at most its price", async () => {
    const order = await paidOrder();
    const price = { fiat: "EUR", amount: "9.20", currency: "USDT", rate: "0.92", source: "fixed" } as const;
    await db()
      .update(orders)
      .set({ price: { ...price, at: now.toISOString() } })
      .where(eq(orders.id, order.id));
    const first = await request(ofOrder(order.id), { fiatAmount: "4.60" });
    expect(first).toMatchObject({ microUnits: 5_000_000n, price: { fiat: "EUR", amount: "4.60" } });
    expect(await refusal(request(ofOrder(order.id), { fiatAmount: "4.61" }))).toBe(
      "4.61 EUR is more than what is left to refund: 4.6 EUR",
    );
    expect((await request(ofOrder(order.id), { fiatAmount: "4.6" })).microUnits).toBe(5_000_000n);
  });

  test("an order that received nothing cannot be refunded", async () => {
    const order = await seedOrder(db(), { address: shop.address, baseUnits: price }, now);
    expect(await refusal(request(ofOrder(order.id)))).toContain("refunded already");
  });

  test("the same number returns the same refund, and other terms are refused", async () => {
    const order = await paidOrder();
    const again = () => request(ofOrder(order.id), { microUnits: 1_000_000n }, { mchRefundId: "R-1" });
    const [one, other] = await Promise.all([again(), again()]);
    expect(other?.id).toBe(one?.id);
    expect(await refusal(request(ofOrder(order.id), { microUnits: 2_000_000n }, { mchRefundId: "R-1" }))).toContain(
      "was already used",
    );
  });

  test("a confirmed transfer that credits no order can be refunded once", async () => {
    const { id: transferId } = await seedTransfer(db(), { address: shop.address, baseUnits: 7_000_000n }, now);
    await matchTransfers(db(), ctx, "ethereum", now);
    expect(await refusal(request({ orderId: null, transferId }))).toContain("confirmed transfer");
    await confirmTransfers(db(), ctx, checker({ kind: "final" }), ethereum, head, now);
    expect((await request({ orderId: null, transferId })).microUnits).toBe(7_000_000n);
    expect(await refusal(request({ orderId: null, transferId }))).toContain("refunded already");
  });

  test("what was refunded of a transfer is not refunded again of the order to which a user assigns it", async () => {
    const { id: orderId } = await seedOrder(db(), { address: shop.address, baseUnits: price }, now);
    const { id: transferId } = await seedTransfer(db(), { address: shop.address, baseUnits: 7_000_000n }, now);
    await matchTransfers(db(), ctx, "ethereum", now);
    await confirmTransfers(db(), ctx, checker({ kind: "final" }), ethereum, head, now);
    await request({ orderId: null, transferId }, { microUnits: 5_000_000n });
    expect(await assignTransfer(db(), ctx, owner(), { transferId, orderId }, now)).toMatchObject({ status: "pending" });
    expect((await request(ofOrder(orderId))).microUnits).toBe(2_000_000n);
    expect(await refusal(request(ofOrder(orderId)))).toContain("refunded already");
  });

  test("a transfer whose order was refunded cannot be unlinked and refunded again", async () => {
    const { id: orderId } = await seedOrder(db(), { address: shop.address, baseUnits: price }, now);
    const { id: transferId } = await seedTransfer(db(), { address: shop.address, baseUnits: 7_000_000n }, now);
    await matchTransfers(db(), ctx, "ethereum", now);
    await confirmTransfers(db(), ctx, checker({ kind: "final" }), ethereum, head, now);
    await assignTransfer(db(), ctx, owner(), { transferId, orderId }, now);
    const { id } = await request(ofOrder(orderId), { microUnits: 3_000_000n });
    const unlinking = { transferId, orderId, reason: "Meant for another order" };
    expect(await unlinkTransfer(db(), ctx, owner(), unlinking, now)).toMatchObject({
      problem: { code: "transfer_refunded", params: { excess: "3", currency: "USDT" } },
    });
    await cancelRefund(db(), ctx, owner(), { id, reason: "" }, now);
    expect(await unlinkTransfer(db(), ctx, owner(), unlinking, now)).toEqual({ status: "pending" });
    expect((await request({ orderId: null, transferId })).microUnits).toBe(7_000_000n);
  });

  test("a partly paid order with refunds cannot be cancelled, because its transfers could be refunded again", async () => {
    const { id: orderId } = await seedOrder(db(), { address: shop.address, baseUnits: price }, now);
    const { id: transferId } = await seedTransfer(db(), { address: shop.address, baseUnits: 7_000_000n }, now);
    await matchTransfers(db(), ctx, "ethereum", now);
    await confirmTransfers(db(), ctx, checker({ kind: "final" }), ethereum, head, now);
    await assignTransfer(db(), ctx, owner(), { transferId, orderId }, now);
    const { id } = await request(ofOrder(orderId));
    expect(await cancelOrder(db(), ctx, owner(), orderId, now)).toMatchObject({
      problem: { code: "order_not_cancellable_refunds" },
    });
    await cancelRefund(db(), ctx, owner(), { id, reason: "" }, now);
    expect(await cancelOrder(db(), ctx, owner(), orderId, now)).toEqual({ status: "cancelled" });
    expect((await request({ orderId: null, transferId })).microUnits).toBe(7_000_000n);
  });
});

describe("claims", () => {
  test("one claim per link; the same claim again changes nothing", async () => {
    const { id } = await request(ofOrder((await paidOrder()).id));
    expect(await claim(id)).toBeNull();
    expect(await claim(id)).toBeNull();
    expect(await claim(id, { address: OTHER_CUSTOMER })).toMatchObject({ errors: [{ code: "claim_used" }] });
    expect(await statusOf(id)).toBe("claimed");
  });

  test.each([
    ["a token contract", { address: getToken(ethereum, "USDT").contract }, "address_is_token_contract"],
    ["a wrong checksum", { address: `${CUSTOMER.slice(0, -2)}7b` }, "address_malformed"],
    ["another network's address", { network: "tron" }, "address_of_other_network"],
    ["an unknown network", { network: "nowhere" }, "claim_network_not_offered"],
    ["other last characters", { confirmation: "0000" }, "claim_not_confirmed"],
  ])("%s is refused", async (_what, change, code) => {
    const { id } = await request(ofOrder((await paidOrder()).id));
    const result = await claim(id, change);
    expect(result?.errors[0]?.code).toMatch(new RegExp(code === "address_malformed" ? "address" : code));
    expect(await statusOf(id)).toBe("requested");
  });

  test("an address of the shop is refused, and one of another shop is not", async () => {
    const { id } = await request(ofOrder((await paidOrder()).id));
    const own = await claim(id, { address: shop.address.address });
    expect(own).toMatchObject({ errors: [{ code: "claim_address_of_shop" }] });
    const other = await seedAddress(db(), { merchantId: (await seedMerchant(db(), now)).id }, now);
    expect(await claim(id, { address: other.address })).toBeNull();
  });

  test("an expired link is refused, and its amount can be refunded again", async () => {
    const order = await paidOrder();
    const { id } = await request(ofOrder(order.id));
    const tomorrow = later(24 * 60);
    expect(await claim(id, {}, tomorrow)).toMatchObject({ errors: [{ code: "claim_expired" }] });
    expect(await expireRefunds(db(), ctx, tomorrow)).toBe(1);
    expect(await statusOf(id)).toBe("expired");
    expect((await request(ofOrder(order.id))).microUnits).toBe(10_000_300n);
  });

  test("if the merchant asks for the order number, a claim needs it", async () => {
    const order = await paidOrder();
    await writeRefundSettings(db(), shop.merchant.id, { claimCheck: "order_number", networks: [] }, now);
    const [row] = await db().select().from(orders).where(eq(orders.id, order.id));
    const { id } = await request(ofOrder(order.id));
    expect(await claim(id, { check: "guess" })).toMatchObject({ errors: [{ code: "claim_wrong_order_number" }] });
    expect(await claim(id, { check: ` ${row?.mchOrderId} ` })).toBeNull();
  });

  test("after ten attempts the claim waits, so that an order number cannot be guessed", async () => {
    await writeRefundSettings(db(), shop.merchant.id, { claimCheck: "order_number", networks: [] }, now);
    const { id } = await request(ofOrder((await paidOrder()).id));
    for (let attempt = 0; attempt < 10; attempt++) await claim(id, { check: `guess ${attempt}` });
    expect(await claim(id, { check: "guess" })).toMatchObject({ errors: [{ code: "claim_too_often" }] });
  });

  test("a reopened refund takes another address", async () => {
    const { id } = await request(ofOrder((await paidOrder()).id));
    await claim(id);
    expect(await reopenRefund(db(), ctx, owner(), { id, reason: "An exchange" }, now)).toBeNull();
    expect(await findRefund(db(), shop.merchant.id, { id })).toMatchObject({
      status: "requested",
      address: null,
      endedReason: "An exchange",
    });
    expect(await claim(id, { address: OTHER_CUSTOMER })).toBeNull();
  });
});

describe("approval", () => {
  test("refunds never exceed what the order received, also when a payment is removed after the claim", async () => {
    const order = await paidOrder();
    const { id } = await request(ofOrder(order.id));
    await claim(id);
    await db()
      .update(orders)
      .set({ paidUnits: price - 1n })
      .where(eq(orders.id, order.id));
    expect(await approveRefund(db(), ctx, owner(), id, now)).toMatchObject({
      problem: { code: "refund_exceeds_payment", params: { excess: "0.000001" } },
    });
    expect(await statusOf(id)).toBe("claimed");
  });

  test("a viewer and another shop cannot approve or cancel", async () => {
    const { id } = await request(ofOrder((await paidOrder()).id));
    await claim(id);
    const viewer = { ...owner(), role: "viewer" as const };
    const stranger = { ...owner(), merchantId: (await seedMerchant(db(), now)).id };
    for (const actor of [viewer, stranger]) {
      expect(await approveRefund(db(), ctx, actor, id, now)).not.toBeNull();
      expect(await cancelRefund(db(), ctx, actor, { id, reason: "" }, now)).not.toBeNull();
    }
    expect(await statusOf(id)).toBe("claimed");
  });

  test("an approved address is watched on every network of its family, and its network is polled actively", async () => {
    const order = await paidOrder();
    const memory = newScanMemory();
    expect(await readAddresses(db(), getNetwork("bsc"), memory, now)).toEqual(new Map());
    await approved(order.id);
    expect([...(await readAddresses(db(), getNetwork("bsc"), memory, later(1))).keys()]).toEqual([
      CUSTOMER.toLowerCase(),
    ]);
    expect((await listWaiting(db(), ["ethereum", "bsc"], now)).get("ethereum")?.hasPending).toBe(true);
    expect((await listWaiting(db(), ["ethereum", "bsc"], now)).get("bsc")?.hasPending).toBe(false);
  });
});

describe("detection", () => {
  test("an equal transfer after the approval completes the refund when it is final, with one event", async () => {
    const { merchant } = shop;
    await chooseEvents(db(), { ...owner(), id: merchant.keyId, types: ["refund.completed"] }, now);
    const order = await paidOrder({ notifyUrl: "https://shop.example.com/hook" });
    const id = await approved(order.id);
    expect(await scan(sending())).toBe(1);
    expect([await match(), await statusOf(id)]).toEqual([1, "sent"]);
    expect([await confirm({ kind: "waiting" }), await statusOf(id)]).toEqual([0, "sent"]);
    await db().update(refundTransfers).set({ lookAt: now });
    expect([await confirm(), await statusOf(id)]).toEqual([1, "completed"]);
    expect([await scan(sending()), await match(), await confirm()]).toEqual([0, 0, 0]);
    const listed = (await listEvents(db(), merchant.id, 0, 100)).map(({ body }) => JSON.parse(body));
    const events = listed.filter(({ type }) => type === "refund.completed");
    expect(events).toMatchObject([
      { data: { refund_id: id, status: "completed", amount: 10.0003, tx_hash: sending().txId, address: CUSTOMER } },
    ]);
    const sent = await db().select().from(callbacks).where(eq(callbacks.type, "refund.completed"));
    expect(sent).toMatchObject([{ url: "https://shop.example.com/hook" }]);
  });

  test.each([
    ["another amount", { baseUnits: price - 1n }, "otherAmount"],
    [
      "another token",
      { token: canonicalAddress("evm", getToken(ethereum, "USDC").contract), currency: "USDC" },
      "otherToken",
    ],
    ["a time before the approval", { blockTime: later(-1) }, "early"],
  ] as const)("a transfer with %s completes nothing, and the reason is stored", async (_what, change, problem) => {
    const id = await approved((await paidOrder()).id);
    await scan(sending(change));
    await match();
    expect([await problemOf(), await statusOf(id)]).toEqual([problem, "approved"]);
  });

  test("a transfer that is sent twice completes one refund, and the second is stored as repeated", async () => {
    const id = await approved((await paidOrder()).id);
    await scan(sending());
    await scan(sending({ txId: `0x${"cd".repeat(32)}`, blockHeight: 151 }));
    await match();
    expect(await statusOf(id)).toBe("sent");
    const rows = await db().select().from(refundTransfers).orderBy(refundTransfers.blockHeight);
    expect(rows.map(({ refundId, problem }) => [refundId, problem])).toEqual([
      [id, null],
      [null, "repeated"],
    ]);
  });

  test("the second of two equal transfers completes the refund if the first one turns out to be too early", async () => {
    const id = await approved((await paidOrder()).id);
    const second = `0x${"cd".repeat(32)}`;
    await scan(sending());
    await scan(sending({ txId: second, blockHeight: 151 }));
    await match();
    await confirm({ kind: "retimed", time: later(-1) });
    await match();
    expect(await statusOf(id)).toBe("approved");
    await match();
    expect(await statusOf(id)).toBe("sent");
    const rows = await db().select().from(refundTransfers).orderBy(refundTransfers.blockHeight);
    expect(rows.map(({ refundId, problem }) => [refundId, problem])).toEqual([
      [null, "early"],
      [id, null],
    ]);
    await confirm();
    expect(await findRefund(db(), shop.merchant.id, { id })).toMatchObject({ status: "completed", txId: second });
  });

  test("a second equal transfer that was credited meanwhile stays income", async () => {
    const other = await seedAddress(db(), { merchantId: (await seedMerchant(db(), now)).id }, now);
    const open = await seedOrder(db(), { address: other, baseUnits: price }, now);
    const id = await approved((await paidOrder()).id, "all", other.address);
    const second = sending({ to: other.address, txId: `0x${"cd".repeat(32)}`, blockHeight: 151 });
    await scan(sending({ to: other.address }));
    await scan(second);
    await insertScannedTransfers(db(), [second], new Map([[other.address, other.id]]), later(2));
    await match();
    await matchTransfers(db(), ctx, "ethereum", later(2));
    const isSecond = eq(transfers.txId, second.txId);
    await db()
      .update(transfers)
      .set({ status: "confirmed", confirmedAt: later(2) })
      .where(isSecond);
    await confirm({ kind: "gone" });
    for (let rounds = 0; rounds < 3; rounds++) await match();
    await matchTransfers(db(), ctx, "ethereum", later(2));
    expect(await statusOf(id)).toBe("approved");
    expect(await db().select({ orderId: transfers.orderId }).from(transfers).where(isSecond)).toEqual([
      { orderId: open.id },
    ]);
    const rows = await db().select().from(refundTransfers).orderBy(refundTransfers.blockHeight);
    expect(rows.map(({ refundId, problem }) => [refundId, problem])).toEqual([
      [null, null],
      [null, "repeated"],
    ]);
  });

  test("equal refunds to one address are completed in the order of their approval", async () => {
    const order = await paidOrder();
    const first = await approved(order.id, { microUnits: 1_000_000n });
    const second = await approved(order.id, { microUnits: 1_000_000n }, CUSTOMER, new Date(now.getTime() + 1));
    await scan(sending({ baseUnits: 1_000_000n }));
    await match();
    expect([await statusOf(first), await statusOf(second)]).toEqual(["sent", "approved"]);
    await scan(sending({ baseUnits: 1_000_000n, txId: `0x${"cd".repeat(32)}`, blockHeight: 151 }));
    await match();
    expect([await statusOf(first), await statusOf(second)]).toEqual(["sent", "sent"]);
  });

  test("a transfer after a cancellation is stored, and the refund stays cancelled", async () => {
    const id = await approved((await paidOrder()).id);
    await cancelRefund(db(), ctx, owner(), { id, reason: "" }, now);
    await scan(sending());
    await match();
    expect([await problemOf(), await statusOf(id)]).toEqual(["cancelled", "cancelled"]);
  });

  test("a sent refund cannot be cancelled", async () => {
    const id = await approved((await paidOrder()).id);
    await scan(sending());
    await match();
    expect(await cancelRefund(db(), ctx, caller(), { id, reason: "" }, now)).toMatchObject({
      problem: { code: "refund_already_sent" },
    });
  });
});

describe("a transfer that completes a refund pays no order", () => {
  test("also if the claimed address belongs to another shop with an open order of this amount", async () => {
    const other = await seedAddress(db(), { merchantId: (await seedMerchant(db(), now)).id }, now);
    const open = await seedOrder(db(), { address: other, baseUnits: price }, now);
    const id = await approved((await paidOrder()).id, "all", other.address);
    const transfer = sending({ to: other.address });
    await scan(transfer);
    await insertScannedTransfers(db(), [transfer], new Map([[other.address, other.id]]), later(2));
    await matchTransfers(db(), ctx, "ethereum", later(2));
    const incoming = async () =>
      (await db().select().from(transfers).where(eq(transfers.txId, transfer.txId))).map((row) => [
        row.orderId,
        row.unmatchedReason,
      ]);
    expect(await incoming()).toEqual([[null, null]]);
    await match();
    await matchTransfers(db(), ctx, "ethereum", later(2));
    expect(await statusOf(id)).toBe("sent");
    expect(await incoming()).toEqual([[null, "refund"]]);
    expect(await db().select({ status: orders.status }).from(orders).where(eq(orders.id, open.id))).toEqual([
      { status: "pending" },
    ]);
  });

  test("a transfer to it that completes no refund pays the other shop's order", async () => {
    const other = await seedAddress(db(), { merchantId: (await seedMerchant(db(), now)).id }, now);
    const open = await seedOrder(db(), { address: other, baseUnits: 5_000_000n }, now);
    await approved((await paidOrder()).id, "all", other.address);
    const transfer = sending({ to: other.address, baseUnits: 5_000_000n });
    await scan(transfer);
    await insertScannedTransfers(db(), [transfer], new Map([[other.address, other.id]]), later(2));
    await match();
    await matchTransfers(db(), ctx, "ethereum", later(2));
    const [row] = await db().select().from(transfers).where(eq(transfers.txId, transfer.txId));
    expect(row?.orderId).toBe(open.id);
  });
});

describe("reorgs", () => {
  async function rewind(): Promise<void> {
    await empty(db(), "cursors");
    await seedCursor(db(), "ethereum", now, 200);
    await db().update(cursors).set({ leaseOwner: "one", leaseUntil: sql`now() + interval '1 minute'` });
    const ancestor = { height: 140, hash: "0x140", parentHash: "0x139", time: now };
    const cursor = { height: 200, hash: "0x00" };
    expect(await takeBackTo(db(), ethereum, { ...ctx, owner: "one", cursor }, ancestor, [], now)).toEqual(ancestor);
  }

  test("a completed refund whose transfer is removed is approved again, and completed when it returns", async () => {
    const id = await approved((await paidOrder()).id);
    await scan(sending());
    await match();
    await confirm();
    expect(await statusOf(id)).toBe("completed");
    await rewind();
    await match();
    expect(await findRefund(db(), shop.merchant.id, { id })).toMatchObject({
      status: "approved",
      txId: null,
      completedAt: null,
    });
    await scan(sending({ blockHeight: 152, blockHash: "0xother" }));
    await match();
    expect(await statusOf(id)).toBe("sent");
    await confirm();
    expect(await statusOf(id)).toBe("completed");
  });

  test("a completed refund whose transfer returns before it is matched again keeps its transfer", async () => {
    const id = await approved((await paidOrder()).id);
    await scan(sending());
    await match();
    await confirm();
    await rewind();
    await scan(sending({ blockHeight: 152, blockHash: "0xother" }));
    await match();
    expect(await findRefund(db(), shop.merchant.id, { id })).toMatchObject({ status: "sent", txId: sending().txId });
    await confirm();
    expect(await statusOf(id)).toBe("completed");
  });

  test("a transfer that no endpoint has any more returns the refund to approved", async () => {
    const id = await approved((await paidOrder()).id);
    await scan(sending());
    await match();
    await confirm({ kind: "gone" });
    await match();
    expect(await statusOf(id)).toBe("approved");
  });

  test("a transfer that was too early by a false block time completes the refund at the agreed time", async () => {
    const id = await approved((await paidOrder()).id);
    await scan(sending({ blockTime: later(-5) }));
    await match();
    expect(await problemOf()).toBe("early");
    await confirm({ kind: "retimed", time: later(1) });
    await match();
    expect(await statusOf(id)).toBe("sent");
  });
});
