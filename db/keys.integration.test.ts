import { describe, expect, test } from "vitest";
import { useTestDb } from "@/testing/database/clone";

const testDb = useTestDb();

interface Key {
  table: string;
  key: string;
  columns: string[];
}

/** The tables without a merchant in their keys: they are read before the merchant is known, or belong to no merchant. */
const GLOBAL: Readonly<Record<string, string>> = {
  merchants: "the merchant itself",
  users: "a user is found by an e-mail address",
  memberships: "a user's merchants are read before one is chosen",
  sessions: "a user is found by a session",
  passkeys: "a user is found by a passkey",
  recovery_codes: "belong to a user, whatever the merchant",
  account_letters: "mails to a user, who may belong to no merchant or several",
  challenges: "a single answer of a user who is signing in",
  invitations: "found by the hash of a link",
  api_keys: "found by a lookup MAC before the merchant is known",
  plugins: "a public id names its merchant",
  plugin_keys: "a token names its merchant",
  signing_keys: "the Ed25519 keys of the installation",
  app_secret_check: "the value that APP_SECRET is verified against",
  request_ids: "the id of a signed request counts once per key",
  family_addresses: "an address belongs to one merchant over all merchants",
  rate_sources: "the state of each source of rates",
  rate_readings: "the last reading of each source of rates",
  rate_limits: "buckets of keys, IP addresses and sign-ins",
  refund_transfers: "a transfer on a chain completes one refund over all merchants",
  blocks: "blocks that were read of a network",
  cursors: "how far a network is read, and by which worker",
  account_cursors: "how far an account of a network is read",
  endpoint_calls: "calls of each endpoint by day",
  callback_origins: "the state of a callback host, over all merchants that call it",
  total_cursors: "how far totals are counted, over all merchants",
  outcome_counts: "outcomes of orders by hour, network and currency",
  machine_reports: "disks, dumps and certificates of each machine",
  operator_alerts: "the alerts of the installation",
  operator_messages: "alerts that are not sent yet",
  operator_rounds: "when alert conditions were last evaluated",
  notification_cursors: "how far notifications were collected, over all merchants",
  schema_migrations: "the migrations that were applied",
};
const isGlobal = (table: string) => Object.hasOwn(GLOBAL, table);

/** Returns the primary keys and unique indexes with their columns. Partitions have the keys of their table. */
async function listKeys(): Promise<Key[]> {
  return testDb.pool.sql<Key[]>`
    select t.relname as table, i.relname as key,
      array(select a.attname::text from pg_attribute a where a.attrelid = t.oid and a.attnum = any(x.indkey)) as columns
    from pg_index x join pg_class t on t.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
    where x.indisunique and t.relnamespace = current_schema()::regnamespace and not t.relispartition order by 1, 2`;
}

async function listTables(): Promise<string[]> {
  const rows = await testDb.pool.sql`
    select relname from pg_class where relkind in ('r', 'p') and not relispartition
      and relnamespace = current_schema()::regnamespace order by 1`;
  return rows.map((row) => String(row["relname"]));
}

describe("rows of merchants are kept apart by their keys", () => {
  test("every table that is not listed as global has the merchant in its primary key and in every unique index", async () => {
    const keys = (await listKeys()).filter(({ table }) => !isGlobal(table));
    expect(keys.filter(({ columns }) => !columns.includes("merchant_id"))).toEqual([]);
    const keyed = new Set((await listKeys()).map(({ table }) => table));
    expect((await listTables()).filter((table) => !keyed.has(table))).toEqual([]);
  });

  test("every foreign key between such tables names the merchant on both sides", async () => {
    const rows = await testDb.pool.sql<{ name: string; table: string; there: string; isNamed: boolean }[]>`
      select c.conname as name, t.relname as table, f.relname as there,
        exists (select from unnest(c.conkey, c.confkey) as pair (own, other)
          join pg_attribute a on a.attrelid = c.conrelid and a.attnum = pair.own
          join pg_attribute b on b.attrelid = c.confrelid and b.attnum = pair.other
          where a.attname = 'merchant_id' and b.attname in ('merchant_id', 'id')) as "isNamed"
      from pg_constraint c join pg_class t on t.oid = c.conrelid join pg_class f on f.oid = c.confrelid
      where c.contype = 'f' and c.connamespace = current_schema()::regnamespace and c.conparentid = 0`;
    expect(rows.length).toBeGreaterThan(5);
    const own = rows.filter(({ table, there }) => !isGlobal(table) && !isGlobal(there));
    expect(own.filter(({ isNamed }) => !isNamed)).toEqual([]);
  });

  test("the list of global tables contains only existing tables", async () => {
    const tables = await listTables();
    expect(Object.keys(GLOBAL).filter((name) => !tables.includes(name))).toEqual([]);
  });
});
