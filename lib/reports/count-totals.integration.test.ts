import { eq, sql } from "drizzle-orm";
import fc from "fast-check";
import pino from "pino";
import { beforeEach, expect, test } from "vitest";
import { listOutcomes, mergeOutcomes } from "@/db/queries/operating/outcomes";
import { countIntoTotals, listTotals } from "@/db/queries/orders/totals";
import { hourlyTotals, transfers } from "@/db/schema";
import { type MoveCause, moveOrders } from "@/lib/orders/move-order";
import { countTotals } from "@/lib/reports/count-totals";
import { useTestDb } from "@/testing/database/clone";
import { empty } from "@/testing/database/empty";
import { seedAddress, seedMerchant, seedOrder, seedTransfer } from "@/testing/database/seed";

const testDb = useTestDb();
const ctx = { publicUrl: "https://pay.example.com", log: pino({ level: "silent" }) };
const db = () => testDb.pool.db;
const start = new Date("2026-01-01T00:00:00Z");
const minutes = (count: number) => new Date(start.getTime() + count * 60_000);
const YEAR = minutes(525_600);

type Order = Awaited<ReturnType<typeof seedOrder>>;
let addresses: Awaited<ReturnType<typeof seedAddress>>[];
let units: bigint;

beforeEach(async () => {
  await empty(
    db(),
    "merchants",
    "orders",
    "quotes",
    "hourly_totals",
    "total_cursors",
    "outcome_counts",
    "audit_events",
  );
  addresses = [];
  units = 10_000_000n;
  for (const network of ["ethereum", "bsc"]) {
    const { id: merchantId } = await seedMerchant(db(), start);
    for (const kind of ["shared", "dedicated"] as const)
      addresses.push(await seedAddress(db(), { merchantId, network, kind }, start));
    addresses.push(await seedAddress(db(), { merchantId, network: "polygon" }, start));
  }
});

const merchantIds = () => [...new Set(addresses.map(({ merchantId }) => merchantId))];

/** Returns the totals, counted directly over all orders and callbacks. */
async function countPlainly(merchantId: string) {
  const rows = await db().execute(sql`
    select hour, network, currency, sum(created)::int as created, sum(converted)::int as converted, sum(paid)::int as paid,
      sum(units)::text as units, sum(seconds)::int as seconds, sum(callbacks)::int as callbacks
    from (
      select date_trunc('hour', created_at, 'UTC') as hour, '' as network, '' as currency, 1 as created, 0 as converted, 0 as paid,
        0 as units, 0 as seconds, 0 as callbacks from orders where merchant_id = ${merchantId}
      union all select date_trunc('hour', created_at, 'UTC'), '', '', 0, 0, 0, 0, 0, 1 from callbacks where merchant_id = ${merchantId}
      union all select date_trunc('hour', o.created_at, 'UTC'), q.network, q.currency, 0, 1, 0, 0, 0, 0
        from orders o join quotes q on q.id = o.quote_id where o.merchant_id = ${merchantId} and o.status = 'paid'
      union all select date_trunc('hour', o.paid_at, 'UTC'), q.network, q.currency, 0, 0, 1, o.paid_units,
          floor(extract(epoch from o.paid_at - o.created_at)), 0
        from orders o join quotes q on q.id = o.quote_id where o.merchant_id = ${merchantId} and o.status = 'paid') parts
    group by 1, 2, 3 order by 1, 2, 3`);
  return rows.map(({ hour, ...row }) => ({ ...row, at: new Date(String(hour)).toISOString() }));
}

async function readTotals(merchantId: string) {
  const rows = await listTotals(db(), merchantId, { since: start, step: "hour" });
  return rows
    .map(({ at, paidUnits, paySeconds, ...row }) => {
      return { ...row, units: paidUnits.toString(), seconds: paySeconds, at: at.toISOString() };
    })
    .filter(({ created, converted, paid, callbacks }) => created + converted + paid + callbacks > 0);
}

async function expectTrue(): Promise<void> {
  for (const merchantId of merchantIds()) expect(await readTotals(merchantId)).toEqual(await countPlainly(merchantId));
}

/** Checks that the installation's counters match its history, even after crashes and merges of rows. */
async function expectCounters(now: Date): Promise<void> {
  const counted = await listOutcomes(db(), now);
  const plain = await db().execute<{ outcome: string; count: number }>(sql`
    select split_part(action, '.', 2) as outcome, count(*)::int as count from audit_events
    where action in ('order.paid', 'order.expired', 'order.cancelled') group by 1`);
  for (const outcome of ["paid", "expired", "cancelled"]) {
    const sum = counted.filter((one) => one.outcome === outcome).reduce((total, { count }) => total + count, 0);
    expect(sum, outcome).toBe(plain.find((one) => one.outcome === outcome)?.count ?? 0);
  }
}

class Crash extends Error {}

/** Updates the statuses of orders in a transaction. With `crashes`, the transaction is rolled back. */
async function move(ids: readonly string[], cause: MoveCause, at: Date, crashes = false): Promise<void> {
  const moving = db().transaction(async (tx) => {
    await moveOrders(tx, ctx, ids, cause, at);
    if (crashes) throw new Crash();
  });
  await moving.catch((error) => {
    if (!(error instanceof Crash)) throw error;
  });
}

/** Inserts a confirmed transfer that is credited to an order. Its amount is a percentage of the requested amount. */
async function assign(order: Order, percent: number, at: Date): Promise<string> {
  const { id } = await seedTransfer(db(), { ...order, baseUnits: (order.baseUnits * BigInt(percent)) / 100n }, at);
  const counted = {
    orderId: order.id,
    quoteId: order.quoteId,
    status: "confirmed",
    matchedAt: at,
    confirmedAt: at,
  } as const;
  await db().update(transfers).set(counted).where(eq(transfers.id, id));
  return id;
}

const STEP = fc.record({
  kind: fc.constantFrom(
    "create",
    "create",
    "pay",
    "pay",
    "top up",
    "take back",
    "expire",
    "by hand",
    "cancel",
    "count",
  ),
  which: fc.nat(),
  minutes: fc.nat(90),
  percent: fc.constantFrom(40, 100, 100, 130),
  crashes: fc.boolean(),
});

async function play(
  steps: readonly { kind: string; which: number; minutes: number; percent: number; crashes: boolean }[],
) {
  const orders: Order[] = [];
  let clock = 0;
  for (const step of steps) {
    clock += step.minutes;
    const at = minutes(clock);
    const address = addresses[step.which % addresses.length];
    const order = orders[step.which % Math.max(1, orders.length)];
    if (step.kind === "create" && address) {
      const isFree = address.kind === "shared" || !orders.some((one) => one.address.id === address.id);
      units += 10n ** 12n;
      const seed = { address, baseUnits: units, notifyUrl: "https://shop.example.com/hook" };
      if (isFree) orders.push(await seedOrder(db(), seed, at));
    }
    if (step.kind === "count") await Promise.all([countTotals(db(), at), countTotals(db(), at)]);
    if (!order) continue;
    const all = orders.map(({ id }) => id);
    if (step.kind === "pay" || step.kind === "top up") {
      await assign(order, step.percent, at);
      await move([order.id], { type: "fundsChanged" }, at, step.crashes);
      await move(all, { type: "fundsChanged" }, at);
    }
    if (step.kind === "take back") {
      const dropped = { status: "dropped" } as const;
      await db().update(transfers).set(dropped).where(eq(transfers.orderId, order.id));
      await move([order.id], { type: "fundsChanged" }, at, step.crashes);
    }
    if (step.kind === "expire") await move(all, { type: "timePassed" }, at, step.crashes);
    if (step.kind === "by hand") {
      await move([order.id], { type: "markedPaid", userId: "u", reason: "seen" }, at, step.crashes);
    }
    if (step.kind === "cancel") {
      await move([order.id], { type: "cancelled", by: { userId: "u" } }, at, step.crashes);
    }
  }
}

test("the counters of each network and currency follow orders from their creation to their end", async () => {
  const [first, second, third] = await Promise.all(
    [1n, 2n, 3n].map((step) =>
      seedOrder(db(), { address: addresses[0] as never, baseUnits: step * 10n ** 12n }, start),
    ),
  );
  if (!first || !second || !third) throw new Error("no orders");
  await assign(first, 100, minutes(1));
  await move([first.id], { type: "fundsChanged" }, minutes(1));
  await move([first.id], { type: "fundsChanged" }, minutes(2));
  await assign(second, 40, minutes(2));
  await move([second.id], { type: "fundsChanged" }, minutes(2));
  await move([second.id, third.id], { type: "timePassed" }, minutes(60));
  await countTotals(db(), minutes(70));
  const read = async () =>
    (await listOutcomes(db(), minutes(70))).map(
      ({ network, currency, outcome, count }) => `${network} ${currency} ${outcome} ${count}`,
    );
  const expected = ["created 3", "expired 2", "paid 1", "seen 1", "underpaid 1"].map((one) => `ethereum USDT ${one}`);
  expect(await read()).toEqual(expected);
  await Promise.all(Array.from({ length: 8 }, () => mergeOutcomes(db(), minutes(70))));
  expect(await read()).toEqual(expected);
  const old = new Date(minutes(70).getTime() + 60 * 86_400_000);
  await mergeOutcomes(db(), old);
  expect(await read()).toEqual(expected);
  expect((await db().execute(sql`select distinct hour from outcome_counts`)).length).toBe(1);
  expect((await listOutcomes(db(), old)).every(({ lastDay }) => lastDay === 0)).toBe(true);
});

test("the totals always equal a plain count over all orders, after any changes, counted or not", async () => {
  await fc.assert(
    fc
      .asyncProperty(fc.array(STEP, { minLength: 10, maxLength: 40 }), async (steps) => {
        await play(steps);
        await expectCounters(YEAR);
        await expectTrue();
        while ((await countTotals(db(), YEAR)) > 0);
        await expectTrue();
      })
      .beforeEach(async () => {
        await empty(db(), "orders", "quotes", "hourly_totals", "total_cursors", "outcome_counts", "audit_events");
      }),
    { numRuns: 8 },
  );
});

test("every row is counted once, by any number of concurrent workers", async () => {
  const [address] = addresses;
  if (!address) throw new Error("no address");
  for (let index = 0; index < 30; index++)
    await seedOrder(db(), { address, baseUnits: BigInt(index + 1) }, minutes(index * 7));
  await Promise.all(Array.from({ length: 6 }, () => countTotals(db(), YEAR)));
  const rows = await db().select().from(hourlyTotals);
  expect(rows.reduce((sum, { created }) => sum + created, 0)).toBe(30);
  await expectTrue();
});

test("while a transaction is open that may still bring older orders, nothing that is younger is counted", async () => {
  const [address] = addresses;
  if (!address) throw new Error("no address");
  const now = new Date();
  await testDb.pool.sql.begin(async (open) => {
    await open`select 1`;
    await seedOrder(db(), { address, baseUnits: 5n }, now);
    expect(await countIntoTotals(db(), "orders", YEAR)).toBe(0);
  });
  expect(await countIntoTotals(db(), "orders", new Date(now.getTime() + 60_000))).toBe(0);
  expect(await countIntoTotals(db(), "orders", new Date(now.getTime() + 180_000))).toBe(1);
});
