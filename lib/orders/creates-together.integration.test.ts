import { eq, inArray } from "drizzle-orm";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { type Creation, insertOrders, type NewOrder } from "@/db/queries/orders/order-creation";
import { apiKeys, cursors, depositAddresses, orders, quotes, receivingAddresses } from "@/db/schema";
import { newId } from "@/lib/domain/id";
import { AMOUNTS_PER_PRICE, amountAtRank, isOffered, rankOfSteps } from "@/lib/domain/orders/quote";
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
    id: newId(now),
    quoteId: newId(now),
    apiKeyId: merchant.keyId,
    merchantId: merchant.id,
    mchOrderId,
    network: "ethereum",
    currency: "USDT",
    token: USDT.ethereum,
    amountUnits: 5_000_000n,
    unitsPerStep: 1n,
    notifyUrl: null,
    redirectUrl: null,
    locale: null,
    expiresInSeconds: null,
    ...change,
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
    { code: "deadKey", params: null },
    { code: "networkClosed", params: { code: "reported", problem: "It stands still" } },
    { code: "noAddress", params: null },
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
  const amounts = Array.from({ length: AMOUNTS_PER_PRICE }, (_, rank) => amountAtRank(5_000_000n, rank, 6));
  expect(made.map((one) => one && "baseUnits" in one && one.baseUnits)).toEqual(
    amounts.filter((amount) => isOffered(amount)).slice(0, made.length),
  );
});

test("200 concurrent equal orders over many statements: one is created", async () => {
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
  // There is no shared address on BSC: an order that finds no dedicated one is refused, and can be requested again.
  expect(answers.flat().filter(isMade)).toHaveLength(await db().$count(orders, eq(orders.merchantId, merchant.id)));
});

test("the database prefers amounts as the rule does: every step of a price has the same rank in both", async () => {
  const rows = await testDb.pool.sql<{ rank: number }[]>`
    select amount_rank(step) as rank from generate_series(0, ${AMOUNTS_PER_PRICE - 1}) step order by step`;
  expect(rows.map(({ rank }) => rank)).toEqual(
    Array.from({ length: AMOUNTS_PER_PRICE }, (_, step) => rankOfSteps(step)),
  );
});

describe("addresses of their own", () => {
  async function addOwn(count: number, merchantId = merchant.id): Promise<string[]> {
    const ids: string[] = [];
    for (let index = 0; index < count; index++)
      ids.push((await seedAddress(db(), { merchantId, kind: "dedicated" }, now)).id);
    return ids;
  }

  const change = (id: string, values: Partial<typeof receivingAddresses.$inferInsert>) =>
    db().update(receivingAddresses).set(values).where(eq(receivingAddresses.id, id));

  const priced = (name: string, index: number) =>
    wanted(`${name}-${index}`, { amountUnits: BigInt(index + 1) * 1_000_000n });

  const together = (count: number) =>
    insertOrders(
      db(),
      Array.from({ length: count }, (_, index) => priced("own", index)),
      now,
    );

  const held = (one: Creation | undefined) => (one && "kind" in one ? one : null);

  test("each of many orders gets one, those used before first, until the announced time", async () => {
    const ids = await addOwn(6);
    const [late = "", early = ""] = [ids[1], ids[4]];
    await change(late, { availableAt: new Date(now.getTime() - 121_000) });
    await change(early, { availableAt: new Date(now.getTime() - 129_000) });
    const made = (await together(5)).map(held);
    expect(made.slice(0, 2).map((one) => one?.receivingAddressId)).toEqual([early, late]);
    expect(new Set(made.map((one) => one?.receivingAddressId)).size).toBe(5);
    const rows = await db()
      .select()
      .from(quotes)
      .innerJoin(receivingAddresses, eq(quotes.receivingAddressId, receivingAddresses.id))
      .where(eq(quotes.merchantId, merchant.id))
      .orderBy(quotes.microUnits);
    expect(rows).toHaveLength(5);
    rows.forEach(({ quotes: quote, receiving_addresses: row }, index) => {
      const baseUnits = BigInt(index + 1) * 1_000_000n;
      expect(quote).toMatchObject({ kind: "dedicated", baseUnits, address: row.address });
      expect(made[index]).toMatchObject({ kind: "dedicated", baseUnits, address: row.address, mac: row.mac });
      expect(row.availableAt).toEqual(quote.reservedUntil);
    });
  });

  test("where they are fewer than the orders, the others ask for their amounts on the shared one", async () => {
    const ids = await addOwn(3);
    const made = (await together(7)).map(held);
    expect(made.map((one) => one?.kind)).toEqual([
      ...["dedicated", "dedicated", "dedicated"],
      ...["shared", "shared", "shared", "shared"],
    ]);
    expect(
      made
        .slice(0, 3)
        .map((one) => one?.receivingAddressId)
        .toSorted(),
    ).toEqual(ids.toSorted());
  });

  test("an address that cools down, is reserved, paused, removed or belongs to a customer is assigned to no order", async () => {
    const [coolingDown = "", paused = "", removed = "", customers = "", serving = "", free = ""] = await addOwn(6);
    await change(coolingDown, { availableAt: new Date(now.getTime() + 60_000) });
    await change(paused, { pausedAt: now });
    await change(removed, { removedAt: now });
    const rows = await db()
      .select()
      .from(receivingAddresses)
      .where(inArray(receivingAddresses.id, [customers, serving]));
    const addressOf = (id: string) => rows.find((row) => row.id === id)?.address ?? "";
    // The customer already has this address on another network of the family, as if it had been added on this network later.
    await db()
      .insert(depositAddresses)
      .values({
        id: newId(now),
        merchantId: merchant.id,
        customerRef: "someone",
        network: "bsc",
        family: "evm",
        receivingAddressId: customers,
        address: addressOf(customers),
        apiKeyId: merchant.keyId,
        createdAt: now,
      });
    await seedAddress(
      db(),
      { merchantId: merchant.id, network: "bsc", kind: "dedicated", address: addressOf(serving) },
      now,
    );
    expect(held((await insertOrders(db(), [wanted("there", onBsc)], now))[0])?.kind).toBe("dedicated");
    const made = (await together(3)).map(held);
    expect(made.map((one) => one?.kind).toSorted()).toEqual(["dedicated", "shared", "shared"]);
    expect(made.map((one) => one?.receivingAddressId)).toContain(free);
  });

  test("keys and shops in one call and in many concurrent ones share none, and each gets its own shop's", async () => {
    const ids = await addOwn(40);
    const [second] = await db()
      .insert(apiKeys)
      .values({ ...(await keyOf(merchant.keyId)), id: newId(now), lookupMac: "of-another-key" })
      .returning();
    const shop = await seedMerchant(db(), now);
    const others = await addOwn(40, shop.id);
    const callers = [
      { merchantId: merchant.id, apiKeyId: merchant.keyId },
      { merchantId: merchant.id, apiKeyId: second?.id ?? "" },
      { merchantId: shop.id, apiKeyId: shop.keyId },
    ];
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, call) =>
        insertOrders(
          db(),
          Array.from({ length: 9 }, (_, index) => ({ ...priced(`call-${call}`, index), ...callers[index % 3] })),
          now,
        ),
      ),
    );
    const given = answers.flatMap((creations) =>
      creations.map((one, index) => ({ merchantId: callers[index % 3]?.merchantId, one: held(one) })),
    );
    const own = given.filter(({ one }) => one?.kind === "dedicated");
    expect(new Set(own.map(({ one }) => one?.receivingAddressId)).size).toBe(own.length);
    for (const { merchantId, one } of own)
      expect(merchantId === shop.id ? others : ids).toContain(one?.receivingAddressId);
    // The other shop makes 24 requests and has 40 addresses. This shop makes 48 requests, which use all of its 40.
    expect(own.filter(({ merchantId }) => merchantId === shop.id)).toHaveLength(24);
    expect(own.filter(({ merchantId }) => merchantId === merchant.id)).toHaveLength(40);
  });
});

const keyOf = async (id: string) => {
  const [row] = await db().select().from(apiKeys).where(eq(apiKeys.id, id));
  if (!row) throw new Error("There is no such key");
  return row;
};

test("the database offers amounts as the rule does, on every level", async () => {
  const cases = fc.sample(
    fc.record({
      price: fc.oneof(
        fc.bigInt({ min: 1n, max: 10n ** 15n }),
        fc.bigInt({ min: 1n, max: 10n ** 9n }).map((some) => some * 1_000n + 999n),
      ),
      level: fc.integer({ min: 0, max: 3 }),
    }),
    { numRuns: 60, seed: 3 },
  );
  for (const { price, level } of cases) {
    const offered = Array.from({ length: AMOUNTS_PER_PRICE }, (_, step) => isOffered(price + BigInt(step), level));
    const [row] = await testDb.pool.sql<{ first: string; offered: boolean[]; counts: number[] }[]>`
      select first_offered(${price.toString()}::bigint, ${level}) as first,
        (select array_agg(is_offered(${price.toString()}::bigint + s, ${level}) order by s) from generate_series(0, 9999) s) as offered,
        (select array_agg(offered_count(${price.toString()}::bigint + 100 * b, ${price.toString()}::bigint + 100 * b + 99, ${level})::int order by b)
          from generate_series(0, 99) b) as counts`;
    expect(row?.offered).toEqual(offered);
    expect(row?.counts).toEqual(
      Array.from(
        { length: 100 },
        (_, block) => offered.slice(100 * block + 1, 100 * block + 100).filter(Boolean).length,
      ),
    );
    const first = offered.indexOf(true);
    if (first >= 0) expect(BigInt(row?.first ?? 0)).toBe(price + BigInt(first));
    else expect(BigInt(row?.first ?? 0)).toBeGreaterThanOrEqual(price + 10_000n);
  }
});
