import { and, eq, gt, isNull, or, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { apiKeys, callbacks, cursors, orders, receivingAddresses } from "@/db/schema";

/** How far a merchant has come with setting up. */
export interface FirstSteps {
  hasAddress: boolean;
  hasKey: boolean;
  hasOrder: boolean;
  hasPaidOrder: boolean;
  hasAnsweredCallback: boolean;
}

/** What of the first steps is done. */
export async function findFirstSteps(db: Db, merchantId: string, now: Date): Promise<FirstSteps> {
  const isLive = or(isNull(apiKeys.endsAt), gt(apiKeys.endsAt, now));
  const isStanding = isNull(receivingAddresses.removedAt);
  const isPaid = eq(orders.status, "paid");
  const isAnswered = eq(callbacks.status, "delivered");
  const [row] = await db
    .select({
      hasAddress: has(receivingAddresses, and(eq(receivingAddresses.merchantId, merchantId), isStanding)),
      hasKey: has(apiKeys, and(eq(apiKeys.merchantId, merchantId), isLive)),
      hasOrder: has(orders, eq(orders.merchantId, merchantId)),
      hasPaidOrder: has(orders, and(eq(orders.merchantId, merchantId), isPaid)),
      hasAnsweredCallback: has(callbacks, and(eq(callbacks.merchantId, merchantId), isAnswered)),
    })
    .from(sql`(select 1) as here`);
  if (!row) throw new Error("A select without a table answers one row");
  return row;
}

type Table = typeof receivingAddresses | typeof apiKeys | typeof orders | typeof callbacks;

function has(table: Table, where: ReturnType<typeof and>) {
  return sql<boolean>`exists (select from ${table} where ${where})`;
}

/** How many of a merchant's callbacks were given up. */
export async function countFailedCallbacks(db: Db, merchantId: string): Promise<number> {
  return db.$count(callbacks, and(eq(callbacks.merchantId, merchantId), eq(callbacks.status, "failed")));
}

/** How far every network is read, and how it is. */
export async function listCursors(db: Db) {
  return db
    .select({
      network: cursors.network,
      height: cursors.height,
      blockTime: cursors.blockTime,
      headHeight: cursors.headHeight,
      heardAt: cursors.heardAt,
      problem: cursors.problem,
    })
    .from(cursors);
}

export type ListedCursor = Awaited<ReturnType<typeof listCursors>>[number];
