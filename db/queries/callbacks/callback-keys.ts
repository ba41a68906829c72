import { type SQL, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { idList } from "@/db/queries/many-rows";
import type { CallbackFormat } from "@/lib/domain/keys/key-rules";

/** A live key of a merchant, as it signs callbacks. */
export interface CallbackKey extends Record<string, unknown> {
  id: string;
  secretCipher: string;
  /** First characters of the key. */
  prefix: string;
  /** SHA-256 of the key, hex. */
  keyHash: string;
}

const MAX_KEYS = 10;
/** Keys that replaced one another by rotation are one line, named by the first of them. */
const LINE = sql.raw("coalesce(k.first_id, k.id)");

/**
 * The keys of a merchant as a from-item "speaking", the one that says how an order's callbacks are first: a live one of the line of
 * the key that made it; else a live one of the merchant's default line, which is that of its oldest key unless a person chose; else
 * a dead one of its own line. The newest of its line each time.
 * @param made has merchant_id, and api_key_id, null where a person made the order
 */
function speakingKey(made: "o" | "makers", now: Date): SQL {
  const isLive = sql`is_live(k.ends_at, ${now.toISOString()}::timestamptz)`;
  const isOwn = sql.raw(`coalesce(k.first_id, k.id) = (select coalesce(own.first_id, own.id) from api_keys own
    where own.id = ${made}.api_key_id and own.merchant_id = ${made}.merchant_id)`);
  return sql`lateral (
    select k.callback_format, k.opt_ins, ${LINE} as line, ${isLive} as is_live from api_keys k
    where k.merchant_id = ${sql.raw(made)}.merchant_id
    order by case when ${isLive} and ${isOwn} then 0 when ${isLive} then 1 when ${isOwn} then 2 else 3 end,
      coalesce(${isOwn}, false) or k.is_default desc, ${LINE}, k.created_at desc, k.id desc limit 1) speaking`;
}

/**
 * The live keys that sign the callbacks of each order, newest first: those of the line of the key that made it; where none of them
 * lives, or a person made the order, those of the merchant's default line. Orders of a merchant without a live key are left out.
 */
export async function listCallbackKeys(
  db: Db,
  orderIds: readonly string[],
  now: Date,
): Promise<Map<string, CallbackKey[]>> {
  const rows = await db.execute<CallbackKey & { orderId: string }>(sql`
    with asked as materialized (
      select id, merchant_id, api_key_id from orders where id = any(${idList(orderIds)})
    ), makers as (
      select distinct merchant_id, api_key_id from asked
    )
    select asked.id as "orderId", signing.id, signing.secret_cipher as "secretCipher", signing.prefix, signing.key_hash as "keyHash"
    from makers cross join ${speakingKey("makers", now)} cross join lateral (
      select * from api_keys k where k.merchant_id = makers.merchant_id and ${LINE} = speaking.line
        and is_live(k.ends_at, ${now.toISOString()}::timestamptz)
      order by k.created_at desc, k.id desc limit ${MAX_KEYS}) signing
    join asked on asked.merchant_id = makers.merchant_id and asked.api_key_id is not distinct from makers.api_key_id
    order by signing.created_at desc, signing.id desc`);
  return Map.groupBy(rows, ({ orderId }) => orderId);
}

/** The live keys of the line of one key, newest first: those that sign the callbacks of orders that it made. None where it is dead itself. */
export async function listKeysOfLine(
  db: Db,
  key: { merchantId: string; id: string },
  now: Date,
): Promise<CallbackKey[]> {
  const at = sql`${now.toISOString()}::timestamptz`;
  return db.execute<CallbackKey>(sql`
    select k.id, k.secret_cipher as "secretCipher", k.prefix, k.key_hash as "keyHash"
    from api_keys asked join api_keys k on k.merchant_id = asked.merchant_id and ${LINE} = coalesce(asked.first_id, asked.id)
    where asked.id = ${key.id} and asked.merchant_id = ${key.merchantId} and is_live(asked.ends_at, ${at}) and is_live(k.ends_at, ${at})
    order by k.created_at desc, k.id desc limit ${MAX_KEYS}`);
}

/**
 * In which format each order's callbacks are written: that of the keys that sign them; where no key lives, that of the key that
 * made the order. Orders of a merchant without any key are left out.
 */
export async function listCallbackFormats(
  db: Db,
  orderIds: readonly string[],
  now: Date,
): Promise<Map<string, CallbackFormat>> {
  if (orderIds.length === 0) return new Map();
  const rows = await db.execute<{ id: string; format: CallbackFormat }>(sql`
    select o.id, speaking.callback_format as format from orders o cross join ${speakingKey("o", now)}
    where o.id = any(${idList(orderIds)})`);
  return new Map(rows.map(({ id, format }) => [id, format]));
}

/**
 * What the merchants of orders want to hear besides confirmed payments, by order: what the keys that sign their callbacks opted in
 * to. Those who want nothing are left out, and where nobody wants anything no order is looked at.
 */
export async function listOptIns(
  db: Db,
  orderIds: readonly string[],
  now: Date,
): Promise<Map<string, ReadonlySet<string>>> {
  if (orderIds.length === 0) return new Map();
  const rows = await db.execute<{ id: string; optIns: string[] }>(sql`
    with asked as materialized (
      select o.id, o.merchant_id, o.api_key_id from orders o
      where o.id = any(${idList(orderIds)}) and exists (select from api_keys where opt_ins <> '{}')
        and exists (select from api_keys k where k.merchant_id = o.merchant_id and k.opt_ins <> '{}')
    ), makers as (
      select distinct merchant_id, api_key_id from asked
    ), told as (
      select makers.*, speaking.opt_ins from makers cross join ${speakingKey("makers", now)}
      where speaking.is_live and speaking.opt_ins <> '{}'
    )
    select asked.id, told.opt_ins as "optIns" from asked join told
      on told.merchant_id = asked.merchant_id and told.api_key_id is not distinct from asked.api_key_id`);
  return new Map(rows.map(({ id, optIns }) => [id, new Set(optIns)]));
}
