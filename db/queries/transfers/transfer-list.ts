import { and, desc, eq, isNotNull, isNull, ne, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Db } from "@/db/client";
import { isOfTarget, namedTargetColumn } from "@/db/queries/credit-targets";
import { keyset, type Page, scanRows, toPage, toWalkedPage, type WalkedPage } from "@/db/queries/keyset";
import { idList } from "@/db/queries/many-rows";
import { cursors, merchantNetworks, orders, transfers } from "@/db/schema";
import { storedForms } from "@/lib/domain/addresses/address";
import type { CreditTarget, NamedTarget } from "@/lib/domain/credit-target";
import type { ListCursor } from "@/lib/domain/list-cursor";
import { allNetworks } from "@/lib/domain/networks";
import type { TransferFilter } from "@/lib/domain/transfers/filter";
import type { UnmatchedReason } from "@/lib/domain/transfers/transfer";

/** The condition that a transfer is credited to nothing and no reorg removed it. */
export const isUnmatched = and(isNotNull(transfers.unmatchedReason), ne(transfers.status, "dropped"));

/** The maximum number of transfers that are examined for a page, however few of them match. */
const MAX_EXAMINED = 2_000;
/** The maximum number of matches of a text that are examined one by one. If there are more, the list is scanned. */
const FEW = 500;

/**
 * Returns the transfers to addresses of the merchant that match a filter, newest first. Examines a bounded number of transfers along an
 * index; if the filter's text has few matches, examines only these matches. If the transfers found do not fill the page, the next page
 * continues where this one stopped.
 */
export async function listTransfers(
  db: Db,
  merchantId: string,
  filter: TransferFilter,
  cursor: ListCursor,
  limit: number,
): Promise<WalkedPage<ListedTransfer>> {
  const { ids, conditions } = filter.text ? await mentioned(db, merchantId, filter.text) : ALL;
  const isOnlyUnmatched = filter.show || filter.reason;
  const found = await scanRows(db, {
    from: sql`transfers t`,
    columns: sql`t.id, t.network, t.currency, t.status, t.unmatched_reason, t.tx_id, t.from_address, t.to_address,
      t.seen_at as created_at`,
    sortedBy: [sql`t.id`],
    along: [
      sql`t.merchant_id = ${merchantId}`,
      ...(isOnlyUnmatched ? [sql`t.unmatched_reason is not null and t.status <> 'dropped'`] : []),
      ...(cursor ? ["before" in cursor ? sql`t.id > ${cursor.before}` : sql`t.id < ${cursor.after}`] : []),
      ...(ids ? [sql`t.id = any(${idList(ids)})`] : []),
    ],
    kept: [...keptBy(filter), ...conditions],
    cursor,
    limit,
    max: MAX_EXAMINED,
  });
  const page = and(isOf(merchantId), sql`${transfers.id} = any(${idList(found.ids.slice(0, limit))})`);
  const rows = await selectTransfers(db, page).orderBy(desc(transfers.id));
  return toWalkedPage(rows, found, cursor, limit);
}

/** Returns the conditions on each scanned transfer `w`. */
function keptBy({ reason, network, currency, status }: TransferFilter): SQL[] {
  return [
    ...(reason ? [sql`w.unmatched_reason = ${reason}`] : []),
    ...(network ? [sql`w.network = ${network}`] : []),
    ...(currency ? [sql`w.currency = ${currency}`] : []),
    ...(status ? [sql`w.status = ${status}`] : []),
  ];
}

/** The result of resolving a text: either the ids of a few transfers, or conditions on each scanned transfer. */
interface Mentioned {
  ids: string[] | null;
  conditions: SQL[];
}

const ALL: Mentioned = { ids: null, conditions: [] };

/**
 * Returns the transfers that match a text, each kind of match by its own index. If one address occurs in nearly every row, the planner
 * scans the whole table unless the query sorts in the order of the index.
 */
async function mentioned(db: Db, merchantId: string, text: string): Promise<Mentioned> {
  const forms = idList(storedForms(text));
  const networks = idList(allNetworks().map(({ id }) => id));
  const by = (address: SQL) => sql`select found.id from unnest(${forms}) form cross join lateral (
    select t.id from transfers t where t.merchant_id = ${merchantId} and t.${address} = form order by t.id limit ${FEW + 1}) found`;
  const ways = [
    sql`select t.id from transfers t where t.network = any(${networks}) and t.tx_id = any(${forms}) and t.merchant_id = ${merchantId}`,
    by(sql`from_address`),
    by(sql`to_address`),
  ];
  const parts = ways.map((way) => sql`(select f.id from (${way} limit ${FEW + 1}) f)`);
  const rows = await db.execute<{ id: string }>(sql.join(parts, sql` union all `));
  if (rows.length <= FEW) return { ids: rows.map(({ id }) => id), conditions: [] };
  const columns = ["tx_id", "from_address", "to_address"].map((name) => sql`w.${sql.raw(name)} = any(${forms})`);
  return { ids: null, conditions: [sql`(${sql.join(columns, sql` or `)})`] };
}

/** Returns a transfer to an address of the merchant; null if there is none. */
export async function findTransfer(db: Db, merchantId: string, id: string): Promise<ListedTransfer | null> {
  const [row] = await selectTransfers(db, and(isOf(merchantId), eq(transfers.id, id)));
  return row ?? null;
}

/** Returns a page of the transfers that credit a target, newest first. */
export async function listTransfersOf(
  db: Db,
  merchantId: string,
  target: CreditTarget,
  cursor: ListCursor,
  limit: number,
): Promise<Page<ListedTransfer>> {
  const { where, order } = keyset(transfers.id, cursor);
  const read = await selectTransfers(db, and(isOf(merchantId), isOfTarget("transfers", target), where))
    .orderBy(order)
    .limit(limit + 1);
  return toPage(read, cursor, limit);
}

const ORDER_LIMIT = 100;

/** Returns the transfers of an order, in the order in which they were seen. */
export async function listOrderTransfers(db: Db, merchantId: string, orderId: string): Promise<ListedTransfer[]> {
  return selectTransfers(db, and(isOf(merchantId), eq(transfers.orderId, orderId)))
    .orderBy(transfers.seenAt, transfers.id)
    .limit(ORDER_LIMIT);
}

/** Returns the transfers that were certainly meant for an order but credited to none, in the order in which they were seen. */
export async function listMisdirected(db: Db, merchantId: string, orderId: string): Promise<ListedTransfer[]> {
  return selectTransfers(db, and(isOf(merchantId), isUnmatched, eq(transfers.meantOrderId, orderId)))
    .orderBy(transfers.seenAt, transfers.id)
    .limit(ORDER_LIMIT);
}

/** Returns the confirmed transfers that a reorg removed and that no user acknowledged, in the order in which they were seen. */
export async function listLost(db: Db, merchantId: string): Promise<ListedTransfer[]> {
  return selectTransfers(db, and(isOf(merchantId), isNotNull(transfers.lostAt), isNull(transfers.lostAcknowledgedAt)))
    .orderBy(transfers.seenAt, transfers.id)
    .limit(ORDER_LIMIT);
}

/** Returns the number of unmatched transfers, optionally of those with one reason. */
export async function countUnmatched(db: Db, merchantId: string, reason?: UnmatchedReason): Promise<number> {
  return db.$count(
    db
      .select({ id: transfers.id })
      .from(transfers)
      .where(and(isOf(merchantId), isUnmatched, reason && eq(transfers.unmatchedReason, reason)))
      .as("unmatched"),
  );
}

const isOf = (merchantId: string) => eq(transfers.merchantId, merchantId);

export type ListedTransfer = Awaited<ReturnType<typeof selectTransfers>>[number];

const isRequestOf = (merchantId: PgColumn, network: PgColumn) =>
  and(eq(merchantNetworks.merchantId, merchantId), eq(merchantNetworks.network, network));

function selectTransfers(db: Db, where: SQL | undefined) {
  return db
    .select({
      id: transfers.id,
      network: transfers.network,
      token: transfers.token,
      currency: transfers.currency,
      txId: transfers.txId,
      fromAddress: transfers.fromAddress,
      toAddress: transfers.toAddress,
      baseUnits: transfers.baseUnits,
      blockHeight: transfers.blockHeight,
      blockTime: transfers.blockTime,
      status: transfers.status,
      contradiction: transfers.contradiction,
      unmatchedReason: transfers.unmatchedReason,
      isSweep: transfers.isSweep,
      meantOrderId: transfers.meantOrderId,
      seenAt: transfers.seenAt,
      confirmedAt: transfers.confirmedAt,
      confirmations: transfers.confirmations,
      lostAt: transfers.lostAt,
      lostAcknowledgedAt: transfers.lostAcknowledgedAt,
      headHeight: cursors.headHeight,
      finalizedHeight: cursors.finalizedHeight,
      blockMs: cursors.blockMs,
      minConfirmations: merchantNetworks.minConfirmations,
      minSeconds: merchantNetworks.minSeconds,
      orderId: transfers.orderId,
      isAssigned: transfers.isAssigned,
      mchOrderId: orders.mchOrderId,
      orderStatus: orders.status,
      target: namedTargetColumn("transfers").mapWith((target: NamedTarget | null) => target),
      refundedUnits: sql`coalesce((select sum(r.base_units) from refunds r
        where r.transfer_id = ${transfers.id} and r.merchant_id = ${transfers.merchantId} and r.state = 'final'), 0)`.mapWith(
        BigInt,
      ),
    })
    .from(transfers)
    .leftJoin(cursors, eq(cursors.network, transfers.network))
    .leftJoin(merchantNetworks, isRequestOf(transfers.merchantId, transfers.network))
    .leftJoin(orders, and(eq(orders.id, transfers.orderId), eq(orders.merchantId, transfers.merchantId)))
    .where(where)
    .$dynamic();
}
