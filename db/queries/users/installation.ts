import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { firstIdAt } from "@/lib/domain/id";

/** A shop as shown to the operator of the installation, without its orders. */
export interface InstalledShop {
  id: string;
  name: string;
  createdAt: Date;
  /** E-mail addresses. */
  owners: string[];
  people: number;
  /** The number of orders in the last 24 hours. */
  orders: number;
  /** The number of unmatched transfers. */
  unmatched: number;
  signedInAt: Date | null;
}

const DAY_MS = 86_400_000;

/** Returns the shops of this installation, oldest first: at most `limit` shops after a given one. */
export async function listInstalledShops(db: Db, after: string, limit: number, now: Date): Promise<InstalledShop[]> {
  const dayAgo = firstIdAt(new Date(now.getTime() - DAY_MS));
  const rows = await db.execute<{
    id: string;
    name: string;
    created_at: string;
    owners: string[];
    people: number;
    orders: number;
    unmatched: number;
    signed_in_at: string | null;
  }>(sql`
    select c.id, c.name, c.created_at,
      array(select u.email from memberships m join users u on u.id = m.user_id
        where m.merchant_id = c.id and m.role = 'owner' order by u.email) as owners,
      (select count(*)::int from memberships m where m.merchant_id = c.id) as people,
      (select count(*)::int from orders o where o.merchant_id = c.id and o.id >= ${dayAgo}) as orders,
      (select count(*)::int from transfers t where t.merchant_id = c.id and t.unmatched_reason is not null
        and t.status <> 'dropped') as unmatched,
      (select max(s.created_at) from memberships m join sessions s on s.user_id = m.user_id
        where m.merchant_id = c.id) as signed_in_at
    from merchants c where c.id > ${after} order by c.id limit ${limit}`);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    owners: row.owners,
    people: row.people,
    orders: row.orders,
    unmatched: row.unmatched,
    createdAt: new Date(row.created_at),
    signedInAt: row.signed_in_at ? new Date(row.signed_in_at) : null,
  }));
}
