import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { type DbPool, openDb } from "@/db/client";
import { migrate, migrateTables } from "@/db/migrate";
import { releaseEndedHolds } from "@/db/queries/orders/holds";
import { insertOrders, type NewOrder } from "@/db/queries/orders/order-creation";
import { newId } from "@/lib/domain/id";
import type { Currency } from "@/lib/domain/networks";

/** The journal time of the migration before `amounts_without_currency`. */
const BEFORE = 1_795_483_416_305;
const start = new Date("2026-01-01T12:00:00Z");
const at = (minutes: number) => new Date(start.getTime() + minutes * 60_000);
const text = (minutes: number) => at(minutes).toISOString();
const ADDRESS = `0x${"ab".repeat(20)}`;
const TEN = 10_000_000n;

const name = `currencies_${randomBytes(6).toString("hex")}`;
let [url, pool]: [string, DbPool] = ["", {} as DbPool];

const onServer = async (run: (sql: postgres.Sql) => Promise<unknown>) => {
  const sql = postgres(inject("testServerUrl"), { max: 1, onnotice: () => {} });
  await run(sql).finally(() => sql.end());
};

beforeEach(async () => {
  await onServer((sql) => sql`create database ${sql(name)}`);
  const there = new URL(inject("testServerUrl"));
  there.pathname = `/${name}`;
  url = there.href;
  pool = openDb(url, { work: "none", max: 1 });
  await pool.db.transaction((tx) => migrateTables(tx, "db", BEFORE));
  const { sql } = pool;
  await sql`insert into merchants (id, name, created_at) values ('m', 'Shop', ${text(0)})`;
  await sql`insert into api_keys (id, merchant_id, name, prefix, key_hash, secret_cipher, created_at)
    values ('k', 'm', 'Key', 'sg_test', 'hash', 'cipher', ${text(0)})`;
  await sql`insert into family_addresses (family, address, merchant_id) values ('evm', ${ADDRESS}, 'm')`;
  await sql`insert into receiving_addresses (id, merchant_id, network, family, address, kind, mac, created_at)
    values ('a', 'm', 'ethereum', 'evm', ${ADDRESS}, 'shared', 'mac', ${text(0)})`;
  await sql`insert into cursors (network, height, block_time, heard_at) values ('ethereum', 1, ${text(1_000)}, ${text(1_000)})`;
});
afterEach(async () => {
  await pool.close();
  await onServer((sql) => sql`drop database ${sql(name)} with (force)`);
});

/** Inserts an order of the previous version with its quote. */
async function seedOrder(id: string, currency: Currency, until: number, micro = TEN) {
  const { sql } = pool;
  await sql`insert into orders (id, merchant_id, api_key_id, mch_order_id, network, currency, amount_units, quote_id, status, expires_at,
      created_at, changed_at)
    values (${id}, 'm', 'k', ${id}, 'ethereum', ${currency}, ${micro.toString()}, ${id}, 'cancelled', ${text(30)}, ${text(0)}, ${text(0)})`;
  await sql`insert into quotes (id, merchant_id, order_id, receiving_address_id, network, family, currency, token, address, kind, base_units,
      micro_units, created_at, reserved_until)
    values (${id}, 'm', ${id}, 'a', 'ethereum', 'evm', ${currency}, 'token', ${ADDRESS}, 'shared', ${micro.toString()}, ${micro.toString()},
      ${text(0)}, ${text(until)})`;
}

async function order(currency: Currency, minutes: number): Promise<bigint | null> {
  const wanted: NewOrder = {
    id: newId(at(minutes)),
    quoteId: newId(at(minutes)),
    apiKeyId: "k",
    merchantId: "m",
    mchOrderId: randomBytes(8).toString("hex"),
    network: "ethereum",
    currency,
    token: "token",
    amountUnits: TEN,
    unitsPerStep: 1n,
    notifyUrl: null,
    redirectUrl: null,
    locale: null,
    expiresInSeconds: null,
  };
  const [made] = await insertOrders(pool.db, [wanted], at(minutes));
  return made && "baseUnits" in made ? made.baseUnits : null;
}

const release = (id: string, minutes: number) =>
  releaseEndedHolds(pool.db, [{ id, orderId: id, merchantId: "m" }], at(minutes));

test("amounts_without_currency: active quotes of two currencies with the same amount stay, and no order gets the amount until both are released", async () => {
  await seedOrder("usdt", "USDT", 210);
  await seedOrder("usdc", "USDC", 400);
  await seedOrder("other", "USDC", 210, TEN + 300n);
  await migrate(url);
  const live = await pool.sql`select id, shares_amount from quotes where released_at is null order by id`;
  expect(live).toMatchObject([
    { id: "other", shares_amount: false },
    { id: "usdc", shares_amount: false },
    { id: "usdt", shares_amount: true },
  ]);
  // Several orders are created, so that the fast path, the next address and the bitmaps are all used.
  expect([await order("USDT", 1), await order("USDC", 1), await order("USDC", 1)]).toEqual([
    TEN + 100n,
    TEN + 200n,
    TEN + 400n,
  ]);
  // The quote outside the unique index is reserved longer than the one inside it, because its payer extended the order.
  await pool.sql`update quotes set reserved_until = ${text(500)} where id = 'usdt'`;
  expect(await release("usdc", 402)).toBe(1);
  expect(await order("USDC", 403)).not.toBe(TEN);
  expect(await order("USDT", 403)).not.toBe(TEN);
  expect(await release("usdt", 502)).toBe(1);
  expect(await order("USDC", 503)).toBe(TEN);
  expect(await order("USDT", 503)).not.toBe(TEN);
});

test("amounts_without_currency: the bits of both currencies are combined", async () => {
  const bits = (index: number) => "0".repeat(index).concat("1").padEnd(10_000, "0");
  for (const [currency, index] of [
    ["USDT", 3],
    ["USDC", 5],
  ] as const)
    await pool.sql`insert into amount_windows (merchant_id, address, currency, family, window_number, taken)
      values ('m', ${ADDRESS}, ${currency}, 'evm', 1000, ${bits(index)}::text::bit(10000))`;
  await migrate(url);
  const [row, ...rest] = await pool.sql`select held::text, window_number::int as window from amount_bitmaps`;
  expect(rest).toEqual([]);
  expect(row).toEqual({ held: "000101".padEnd(10_000, "0"), window: 1_000 });
});
