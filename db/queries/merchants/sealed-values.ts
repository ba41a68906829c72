import { type SQL, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { rowList } from "@/db/queries/many-rows";

/** Something that was sealed, or a mark that was made, under APP_SECRET. */
export interface SealedValue {
  id: string;
  value: string;
}

/** A receiving address with the mark that it carries. */
export interface MarkedAddress extends SealedValue {
  merchantId: string;
  network: string;
  address: string;
  kind: string;
}

/** Where values lie that APP_SECRET seals. */
const PLACES = {
  api_keys: { table: sql`api_keys`, column: sql`secret_cipher` },
  users: { table: sql`users`, column: sql`totp_sealed` },
  signing_keys: { table: sql`signing_keys`, column: sql`private_cipher` },
  notification_channels: { table: sql`notification_channels`, column: sql`target_cipher` },
  plugin_keys: { table: sql`plugin_keys`, column: sql`key_cipher` },
  plugin_webhooks: { table: sql`plugin_webhooks`, column: sql`secret_cipher` },
  address_sources: { table: sql`address_sources`, column: sql`key_cipher` },
  receiving_addresses: { table: sql`receiving_addresses`, column: sql`mac` },
} as const satisfies Record<string, { table: SQL; column: SQL }>;

export type SealedTable = keyof typeof PLACES;

/** At most `limit` sealed values of a table that follow an id, by id. */
export async function listSealed(
  db: Db,
  table: Exclude<SealedTable, "receiving_addresses">,
  after: string,
  limit: number,
): Promise<SealedValue[]> {
  const place = PLACES[table];
  return db.execute<{ id: string; value: string }>(sql`
    select id, ${place.column} as value from ${place.table}
    where id > ${after} and ${place.column} is not null order by id limit ${limit}`);
}

/** At most `limit` receiving addresses that follow an id, by id, removed ones too: they may be looked at again. */
export async function listMarked(db: Db, after: string, limit: number): Promise<MarkedAddress[]> {
  return db.execute<{ id: string; value: string; merchantId: string; network: string; address: string; kind: string }>(
    sql`select id, mac as value, merchant_id as "merchantId", network, address, kind from receiving_addresses
      where id > ${after} order by id limit ${limit}`,
  );
}

/**
 * Puts values in the place of those that were read, in one statement; what somebody else changed meanwhile stays theirs.
 * @returns how many were replaced
 */
export async function replaceSealed(
  db: Db,
  table: SealedTable,
  values: readonly (SealedValue & { next: string })[],
): Promise<number> {
  if (values.length === 0) return 0;
  const { table: name, column } = PLACES[table];
  const rows = await db.execute(sql`
    update ${name} set ${column} = given.next
    from jsonb_to_recordset(${rowList(values.map(({ id, value, next }) => ({ id, value, next })))})
      as given (id text, value text, next text)
    where ${name}.id = given.id and ${name}.${column} = given.value
    returning given.id`);
  return rows.length;
}
