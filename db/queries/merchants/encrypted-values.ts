import { type SQL, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { rowList } from "@/db/queries/many-rows";
import { appSecretCheck } from "@/db/schema";

/** A value that was encrypted under APP_SECRET, or a MAC that was computed with it. */
export interface EncryptedValue {
  id: string;
  value: string;
}

/** A receiving address with its MAC. */
export interface MarkedAddress extends EncryptedValue {
  merchantId: string;
  network: string;
  address: string;
  kind: string;
}

/** The columns with values that are encrypted under APP_SECRET. */
const LOCATIONS = {
  api_keys: { table: sql`api_keys`, column: sql`secret_cipher` },
  api_key_hashes: { table: sql`api_keys`, column: sql`hash_cipher` },
  users: { table: sql`users`, column: sql`totp_sealed` },
  signing_keys: { table: sql`signing_keys`, column: sql`private_cipher` },
  notification_channels: { table: sql`notification_channels`, column: sql`target_cipher` },
  plugin_keys: { table: sql`plugin_keys`, column: sql`key_cipher` },
  plugin_webhooks: { table: sql`plugin_webhooks`, column: sql`secret_cipher` },
  address_sources: { table: sql`address_sources`, column: sql`key_cipher` },
  refund_requests: { table: sql`refund_requests`, column: sql`claim_cipher` },
  receiving_addresses: { table: sql`receiving_addresses`, column: sql`mac` },
} as const satisfies Record<string, { table: SQL; column: SQL }>;

export type EncryptedTable = keyof typeof LOCATIONS;

/** Returns at most `limit` encrypted values of a table whose ids follow a given id, sorted by id. */
export async function listEncrypted(
  db: Db,
  table: Exclude<EncryptedTable, "receiving_addresses">,
  after: string,
  limit: number,
): Promise<EncryptedValue[]> {
  const location = LOCATIONS[table];
  return db.execute<{ id: string; value: string }>(sql`
    select id, ${location.column} as value from ${location.table}
    where id > ${after} and ${location.column} is not null order by id limit ${limit}`);
}

/**
 * Returns at most `limit` receiving addresses whose ids follow a given id, sorted by id. Includes removed addresses, which may be
 * restored.
 */
export async function listMarked(db: Db, after: string, limit: number): Promise<MarkedAddress[]> {
  return db.execute<{ id: string; value: string; merchantId: string; network: string; address: string; kind: string }>(
    sql`select id, mac as value, merchant_id as "merchantId", network, address, kind from receiving_addresses
      where id > ${after} order by id limit ${limit}`,
  );
}

/**
 * Replaces encrypted values in one statement, except values that have changed since they were read.
 * @returns the number of replaced values
 */
export async function replaceEncrypted(
  db: Db,
  table: EncryptedTable,
  values: readonly (EncryptedValue & { next: string })[],
): Promise<number> {
  if (values.length === 0) return 0;
  const { table: name, column } = LOCATIONS[table];
  const rows = await db.execute(sql`
    update ${name} set ${column} = given.next
    from jsonb_to_recordset(${rowList(values.map(({ id, value, next }) => ({ id, value, next })))})
      as given (id text, value text, next text)
    where ${name}.id = given.id and ${name}.${column} = given.value
    returning given.id`);
  return rows.length;
}

/** Returns the stored test values of APP_SECRET: none before the first start, two while APP_SECRET is being changed. */
export async function findTestMacs(db: Db): Promise<string[]> {
  const [row] = await db.select().from(appSecretCheck);
  return row ? [row.mac, row.nextMac].filter((mac) => mac !== null) : [];
}

/** Stores the first test values of an installation. If another process stored its values first, those are kept. */
export async function insertTestMacs(db: Db, { mac, nextMac }: { mac: string; nextMac: string | null }): Promise<void> {
  await db.insert(appSecretCheck).values({ mac, nextMac }).onConflictDoNothing();
}

/** Adds the test value of the next secret. From then on, a process needs both secrets to start. */
export async function addNextTestMac(db: Db, mac: string): Promise<void> {
  await db.execute(sql`update app_secret_check set next_mac = ${mac} where mac <> ${mac}`);
}

/** Replaces all test values with a single one. */
export async function replaceTestMacs(db: Db, mac: string): Promise<void> {
  const value = { mac, nextMac: null };
  await db.insert(appSecretCheck).values(value).onConflictDoUpdate({ target: appSecretCheck.id, set: value });
}
