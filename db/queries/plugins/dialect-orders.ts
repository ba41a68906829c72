import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import type { PluginDialect } from "@/lib/domain/dialect";

/** Ids of a shop's orders of a dialect, the newest first. */
export async function listDialectOrders(
  db: Db,
  page: { merchantId: string; dialect: PluginDialect; limit: number; offset: number },
): Promise<string[]> {
  const { merchantId, dialect, limit, offset } = page;
  const rows = await db.execute<{ id: string }>(sql`
    select o.id from orders o where o.merchant_id = ${merchantId} and o.dialect = ${dialect} and o.dialect <> 'api'
    order by o.id desc limit ${limit} offset ${offset}`);
  return rows.map(({ id }) => id);
}
