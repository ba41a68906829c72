import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { lookups } from "@/db/schema";
import { ChainError } from "@/lib/chains/endpoints/source";
import type { LookUp, SeenTransaction } from "@/lib/domain/transfers/lookup";
import { answerLookups } from "@/lib/ledger/answer-lookups";
import { askLookup } from "@/lib/ledger/ask-lookup";
import { chooseMethod } from "@/lib/orders/choose-method";
import { findCheckout } from "@/lib/orders/find-checkout";
import { seedTransfer } from "@/testing/database/seed";
import {
  at,
  create,
  creating,
  db,
  finalize,
  log,
  match,
  places,
  readOrder,
  units,
  useHoldingShop,
} from "@/testing/holding-shop";

useHoldingShop();
// Every test begins at the same minute, so limits would last from one to the next.
beforeEach(async () => {
  await db().execute(sql`truncate rate_limits, lookups`);
});

const txId = (digit: string) => `0x${digit.repeat(64)}`;
const ask = ({ id: tradeId }: { id: string }, text: string, minutes = 1) =>
  askLookup(db(), { tradeId, text }, at(minutes));
const answersOf = async ({ id }: { id: string }) =>
  (await db().select().from(lookups).where(eq(lookups.orderId, id))).map(({ network, answer }) => ({
    network,
    answer,
  }));

/** The network's worker, whose nodes say this. */
const answer = (lookUp: LookUp, network = "ethereum", minutes = 1) =>
  answerLookups(db(), { lookUp, log }, network, at(minutes));

async function paying(
  order: Awaited<ReturnType<typeof create>>,
  baseUnits = order.quote.baseUnits,
): Promise<SeenTransaction> {
  const quote = (await findCheckout(db(), order.id))?.quote;
  const moved = { token: quote?.token ?? "", to: quote?.address ?? "", baseUnits };
  return { isSuccess: true, time: at(1), transfers: [moved] };
}

test("what the ledger does not know goes to the network's worker, whose answer every open page shows; nothing is credited", async () => {
  const order = await create("ethereum", 0);
  expect(await ask(order, `https://etherscan.io/tx/${txId("a")}`)).toBeNull();
  expect(await answersOf(order)).toEqual([{ network: "ethereum", answer: null }]);
  const asked: string[] = [];
  const seen = await paying(order);
  const look: LookUp = async (id) => {
    asked.push(id);
    return seen;
  };
  expect(await answer(look, "bsc")).toBe(0);
  expect(await answer(look)).toBe(1);
  expect(await answer(look)).toBe(0);
  expect(asked).toEqual([txId("a")]);
  expect(await answersOf(order)).toEqual([{ network: "ethereum", answer: { kind: "found" } }]);
  expect(await readOrder(order)).toMatchObject({ status: "pending", paidUnits: 0n, version: 3 });
});

test("silence and ignorance are told apart, and a mistake of ours is silence", async () => {
  const order = await create("ethereum", 0);
  const say = async (look: LookUp) => {
    await ask(order, txId("b"), 5);
    await answer(look, "ethereum", 5);
    return (await answersOf(order))[0]?.answer;
  };
  expect(await say(async () => null)).toEqual({ kind: "absent" });
  expect(await say(() => Promise.reject(new ChainError("unavailable", "no node")))).toEqual({ kind: "silent" });
  expect(await say(() => Promise.reject(new Error("ours")))).toEqual({ kind: "silent" });
});

test("another amount is told with the sum that came, unless another order asks for it", async () => {
  const order = await create("ethereum", 0);
  const other = await create("ethereum", 0);
  await ask(order, txId("c"));
  const short = await paying(order, order.quote.baseUnits - 1_000_000n);
  await answer(async () => short);
  const amount = { kind: "amount", arrived: "9", due: "10", isShort: true, currency: "USDT" };
  expect((await answersOf(order))[0]?.answer).toEqual(amount);
  await ask(order, txId("d"));
  const others = await paying(order, other.quote.baseUnits);
  await answer(async () => others);
  expect((await answersOf(order))[0]?.answer).toEqual({ kind: "otherOrder" });
});

test("what the ledger knows is answered at once and asks no node: another order's, and what went to the wrong network", async () => {
  const [order, other] = [await create("ethereum", 0), await create("ethereum", 0)];
  const paid = await seedTransfer(
    db(),
    { address: places.ethereum, baseUnits: other.quote.baseUnits, txId: txId("e") },
    at(1),
  );
  await finalize(paid.id);
  const lost = await seedTransfer(db(), { address: places.bsc, baseUnits: units("bsc", "77"), txId: txId("f") }, at(1));
  await finalize(lost.id);
  await match(2);
  await ask(order, paid.txId, 2);
  expect(await answersOf(order)).toEqual([{ network: "ethereum", answer: { kind: "otherOrder" } }]);
  await ask(order, lost.txId, 2);
  expect((await answersOf(order))[0]?.answer).toEqual({ kind: "wrongNetwork", network: "bsc" });
  expect(await answer(() => Promise.reject(new Error("asked")))).toBe(0);
});

test("an order with quotes on two networks is looked for on both, and the page tells what says most", async () => {
  const order = await create("ethereum", 0);
  const env = { rpcUrls: new Map(["ethereum", "bsc"].map((id) => [id, ["http://127.0.0.1:1"]])) };
  await chooseMethod(db(), { ...creating, env }, order.id, { network: "bsc", currency: "USDT" }, at(1));
  await ask(order, txId("1"));
  await answer(async () => null, "bsc");
  await answer(async () => ({ isSuccess: false, time: null, transfers: [] }));
  const told = (await findCheckout(db(), order.id))?.lookups.map(({ network, answer: one }) => [network, one?.kind]);
  expect(told?.toSorted()).toEqual([
    ["bsc", "absent"],
    ["ethereum", "failed"],
  ]);
});

test("what is no transaction id of the order's networks, or is asked too often, asks nobody; an answer to an older question is dropped", async () => {
  const order = await create("ethereum", 0);
  expect(await ask(order, "<b>hello</b>")).toBe("txid");
  expect(await ask(order, "5".repeat(87))).toBe("txid");
  expect(await answersOf(order)).toEqual([]);
  expect(await ask({ id: "../../x" }, txId("2"))).toBeNull();
  await ask(order, txId("2"));
  const slow: LookUp = async () => {
    await ask(order, txId("3"));
    return null;
  };
  await answer(slow);
  expect(await answersOf(order)).toEqual([{ network: "ethereum", answer: null }]);
  for (const digit of ["4", "5", "6"]) expect(await ask(order, txId(digit))).toBeNull();
  expect(await ask(order, txId("7"))).toBe("asked");
  expect(await ask(order, txId("7"), 2)).toBeNull();
});

test("a network answers only so many at once, and the rest when it is their turn", async () => {
  const orders = [];
  for (let count = 0; count < 12; count++) orders.push(await create("ethereum", 0));
  for (const order of orders) await ask(order, txId("8"));
  const counts = [];
  for (let round = 0; round < 4; round++) counts.push(await answer(async () => null));
  expect(counts).toEqual([5, 5, 0, 0]);
  expect(await answer(async () => null, "ethereum", 2)).toBe(2);
});
