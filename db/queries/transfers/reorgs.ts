import { and, eq, gt, isNotNull, isNull, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { targetColumn } from "@/db/queries/credit-targets";
import { idList } from "@/db/queries/many-rows";
import { transfers } from "@/db/schema";
import type { CreditTarget } from "@/lib/domain/credit-target";

const isWaiting = and(isNotNull(transfers.lostAt), isNull(transfers.lostAcknowledgedAt));

/** A confirmed transfer that is no longer on the chain, as it is stored now. */
export interface LostTransfer {
  id: string;
  merchantId: string;
  /** The credit target; null if the transfer is unmatched. */
  target: CreditTarget | null;
  txId: string;
  blockHeight: number;
  blockHash: string;
}

/**
 * Marks confirmed transfers above a height as lost. Each is marked only once.
 * @returns the newly marked transfers, with their current data
 */
export async function markLost(
  db: Db,
  ids: readonly string[],
  aboveHeight: number,
  now: Date,
): Promise<LostTransfer[]> {
  if (ids.length === 0) return [];
  const rows = await db.execute<LostTransfer & Record<string, unknown>>(sql`
    update transfers t set lost_at = ${now.toISOString()}::timestamptz, lost_acknowledged_at = null
    where t.id = any(${idList(ids)}) and t.status = 'confirmed' and t.lost_at is null
      and t.block_height > ${aboveHeight}::bigint
    returning t.id, t.merchant_id as "merchantId", ${targetColumn("t")} as target, t.tx_id as "txId",
      t.block_height::float8 as "blockHeight", t.block_hash as "blockHash"`);
  return [...rows];
}

/** Records that a user acknowledged the loss of a transfer. Returns null if there is no such unacknowledged transfer. */
export async function acknowledgeLost(
  db: Db,
  merchantId: string,
  id: string,
  now: Date,
): Promise<{ orderId: string | null; txId: string } | null> {
  const [row] = await db.execute<{ orderId: string | null; txId: string }>(sql`
    update transfers t set lost_acknowledged_at = ${now.toISOString()}::timestamptz
    where t.merchant_id = ${merchantId} and t.id = ${id}
      and t.lost_at is not null and t.lost_acknowledged_at is null
    returning t.order_id as "orderId", t.tx_id as "txId"`);
  return row ?? null;
}

/** Returns the number of a merchant's unacknowledged lost transfers. */
export async function countLost(db: Db, merchantId: string): Promise<number> {
  return db.$count(transfers, and(eq(transfers.merchantId, merchantId), isWaiting));
}

/** Returns the number of unacknowledged lost transfers on each network, of all merchants. */
export async function countLostByNetwork(db: Db): Promise<Map<string, number>> {
  const rows = await db
    .select({ network: transfers.network, count: sql<number>`count(*)::int` })
    .from(transfers)
    .where(isWaiting)
    .groupBy(transfers.network);
  return new Map(rows.map(({ network, count }) => [network, count]));
}

/**
 * The changes to a seen transfer that is no longer on the chain. It is dropped and matched again, or becomes confirmed and lost if it had
 * been confirmed before.
 */
export const REVERTED = {
  status: sql<"dropped" | "confirmed">`case when ${transfers.lostAt} is null then 'dropped' else 'confirmed' end`,
  matchedAt: sql`case when ${transfers.lostAt} is not null then ${transfers.matchedAt} end`,
  contradiction: null,
};

/** Drops seen transfers above a height, because their blocks are no longer on the chain. They are matched again. */
export async function dropTransfersAbove(db: Db, network: string, height: number): Promise<number> {
  const rows = await db
    .update(transfers)
    .set(REVERTED)
    .where(and(eq(transfers.network, network), eq(transfers.status, "seen"), gt(transfers.blockHeight, height)))
    .returning({ id: transfers.id });
  return rows.length;
}

/** The position after which a scan of transfers by block height continues. */
interface AfterTransfer {
  blockHeight: number;
  id: string;
}

/** Returns confirmed transfers after a position, lowest block first, at most `limit`. */
export async function listConfirmedAfter(db: Db, network: string, after: AfterTransfer, limit: number) {
  return db
    .select({
      id: transfers.id,
      txId: transfers.txId,
      position: transfers.position,
      token: transfers.token,
      to: transfers.toAddress,
      baseUnits: transfers.baseUnits,
      blockHeight: transfers.blockHeight,
      blockHash: transfers.blockHash,
      blockTime: transfers.blockTime,
    })
    .from(transfers)
    .where(
      and(
        eq(transfers.network, network),
        eq(transfers.status, "confirmed"),
        sql`(${transfers.blockHeight}, ${transfers.id}) > (${after.blockHeight}::bigint, ${after.id})`,
      ),
    )
    .orderBy(transfers.blockHeight, transfers.id)
    .limit(limit);
}
