import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { orders, quotes, receivingAddresses } from "@/db/schema";
import { chooseMethod } from "@/lib/orders/choose-method";
import { expireOrders } from "@/lib/orders/expire-orders";
import { moveOrder } from "@/lib/orders/move-order";
import { extendOrder } from "@/lib/orders/renew-order";
import { seedCursor, seedTransfer } from "@/testing/database/seed";
import {
  addReceivingAddresses,
  addresses,
  at,
  create,
  creating,
  ctx,
  db,
  finalize,
  match,
  NETWORKS,
  open,
  pass,
  pay,
  readOrder,
  readQuote,
  useHoldingShop,
} from "@/testing/holding-shop";

useHoldingShop();

const env = { rpcUrls: new Map(NETWORKS.map((id) => [id, ["http://127.0.0.1:1"]])) };
const extend = ({ id: tradeId }: { id: string }, extensions: number, minutes: number) =>
  extendOrder(db(), { tradeId, extensions }, at(minutes));

test("the order and its holds last 30 minutes longer, three times at most", async () => {
  const order = await create("ethereum", 0);
  await chooseMethod(db(), { ...creating, env }, order.id, { network: "bsc", currency: "USDT" }, at(1));
  for (const times of [0, 1, 2]) expect(await extend(order, times, 10)).toBe(true);
  expect(await extend(order, 3, 10)).toBe(false);
  expect(await readOrder(order)).toMatchObject({ expiresAt: at(120), extensions: 3, version: 5, status: "pending" });
  const held = await db().select().from(quotes).where(eq(quotes.orderId, order.id));
  expect(held.map(({ reservedUntil }) => reservedUntil)).toEqual([at(300), at(300)]);
  await pass(119);
  expect(await readOrder(order)).toMatchObject({ status: "pending" });
  await pay(order, 119);
  await match(119);
  expect(await readOrder(order)).toMatchObject({ status: "paid", exception: null });
});

test("a request that arrives twice counts once, and so do two concurrent ones", async () => {
  const order = await create("ethereum", 0);
  const answers = await Promise.all([1, 2, 3, 4].map(() => extend(order, 0, 5)));
  expect(answers.filter(Boolean)).toHaveLength(1);
  expect(await extend(order, 0, 6)).toBe(false);
  expect(await readOrder(order)).toMatchObject({ expiresAt: at(60), version: 2 });
});

test("a short order is extended by at most its original time", async () => {
  const order = await create("ethereum", 0);
  await db()
    .update(orders)
    .set({ expiresAt: at(5) })
    .where(eq(orders.id, order.id));
  for (const times of [0, 1, 2]) await extend(order, times, 4);
  expect(await readOrder(order)).toMatchObject({ expiresAt: at(20) });
});

test("there is no extension after a transfer, also on the wrong network, nor after the expiry", async () => {
  const order = await create("ethereum", 0);
  await seedTransfer(db(), { address: addresses.bsc, baseUnits: 10n ** 19n }, at(5));
  await match(6);
  expect(await extend(order, 0, 7)).toBe(false);
  const late = await create("ethereum", 10);
  expect(await extend(late, 0, 40)).toBe(false);
  for (const invalid of [Number.NaN, -1, 0.5, 99]) expect(await extend(late, invalid, 11)).toBe(false);
  expect(await extendOrder(db(), { tradeId: "../x", extensions: 0 }, at(11))).toBe(false);
  expect(await readOrder(late)).toMatchObject({ expiresAt: at(40), extensions: 0 });
});

test.each([
  { arrived: 99_999n, isDust: true },
  { arrived: 100_000n, isDust: false },
])(
  "an order on a dedicated address to which $came base units came may be extended and switched: $isDust",
  async (one) => {
    await open("dedicated");
    const order = await create("ethereum", 0);
    const sent = await seedTransfer(db(), { address: addresses.ethereum, baseUnits: one.arrived }, at(1));
    await finalize(sent.id);
    // Tests the extension once before the transfer is matched, and once afterwards.
    expect(await extend(order, 0, 1)).toBe(one.isDust);
    await match(1);
    expect(await extend(order, 1, 2)).toBe(one.isDust);
    await addReceivingAddresses("dedicated");
    const choice = await chooseMethod(
      db(),
      { ...creating, env },
      order.id,
      { network: "bsc", currency: "USDT" },
      at(3),
    );
    expect(choice).toEqual(one.isDust ? { isQuoted: true } : null);
    await moveOrder(db(), ctx, order.id, { type: "fundsChanged" }, at(4));
    const [quote] = await db()
      .select()
      .from(quotes)
      .where(eq(quotes.id, (await readOrder(order))?.quoteId ?? ""));
    expect(quote?.network).toBe(one.isDust ? "bsc" : "ethereum");
    expect((await readOrder(order))?.exception).toBe(one.isDust ? null : "underpaid");
  },
);

test("a dedicated address cools down longer by the same time", async () => {
  await open("dedicated");
  const order = await create("ethereum", 0);
  await extend(order, 0, 1);
  const [address] = await db()
    .select()
    .from(receivingAddresses)
    .where(eq(receivingAddresses.id, addresses.ethereum.id));
  expect(address?.availableAt).toEqual(at(240));
});

test("a hold that has ended is not lengthened, though the order waits", async () => {
  const order = await create("ethereum", 0);
  await db()
    .update(quotes)
    .set({ reservedUntil: at(10) })
    .where(eq(quotes.orderId, order.id));
  await extend(order, 0, 20);
  expect((await readQuote(order))?.reservedUntil).toEqual(at(10));
});

test("an order that expires at the very moment at which it is given more time is one or the other, never both", async () => {
  const made = [];
  for (let count = 0; count < 12; count++) made.push(await create("ethereum", 0));
  for (const network of NETWORKS) await seedCursor(db(), network, at(31));
  const late = expireOrders(db(), ctx, at(31));
  const early = made.map((order) => extend(order, 0, 29));
  await Promise.all([late, ...early]);
  for (const order of made) {
    const row = await readOrder(order);
    const hold = (await readQuote(order))?.reservedUntil;
    const isLonger = row?.status === "pending";
    expect(row).toMatchObject(isLonger ? { extensions: 1, expiresAt: at(60) } : { status: "expired", extensions: 0 });
    expect(hold).toEqual(isLonger ? at(240) : at(210));
  }
  expect(await expireOrders(db(), ctx, at(59))).toBe(0);
});
