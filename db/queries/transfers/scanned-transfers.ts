import { and, eq, gt, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { Db } from "@/db/client";
import { idList } from "@/db/queries/many-rows";
import { receivingAddresses, transfers } from "@/db/schema";
import { newId } from "@/lib/domain/id";
import type { ChainTransfer } from "@/lib/domain/transfers/transfer";

const ROWS_AT_ONCE = 500;

/**
 * Writes transfers that a scan found. One that is known already follows the block it is in now; one that a reorg took back is
 * seen again and will be judged again, and so will one that pays something else there. A confirmed one stays as it is.
 * @param ids receiving address → id of its row
 * @returns how many rows were new or changed
 */
export async function insertScannedTransfers(
  db: Db,
  found: readonly ChainTransfer[],
  ids: ReadonlyMap<string, string>,
  now: Date,
): Promise<number> {
  const once = [...new Map(found.map((transfer) => [`${transfer.txId} ${transfer.position}`, transfer])).values()];
  const owners = await listOwners(
    db,
    once.flatMap(({ to }) => ids.get(to) ?? []),
  );
  let written = 0;
  for (let index = 0; index < once.length; index += ROWS_AT_ONCE) {
    const rows = once
      .slice(index, index + ROWS_AT_ONCE)
      .flatMap((transfer) => toRow(transfer, owners.get(ids.get(transfer.to) ?? ""), now));
    if (rows.length > 0) written += await upsert(db, rows);
  }
  return written;
}

async function upsert(db: Db, rows: (typeof transfers.$inferInsert)[]): Promise<number> {
  const written = await db
    .insert(transfers)
    .values(rows)
    .onConflictDoUpdate({
      target: [transfers.network, transfers.txId, transfers.position, transfers.merchantId],
      set: {
        blockHeight: sql`excluded.block_height`,
        blockHash: sql`excluded.block_hash`,
        blockTime: sql`excluded.block_time`,
        ...contentOfOpen(),
        status: sql`case when ${transfers.status} = 'dropped' then 'seen' else ${transfers.status} end`,
        seenAt: sql`case when ${IS_OPEN} and ${IS_OTHER} then excluded.seen_at else ${transfers.seenAt} end`,
        matchedAt: sql`case when ${transfers.status} = 'dropped' or (${IS_OPEN} and ${IS_OTHER}) then null else ${transfers.matchedAt} end`,
        lostAt: null,
        lostAcknowledgedAt: null,
      },
      setWhere: sql`${transfers.status} = 'dropped' or ${transfers.blockHash} <> excluded.block_hash or ${transfers.lostAt} is not null`,
    })
    .returning({ id: transfers.id });
  return written.length;
}

const IS_OPEN = sql`${transfers.status} <> 'confirmed'`;
/** It pays another address or amount than before: another payment, which was first seen now. */
const IS_OTHER = sql`(${transfers.token}, ${transfers.toAddress}, ${transfers.baseUnits})
  is distinct from (excluded.token, excluded.to_address, excluded.base_units)`;

/** A transaction that ran again in another block may have moved another amount: what is not confirmed takes what is true now. */
function contentOfOpen() {
  const now = (column: AnyPgColumn) =>
    sql`case when ${IS_OPEN} then excluded.${sql.identifier(column.name)} else ${column} end`;
  return {
    currency: now(transfers.currency),
    token: now(transfers.token),
    fromAddress: now(transfers.fromAddress),
    toAddress: now(transfers.toAddress),
    baseUnits: now(transfers.baseUnits),
    receivingAddressId: now(transfers.receivingAddressId),
  };
}

/** Takes back what was seen above a height, because the chain no longer has those blocks. The matcher judges it again. */
export async function dropTransfersAbove(db: Db, network: string, height: number): Promise<number> {
  const rows = await db
    .update(transfers)
    .set({ status: "dropped", matchedAt: null, contradiction: null })
    .where(and(eq(transfers.network, network), eq(transfers.status, "seen"), gt(transfers.blockHeight, height)))
    .returning({ id: transfers.id });
  return rows.length;
}

/** Where a reader of transfers by height stopped. */
interface Place {
  blockHeight: number;
  id: string;
}

/** Confirmed transfers above a place, lowest first, at most `limit`. */
export async function listConfirmedAfter(db: Db, network: string, place: Place, limit: number) {
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
    })
    .from(transfers)
    .where(
      and(
        eq(transfers.network, network),
        eq(transfers.status, "confirmed"),
        sql`(${transfers.blockHeight}, ${transfers.id}) > (${place.blockHeight}::bigint, ${place.id})`,
      ),
    )
    .orderBy(transfers.blockHeight, transfers.id)
    .limit(limit);
}

function toRow(
  transfer: ChainTransfer,
  owner: { receivingAddressId: string; merchantId: string } | undefined,
  now: Date,
): (typeof transfers.$inferInsert)[] {
  if (!owner) return [];
  const { from, to, ...rest } = transfer;
  return [{ ...rest, id: newId(now), fromAddress: from, toAddress: to, ...owner, status: "seen", seenAt: now }];
}

/** Whose these addresses are, by the ids of their rows. */
export async function listOwners(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, { receivingAddressId: string; merchantId: string }>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ receivingAddressId: receivingAddresses.id, merchantId: receivingAddresses.merchantId })
    .from(receivingAddresses)
    .where(sql`${receivingAddresses.id} = any(${idList([...new Set(ids)])})`);
  return new Map(rows.map((row) => [row.receivingAddressId, row]));
}
