import { and, eq, inArray, isNotNull, isNull, ne, or, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Db } from "@/db/client";
import { keyset, type Page, toPage } from "@/db/queries/keyset";
import { cursors, merchantNetworks, orders, transfers } from "@/db/schema";
import { storedForms } from "@/lib/domain/addresses/address";
import type { ListPlace } from "@/lib/domain/list-place";
import type { TransferFilter } from "@/lib/domain/transfers/filter";
import type { UnmatchedReason } from "@/lib/domain/transfers/transfer";

const isUnmatched = and(isNotNull(transfers.unmatchedReason), ne(transfers.status, "dropped"));

/** The transfers that reached addresses of the merchant and that a filter lets through, newest first. */
export async function listTransfers(
  db: Db,
  merchantId: string,
  filter: TransferFilter,
  place: ListPlace,
  limit: number,
): Promise<Page<ListedTransfer>> {
  const { where, order } = keyset(transfers.id, place);
  const read = await selectTransfers(db, and(isOf(merchantId), matches(filter), where))
    .orderBy(order)
    .limit(limit + 1);
  return toPage(read, place, limit);
}

/** One transfer to an address of the merchant; null when there is none. */
export async function findTransfer(db: Db, merchantId: string, id: string): Promise<ListedTransfer | null> {
  const [row] = await selectTransfers(db, and(isOf(merchantId), eq(transfers.id, id)));
  return row ?? null;
}

function matches({ isUnmatched: isOnlyUnmatched, reason, network, currency, status, text }: TransferFilter) {
  return and(
    isOnlyUnmatched || reason ? isUnmatched : undefined,
    reason && eq(transfers.unmatchedReason, reason),
    network ? eq(transfers.network, network) : undefined,
    currency && eq(transfers.currency, currency),
    status && eq(transfers.status, status),
    text ? mentions(text) : undefined,
  );
}

function mentions(text: string): SQL | undefined {
  const forms = storedForms(text);
  return or(inArray(transfers.txId, forms), inArray(transfers.fromAddress, forms), inArray(transfers.toAddress, forms));
}

const ORDER_LIMIT = 100;

/** The transfers of one order, in the order they were seen. */
export async function listOrderTransfers(db: Db, merchantId: string, orderId: string): Promise<ListedTransfer[]> {
  return selectTransfers(db, and(isOf(merchantId), eq(transfers.orderId, orderId)))
    .orderBy(transfers.seenAt, transfers.id)
    .limit(ORDER_LIMIT);
}

/** Transfers that pay no order and were meant for this one beyond doubt, in the order they were seen. */
export async function listMisdirected(db: Db, merchantId: string, orderId: string): Promise<ListedTransfer[]> {
  return selectTransfers(db, and(isOf(merchantId), isUnmatched, eq(transfers.meantOrderId, orderId)))
    .orderBy(transfers.seenAt, transfers.id)
    .limit(ORDER_LIMIT);
}

/** Confirmed transfers that the chain took back and that nobody acknowledged, in the order they were seen. */
export async function listLost(db: Db, merchantId: string): Promise<ListedTransfer[]> {
  return selectTransfers(db, and(isOf(merchantId), isNotNull(transfers.lostAt), isNull(transfers.lostAcknowledgedAt)))
    .orderBy(transfers.seenAt, transfers.id)
    .limit(ORDER_LIMIT);
}

/** How many transfers wait for a person: they arrived, and no order asked for them; of one reason, or of any. */
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

const isWishOf = (merchantId: PgColumn, network: PgColumn) =>
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
    })
    .from(transfers)
    .leftJoin(cursors, eq(cursors.network, transfers.network))
    .leftJoin(merchantNetworks, isWishOf(transfers.merchantId, transfers.network))
    .leftJoin(orders, and(eq(orders.id, transfers.orderId), eq(orders.merchantId, transfers.merchantId)))
    .where(where)
    .$dynamic();
}
