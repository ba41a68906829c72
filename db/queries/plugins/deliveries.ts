import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import type { NewCallback } from "@/db/queries/callbacks/callbacks";
import { targetColumn } from "@/db/queries/credit-targets";

/** A callback that was sent to a webhook at least once, with its last attempt. Times are Unix milliseconds. */
export interface DeliveryRow extends Record<string, unknown>, Pick<NewCallback, "id" | "target" | "type" | "body"> {
  created_ms: number;
  sent_ms: number | null;
  http_status: number | null;
  /** The recorded problem of an attempt without an HTTP status. */
  error: string | null;
}

const ms = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000)::float8`);

/**
 * Lists the callbacks that were sent to a webhook, newest first.
 * @param only `limit`: the maximum number; `id`: the id of the one to find
 */
export async function listDeliveries(
  db: Db,
  { merchantId, webhookId }: { merchantId: string; webhookId: string },
  only: { limit: number } | { id: string },
): Promise<DeliveryRow[]> {
  const named = "id" in only ? sql`and c.id = ${only.id}` : sql``;
  return db.execute<DeliveryRow>(sql`
    select c.id, ${targetColumn("c")} as target, c.type, c.body, ${ms("c.created_at")} as created_ms, ${ms("last.started_at")} as sent_ms,
      c.last_http_status as http_status, last.error
    from callbacks c left join lateral (
      select a.started_at, a.error from callback_attempts a where a.callback_id = c.id and a.merchant_id = c.merchant_id
      order by a.number desc, a.started_at desc limit 1) last on true
    where c.merchant_id = ${merchantId} and c.webhook_id = ${webhookId} and c.attempts > 0 ${named}
    order by c.position desc nulls last, c.id desc limit ${"id" in only ? 1 : only.limit}`);
}
