import { sql } from "drizzle-orm";
import { type Db, runPrepared } from "@/db/client";
import { targetOwners } from "@/db/queries/credit-targets";
import { WEBHOOK_EVENTS } from "@/lib/domain/callbacks/callback";
import type { KeyFormat } from "@/lib/domain/keys/key-rules";

/** A live key of a merchant with its secrets for signing callbacks. */
export interface CallbackKey extends Record<string, unknown> {
  id: string;
  secretCipher: string;
  /** The first characters of the key. */
  prefix: string;
  /** The SHA-256 of the key in hex, encrypted; null in a row of an earlier version, which stores it in `keyHash`. */
  hashCipher: string | null;
  keyHash: string | null;
}

const MAX_KEYS = 10;
/**
 * An expression for the line of a key. Keys that replaced one another by rotation form one line, which is identified by the first of them.
 */
const LINE = "coalesce(k.first_id, k.id)";
const IS_LIVE = "is_live(k.ends_at, $2::timestamptz)";
const IS_OWN = `coalesce(k.first_id, k.id) = (select coalesce(own.first_id, own.id) from api_keys own
  where own.id = makers.api_key_id and own.merchant_id = makers.merchant_id)`;

/**
 * A from-item "speaking": the key whose line signs the callbacks of a creator's orders. It is the first of these that exists: a valid key
 * of the line of the key that created the orders; a valid key of the merchant's default line, which is that of its oldest key unless a
 * user chose a different one; an ended key of its own line. In each case, it is the newest key of the line. A creator is a merchant_id and
 * an api_key_id, which is null if a user created the orders.
 */
const SPEAKING = `lateral (
  select k.callback_format, k.opt_ins, ${LINE} as line, ${IS_LIVE} as is_live from api_keys k
  where k.merchant_id = makers.merchant_id
  order by case when ${IS_LIVE} and ${IS_OWN} then 0 when ${IS_LIVE} then 1 when ${IS_OWN} then 2 else 3 end,
    coalesce(${IS_OWN}, false) or k.is_default desc, ${LINE}, k.created_at desc, k.id desc limit 1) speaking`;

const ASKED_IDS = "any(array(select jsonb_array_elements_text($1::text::jsonb)))";
/** A from-item with the orders and other targets that have the given ids. */
const ASKED = `(${targetOwners(ASKED_IDS)})`;
const MAKERS = "makers as (select distinct merchant_id, api_key_id from asked)";
const IS_MADE_BY = "asked.merchant_id = makers.merchant_id and asked.api_key_id is not distinct from makers.api_key_id";

const LIST_KEYS = `
  with asked as materialized ${ASKED}, ${MAKERS}
  select asked.id as "orderId", signing.id, signing.secret_cipher as "secretCipher", signing.prefix,
    signing.hash_cipher as "hashCipher", signing.key_hash as "keyHash"
  from makers cross join ${SPEAKING} cross join lateral (
    select * from api_keys k where k.merchant_id = makers.merchant_id and ${LINE} = speaking.line and ${IS_LIVE}
    order by k.created_at desc, k.id desc limit ${MAX_KEYS}) signing
  join asked on ${IS_MADE_BY}
  order by signing.created_at desc, signing.id desc`;

/**
 * Returns the live keys that sign the callbacks of each order or other target, newest first: the keys in the line of the key that created
 * it. If none of these keys is live, or a user created the order, the keys in the merchant's default line are returned. Orders of a
 * merchant without a live key are left out.
 */
export async function listCallbackKeys(
  db: Db,
  orderIds: readonly string[],
  now: Date,
): Promise<Map<string, CallbackKey[]>> {
  const rows = await runPrepared<CallbackKey & { orderId: string }>(db, LIST_KEYS, parameters(orderIds, now));
  return Map.groupBy(rows, ({ orderId }) => orderId);
}

const parameters = (orderIds: readonly string[], now: Date) => [JSON.stringify(orderIds), now.toISOString()];

/**
 * Returns the live keys of the line of one key, newest first. They sign the callbacks of orders that the key created. Returns no keys if
 * the key itself is not live.
 */
export async function listKeysOfLine(
  db: Db,
  key: { merchantId: string; id: string },
  now: Date,
): Promise<CallbackKey[]> {
  const at = sql`${now.toISOString()}::timestamptz`;
  return db.execute<CallbackKey>(sql`
    select k.id, k.secret_cipher as "secretCipher", k.prefix, k.hash_cipher as "hashCipher", k.key_hash as "keyHash"
    from api_keys asked join api_keys k on k.merchant_id = asked.merchant_id and ${sql.raw(LINE)} = coalesce(asked.first_id, asked.id)
    where asked.id = ${key.id} and asked.merchant_id = ${key.merchantId} and is_live(asked.ends_at, ${at}) and is_live(k.ends_at, ${at})
    order by k.created_at desc, k.id desc limit ${MAX_KEYS}`);
}

const LIST_FORMATS = `
  with asked as materialized ${ASKED}, ${MAKERS}
  select asked.id, speaking.callback_format as format from makers cross join ${SPEAKING} join asked on ${IS_MADE_BY}`;

/**
 * Returns the callback format of each order: the format of the keys that sign its callbacks or, if no key is live, of the key that created
 * the order. Orders of a merchant without any key are left out.
 */
export async function listCallbackFormats(
  db: Db,
  orderIds: readonly string[],
  now: Date,
): Promise<Map<string, KeyFormat>> {
  if (orderIds.length === 0) return new Map();
  const rows = await runPrepared<{ id: string; format: KeyFormat }>(db, LIST_FORMATS, parameters(orderIds, now));
  return new Map(rows.map(({ id, format }) => [id, format]));
}

const LIST_OPT_INS = `
  with asked as materialized (
    select o.id, o.merchant_id, o.api_key_id from ${ASKED} o
    where exists (select from api_keys where opt_ins <> '{}')
      and exists (select from api_keys k where k.merchant_id = o.merchant_id and k.opt_ins <> '{}')
  ), ${MAKERS}, found as (
    select makers.*, speaking.opt_ins from makers cross join ${SPEAKING}
    where speaking.is_live and speaking.opt_ins <> '{}'
  )
  select asked.id, makers.opt_ins as "optIns" from asked join found makers on ${IS_MADE_BY}
  union all select o.id, '{${WEBHOOK_EVENTS.join(",")}}'::text[] from orders o
  where exists (select from plugin_webhooks) and o.dialect <> 'api' and o.id = ${ASKED_IDS}
    and exists (select from plugin_webhooks w where w.merchant_id = o.merchant_id and w.dialect = o.dialect and w.is_enabled)`;

/**
 * Returns, by order, the events that are delivered in addition to confirmed payments: the events that the signing keys opted in to, and
 * the events of the plugins' webhooks. Orders without such events are omitted. If no key or webhook has such events, no order is read.
 */
export async function listOptIns(
  db: Db,
  orderIds: readonly string[],
  now: Date,
): Promise<Map<string, ReadonlySet<string>>> {
  if (orderIds.length === 0) return new Map();
  const rows = await runPrepared<{ id: string; optIns: string[] }>(db, LIST_OPT_INS, parameters(orderIds, now));
  const byOrder = Map.groupBy(rows, ({ id }) => id);
  return new Map([...byOrder].map(([id, own]) => [id, new Set(own.flatMap(({ optIns }) => optIns))]));
}
