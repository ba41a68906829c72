import { sql } from "drizzle-orm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { QuotedOrder } from "@/lib/domain/orders/order-detail";
import { AppError } from "@/lib/errors";
import { extendOrder } from "@/lib/orders/renew-order";
import {
  addReceivingAddresses,
  at,
  create,
  db,
  match,
  NETWORKS,
  open,
  PRICE,
  pass,
  pay,
  readQuote,
  units,
  useHoldingShop,
} from "@/testing/holding-shop";

useHoldingShop();

/** Returns pairs of holds at one address (with the same amount, if the address is shared) that could both match one transfer. */
async function listOverlaps() {
  return db().execute(sql`
    select one.id, other.id from quotes one join quotes other
      on other.merchant_id = one.merchant_id and other.family = one.family and other.address = one.address and other.id > one.id
        and (other.kind = 'dedicated' or other.micro_units = one.micro_units)
    where one.created_at - interval '2 minutes' <= other.reserved_until
      and other.created_at - interval '2 minutes' <= one.reserved_until`);
}

const TEN = units("ethereum", "10");
/** The end of the hold of an order that is created at minute 0. The hold is released at minute 220. */
const END = 210;

describe("the clock is set back after a release", () => {
  test.each([
    ["to long before", 0, false],
    ["to the end of the hold", END, false],
    ["to two minutes after it", END + 2, false],
    ["to more than two minutes after it", END + 3, true],
  ])("%s: a shared amount is given out again only where the holds do not overlap", async (_name, minutes, isSame) => {
    await create("ethereum", 0);
    await pass(220);
    const next = await create("ethereum", minutes);
    expect(next.quote.baseUnits === TEN).toBe(isSame);
    expect(await listOverlaps()).toEqual([]);
  });

  test("a popular price, on both networks: the amounts of released holds are skipped, live ones too", async () => {
    for (let index = 0; index < 8; index++) await create(index % 2 ? "bsc" : "ethereum", 0);
    await pass(220);
    for (let index = 0; index < 8; index++) await create(index % 2 ? "bsc" : "ethereum", 100, PRICE, "USDC");
    expect(await listOverlaps()).toEqual([]);
  });

  test("a hold that ended early because it settled its order counts to its end", async () => {
    const paid = await create("ethereum", 0);
    await pay(paid, 1);
    await match(1);
    await pass(63);
    expect((await readQuote(paid))?.releasedAt).toEqual(at(63));
    expect((await create("ethereum", 62)).quote.baseUnits).not.toBe(TEN);
    expect(await listOverlaps()).toEqual([]);
  });

  test("a dedicated address is not given out, on no network of the family", async () => {
    await open("dedicated");
    const first = await create("ethereum", 0);
    await extendOrder(db(), { tradeId: first.id, extensions: 0 }, at(1));
    await pass(300);
    for (const network of NETWORKS) {
      await expect(create(network, 100)).rejects.toMatchObject({ code: 10006 });
      await expect(create(network, 242)).rejects.toMatchObject({ code: 10006 });
    }
    expect((await create("bsc", 243)).quote.address).toBe(first.quote.address);
    expect(await listOverlaps()).toEqual([]);
  });
});

test("a create that began before a release, and is written after it, does not get the amount", async () => {
  await create("ethereum", 0);
  await pass(END + 2);
  const next = await create("ethereum", END + 2 - 1 / 60_000);
  expect(next.quote.baseUnits).not.toBe(TEN);
  expect(await listOverlaps()).toEqual([]);
});

test.each(["shared", "dedicated"] as const)(
  "no two holds overlap after any creates, payments, extensions and releases, with any clock changes (%s)",
  async (kind) => {
    const step = fc.record({
      what: fc.constantFrom("create", "create", "create", "create", "pay", "extend", "pass", "pass"),
      // The clock usually advances; sometimes it is set back by up to two hours.
      minutes: fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 1, max: 150 }) }, fc.integer({ min: -120, max: -1 })),
      network: fc.constantFrom(...NETWORKS),
      currency: fc.constantFrom("USDT" as const, "USDC" as const),
      which: fc.nat(50),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40 }), async (steps) => {
        await open(kind);
        if (kind === "dedicated") await addReceivingAddresses(kind);
        const made: QuotedOrder[] = [];
        let now = 300;
        for (const { what, minutes, network, currency, which } of steps) {
          now += minutes;
          const order = made[which % Math.max(1, made.length)];
          if (what === "pass") await pass(now);
          else if (what === "create" || !order) {
            const next = await create(network, now, PRICE, currency).catch(toRefusal);
            if (next) made.push(next);
          } else if (what === "extend") await extendOrder(db(), { tradeId: order.id, extensions: 0 }, at(now));
          else {
            await pay(order, now);
            await match(now);
          }
          expect(await listOverlaps()).toEqual([]);
        }
      }),
      { numRuns: 12, seed: 11 },
    );
  },
  180_000,
);

function toRefusal(error: unknown): null {
  if (error instanceof AppError && error.code === 10006) return null;
  throw error;
}
