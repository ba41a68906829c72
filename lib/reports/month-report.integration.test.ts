import { eq, sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { readLedger, readRefunds } from "@/db/queries/transfers/ledger-months";
import { orders, refundRequests, refunds, refundTransfers, transfers } from "@/db/schema";
import { canonicalAddress, displayTxId } from "@/lib/domain/addresses/address";
import { newId } from "@/lib/domain/id";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { fromMicro } from "@/lib/domain/refunds/amounts";
import { neighboursOf, readMonth } from "@/lib/domain/reports";
import { exportMonth, readReport } from "@/lib/reports/month-report";
import { useTestDb } from "@/testing/database/clone";
import { empty } from "@/testing/database/empty";
import { explain } from "@/testing/database/explain";
import { seedAddress, seedMerchant, seedOrder, seedTransfer } from "@/testing/database/seed";

const testDb = useTestDb();
const db = () => testDb.pool.db;
const start = new Date("2025-12-01T00:00:00Z");
const border = Date.parse("2026-01-01T00:00:00Z");
const MONTHS = ["2025-11", "2025-12", "2026-01", "2026-02", "2026-03"].map((name) => readMonth(name, start));
const price = {
  fiat: "EUR",
  amount: "9.20",
  currency: "USDT",
  rate: "0.921357",
  source: "a",
  at: start.toISOString(),
} as const;

let addresses: Awaited<ReturnType<typeof seedAddress>>[];
let priced: Awaited<ReturnType<typeof seedOrder>>;

beforeAll(async () => {
  const own = await seedMerchant(db(), start);
  const stranger = await seedMerchant(db(), start);
  addresses = [];
  for (const { id: merchantId } of [own, stranger])
    for (const network of ["ethereum", "polygon"])
      addresses.push(await seedAddress(db(), { merchantId, network }, start));
  const [address] = addresses;
  if (!address) throw new Error("no address");
  priced = await seedOrder(db(), { address, baseUnits: 10_000_000n }, start);
  await db().update(orders).set({ price }).where(eq(orders.id, priced.id));
});

const merchantIds = () => [...new Set(addresses.map(({ merchantId }) => merchantId))];

const TRANSFER = fc.record({
  where: fc.nat(3),
  /** Times around the end of a month, to the millisecond, and weeks away from it. */
  at: fc.oneof(fc.integer({ min: -2, max: 2 }), fc.integer({ min: -30 * 86_400_000, max: 40 * 86_400_000 })),
  units: fc.bigInt({ min: 1n, max: 10n ** 24n }),
  currency: fc.constantFrom("USDT", "USDC"),
  fate: fc.constantFrom("matched", "assigned", "unmatched", "swept", "reversed", "open", "look_alike"),
  /** The refund: its delay, and its finality on the chain. */
  refund: fc.option(fc.record({ after: fc.nat(20 * 86_400_000), isFinal: fc.boolean() })),
});

interface Seeded {
  where: number;
  at: number;
  units: bigint;
  currency: string;
  fate: string;
  refund?: { after: number; isFinal: boolean } | null;
}

async function seed(one: Seeded) {
  const address = addresses[one.where];
  if (!address) return;
  const at = new Date(border + one.at);
  const isOfOrder = (one.fate === "matched" || one.fate === "assigned") && one.where === 0;
  const look = one.fate === "look_alike" && address.network === "polygon" ? { lookAlike: "USDC.e" } : {};
  const currency = one.currency === "USDC" ? ("USDC" as const) : ("USDT" as const);
  const { id } = await seedTransfer(db(), { address, baseUnits: one.units, currency, blockTime: at, ...look }, at);
  const status = one.fate === "reversed" ? "dropped" : one.fate === "open" ? "seen" : "confirmed";
  const order = isOfOrder ? { orderId: priced.id, quoteId: priced.quoteId, isAssigned: one.fate === "assigned" } : {};
  await db()
    .update(transfers)
    .set({ status, matchedAt: at, isSweep: one.fate === "swept", ...order })
    .where(eq(transfers.id, id));
  if (one.refund)
    await seedRefund({ ...address, id }, one.units, new Date(at.getTime() + one.refund.after), one.refund);
}

async function seedRefund(
  { id: transferId, merchantId, network }: { id: string; merchantId: string; network: string },
  units: bigint,
  sentAt: Date,
  { isFinal }: { isFinal: boolean },
) {
  const note = { merchantId, transferId, network, txId: `0x${transferId}`, notedBy: "ann", notedAt: sentAt };
  const shown = { toAddress: "0x11", movedUnits: units, baseUnits: (units + 1n) / 2n, sentAt };
  await db()
    .insert(refunds)
    .values({
      ...note,
      ...(isFinal
        ? { state: "final" as const, observation: "toPayer" as const, ...shown }
        : { state: "open" as const }),
    });
}

/** Returns the sums by token over all months, from the reports, the files and the ledger itself. */
async function sumsOf(merchantId: string) {
  const byReport = new Map<string, bigint>();
  const byFile = new Map<string, bigint>();
  const add = (sums: Map<string, bigint>, key: string, units: bigint) => sums.set(key, (sums.get(key) ?? 0n) + units);
  let rows = 0;
  for (const month of MONTHS) {
    const { ledger, refunds: sentBack, fiat } = await readReport(db(), merchantId, month);
    let value = 0;
    for (const { network, currency, units } of ledger) if (currency) add(byReport, `${network} ${currency}`, units);
    for (const { network, currency, units } of sentBack)
      if (currency) add(byReport, `back ${network} ${currency}`, units);
    for await (const some of readRefunds(db(), merchantId, month))
      for (const { at, network, currency, units } of some) {
        expect(at >= month.from && at < month.until).toBe(true);
        if (currency) add(byFile, `back ${network} ${currency}`, units);
      }
    for await (const some of readLedger(db(), merchantId, month))
      for (const row of some) {
        expect(row.at >= month.from && row.at < month.until).toBe(true);
        if (row.currency) add(byFile, `${row.network} ${row.currency}`, row.units);
        if (row.kind !== "reversed" && row.kind !== "open") value += Math.round(Number(row.value ?? 0) * 100);
        rows += 1;
      }
    const reported = fiat.reduce((sum, one) => sum + Math.round(Number(one.value) * 100), 0);
    expect(Math.abs(reported - value)).toBeLessThanOrEqual(value * 1e-12);
  }
  const plain = await db().execute<{ key: string; units: string }>(sql`
    select network || ' ' || currency as key, sum(base_units)::text as units from transfers
    where merchant_id = ${merchantId} and currency is not null group by 1
    union all
    select 'back ' || t.network || ' ' || t.currency, sum(r.base_units)::text
    from refunds r join transfers t on t.id = r.transfer_id and t.merchant_id = r.merchant_id
    where r.merchant_id = ${merchantId} and r.state = 'final' and t.currency is not null group by 1`);
  const byLedger = new Map(plain.map(({ key, units }) => [key, BigInt(units)]));
  return { byReport, byFile, byLedger, rows };
}

test("the sums of all reports, and of all files, are those of the ledger, to the last base unit, over the ends of months", async () => {
  await fc.assert(
    fc
      .asyncProperty(fc.array(TRANSFER, { minLength: 1, maxLength: 25 }), async (some) => {
        for (const one of some) await seed(one);
        let rows = 0;
        for (const merchantId of merchantIds()) {
          const sums = await sumsOf(merchantId);
          expect(sums.byReport).toEqual(sums.byLedger);
          expect(sums.byFile).toEqual(sums.byLedger);
          rows += sums.rows;
        }
        expect(rows).toBe(some.length);
      })
      .beforeEach(async () => void (await empty(db(), "refunds", "transfers"))),
    { numRuns: 6 },
  );
});

test("a payment is valued at its order's rate, rounded to the currency's minor unit; the file has the same", async () => {
  await empty(db(), "refunds", "transfers");
  await seed({ where: 0, at: 0, units: 10_500_000n, currency: "USDT", fate: "matched" });
  const [merchantId = ""] = merchantIds();
  const month = readMonth("2026-01", start);
  expect(await readReport(db(), merchantId, month)).toMatchObject({
    ledger: [{ network: "ethereum", currency: "USDT", kind: "matched", transfers: 1, units: 10_500_000n }],
    fiat: [{ fiat: "EUR", transfers: 1, value: "9.67" }],
  });
  const form = { kind: "csv", separator: "comma", hasBom: false } as const;
  const text = await new Response(exportMonth(db(), merchantId, month, form)).text();
  expect(text).toContain(
    `"2026-01-01T00:00:00.000Z","matched","ethereum","USDT","10.5","${priced.id}","${priced.id}","EUR","0.921357","9.67","0x`,
  );
  const december = await readReport(db(), merchantId, neighboursOf(month).before);
  expect(december).toEqual({
    ledger: [],
    refunds: [],
    fiat: [],
    refundFiat: [],
    orders: [{ status: "pending", exception: null, orders: 1 }],
  });
});

/** Completes a refund at a time with a transfer on a network, as the ledger stores it. */
async function seedCompleted(
  subject: { orderId: string; transferId: null } | { orderId: null; transferId: string },
  { microUnits, network, at }: { microUnits: bigint; network: string; at: Date },
) {
  const [merchantId = ""] = merchantIds();
  const id = newId(at);
  const token = canonicalAddress("evm", getToken(getNetwork(network), "USDT").contract);
  const baseUnits = fromMicro(network, "USDT", microUnits) ?? 0n;
  const address = `0x${"c1".repeat(20)}`;
  const made = { createdAt: at, changedAt: at, approvedAt: at, completedAt: at, expiresAt: at, claimedAt: at };
  const claimed = { network, family: "evm" as const, address, token, baseUnits };
  await db()
    .insert(refundRequests)
    .values({
      id,
      merchantId,
      ...subject,
      integration: "api",
      currency: "USDT",
      microUnits,
      status: "completed",
      ...claimed,
      ...made,
    });
  const sent = {
    network,
    txId: `0x${id}`,
    position: `${token}:0`,
    currency: "USDT" as const,
    token,
    family: "evm" as const,
  };
  const block = { blockHeight: 150, blockHash: "0xb", blockTime: at, seenAt: at, matchedAt: at, confirmedAt: at };
  const from = { fromAddress: `0x${"bb".repeat(20)}`, toAddress: address };
  await db()
    .insert(refundTransfers)
    .values({ ...sent, ...from, baseUnits, ...block, status: "confirmed", refundId: id, merchantId });
  return { txId: `0x${id}` };
}

test("completed refunds are in the sums, the fiat value and the file of the month of their transfer, at the rate of their order", async () => {
  await empty(db(), "refund_transfers", "refund_requests", "refunds", "transfers");
  await seed({ where: 0, at: -1, units: 10_500_000n, currency: "USDT", fate: "matched" });
  await seed({ where: 0, at: 5, units: 7_000_000n, currency: "USDT", fate: "unmatched" });
  const [paid, unmatched] = await db().select().from(transfers).orderBy(transfers.blockTime);
  if (!paid || !unmatched) throw new Error("no transfers");
  const at = new Date(border + 86_400_000);
  await seedCompleted({ orderId: priced.id, transferId: null }, { microUnits: 4_000_000n, network: "bsc", at });
  await seedCompleted({ orderId: priced.id, transferId: null }, { microUnits: 1_250_000n, network: "ethereum", at });
  await seedCompleted({ orderId: null, transferId: unmatched.id }, { microUnits: 7_000_000n, network: "ethereum", at });
  const [merchantId = "", stranger = ""] = merchantIds();
  const month = readMonth("2026-01", start);
  const refunded = (network: string, transfers: number, units: bigint) => ({
    network,
    currency: "USDT",
    kind: "refunded",
    transfers,
    units,
  });
  // 4 and 1.25 USDT at 0.921357 are 3.69 and 1.15 EUR. The refund of the unmatched transfer has no order and no rate.
  expect(await readReport(db(), merchantId, month)).toMatchObject({
    ledger: [{ kind: "unmatched", transfers: 1, units: 7_000_000n }],
    refunds: [refunded("bsc", 1, 4_000_000_000_000_000_000n), refunded("ethereum", 2, 8_250_000n)],
    fiat: [],
    refundFiat: [{ fiat: "EUR", transfers: 2, value: "4.84" }],
  });
  expect(await readReport(db(), merchantId, neighboursOf(month).before)).toMatchObject({
    refunds: [],
    refundFiat: [],
  });
  expect(await readReport(db(), stranger, month)).toMatchObject({ refunds: [], refundFiat: [] });
  const file = async (name: string) => {
    const form = { kind: "csv", separator: "comma", hasBom: false } as const;
    return (await new Response(exportMonth(db(), merchantId, readMonth(name, start), form)).text()).split("\r\n");
  };
  const january = await file("2026-01");
  const refunds = january.filter((line) => line.includes(`Z","refunded","`));
  expect(refunds).toHaveLength(3);
  const paidBack = `"${priced.id}","${priced.id}","EUR","0.921357"`;
  expect(refunds.find((line) => line.includes(`"bsc"`))).toContain(`"USDT","4",${paidBack},"3.69"`);
  expect(refunds.find((line) => line.includes(`"1.25"`))).toContain(`"USDT","1.25",${paidBack},"1.15"`);
  expect(refunds.find((line) => line.includes(`"1.25"`))).toContain(`"${displayTxId("evm", paid.txId)}"`);
  // The amount that was refunded so far is beside each payment, whatever the month of its refunds.
  const refundedOf = (lines: string[], txId: string) =>
    lines
      .find((line) => line.includes(`"${displayTxId("evm", txId)}"`) && !line.includes(`Z","refunded","`))
      ?.split(",")
      .at(-3);
  expect(refundedOf(await file("2025-12"), paid.txId)).toBe(`"5.25"`);
  expect(refundedOf(january, unmatched.txId)).toBe(`"7"`);
  await empty(db(), "refund_transfers", "refund_requests");
});

test("the refund of a transfer is valued at the rate of the order to which a user assigned it", async () => {
  await empty(db(), "refund_transfers", "refund_requests", "refunds", "transfers");
  await seed({ where: 0, at: 0, units: 10_000_000n, currency: "USDT", fate: "assigned" });
  const [assigned] = await db().select().from(transfers);
  const at = new Date(border + 1_000);
  await seedCompleted(
    { orderId: null, transferId: assigned?.id ?? "" },
    { microUnits: 2_000_000n, network: "bsc", at },
  );
  const [merchantId = ""] = merchantIds();
  expect((await readReport(db(), merchantId, readMonth("2026-01", start))).refundFiat).toEqual([
    { fiat: "EUR", transfers: 1, value: "1.84" },
  ]);
  await empty(db(), "refund_transfers", "refund_requests");
});

test("a report reads one month by an index, with any ledger size", async () => {
  const [merchantId = ""] = merchantIds();
  const facts = await explain(testDb.pool.sql, (watched) =>
    readReport(watched, merchantId, readMonth("2026-01", start)),
  );
  expect(facts.scanned).toEqual([]);
  expect(facts.indexes).toContain("transfers_block_time_idx");
});
