import { eq, isNotNull } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { auditEvents, events, merchants, orders, quotes, transfers } from "@/db/schema";
import { checkoutView } from "@/lib/domain/checkout/view";
import { chooseEvents } from "@/lib/merchants/api-keys";
import { findCheckout } from "@/lib/orders/find-checkout";
import { seedTransfer } from "@/testing/database/seed";
import {
  addresses,
  at,
  create,
  db,
  finalize,
  match,
  merchant,
  orderOf,
  owner,
  pass,
  pay,
  readOrder,
  readTransfer,
  units,
  useHoldingShop,
} from "@/testing/holding-shop";

useHoldingShop();
beforeEach(() => allow(true));

const allow = (linksShortPayments: boolean) => db().update(merchants).set({ linksShortPayments });
const send = async (amount: string | bigint, minutes: number, network: "ethereum" | "bsc" = "ethereum") => {
  const baseUnits = typeof amount === "bigint" ? amount : units(network, amount);
  const sent = await seedTransfer(db(), { address: addresses[network], baseUnits }, at(minutes));
  await match(minutes);
  return sent;
};
const viewOf = async ({ id }: { id: string }, minutes: number) => {
  const facts = await findCheckout(db(), id);
  if (!facts) throw new Error("no page");
  return checkoutView(facts, at(minutes));
};
/** Returns the quote that requests the rest. */
const restOf = async () => (await db().select().from(quotes).where(isNotNull(quotes.completesQuoteId)))[0];
/** Marks a transfer to be matched again, as a reorg does. */
const matchAgain = async (
  { id }: { id: string },
  minutes: number,
  change: Partial<typeof transfers.$inferInsert> = {},
) => {
  await db()
    .update(transfers)
    .set({ ...change, matchedAt: null })
    .where(eq(transfers.id, id));
  await match(minutes);
};

test("unless the merchant allows it, too little is unmatched", async () => {
  await allow(false);
  await create("ethereum", 0);
  const sent = await send("9", 1);
  expect(await readTransfer(sent)).toMatchObject({ orderId: null, unmatchedReason: "no_such_amount" });
  expect(await restOf()).toBeUndefined();
});

test("too little for the only order is linked, the page requests the rest, and both together pay the order", async () => {
  await chooseEvents(db(), { ...owner, id: merchant.keyId, types: ["payment.underpaid", "payment.overpaid"] }, at(0));
  const order = await create("ethereum", 0);
  const sent = await send("9", 1);
  expect(await orderOf(sent)).toBe(order.id);
  expect(await readOrder(order)).toMatchObject({ status: "pending", exception: "underpaid" });
  const rest = await restOf();
  expect(rest).toMatchObject({ completesTransferId: sent.id, askedUnits: units("ethereum", "1"), orderId: order.id });
  const due = rest?.baseUnits ?? 0n;
  expect(due >= units("ethereum", "1") && due < units("ethereum", "1.01")).toBe(true);
  const page = await viewOf(order, 2);
  expect(page).toMatchObject({ state: "underpaid", isPaymentExpected: true, isExact: true, otherOffers: [] });
  expect(page.amounts.arrived).toBe("9.00");
  expect(units("ethereum", page.amounts.remaining)).toBe(due);
  const second = await send(due, 3);
  expect(await readOrder(order)).toMatchObject({ status: "confirming" });
  for (const transfer of [sent, second]) {
    await finalize(transfer.id);
    await matchAgain(transfer, 4);
  }
  expect(await readOrder(order)).toMatchObject({ status: "paid", exception: null });
  expect((await viewOf(order, 4)).state).toBe("paid");
  expect((await db().select().from(events)).map(({ type }) => type)).toEqual([
    "payment.underpaid",
    "payment.confirmed",
  ]);
  const actions = (await db().select().from(auditEvents)).map(({ action }) => action);
  expect(actions).toContain("transfer.linked_as_part");
});

test("the digits that make the rest distinct are no overpayment", async () => {
  const order = await create("ethereum", 251);
  await send("9", 252);
  await db()
    .update(quotes)
    .set({ baseUnits: units("ethereum", "1.0003") })
    .where(isNotNull(quotes.completesQuoteId));
  const second = await send("1.0003", 253);
  await finalize(second.id);
  await db()
    .update(transfers)
    .set({ status: "confirmed", confirmedAt: at(253), confirmations: 12 });
  await matchAgain(second, 254);
  expect(await readOrder(order)).toMatchObject({ status: "paid", exception: null });
});

test("the rest alone never pays the order: a reorg removes the first transfer", async () => {
  const order = await create("ethereum", 0);
  const sent = await send("9", 1);
  const due = (await restOf())?.baseUnits ?? 0n;
  await matchAgain(sent, 2, { status: "dropped" });
  const second = await send(due, 3);
  await finalize(second.id);
  await matchAgain(second, 4);
  expect(await orderOf(second)).toBe(order.id);
  expect(await readOrder(order)).toMatchObject({ status: "pending", exception: "underpaid" });
  await matchAgain(sent, 5, { status: "confirmed", confirmedAt: at(5), confirmations: 12 });
  expect(await readOrder(order)).toMatchObject({ status: "paid", exception: null });
});

test("a transfer that returns with another amount is unlinked, and is matched by that amount", async () => {
  const order = await create("ethereum", 0);
  const sent = await send("9", 1);
  await matchAgain(sent, 2);
  expect(await orderOf(sent)).toBe(order.id);
  await matchAgain(sent, 3, { baseUnits: units("ethereum", "8") });
  expect(await readTransfer(sent)).toMatchObject({ orderId: null, unmatchedReason: "no_such_amount" });
  expect(await readOrder(order)).toMatchObject({ status: "pending", exception: null });
  await matchAgain(sent, 4, { baseUnits: order.quote.baseUnits });
  expect(await readOrder(order)).toMatchObject({ status: "confirming" });
});

test("the whole amount still pays the order after too little arrived", async () => {
  const order = await create("ethereum", 0);
  const sent = await send("9", 1);
  await pay(order, 2);
  await finalize(sent.id);
  await match(3);
  expect(await readOrder(order)).toMatchObject({ status: "paid", exception: "overpaid" });
});

describe("is unmatched", () => {
  const isUnmatched = async (amount: string, minutes: number, network: "ethereum" | "bsc" = "ethereum") => {
    const sent = await send(amount, minutes, network);
    expect(await readTransfer(sent)).toMatchObject({ orderId: null, unmatchedReason: expect.any(String) });
    expect(await restOf()).toBeUndefined();
  };

  test.each(["pending", "cancelled", "expired", "paid"] as const)("if another order was held: %s", async (status) => {
    await create("ethereum", 0);
    const other = await create("ethereum", 0, "50");
    const paidAt = status === "paid" ? at(0) : null;
    await db().update(orders).set({ status, paidAt }).where(eq(orders.id, other.id));
    await isUnmatched("9", 1);
  });

  test("if another order was held at the address on another network, or in another currency", async () => {
    await create("ethereum", 0);
    await create("bsc", 0, "50");
    await isUnmatched("9", 1);
    await db().delete(quotes).where(eq(quotes.network, "bsc"));
    await create("ethereum", 2, "60", "USDC");
    await isUnmatched("9", 3);
  });

  test("if the other order's hold was released after the transfer was sent, but not if it ended before", async () => {
    await create("ethereum", 0, "50");
    const order = await create("ethereum", 100);
    await pass(211);
    const late = await seedTransfer(db(), { address: addresses.ethereum, baseUnits: units("ethereum", "9") }, at(209));
    await match(213);
    expect(await readTransfer(late)).toMatchObject({ orderId: null });
    await db()
      .update(orders)
      .set({ status: "pending", expiresAt: at(400) })
      .where(eq(orders.id, order.id));
    const alone = await send("8", 230);
    expect(await orderOf(alone)).toBe(order.id);
  });

  test.each([
    ["dust", "0.05"],
    ["more than the amount", "11"],
  ])("%s", async (_name, amount) => {
    await create("ethereum", 0);
    await isUnmatched(amount, 1);
  });

  test("a transfer on a network where the order cannot be paid, and one after the hold", async () => {
    await create("ethereum", 0);
    await isUnmatched("9", 1, "bsc");
    await isUnmatched("9", 500);
  });

  test("a second transfer of too little: the rest is requested once", async () => {
    const order = await create("ethereum", 0);
    const first = await send("5", 1);
    const second = await send("2", 2);
    expect([await orderOf(first), await orderOf(second)]).toEqual([order.id, null]);
    expect(await db().$count(quotes, isNotNull(quotes.completesQuoteId))).toBe(1);
  });
});

test("two transfers of too little in one round: the older one is linked", async () => {
  const order = await create("ethereum", 0);
  const seed = (amount: string, minute: number) =>
    seedTransfer(db(), { address: addresses.ethereum, baseUnits: units("ethereum", amount) }, at(minute));
  const [first, second] = [await seed("4", 1), await seed("5", 2)];
  await match(3);
  expect([await orderOf(first), await orderOf(second)]).toEqual([order.id, null]);
});
