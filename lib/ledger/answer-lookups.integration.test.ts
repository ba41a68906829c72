import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { lookups, orders, receivingAddresses } from "@/db/schema";
import { ChainError } from "@/lib/chains/endpoints/source";
import { checkoutView } from "@/lib/domain/checkout/view";
import { formatUnits } from "@/lib/domain/money";
import type { LookUp, LookupAnswer, SeenTransaction } from "@/lib/domain/transfers/lookup";
import { answerLookups } from "@/lib/ledger/answer-lookups";
import { askLookup } from "@/lib/ledger/ask-lookup";
import { chooseMethod } from "@/lib/orders/choose-method";
import { findCheckout } from "@/lib/orders/find-checkout";
import { empty } from "@/testing/database/empty";
import { seedAddress, seedTransfer } from "@/testing/database/seed";
import {
  addresses,
  at,
  create,
  creating,
  db,
  finalize,
  log,
  match,
  merchant,
  open,
  readOrder,
  start,
  units,
  useHoldingShop,
} from "@/testing/holding-shop";

useHoldingShop();
// Every test starts at the same minute, so rate limits would carry over from one test to the next.
beforeEach(async () => {
  await empty(db(), "rate_limits", "lookups");
});

const txId = (digit: string) => `0x${digit.repeat(64)}`;
const ctx = {
  publicUrl: "https://pay.example",
  log,
  env: { rpcUrls: new Map(["ethereum", "bsc"].map((id) => [id, ["http://127.0.0.1:1"]])) },
};
const ask = ({ id: tradeId }: { id: string }, text: string, minutes = 1, from: string | null = null) =>
  askLookup(db(), ctx, { tradeId, text, from }, at(minutes));
const answersOf = async ({ id }: { id: string }): Promise<Record<string, LookupAnswer | null>> =>
  Object.fromEntries(
    (await db().select().from(lookups).where(eq(lookups.orderId, id))).map(({ network, answer }) => [network, answer]),
  );
/** Returns the result that the payer's page shows. */
const deliveredTo = async ({ id }: { id: string }, minutes = 1) => {
  const facts = await findCheckout(db(), id);
  return facts && checkoutView(facts, at(minutes)).lookup;
};

/** Answers the pending lookups of a network like its worker. `lookUp` replaces the requests to nodes. */
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

test("a lookup that the ledger cannot answer goes to the network's worker, whose answer every open page shows; nothing is credited", async () => {
  const order = await create("ethereum", 0);
  expect(await ask(order, `https://etherscan.io/tx/${txId("a")}`)).toBeNull();
  expect(await answersOf(order)).toEqual({ ethereum: null, bsc: null });
  const asked: string[] = [];
  const seen = await paying(order);
  const look: LookUp = async (id) => {
    asked.push(id);
    return seen;
  };
  expect(await answer(look, "tron")).toBe(0);
  expect(await answer(look)).toBe(1);
  expect(await answer(look)).toBe(0);
  expect(asked).toEqual([txId("a")]);
  expect(await answersOf(order)).toEqual({ ethereum: { kind: "found" }, bsc: null });
  expect(await readOrder(order)).toMatchObject({ status: "pending", paidUnits: 0n, version: 3 });
});

test("silence and absence are distinguished, and an internal error counts as silence", async () => {
  const order = await create("ethereum", 0);
  let minutes = 1;
  const lookUpAfter = async (look: LookUp) => {
    minutes += 1;
    await ask(order, txId("b"), minutes);
    await answer(look, "ethereum", minutes);
    return (await answersOf(order))["ethereum"];
  };
  expect(await lookUpAfter(async () => null)).toEqual({ kind: "absent" });
  expect(await lookUpAfter(() => Promise.reject(new ChainError("unavailable", "no node")))).toEqual({ kind: "silent" });
  expect(await lookUpAfter(() => Promise.reject(new Error("ours")))).toEqual({ kind: "silent" });
});

test("another amount is reported with the received sum, unless another order held that when it was sent", async () => {
  const other = await create("ethereum", 0);
  const order = await create("ethereum", 200);
  const lookUpAfter = async (baseUnits: bigint, minutes: number) => {
    await ask(order, txId("c"), minutes);
    const seen = await paying(order, baseUnits);
    await answer(async () => ({ ...seen, time: at(minutes) }), "ethereum", minutes);
    return (await answersOf(order))["ethereum"];
  };
  const short = order.quote.baseUnits - 1_000_000n;
  const amount = { kind: "amount", due: formatUnits(order.quote.baseUnits, 6), isShort: true, currency: "USDT" };
  expect(await lookUpAfter(short, 201)).toEqual({ ...amount, arrived: formatUnits(short, 6) });
  expect(await lookUpAfter(other.quote.baseUnits, 209)).toEqual({ kind: "otherOrder" });
  // The hold of the other order ends 210 minutes after the start.
  expect(await lookUpAfter(other.quote.baseUnits, 211)).toMatchObject({ kind: "amount" });
});

test("anything at the dedicated address of another order is that order's, while its hold lasts", async () => {
  const order = await create("ethereum", 0);
  const { address } = await seedAddress(db(), { merchantId: merchant.id, kind: "dedicated" }, start);
  const other = await create("ethereum", 0);
  expect(other.quote.address).toBe(address);
  const seen = await paying(other, 5n);
  const lookUpAfter = async (minutes: number) => {
    await ask(order, txId("c"), minutes);
    await answer(async () => ({ ...seen, time: at(minutes) }), "ethereum", minutes);
    return (await answersOf(order))["ethereum"];
  };
  expect(await lookUpAfter(209)).toEqual({ kind: "otherOrder" });
  expect(await lookUpAfter(211)).toEqual({ kind: "nothing" });
});

test("sent to the merchant on a network where this order cannot be paid: found there, though it was not read yet", async () => {
  const order = await create("ethereum", 0);
  await ask(order, txId("c"));
  await answer(async () => null);
  expect((await deliveredTo(order))?.answer).toEqual({ kind: "absent" });
  const seen = await paying(order);
  await answer(async () => seen, "bsc");
  expect(await deliveredTo(order)).toMatchObject({
    answer: { kind: "wrongNetwork", network: "BNB Smart Chain (BEP20)" },
  });
  await ask(order, txId("d"));
  await answer(async () => null);
  await answer(async () => ({ ...seen, transfers: [{ token: "0x", to: "0xstranger", baseUnits: 1n }] }), "bsc");
  expect(await answersOf(order)).toEqual({ ethereum: { kind: "absent" }, bsc: { kind: "nothing" } });
  expect((await deliveredTo(order))?.answer).toEqual({ kind: "absent" });
});

test("a network that this service does not read, and one where the merchant takes nothing, are not asked", async () => {
  const order = await create("ethereum", 0);
  await db().update(receivingAddresses).set({ removedAt: start }).where(eq(receivingAddresses.network, "bsc"));
  await ask(order, txId("c"));
  expect(await answersOf(order)).toEqual({ ethereum: null });
  await db().update(receivingAddresses).set({ removedAt: null });
  const question = { tradeId: order.id, text: txId("d"), from: null };
  await askLookup(db(), { ...ctx, env: { rpcUrls: new Map([["ethereum", []]]) } }, question, at(1));
  expect(await answersOf(order)).toEqual({ ethereum: null });
});

test("an immediate repeat gets the existing answer; ten seconds later a new lookup starts, and a late answer to the first is dropped", async () => {
  const order = await create("ethereum", 0);
  const seconds = (count: number) => at(1 + count / 60);
  const again = (count: number) =>
    askLookup(db(), ctx, { tradeId: order.id, text: txId("c"), from: null }, seconds(count));
  await again(0);
  await answer(async () => null);
  const { version } = (await readOrder(order)) ?? {};
  for (let count = 1; count <= 9; count++) expect(await again(count)).toBeNull();
  expect((await answersOf(order))["ethereum"]).toEqual({ kind: "absent" });
  expect(await readOrder(order)).toMatchObject({ version });
  await again(10);
  expect((await answersOf(order))["ethereum"]).toBeNull();
  const seen = await paying(order);
  await answer(async () => {
    await again(20);
    return null;
  });
  expect((await answersOf(order))["ethereum"]).toBeNull();
  await answer(async () => seen);
  expect((await answersOf(order))["ethereum"]).toEqual({ kind: "found" });
});

test("a credited transfer is reported as such", async () => {
  await open("dedicated");
  const order = await create("ethereum", 0);
  const part = await seedTransfer(
    db(),
    { address: addresses.ethereum, baseUnits: units("ethereum", "4"), txId: txId("a") },
    at(1),
  );
  await match(1);
  await finalize(part.id);
  await db().update(orders).set({ status: "pending" }).where(eq(orders.id, order.id));
  await ask(order, part.txId);
  expect(await answersOf(order)).toEqual({ ethereum: { kind: "counted" } });
});

test("lookups never credit, move, enqueue or release anything", async () => {
  const order = await create("ethereum", 0);
  await seedTransfer(db(), { address: addresses.ethereum, baseUnits: 77n, txId: txId("f") }, at(1));
  const transferRow = async () => {
    const tables = ["transfers", "quotes", "callbacks", "audit_events", "receiving_addresses"];
    const rows = await Promise.all(
      tables.map((table) => db().execute(sql`select to_jsonb(t) as row from ${sql.identifier(table)} t order by t.id`)),
    );
    const { version: _, changedAt: __, ...rest } = { version: 0, changedAt: null, ...(await readOrder(order)) };
    return { rows, rest };
  };
  const before = await transferRow();
  const seen = await paying(order);
  const looks: LookUp[] = [
    async () => seen,
    async () => null,
    async () => ({ ...seen, isSuccess: false }),
    async () => ({ ...seen, transfers: seen.transfers.map((moved) => ({ ...moved, baseUnits: 1n })) }),
    () => Promise.reject(new ChainError("unavailable", "no node")),
  ];
  for (const [index, look] of looks.entries()) {
    await ask(order, txId(String(index)), index);
    for (const network of ["ethereum", "bsc"]) await answer(look, network, index);
    expect(Object.values(await answersOf(order))).not.toContain(null);
  }
  await ask(order, txId("f"), 9);
  expect((await answersOf(order))["ethereum"]).toMatchObject({ kind: "amount" });
  expect(await transferRow()).toEqual(before);
});

test("answers from the ledger need no node: another order's, and transfers on the wrong network", async () => {
  const order = await create("ethereum", 0);
  const other = await create("ethereum", 0);
  const paid = await seedTransfer(
    db(),
    { address: addresses.ethereum, baseUnits: other.quote.baseUnits, txId: txId("e") },
    at(1),
  );
  await finalize(paid.id);
  const lost = await seedTransfer(
    db(),
    { address: addresses.bsc, baseUnits: units("bsc", "77"), txId: txId("f") },
    at(1),
  );
  await finalize(lost.id);
  await match(2);
  await ask(order, paid.txId, 2);
  expect(await answersOf(order)).toEqual({ ethereum: { kind: "otherOrder" } });
  await ask(order, lost.txId, 2);
  expect(await answersOf(order)).toEqual({ ethereum: { kind: "wrongNetwork", network: "bsc" } });
  expect(await answer(() => Promise.reject(new Error("asked")))).toBe(0);
});

test("an order with quotes on two networks is looked up on both, and the page shows the most informative answer", async () => {
  const order = await create("ethereum", 0);
  await chooseMethod(db(), { ...creating, env: ctx.env }, order.id, { network: "bsc", currency: "USDT" }, at(1));
  await ask(order, txId("1"));
  await answer(async () => null, "bsc");
  await answer(async () => ({ isSuccess: false, time: null, transfers: [] }));
  const reported = (await findCheckout(db(), order.id))?.lookups.map(({ network, answer: one }) => [
    network,
    one?.kind,
  ]);
  expect(reported?.toSorted()).toEqual([
    ["bsc", "absent"],
    ["ethereum", "failed"],
  ]);
});

test("an invalid transaction id, or too many questions, start no lookup; an answer to an older question is dropped", async () => {
  const order = await create("ethereum", 0);
  expect(await ask(order, "<b>hello</b>")).toBe("txid");
  expect(await ask(order, "5".repeat(87))).toBe("txid");
  expect(await answersOf(order)).toEqual({});
  expect(await ask({ id: "../../x" }, txId("2"))).toBeNull();
  await ask(order, txId("2"));
  const slow: LookUp = async () => {
    await ask(order, txId("3"));
    return null;
  };
  await answer(slow);
  expect(await answersOf(order)).toEqual({ ethereum: null, bsc: null });
  for (const digit of ["4", "5", "6"]) expect(await ask(order, txId(digit))).toBeNull();
  expect(await ask(order, txId("7"))).toBe("asked");
  expect(await ask(order, txId("7"), 2)).toBeNull();
});

test("a network answers a limited number at once, and the others in turn", async () => {
  const orders = [];
  for (let count = 0; count < 12; count++) orders.push(await create("ethereum", 0));
  for (const order of orders) await ask(order, txId("8"));
  const counts = [];
  for (let round = 0; round < 4; round++) counts.push(await answer(async () => null));
  expect(counts).toEqual([5, 5, 0, 0]);
  expect(await answer(async () => null, "ethereum", 2)).toBe(2);
});

test("one address has a limited number of lookups, across orders; others are not affected", async () => {
  const addresses = [];
  for (let count = 0; count < 4; count++) addresses.push(await create("ethereum", 0));
  const answers = [];
  for (let count = 0; count < 11; count++) {
    const order = addresses[count % 3];
    if (order) answers.push(await ask(order, txId((count % 10).toString()), 1, "192.0.2.1"));
  }
  expect(answers).toEqual([...Array(10).fill(null), "asked"]);
  const [, , , last] = addresses;
  if (!last) throw new Error("there is no last order");
  expect(await ask(last, txId("e"), 1, "192.0.2.1")).toBe("asked");
  expect(await ask(last, txId("e"), 1, "192.0.2.2")).toBeNull();
  expect(await ask(last, txId("f"), 2, "192.0.2.1")).toBeNull();
});

test("orders that can be paid on a network come before those that only might have been paid there by mistake", async () => {
  await ask(await create("bsc", 0), txId("f"), 1);
  for (let count = 0; count < 5; count++) await ask(await create("ethereum", 0), txId(count.toString()), 2);
  const asked: string[] = [];
  const lookUp = async (id: string) => {
    asked.push(id);
    return null;
  };
  const next = () => answer(lookUp, "ethereum", 2);
  await next();
  expect(asked.toSorted()).toEqual(["0", "1", "2", "3", "4"].map(txId));
  await next();
  expect(asked.slice(5)).toEqual([txId("f")]);
});
