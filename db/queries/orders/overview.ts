import { and, eq, gt, isNotNull, isNull, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { isLiveAt } from "@/db/queries/merchants/api-keys";
import { apiKeys, callbacks, cursors, hourlyTotals, orders, receivingAddresses } from "@/db/schema";

/** How far a merchant has come with setting up. */
export interface FirstSteps {
  hasAddress: boolean;
  hasKey: boolean;
  hasOrder: boolean;
  hasPaidOrder: boolean;
  hasAnsweredCallback: boolean;
}

/** A shop with more callbacks than these has learned how to answer them. */
const MOST_LOOKED_AT = 1_000;

/** What of the first steps is done. */
export async function findFirstSteps(db: Db, merchantId: string, now: Date): Promise<FirstSteps> {
  const isLive = isLiveAt(now);
  const isKept = isNull(receivingAddresses.removedAt);
  const [row] = await db
    .select({
      hasAddress: has(receivingAddresses, and(eq(receivingAddresses.merchantId, merchantId), isKept)),
      hasKey: has(apiKeys, and(eq(apiKeys.merchantId, merchantId), isLive)),
      hasOrder: has(orders, eq(orders.merchantId, merchantId)),
      hasPaidOrder: has(hourlyTotals, and(eq(hourlyTotals.merchantId, merchantId), gt(hourlyTotals.paid, 0))),
      hasAnsweredCallback: sql<boolean>`exists (select from (
        select ${callbacks.status} from ${callbacks} where ${eq(callbacks.merchantId, merchantId)}
        order by ${callbacks.id} desc limit ${MOST_LOOKED_AT}) lately where status = 'delivered')`,
    })
    .from(sql`(select 1) as here`);
  if (!row) throw new Error("A select without a table answers one row");
  return row;
}

type Table = typeof receivingAddresses | typeof apiKeys | typeof orders | typeof hourlyTotals;

function has(table: Table, where: ReturnType<typeof and>) {
  return sql<boolean>`exists (select from ${table} where ${where})`;
}

/** How many of a merchant's callbacks were given up. */
export async function countFailedCallbacks(db: Db, merchantId: string): Promise<number> {
  return db.$count(callbacks, and(eq(callbacks.merchantId, merchantId), eq(callbacks.status, "failed")));
}

/** How many of a merchant's addresses are paused. */
export async function countPausedAddresses(db: Db, merchantId: string): Promise<number> {
  const isPaused = and(isNotNull(receivingAddresses.pausedAt), isNull(receivingAddresses.removedAt));
  return db.$count(receivingAddresses, and(eq(receivingAddresses.merchantId, merchantId), isPaused));
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
      closedAt: cursors.closedAt,
      problem: cursors.problem,
      warning: cursors.warning,
      endpoints: cursors.endpoints,
    })
    .from(cursors);
}
