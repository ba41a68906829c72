import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import postgres from "postgres";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { openDb } from "@/db/client";
import { MigrationRefusal, migrate, migrateTables } from "@/db/migrate";

const name = `migrations_${randomBytes(6).toString("hex")}`;
let url: string;
let sql: postgres.Sql;

beforeEach(async () => {
  const server = postgres(inject("testServerUrl"), { max: 1, onnotice: () => {} });
  await server`drop database if exists ${server(name)} with (force)`;
  await server`create database ${server(name)}`;
  await server.end();
  const there = new URL(inject("testServerUrl"));
  there.pathname = `/${name}`;
  url = there.href;
  sql = postgres(url, { max: 1, onnotice: () => {} });
});
afterEach(() => sql.end());

/** Creates the tables as they were before a migration, found by its name. */
async function migrateToBefore(migration: string): Promise<void> {
  const { entries } = JSON.parse(await readFile("db/migrations/meta/_journal.json", "utf8"));
  const index = entries.findIndex(({ tag }: { tag: string }) => tag.endsWith(`_${migration}`));
  const pool = openDb(url, { work: "migrate", max: 1, applicationName: "test" });
  await pool.db.transaction((tx) => migrateTables(tx, "db", entries[index - 1].when));
  await pool.close();
  // Foreign keys are not checked, so that a test inserts only the rows that it needs.
  await sql`set session_replication_role = replica`;
}

const at = "2026-01-01T12:00:00Z";
const insertOrder = (id: string, status: string, exception: string | null, paidUnits: number) => sql`
  insert into orders (id, merchant_id, mch_order_id, network, currency, amount_units, quote_id, status, exception, paid_units, expires_at,
    created_at, changed_at)
  values (${id}, 'm', ${id}, 'ethereum', 'USDT', 10, ${`${id}-quote`}, ${status}, ${exception}, ${paidUnits}, ${at}, ${at}, ${at})`;

const insertTransfer = (id: string, orderId: string, status: string, isAssigned = false) => sql`
  insert into transfers (id, merchant_id, network, tx_id, position, currency, token, from_address, to_address, base_units, block_height,
    block_hash, block_time, status, receiving_address_id, quote_id, order_id, is_assigned, matched_at, seen_at)
  values (${id}, 'm', 'ethereum', ${id}, '0', 'USDT', 't', 'f', 'a', 4, 1, 'h', ${at}, ${status}, 'r', ${`${orderId}-quote`}, ${orderId},
    ${isAssigned}, ${at}, ${at})`;

const insertReceivingAddress = () => sql`
  insert into receiving_addresses (id, merchant_id, network, family, address, kind, mac, created_at)
  values ('r', 'm', 'ethereum', 'evm', '0xaa', 'shared', 'mac', ${at})`;
const insertAddressSource = () => sql`
  insert into address_sources (id, merchant_id, family, key_cipher, key_hash, networks, most, created_at)
  values ('s', 'm', 'evm', 'cipher', 'hash', '{ethereum}', 100, ${at})`;
const insertDeposit = () => sql`
  insert into deposit_addresses (id, merchant_id, customer_ref, network, family, receiving_address_id, address, api_key_id, created_at)
  values ('d', 'm', 'customer', 'ethereum', 'evm', 'r', '0xaa', 'k', ${at})`;
const insertEvent = (id: string) => sql`
  insert into events (id, merchant_id, order_id, type, version, body, created_at) values (${id}, 'm', ${`${id}-order`}, 'order.paid', 1, '{}', ${at})`;
const insertDepositEvent = (id: string, type: string) => sql`
  insert into events (id, merchant_id, deposit_id, transfer_id, type, version, body, created_at)
  values (${id}, 'm', 'd', 't', ${type}, 1, '{}', ${at})`;

test.each<[string, () => Promise<unknown>[], string, Record<string, unknown>[]]>([
  [
    "address_sources",
    () => [insertReceivingAddress()],
    "select source, source_id, source_index from receiving_addresses",
    [{ source: "pasted", source_id: null, source_index: null }],
  ],
  ["receiver_trials", () => [insertAddressSource()], "select kind from address_sources", [{ kind: "xpub" }]],
  [
    "transfer_sweeps",
    () => [insertTransfer("t", "o", "confirmed")],
    "select is_sweep from transfers",
    [{ is_sweep: false }],
  ],
  [
    "deposits",
    () => [insertEvent("one"), insertEvent("two")],
    "select id, order_id, deposit_id, transfer_id from events order by id",
    [
      { id: "one", order_id: "one-order", deposit_id: null, transfer_id: null },
      { id: "two", order_id: "two-order", deposit_id: null, transfer_id: null },
    ],
  ],
  ["deposit_pages", () => [insertDeposit()], "select version from deposit_addresses", [{ version: 1 }]],
  [
    "closed_networks",
    () => [sql`insert into cursors (network, height) values ('ethereum', 7)`],
    "select height::int as height, closed_at, closed_by, close_reason from cursors",
    [{ height: 7, closed_at: null, closed_by: null, close_reason: null }],
  ],
  [
    "deposit_events",
    () => [insertDepositEvent("final", "deposit.confirmed"), insertDepositEvent("seen", "deposit.seen")],
    "select id, version from events order by id",
    [
      { id: "final", version: 1 },
      { id: "seen", version: 1 },
    ],
  ],
  [
    "restore_guard",
    () => [insertReceivingAddress(), insertAddressSource()],
    `select skipped, guard_level, guarded_until = 'epoch' as is_unguarded
      from receiving_addresses r join address_sources s on s.merchant_id = r.merchant_id`,
    [{ skipped: 0, guard_level: 0, is_unguarded: true }],
  ],
  [
    "keyed_api_keys",
    () => [
      sql`insert into api_keys (id, merchant_id, name, prefix, key_hash, secret_cipher, created_at)
        values ('k', 'm', 'Key', 'sg_test', 'hash', 'cipher', ${at})`,
    ],
    "select key_hash, lookup_mac, hash_cipher from api_keys",
    [{ key_hash: "hash", lookup_mac: null, hash_cipher: null }],
  ],
  [
    "short_payments",
    () => [sql`insert into merchants (id, name, created_at) values ('m', 'Shop', ${at})`],
    "select name, links_short_payments from merchants",
    [{ name: "Shop", links_short_payments: false }],
  ],
  [
    "first_steps",
    () => [sql`insert into merchants (id, name, created_at) values ('m', 'Shop', ${at})`],
    "select name, settled_steps from merchants",
    [{ name: "Shop", settled_steps: [] }],
  ],
  [
    "agent_keys",
    () => [
      sql`insert into api_keys (id, merchant_id, name, prefix, key_hash, secret_cipher, created_at)
        values ('k', 'm', 'Key', 'sg_test', 'hash', 'cipher', ${at})`,
    ],
    "select name, is_for_agents from api_keys",
    [{ name: "Key", is_for_agents: false }],
  ],
])(
  "%s: rows that exist keep their values and get the initial ones of new columns",
  async (migration, rows, query, expected) => {
    await migrateToBefore(migration);
    await Promise.all(rows());
    expect(await migrate(url)).toBe(true);
    expect([...(await sql.unsafe(query))]).toEqual(expected);
  },
);

test("unlinked_transfers: transfers linked to a cancelled order become unmatched with the reason; all others stay", async () => {
  await migrateToBefore("unlinked_transfers");
  await insertOrder("cancelled", "cancelled", "underpaid", 4);
  await insertTransfer("confirmed", "cancelled", "confirmed");
  await insertTransfer("seen", "cancelled", "seen");
  await insertTransfer("dropped", "cancelled", "dropped");
  await insertOrder("by-user", "cancelled", "underpaid", 4);
  await insertTransfer("assigned", "by-user", "confirmed", true);
  await insertOrder("open", "pending", "underpaid", 4);
  await insertTransfer("part", "open", "confirmed");
  expect(await migrate(url)).toBe(true);
  const rows = await sql`
    select id, order_id, quote_id, unmatched_reason, meant_order_id, matched_at > ${at} as is_new, unlinked_at from transfers order by id`;
  const unmatched = { order_id: null, quote_id: null, is_new: true, unlinked_at: null };
  const linked = { unmatched_reason: null, meant_order_id: null, is_new: false, unlinked_at: null };
  expect([...rows]).toEqual([
    { id: "assigned", order_id: "by-user", quote_id: "by-user-quote", ...linked },
    { id: "confirmed", ...unmatched, unmatched_reason: "order_cancelled", meant_order_id: "cancelled" },
    { id: "dropped", ...unmatched, unmatched_reason: "taken_back", meant_order_id: null },
    { id: "part", order_id: "open", quote_id: "open-quote", ...linked },
    { id: "seen", ...unmatched, unmatched_reason: "order_cancelled", meant_order_id: "cancelled" },
  ]);
  const orders = await sql`select id, exception, paid_units::int as paid, version from orders order by id`;
  expect([...orders]).toEqual([
    { id: "by-user", exception: "underpaid", paid: 4, version: 1 },
    { id: "cancelled", exception: null, paid: 0, version: 2 },
    { id: "open", exception: "underpaid", paid: 4, version: 1 },
  ]);
});

test("keys_in_urls_off: plugins that exist keep their setting, and new ones are off", async () => {
  await migrateToBefore("keys_in_urls_off");
  const insertPlugin = (merchantId: string) => sql`
    insert into plugins (merchant_id, dialect, public_id, is_on, created_at, changed_at)
    values (${merchantId}, 'epay', ${merchantId}, true, ${at}, ${at})`;
  await insertPlugin("before");
  expect(await migrate(url)).toBe(true);
  await insertPlugin("after");
  expect([...(await sql`select merchant_id, takes_key_in_url as is_on from plugins order by merchant_id`)]).toEqual([
    { merchant_id: "after", is_on: false },
    { merchant_id: "before", is_on: true },
  ]);
});

test("plugin_settings: each plugin keeps its settings, and those that the previous version adds have the initial ones", async () => {
  await migrateToBefore("plugin_settings");
  const insertPlugin = (id: string) => sql`
    insert into plugins (merchant_id, dialect, public_id, is_on, takes_key_in_url, expiration, created_at, changed_at)
    values (${id}, 'shop', ${id}, true, true, 'unix', ${at}, ${at})`;
  await insertPlugin("before");
  expect(await migrate(url)).toBe(true);
  await insertPlugin("after");
  expect([...(await sql`select merchant_id as id, settings from plugins order by merchant_id`)]).toEqual([
    { id: "after", settings: {} },
    { id: "before", settings: { expiration: "unix", takesKeyInUrl: true } },
  ]);
});

test("email_verified: accounts that exist count as verified, those that the previous version adds do not", async () => {
  await migrateToBefore("email_verified");
  const insertUser = (name: string) => sql`
    insert into users (id, email, password_hash, created_at) values (${name}, ${`${name}@example.com`}, '', ${at})`;
  await insertUser("before");
  expect(await migrate(url)).toBe(true);
  await insertUser("after");
  expect([...(await sql`select id, email_verified_at as at from users order by id`)]).toEqual([
    { id: "after", at: null },
    { id: "before", at: new Date(at) },
  ]);
});

test("integration_ids: rows that exist stay, and any integration may have orders and plugins if its id is well-formed", async () => {
  await migrateToBefore("integration_ids");
  const insertPlugin = (integration: string) => sql`
    insert into plugins (merchant_id, dialect, public_id, is_on, created_at, changed_at)
    values ('m', ${integration}, ${integration}, true, ${at}, ${at})`;
  const insertOrderOf = (integration: string) => sql`
    insert into orders (id, merchant_id, mch_order_id, dialect, echo, network, currency, amount_units, quote_id, status, paid_units,
      expires_at, created_at, changed_at)
    values (${integration}, 'm', ${integration}, ${integration}, ${integration === "api" ? null : "{}"}, 'ethereum', 'USDT', 10,
      ${integration}, 'pending', 0, ${at}, ${at}, ${at})`;
  for (const integration of ["api", "epay"]) await insertOrderOf(integration);
  await insertPlugin("epay");
  await expect(insertOrderOf("toy-shop")).rejects.toThrow("orders_dialect_check");
  await expect(insertPlugin("toy-shop")).rejects.toThrow("plugins_dialect_check");
  expect(await migrate(url)).toBe(true);
  await insertOrderOf("toy-shop");
  await insertPlugin("toy-shop");
  await expect(insertOrderOf("Toy")).rejects.toThrow("orders_dialect_format_check");
  await expect(insertPlugin("")).rejects.toThrow("plugins_dialect_format_check");
  const idsOf = async (rows: Promise<postgres.Row[]>) => (await rows).map(({ dialect }) => dialect);
  expect(await idsOf(sql`select dialect from orders order by 1`)).toEqual(["api", "epay", "toy-shop"]);
  expect(await idsOf(sql`select dialect from plugins order by 1`)).toEqual(["epay", "toy-shop"]);
});

describe("cells_removed", () => {
  beforeEach(async () => {
    await migrateToBefore("cells_removed");
    await sql`insert into address_claims (family, address, cell) values ('evm', '0xaa', '00')`;
    await sql`insert into email_claims (email, cell, pending_since) values ('first@example.com', '00', ${at})`;
    await sql`insert into merchants (id, name, created_at) values ('m', 'Shop', ${at})`;
    await sql`insert into family_addresses (family, address, merchant_id) values ('evm', '0xaa', 'm')`;
    await sql`create schema cell_01`;
    await sql`create table cell_01.merchants (like merchants)`;
  });

  const tables = async () =>
    (await sql`select relname from pg_class where relname in ('address_claims', 'email_claims') order by 1`).map(
      ({ relname }) => relname,
    );

  test("drops the directory of an installation with one cell, also beside an empty schema of another", async () => {
    expect(await migrate(url)).toBe(true);
    expect(await tables()).toEqual([]);
    expect([...(await sql`select family, address, merchant_id as owner from family_addresses`)]).toEqual([
      { family: "evm", address: "0xaa", owner: "m" },
    ]);
  });

  test("refuses while the directory names another cell, with how much it has, and passes once it does not", async () => {
    await sql`insert into address_claims (family, address, cell) values ('evm', '0xbb', '02'), ('tron', 'T1', '02')`;
    await sql`insert into email_claims (email, cell) values ('second@example.com', '02'), ('third@example.com', '0z')`;
    const refusal = await migrate(url).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(MigrationRefusal);
    expect(String(refusal)).toContain(
      "Nothing was changed. Cell 02 has 2 receiving addresses and 1 accounts in the directory. Cell 0z has 0 receiving addresses and 1 accounts in the directory. Keep the previous version running",
    );
    expect(String(refusal)).toContain("docs/scaling.md");
    expect(await tables()).toEqual(["address_claims", "email_claims"]);
    await sql`delete from address_claims where cell <> '00'`;
    await sql`delete from email_claims where cell <> '00'`;
    expect(await migrate(url)).toBe(true);
  });

  test("refuses while another schema of a cell holds merchants, and migrates that schema once it is the only one", async () => {
    await sql`insert into cell_01.merchants select * from merchants`;
    await expect(migrate(url)).rejects.toThrow("Nothing was changed. The schema cell_01 holds merchants. Keep");
    expect(await tables()).toEqual(["address_claims", "email_claims"]);
    await sql`drop schema cell_01 cascade`;
    await sql`alter schema public rename to cell_02`;
    expect(await migrate(`${url}?search_path=cell_02`)).toBe(true);
    expect(await tables()).toEqual([]);
  });
});

test("plugin_sites: callbacks from before have no position, and those after it have increasing ones", async () => {
  await migrateToBefore("plugin_sites");
  const insertCallback = (id: string) => sql`
    insert into callbacks (id, merchant_id, order_id, type, url, origin, body, status, next_attempt_at, created_at)
    values (${id}, 'm', 'o', 'payment.confirmed', 'https://a.example/', 'https://a.example:443', '{}', 'pending', ${at}, ${at})`;
  await insertCallback("before");
  expect(await migrate(url)).toBe(true);
  await insertCallback("first");
  await insertCallback("second");
  const rows = await sql`select id, position from callbacks order by position nulls first`;
  expect(rows.map(({ id }) => id)).toEqual(["before", "first", "second"]);
  expect(rows.map(({ position }) => position === null)).toEqual([true, false, false]);
});

test("plugin_keys: existing keys were not made for a plugin, and keep their callback format", async () => {
  await migrateToBefore("plugin_keys");
  await sql`insert into api_keys (id, merchant_id, name, prefix, key_hash, secret_cipher, callback_format, created_at)
    values ('k', 'm', 'Shop', 'sg_live_', 'hash', 'cipher', 'plugin-v1', ${at})`;
  expect(await migrate(url)).toBe(true);
  expect([...(await sql`select callback_format, is_for_plugin, plugin_requested_at from api_keys`)]).toEqual([
    { callback_format: "plugin-v1", is_for_plugin: false, plugin_requested_at: null },
  ]);
});
