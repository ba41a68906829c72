import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { insertOrders, type NewOrder } from "@/db/queries/orders/order-creation";
import { apiKeys, cursors, orders, quotes } from "@/db/schema";
import { newId } from "@/lib/domain/id";
import { AMOUNTS_PER_PRICE, amountAtRank, rankOfSteps } from "@/lib/domain/orders/quote";
import { useTestDb } from "@/testing/database/clone";
import { seedAddress, seedCursor, seedMerchant } from "@/testing/database/seed";

const testDb = useTestDb();
const now = new Date("2026-05-01T10:00:00Z");
const USDT = {
  ethereum: "0xdac17f958d2ee523a2206206994597c13d831ec7",
  bsc: "0x55d398326f99059ff775485246999027b3197955",
};
const db = () => testDb.pool.db;

let merchant: Awaited<ReturnType<typeof seedMerchant>>;
let address: Awaited<ReturnType<typeof seedAddress>>;
beforeEach(async () => {
  merchant = await seedMerchant(db(), now);
  address = await seedAddress(db(), { merchantId: merchant.id }, now);
  await seedCursor(db(), "ethereum", now);
  await seedCursor(db(), "bsc", now);
});

function wanted(mchOrderId: string, change: Partial<NewOrder> = {}): NewOrder {
  return {
    ...{ id: newId(now), quoteId: newId(now), apiKeyId: merchant.keyId, merchantId: merchant.id, mchOrderId },
    ...{ network: "ethereum", currency: "USDT", token: USDT.ethereum, amountUnits: 5_000_000n, unitsPerStep: 1n },
    ...{ notifyUrl: null, redirectUrl: null, locale: null, expiresInSeconds: null, ...change },
  };
}

const onBsc = { network: "bsc", token: USDT.bsc, amountUnits: 5n * 10n ** 18n, unitsPerStep: 10n ** 12n } as const;
const idsOf = async () => (await db().select({ id: orders.id }).from(orders)).map(({ id }) => id);

test("of many orders that come together each is made or refused alone, for its own reason", async () => {
  const dead = await seedMerchant(db(), now);
  await db().update(apiKeys).set({ endsAt: now }).where(eq(apiKeys.id, dead.keyId));
  await seedCursor(db(), "polygon", now);
  await db().update(cursors).set({ problem: "It stands still" }).where(eq(cursors.network, "polygon"));
  const closed = { network: "polygon", token: USDT.ethereum };
  const asked = [
    wanted("a"),
    wanted("b", { apiKeyId: dead.keyId, merchantId: dead.id }),
    wanted("c", closed),
    wanted("d", onBsc),
    wanted("a"),
    wanted("a", closed),
    wanted("e", { amountUnits: 6_000_000n }),
  ];
  expect(await insertOrders(db(), asked, now)).toEqual([
    expect.objectContaining({ baseUnits: 5_000_000n, address: address.address }),
    { refused: "deadKey" },
    { refused: "networkClosed", problem: "It stands still" },
    { refused: "noAddress" },
    null,
    null,
    expect.objectContaining({ baseUnits: 6_000_000n }),
  ]);
  const made = [asked[0]?.id, asked[6]?.id];
  expect((await idsOf()).filter((id) => asked.some((one) => one.id === id)).toSorted()).toEqual(made.toSorted());
  expect(await db().$count(quotes, eq(quotes.receivingAddressId, address.id))).toBe(2);
  expect((await insertOrders(db(), [wanted("a", closed)], now))[0]).toBeNull();
});

test("orders of one price that come together get the first free amounts in their order", async () => {
  const made = await insertOrders(
    db(),
    Array.from({ length: 120 }, (_, index) => wanted(`same-${index}`)),
    now,
  );
  expect(made.map((one) => one && "baseUnits" in one && one.baseUnits)).toEqual(
    made.map((_, rank) => amountAtRank(5_000_000n, rank, 6)),
  );
});

test("200 equal orders over many statements at once: one is made", async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      insertOrders(
        db(),
        Array.from({ length: 10 }, () => wanted("once")),
        now,
      ),
    ),
  );
  expect(answers.flat().filter((one) => one !== null)).toHaveLength(1);
  expect(await db().$count(orders, eq(orders.merchantId, merchant.id))).toBe(1);
});

test("statements that name the same numbers and prices in opposite orders never block each other both ways", async () => {
  for (let index = 0; index < 6; index++)
    for (const network of ["ethereum", "bsc"])
      await seedAddress(
        db(),
        { ...address, network, kind: "dedicated", address: `0x${"de".repeat(19)}0${index}` },
        now,
      );
  const many = Array.from({ length: 40 }, (_, index) => index);
  const asked = (order: number[]) =>
    order.map((index) =>
      wanted(`cross-${index}`, index % 2 ? onBsc : { amountUnits: BigInt(5 + (index % 3)) * 10n ** 6n }),
    );
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) => insertOrders(db(), asked(index % 2 ? many : many.toReversed()), now)),
  );
  const isMade = (one: unknown) => one !== null && typeof one === "object" && "address" in one;
  const addresses = answers
    .flat()
    .flatMap((one) => (one && "kind" in one && one.kind === "dedicated" ? [one.address] : []));
  expect(addresses).toHaveLength(6);
  expect(new Set(addresses).size).toBe(6);
  // On BSC there is no shared address: what finds no dedicated one there is refused, and may be asked for again.
  expect(answers.flat().filter(isMade)).toHaveLength(await db().$count(orders, eq(orders.merchantId, merchant.id)));
});

test("the database prefers amounts as the rule does: every step of a price has the same rank in both", async () => {
  const rows = await testDb.pool.sql<{ rank: number }[]>`
    select amount_rank(step) as rank from generate_series(0, ${AMOUNTS_PER_PRICE - 1}) step order by step`;
  expect(rows.map(({ rank }) => rank)).toEqual(
    Array.from({ length: AMOUNTS_PER_PRICE }, (_, step) => rankOfSteps(step)),
  );
});
