import { and, eq, gt, gte, isNull, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { isLiveAt } from "@/db/queries/merchants/api-keys";
import { isShownQuote } from "@/db/queries/orders/back-office";
import { apiKeys, callbacks, cursors, orders, quotes, receivingAddresses } from "@/db/schema";
import { firstIdAt } from "@/lib/domain/id";
import type { Currency } from "@/lib/domain/networks";

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
  const isLive = isLiveAt(now);
  const isKept = isNull(receivingAddresses.removedAt);
  const isPaid = eq(orders.status, "paid");
  const isAnswered = eq(callbacks.status, "delivered");
  const [row] = await db
    .select({
      hasAddress: has(receivingAddresses, and(eq(receivingAddresses.merchantId, merchantId), isKept)),
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
      warning: cursors.warning,
      endpoints: cursors.endpoints,
    })
    .from(cursors);
}

const DAY_MS = 86_400_000;
/** An order is at most this old when it is paid, expiry and late window included: bounds what is read. */
const OLDEST_DAYS = 62;

/** What was paid in one token within the last `days`. */
export interface PaidSum {
  days: number;
  network: string;
  currency: Currency;
  units: bigint;
  orders: number;
}

/** Confirmed base units and orders paid, by the token they were paid in, within each of these rising numbers of days. */
export async function sumPaid(db: Db, merchantId: string, spans: readonly number[], now: Date): Promise<PaidSum[]> {
  const since = (days: number) => new Date(now.getTime() - days * DAY_MS);
  const longest = Math.max(...spans);
  const edges = spans.map(
    (days) => sql`when ${orders.paidAt} > ${since(days).toISOString()}::timestamptz then ${days}::int`,
  );
  const span = sql<number>`case ${sql.join(edges, sql` `)} end`.as("span");
  const rows = await db
    .select({
      span,
      network: quotes.network,
      currency: quotes.currency,
      units: sql<string>`sum(${orders.paidUnits})::text`,
      orders: sql<number>`count(*)::int`,
    })
    .from(orders)
    .innerJoin(quotes, isShownQuote)
    .where(
      and(
        eq(orders.merchantId, merchantId),
        gte(orders.id, firstIdAt(since(OLDEST_DAYS))),
        gt(orders.paidAt, since(longest)),
      ),
    )
    .groupBy(span, quotes.network, quotes.currency)
    .orderBy(quotes.network, quotes.currency);
  return spans.flatMap((days) =>
    accumulate(
      rows.filter((row) => row.span <= days),
      days,
    ),
  );
}

function accumulate(rows: readonly (Omit<PaidSum, "days" | "units"> & { units: string })[], days: number): PaidSum[] {
  const sums = new Map<string, PaidSum>();
  for (const { network, currency, units, orders: count } of rows) {
    const key = `${network} ${currency}`;
    const sum = sums.get(key) ?? { days, network, currency, units: 0n, orders: 0 };
    sums.set(key, { ...sum, units: sum.units + BigInt(units), orders: sum.orders + count });
  }
  return [...sums.values()];
}
