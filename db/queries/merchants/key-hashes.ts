import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { idList, rowList } from "@/db/queries/many-rows";

/** The stored forms of an API key's SHA-256, which signs plugin v1 callbacks. */
export interface KeyHashRow {
  id: string;
  /** The HMAC by which the key of a request is found; null in a row of an earlier version. */
  lookupMac: string | null;
  /** The SHA-256 in hex, encrypted; null in a row of an earlier version. */
  hashCipher: string | null;
  /** The unencrypted SHA-256 in hex; null once no process of an earlier version needs it. */
  keyHash: string | null;
}

/** A row with an unencrypted hash. */
export interface ClearHash extends KeyHashRow {
  keyHash: string;
}

/**
 * A condition: true if a web process or worker that finds API keys by `key_hash` is connected. Processes of this version use a different
 * connection name (`db/client.ts`).
 */
export const RUNS_FORMER_VERSION = sql`exists (
  select from pg_stat_activity where datname = current_database()
    and (application_name in ('stablegate-api', 'stablegate-pages', 'stablegate-listener')
      or application_name ~ '^stablegate-worker [0-9a-f]{8}$'))`;

/** Returns true if a web process or a worker of an earlier version is connected. */
export async function runsFormerVersion(db: Db): Promise<boolean> {
  const [row] = await db.execute<{ is_there: boolean }>(sql`select ${RUNS_FORMER_VERSION} as is_there`);
  return row?.is_there === true;
}

/** Returns at most `limit` rows with an unencrypted hash whose ids follow `after`, sorted by id. */
export async function listClearHashes(db: Db, after: string, limit: number): Promise<ClearHash[]> {
  return db.execute<ClearHash & Record<string, unknown>>(sql`
    select id, lookup_mac as "lookupMac", hash_cipher as "hashCipher", key_hash as "keyHash" from api_keys
    where key_hash is not null and id > ${after} order by id limit ${limit}`);
}

/** Returns true if an API key is stored in the form of earlier versions and has not been encrypted yet. */
export async function hasUnencryptedHashes(db: Db): Promise<boolean> {
  const rows = await db.execute(sql`select from api_keys where key_hash is not null and hash_cipher is null limit 1`);
  return rows.length > 0;
}

/** Returns the number of API keys with an unencrypted hash. */
export async function countClearHashes(db: Db): Promise<number> {
  const [row] = await db.execute<{ count: number }>(
    sql`select count(*)::int as count from api_keys where key_hash is not null`,
  );
  return row?.count ?? 0;
}

type Protected = Pick<KeyHashRow, "id"> & { lookupMac: string; hashCipher: string };

/**
 * Replaces the HMAC and the encrypted hash of keys in one statement, in rows that have not changed since they were read.
 * @returns the number of replaced rows
 */
export async function replaceKeyHashes(db: Db, rows: readonly (Protected & { was: string | null })[]): Promise<number> {
  if (rows.length === 0) return 0;
  const given = rows.map(({ id, lookupMac, hashCipher, was }) => ({ id, lookupMac, hashCipher, was }));
  const replaced = await db.execute(sql`
    update api_keys set lookup_mac = given."lookupMac", hash_cipher = given."hashCipher"
    from jsonb_to_recordset(${rowList(given)}) as given (id text, "lookupMac" text, "hashCipher" text, was text)
    where api_keys.id = given.id and api_keys.hash_cipher is not distinct from given.was
    returning given.id`);
  return replaced.length;
}

/**
 * Removes the unencrypted hash of keys that have an encrypted one, unless a process of an earlier version is connected.
 * @returns the number of removed hashes
 */
export async function removeClearHashes(db: Db, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const removed = await db.execute(sql`
    update api_keys set key_hash = null
    where id = any(${idList(ids)}) and key_hash is not null and hash_cipher is not null and not ${RUNS_FORMER_VERSION}
    returning id`);
  return removed.length;
}
