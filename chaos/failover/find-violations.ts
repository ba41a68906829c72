import { inArray, sql } from "drizzle-orm";
import type { Reported } from "@/chaos/callback-shop";
import type { Acknowledged } from "@/chaos/failover/shopper";
import type { Db } from "@/db/client";
import { callbacks, orders, quotes, transfers } from "@/db/schema";

export interface Violations {
  /** Acknowledged orders that are missing, differ from the response, are not settled, or have no callback. */
  lost: string[];
  /**
   * Orders that were settled by several transfers or notified by several events, and the number of orders and transfers in excess of the
   * acknowledged orders.
   */
  double: string[];
}

const ROWS = 1_000;

/** Compares the responses and callbacks that merchants received with the database. */
export async function findViolations(
  db: Db,
  acknowledged: readonly Acknowledged[],
  reported: ReadonlyMap<string, Reported>,
): Promise<Violations> {
  const violations: Violations = { lost: [], double: [] };
  for (let start = 0; start < acknowledged.length; start += ROWS)
    await compare(db, acknowledged.slice(start, start + ROWS), reported, violations);
  const [row] = await db.execute<{ orders: number; transfers: number }>(sql`
    select (select count(*)::int from orders) as orders, (select count(*)::int from transfers) as transfers`);
  for (const what of ["orders", "transfers"] as const) {
    const more = (row?.[what] ?? 0) - acknowledged.length;
    if (more > 0) violations.double.push(`${more} ${what} more than were created`);
  }
  return violations;
}

async function compare(
  db: Db,
  acknowledged: readonly Acknowledged[],
  reported: ReadonlyMap<string, Reported>,
  { lost, double }: Violations,
): Promise<void> {
  const ids = acknowledged.map(({ tradeId }) => tradeId);
  const byOrder = <Row extends { orderId: string | null }>(rows: Row[]) => Map.groupBy(rows, ({ orderId }) => orderId);
  const found = new Map((await db.select().from(orders).where(inArray(orders.id, ids))).map((row) => [row.id, row]));
  const asked = byOrder(await db.select().from(quotes).where(inArray(quotes.orderId, ids)));
  const paying = byOrder(await db.select().from(transfers).where(inArray(transfers.orderId, ids)));
  const pending = byOrder(await db.select().from(callbacks).where(inArray(callbacks.orderId, ids)));
  for (const { tradeId, number, address, baseUnits } of acknowledged) {
    const order = found.get(tradeId);
    const add = (list: string[], text: string) => list.push(`order-${number} (${tradeId}): ${text}`);
    const [quote] = asked.get(tradeId) ?? [];
    if (!order) add(lost, "gone");
    else if (order.mchOrderId !== `order-${number}`) add(lost, `it is ${order.mchOrderId}`);
    else if (quote?.baseUnits !== baseUnits || quote.address !== address.toLowerCase())
      add(lost, `${quote?.baseUnits} to ${quote?.address}, but the response was ${baseUnits} to ${address}`);
    else if (order.status !== "paid" || order.exception !== null) add(lost, `${order.status} ${order.exception}`);
    else if (pending.get(tradeId)?.some(({ status }) => status !== "delivered"))
      add(lost, "its callback is not delivered");
    else if (!reported.has(tradeId)) add(lost, "no event was reported");
    const payments = paying.get(tradeId)?.length ?? 0;
    const events = reported.get(tradeId)?.events.size ?? 0;
    if (payments > 1) add(double, `${payments} transfers`);
    if (events > 1 || (pending.get(tradeId)?.length ?? 0) > 1) add(double, `${events} events`);
  }
}
