import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { idList } from "@/db/queries/many-rows";
import { livesAt } from "@/db/queries/merchants/api-keys";
import type { CallbackFormat } from "@/lib/domain/keys/key-rules";

/** A live key of a merchant, as it signs callbacks. */
export interface CallbackKey {
  id: string;
  secretCipher: string;
  /** First characters of the key. */
  prefix: string;
  /** SHA-256 of the key, hex. */
  keyHash: string;
}

const MAX_KEYS = 10;
/** Keys that replaced one another by rotation are one line, named by the first of them. */
const LINE = "coalesce(k.first_id, k.id)";
/** Which line speaks where an order's own is dead, or a person made the order. */
const DEFAULT_FIRST = "k.is_default desc, k.created_at, k.id";

/**
 * The live keys that sign the callbacks of an order, newest first: those of the line of the key that made it; where none of them
 * lives, or a person made the order, those of the merchant's default line; none where the merchant has no live key.
 */
export async function listCallbackKeys(
  db: Db,
  order: { orderId: string; merchantId: string },
  now: Date,
): Promise<CallbackKey[]> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const rows = await db.execute<{ id: string; secret_cipher: string; prefix: string; key_hash: string }>(sql`
    with live as (
      select k.*, ${sql.raw(LINE)} as line from api_keys k
      where k.merchant_id = ${order.merchantId} and (k.ends_at is null or k.ends_at > ${at})
    ), own as (
      select ${sql.raw(LINE)} as line from orders o join api_keys k on k.id = o.api_key_id and k.merchant_id = o.merchant_id
      where o.id = ${order.orderId} and o.merchant_id = ${order.merchantId}
    ), speaking as (
      select coalesce(
        (select k.line from live k join own on own.line = k.line limit 1),
        (select k.line from live k order by ${sql.raw(DEFAULT_FIRST)} limit 1)) as line
    )
    select k.id, k.secret_cipher, k.prefix, k.key_hash from live k join speaking on speaking.line = k.line
    order by k.created_at desc, k.id desc limit ${MAX_KEYS}`);
  return rows.map((row) => ({
    ...{ id: row.id, prefix: row.prefix },
    ...{ secretCipher: row.secret_cipher, keyHash: row.key_hash },
  }));
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
  const isLive = sql.raw(livesAt("k", "times.now"));
  const isOwn = sql`${sql.raw(LINE)} = (select coalesce(own.first_id, own.id) from api_keys own
    where own.id = o.api_key_id and own.merchant_id = o.merchant_id)`;
  const rows = await db.execute<{ id: string; format: CallbackFormat }>(sql`
    select o.id, speaking.format from (select ${now.toISOString()}::timestamptz as now) times cross join orders o
    cross join lateral (
      select k.callback_format as format from api_keys k where k.merchant_id = o.merchant_id
      order by case when ${isLive} and ${isOwn} then 0 when ${isLive} then 1 when ${isOwn} then 2 else 3 end,
        ${sql.raw(DEFAULT_FIRST)} limit 1) speaking
    where o.id = any(${idList(orderIds)})`);
  return new Map(rows.map(({ id, format }) => [id, format]));
}
