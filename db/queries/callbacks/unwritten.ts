import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { announceCallbacks } from "@/db/queries/callbacks/callbacks";
import { rowList } from "@/db/queries/many-rows";
import type { Echo, IntegrationId } from "@/lib/domain/integration-id";

/** A callback without a body, because no process had its integration installed when its event was written. */
export interface UnwrittenCallback extends Record<string, unknown> {
  id: string;
  merchantId: string;
  orderId: string;
  integration: IntegrationId;
  echo: Echo | null;
  /** The `notify_url` of the order. */
  url: string | null;
  metadata: string | null;
  /** The event in the standard format. */
  body: string;
}

const NOT_INSTALLED = sql`c.unsigned_since is not null and c.unsigned_reason = 'not_installed' and c.status = 'pending'
  and c.lease_owner is null`;
const formatIn = (ids: readonly IntegrationId[]) =>
  sql`c.format in (select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`;

/**
 * Locks callbacks without a body that one of these integrations must write, oldest first. Callbacks that another process has locked are
 * skipped.
 */
export async function lockUnwritten(
  tx: Db,
  ids: readonly IntegrationId[],
  limit: number,
): Promise<UnwrittenCallback[]> {
  return tx.execute<UnwrittenCallback>(sql`
    select c.id, c.merchant_id as "merchantId", c.order_id as "orderId", o.dialect as integration, o.echo,
      o.notify_url as url, o.metadata, e.body
    from callbacks c join events e on e.id = c.id and e.merchant_id = c.merchant_id
      join orders o on o.id = c.order_id and o.merchant_id = c.merchant_id
    where ${NOT_INSTALLED} and c.body = '' and ${formatIn(ids)}
    order by c.position nulls first, c.id limit ${limit} for update of c skip locked`);
}

/** Deletes locked callbacks without a body. */
export async function deleteUnwritten(
  tx: Db,
  locked: readonly Pick<UnwrittenCallback, "id" | "merchantId">[],
): Promise<void> {
  if (locked.length === 0) return;
  const list = locked.map(({ id, merchantId }) => ({ id, merchantId }));
  await tx.execute(sql`
    delete from callbacks c using jsonb_to_recordset(${rowList(list)}) as u (id text, "merchantId" text)
    where c.id = u.id and c.merchant_id = u."merchantId" and c.body = ''`);
}

/**
 * Makes callbacks due that already have a body and were postponed because one of these integrations was not installed.
 * @returns the number of callbacks
 */
export async function wakeInstalled(tx: Db, ids: readonly IntegrationId[], now: Date): Promise<number> {
  const rows = await tx.execute(sql`
    update callbacks c set next_attempt_at = ${now.toISOString()}::timestamptz
    where ${NOT_INSTALLED} and c.body <> '' and c.next_attempt_at > ${now.toISOString()}::timestamptz and ${formatIn(ids)}
    returning 1`);
  if (rows.length > 0) await announceCallbacks(tx);
  return rows.length;
}
