import { and, eq, gt, isNotNull, isNull, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { isLiveAt } from "@/db/queries/merchants/api-keys";
import {
  apiKeys,
  callbacks,
  cursors,
  hourlyTotals,
  merchantCheckouts,
  merchants,
  orders,
  pluginKeys,
  receivingAddresses,
} from "@/db/schema";
import type { DoneSteps, SettledStep } from "@/lib/domain/onboarding/first-steps";

/** The maximum number of the newest callbacks that are searched for a delivered one. */
const MAX_EXAMINED = 1_000;

/** Returns the setup steps that a merchant has completed. */
export async function findFirstSteps(db: Db, merchantId: string, now: Date): Promise<DoneSteps> {
  const isLive = isLiveAt(now);
  const isKept = isNull(receivingAddresses.removedAt);
  const [row] = await db
    .select({
      hasAddress: sql<boolean>`exists (select from ${receivingAddresses}
        where ${and(eq(receivingAddresses.merchantId, merchantId), isKept)})`,
      hasContact: sql<boolean>`exists (select from ${merchantCheckouts}
        where ${and(eq(merchantCheckouts.merchantId, merchantId), isNotNull(merchantCheckouts.supportUrl))})`,
      hasPlugin: sql<boolean>`exists (select from ${pluginKeys}
        where ${and(eq(pluginKeys.merchantId, merchantId), isNull(pluginKeys.endsAt))})`,
      settled: sql<string[]>`coalesce((select ${merchants.settledSteps} from ${merchants}
        where ${eq(merchants.id, merchantId)}), '{}')`,
      hasKey: sql<boolean>`exists (select from ${apiKeys} where ${and(eq(apiKeys.merchantId, merchantId), isLive)})`,
      // EXISTS is not used, because PostgreSQL ignores its ORDER BY: if the planner expects a match soon, it reads the table from its
      // start instead of the index.
      hasOrder: sql<boolean>`(select true from ${orders}
        where ${eq(orders.merchantId, merchantId)} order by ${orders.id} desc limit 1) is not null`,
      hasPaidOrder: sql<boolean>`(select true from ${hourlyTotals}
        where ${and(eq(hourlyTotals.merchantId, merchantId), gt(hourlyTotals.paid, 0))}
        order by ${hourlyTotals.hour} desc limit 1) is not null`,
      hasAnsweredCallback: sql<boolean>`exists (select from (
        select ${callbacks.status} from ${callbacks} where ${eq(callbacks.merchantId, merchantId)}
        order by ${callbacks.id} desc limit ${MAX_EXAMINED}) lately where status = 'delivered')`,
    })
    .from(sql`(select 1) as here`);
  if (!row) throw new Error("A select without a table returns one row");
  return row;
}

/** Stores that a user marked a first step as done or skipped it. */
export async function addSettledStep(db: Db, merchantId: string, step: SettledStep): Promise<void> {
  await db
    .update(merchants)
    .set({ settledSteps: sql`array_append(${merchants.settledSteps}, ${step}::text)` })
    .where(and(eq(merchants.id, merchantId), sql`not ${merchants.settledSteps} @> array[${step}::text]`));
}

/** Returns the number of a merchant's callbacks that failed permanently. */
export async function countFailedCallbacks(db: Db, merchantId: string): Promise<number> {
  return db.$count(callbacks, and(eq(callbacks.merchantId, merchantId), eq(callbacks.status, "failed")));
}

/** Returns the number of a merchant's paused addresses. */
export async function countPausedAddresses(db: Db, merchantId: string): Promise<number> {
  const isPaused = and(isNotNull(receivingAddresses.pausedAt), isNull(receivingAddresses.removedAt));
  return db.$count(receivingAddresses, and(eq(receivingAddresses.merchantId, merchantId), isPaused));
}

/** Returns the scan position and the state of every network. */
export async function listCursors(db: Db) {
  return db
    .select({
      network: cursors.network,
      height: cursors.height,
      blockTime: cursors.blockTime,
      headHeight: cursors.headHeight,
      respondedAt: cursors.respondedAt,
      closedAt: cursors.closedAt,
      problem: cursors.problem,
      warning: cursors.warning,
      endpoints: cursors.endpoints,
    })
    .from(cursors);
}
