import { eq, sql } from "drizzle-orm";
import fc from "fast-check";
import type postgres from "postgres";
import { beforeEach, describe, expect, test } from "vitest";
import { listEndedHolds, releaseEndedHolds } from "@/db/queries/orders/holds";
import { orders, quotes, receivingAddresses } from "@/db/schema";
import { getNetwork, getToken } from "@/lib/domain/networks";
import type { QuotedOrder } from "@/lib/domain/orders/order-detail";
import { AMOUNTS_PER_PRICE, amountAtRank, isOffered } from "@/lib/domain/orders/quote";
import { createLog } from "@/lib/log";
import { addressVerifier } from "@/lib/merchants/vault";
import { createOrder } from "@/lib/orders/create-order";
import { useTestDb } from "@/testing/database/clone";
import { seedAddress, seedCursor, seedMerchant, TEST_APP_SECRET } from "@/testing/database/seed";

const testDb = useTestDb();
const ctx = { log: createLog("test", "fatal"), isVerifiedAddress: addressVerifier(TEST_APP_SECRET) };
const ONE = 10n ** 18n;
const STEP = 10n ** 12n;
const network = getNetwork("bsc");
const token = getToken(network, "USDT");

let merchant: Awaited<ReturnType<typeof seedMerchant>>;
let count = 0;

beforeEach(async () => {
  merchant = await seedMerchant(testDb.pool.db, new Date());
});

/** Adds an address that is newer than the previous one. Addresses are offered in that order. */
const addAddress = (kind: "shared" | "dedicated" = "shared") =>
  seedAddress(
    testDb.pool.db,
    { merchantId: merchant.id, network: "bsc", kind },
    new Date(Date.UTC(2020, 0, 1) + ++count),
  );

async function order(amountUnits: bigint, now = new Date()): Promise<QuotedOrder> {
  const caller = { merchantId: merchant.id, apiKeyId: merchant.keyId };
  const urls = { notifyUrl: null, redirectUrl: null, locale: null, expiresInSeconds: null };
  const terms = { mchOrderId: `order-${++count}`, network, token, amountUnits, ...urls };
  return (await createOrder(testDb.pool.db, ctx, caller, terms, now)).order;
}

/** Inserts live quotes at these steps above a price, as if orders had created them. */
async function fill(addressId: string, price: bigint, from: number, to: number): Promise<void> {
  const first = await order(price * 1_000n);
  await testDb.pool.db.execute(sql`
    insert into quotes (id, merchant_id, order_id, receiving_address_id, network, currency, token, address, kind, base_units,
      family, micro_units, created_at, reserved_until)
    select 'fill-' || ${addressId} || '-' || n, r.merchant_id, ${first.id}, r.id, 'bsc', 'USDT', ${token.contract.toLowerCase()}, r.address, 'shared',
      ${price.toString()}::numeric + n * ${STEP.toString()}::numeric, 'evm',
      ${(price / STEP).toString()}::bigint + n, now(), now() + interval '1 hour'
    from receiving_addresses r, generate_series(${from}::integer, ${to}::integer) n where r.id = ${addressId}
    on conflict do nothing`);
}

/** Sets the end of an expired order's hold far into the past, so that its amount is released. */
async function abandon(orderId: string): Promise<void> {
  const { db } = testDb.pool;
  const now = new Date();
  await db.update(orders).set({ status: "expired" }).where(eq(orders.id, orderId));
  await db
    .update(quotes)
    .set({ reservedUntil: new Date(now.getTime() - 180_000) })
    .where(eq(quotes.orderId, orderId));
  await seedCursor(db, "bsc", now);
  expect(await releaseEndedHolds(db, await listEndedHolds(db, now, 10), now)).toBe(1);
}

describe("shared addresses", () => {
  test("the first free amount of all addresses is taken: another address before a longer amount", async () => {
    const one = await addAddress();
    const two = await addAddress();
    const made = [await order(10n * ONE), await order(10n * ONE), await order(10n * ONE)];
    expect(made.map(({ quote }) => [quote.address, quote.baseUnits])).toEqual([
      [one.address, 10n * ONE],
      [two.address, 10n * ONE],
      [one.address, 10n * ONE + 100n * STEP],
    ]);
  });

  test("each order gets the first free amount by the rule, after any reservations and releases", async () => {
    const steps = fc.record({
      price: fc.constantFrom(0n, 0n, 0n, 3n, 9n, 899n, 5_000n, 9_999n, 10_000n),
      release: fc.nat(30),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(steps, { minLength: 30, maxLength: 60 }),
        // Some addresses were restored from a dump, and the others were added since.
        fc.array(fc.constantFrom(0, 0, 0, 1, 2), { minLength: 1, maxLength: 3 }),
        async (plan, levels) => {
          merchant = await seedMerchant(testDb.pool.db, new Date());
          const addresses: HoldingNetwork[] = [];
          for (const guardLevel of levels) {
            const { id, address } = await addAddress();
            const guardedUntil = new Date(guardLevel === 0 ? 0 : Date.now() + 3_600_000);
            await testDb.pool.db
              .update(receivingAddresses)
              .set({ guardLevel, guardedUntil })
              .where(eq(receivingAddresses.id, id));
            addresses.push({ address, guardLevel });
          }
          const live = new Map<string, string>();
          for (const { price, release } of plan) {
            const amount = 20n * ONE + price * STEP;
            const made = await order(amount);
            const reserved = `${made.quote.address} ${made.quote.baseUnits}`;
            expect(reserved).toBe(firstFree(addresses, amount, live));
            live.set(reserved, made.id);
            const [freed] = [...live].slice(release, release + 1);
            if (!freed || live.size < 10) continue;
            await abandon(freed[1]);
            live.delete(freed[0]);
          }
        },
      ),
      { numRuns: 12 },
    );
  });

  test("200 concurrent orders with one price never share an address and amount", async () => {
    await addAddress();
    await addAddress();
    const made = await Promise.all(Array.from({ length: 200 }, () => order(30n * ONE)));
    expect(new Set(made.map(({ quote }) => `${quote.address} ${quote.baseUnits}`)).size).toBe(200);
    for (const { quote } of made) expect(quote.baseUnits).toBeLessThanOrEqual(30n * ONE + 9_999n * STEP);
  });

  test("when all amounts are taken the message asks for another address, and one more address helps", async () => {
    const address = await addAddress();
    await fill(address.id, 40n * ONE, 0, AMOUNTS_PER_PRICE - 1);
    await expect(order(40n * ONE)).rejects.toMatchObject({
      code: 10006,
      message: expect.stringContaining("add another"),
    });
    const second = await addAddress();
    expect((await order(40n * ONE)).quote).toMatchObject({ address: second.address, baseUnits: 40n * ONE });
  });

  test("the last free amount is found", async () => {
    const address = await addAddress();
    await fill(address.id, 50n * ONE, 0, AMOUNTS_PER_PRICE - 3);
    expect((await order(50n * ONE)).quote.baseUnits).toBe(50n * ONE + 9_998n * STEP);
  });

  test("the 5,000th order of a price reads the holds once, by pages of the index and not amount by amount", async () => {
    const address = await addAddress();
    await order(60n * ONE);
    const early = await pagesOf(60n * ONE);
    await fill(address.id, 60n * ONE, 101, 4_999);
    for (let index = 0; index < 10; index++) await order(60n * ONE);
    const late = await pagesOf(60n * ONE);
    expect(late - early).toBeLessThan(4_999 / 10);
  });
});

describe("dedicated addresses", () => {
  test("an idle one is preferred to shared ones, has the exact amount, and then cools down until its late window is over", async () => {
    const shared = await addAddress();
    const dedicated = await addAddress("dedicated");
    const start = new Date();
    const first = await order(ONE, start);
    expect(first.quote).toMatchObject({ address: dedicated.address, kind: "dedicated", baseUnits: ONE });
    expect((await order(ONE, start)).quote.address).toBe(shared.address);
    const [row] = await testDb.pool.db.select().from(quotes).where(eq(quotes.id, first.quote.id));
    const rested = new Date((row?.reservedUntil.getTime() ?? 0) + 120_000);
    await seedCursor(testDb.pool.db, "bsc", rested);
    expect((await order(2n * ONE, rested)).quote.address).toBe(shared.address);
    await testDb.pool.db.update(quotes).set({ releasedAt: rested }).where(eq(quotes.id, first.quote.id));
    // Holds at one address do not overlap, not even at their end points.
    expect((await order(ONE, rested)).quote.address).toBe(shared.address);
    expect((await order(ONE, new Date(rested.getTime() + 1))).quote.address).toBe(dedicated.address);
  });

  test("many concurrent orders never share one", async () => {
    for (let index = 0; index < 20; index++) await addAddress("dedicated");
    const answers = await Promise.allSettled(Array.from({ length: 40 }, () => order(ONE)));
    const made = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value.quote.address] : []));
    expect(new Set(made).size).toBe(20);
    expect(made).toHaveLength(20);
    const refused = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason.code] : []));
    expect(new Set(refused)).toEqual(new Set([10006]));
  });

  test("one whose quote outlives its time is skipped", async () => {
    const busy = await addAddress("dedicated");
    const free = await addAddress("dedicated");
    await order(ONE);
    await order(ONE);
    await testDb.pool.db
      .update(receivingAddresses)
      .set({ availableAt: new Date(0) })
      .where(eq(receivingAddresses.id, busy.id));
    await expect(order(ONE)).rejects.toMatchObject({ code: 10006 });
    expect(free.address).not.toBe(busy.address);
  });
});

test("a paused or removed address gets no orders", async () => {
  const paused = await addAddress();
  const removed = await addAddress("dedicated");
  await testDb.pool.db
    .update(receivingAddresses)
    .set({ pausedAt: new Date() })
    .where(eq(receivingAddresses.id, paused.id));
  await testDb.pool.db
    .update(receivingAddresses)
    .set({ removedAt: new Date() })
    .where(eq(receivingAddresses.id, removed.id));
  await expect(order(ONE)).rejects.toMatchObject({ code: 10001, errors: [{ field: "network" }] });
});

interface HoldingNetwork {
  address: string;
  guardLevel: number;
}

/** Returns the address and amount of the first free rank by a linear search, the rule of the specification (§6). */
function firstFree(addresses: HoldingNetwork[], price: bigint, live: ReadonlyMap<string, string>): string | undefined {
  for (let rank = 0; rank < AMOUNTS_PER_PRICE; rank++) {
    const amount = amountAtRank(price, rank, 18);
    const free = addresses
      .filter(({ guardLevel }) => isOffered(amount / STEP, guardLevel))
      .map(({ address }) => `${address} ${amount}`)
      .find((pair) => !live.has(pair));
    if (free) return free;
  }
  return undefined;
}

/** Returns the number of database pages read to create one order, from EXPLAIN. The orders are not deleted. */
async function pagesOf(price: bigint): Promise<number> {
  const connection = await testDb.pool.sql.reserve();
  try {
    // The first order of a connection also reads the catalog: about 3,000 pages.
    await explainOrder(connection, price);
    return await explainOrder(connection, price);
  } finally {
    connection.release();
  }
}

async function explainOrder(connection: postgres.Sql, price: bigint): Promise<number> {
  const id = `pages-${++count}`;
  const wanted = { id, quote_id: `quote-${id}`, key_id: merchant.keyId, merchant_id: merchant.id, mch_order_id: id };
  const terms = {
    network: "bsc",
    currency: "USDT",
    token: token.contract.toLowerCase(),
    amount: `${price}`,
    step: `${STEP}`,
  };
  const rows = await connection.unsafe(
    `explain (analyze, buffers, format json) select * from insert_orders('${JSON.stringify([{ ...wanted, ...terms }])}', now())`,
  );
  return rows[0]?.["QUERY PLAN"][0].Plan["Shared Hit Blocks"];
}
