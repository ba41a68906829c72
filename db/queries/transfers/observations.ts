import { and, asc, eq, isNotNull, isNull, lte, or, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { Db } from "@/db/client";
import { targetColumn } from "@/db/queries/credit-targets";
import { idList, isTurnOf, rowList } from "@/db/queries/many-rows";
import type { StoredTransfer } from "@/db/queries/transfers/matches";
import { REVERTED } from "@/db/queries/transfers/reorgs";
import { sentAtOf } from "@/db/queries/transfers/sent-at";
import { merchantNetworks, orders, receivingAddresses, transfers } from "@/db/schema";
import type { CreditTarget } from "@/lib/domain/credit-target";
import { newId } from "@/lib/domain/id";
import type { MerchantWait } from "@/lib/domain/networks/finality";
import type { ChainTransfer, Contradiction } from "@/lib/domain/transfers/transfer";

const ROW_BATCH = 500;

/**
 * Writes transfers that a scan found. A known transfer is moved to the block that contains it now. A transfer that a reorg dropped becomes
 * seen again and is matched again. A transfer whose content or block time differs is also matched again. A confirmed transfer is unchanged
 * unless it was lost: it then becomes seen again, and counts as lost until it is final once more.
 * @param ids receiving address → id of its row
 * @returns the number of new or changed rows
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
  for (let index = 0; index < once.length; index += ROW_BATCH) {
    const rows = once
      .slice(index, index + ROW_BATCH)
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
        status: sql`case when ${transfers.status} = 'dropped' or ${transfers.lostAt} is not null then 'seen' else ${transfers.status} end`,
        seenAt: sql`case when ${IS_OPEN} and ${IS_OTHER} then excluded.seen_at else ${transfers.seenAt} end`,
        matchedAt: sql`case when ${transfers.status} = 'dropped' or (${IS_OPEN} and (${IS_OTHER} or ${IS_OTHER_TIME})) then null else ${transfers.matchedAt} end`,
      },
      setWhere: sql`${transfers.status} = 'dropped' or ${transfers.blockHash} <> excluded.block_hash
        or (${transfers.lostAt} is not null and ${transfers.status} = 'confirmed')`,
    })
    .returning({ id: transfers.id });
  return written.length;
}

/**
 * A condition for a transfer that was never confirmed. A confirmed transfer that is lost in a reorg can only return with the same content.
 */
const IS_OPEN = sql`(${transfers.status} <> 'confirmed' and ${transfers.lostAt} is null)`;
/** A condition for a changed token, address or amount: the transfer is then a different payment, which is first seen now. */
const IS_OTHER = sql`(${transfers.token}, ${transfers.toAddress}, ${transfers.baseUnits})
  is distinct from (excluded.token, excluded.to_address, excluded.base_units)`;

/** A condition for a block time that differs from the one by which the transfer was matched. */
const IS_OTHER_TIME = sql`${transfers.blockTime} is distinct from excluded.block_time`;

/**
 * Returns assignments that update the content of unconfirmed transfers, because a transaction that is executed again in a different block
 * may move a different amount.
 */
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

function toRow(
  transfer: ChainTransfer,
  owner: { receivingAddressId: string; merchantId: string } | undefined,
  now: Date,
): (typeof transfers.$inferInsert)[] {
  if (!owner) return [];
  const { from, to, ...rest } = transfer;
  return [{ ...rest, id: newId(now), fromAddress: from, toAddress: to, ...owner, status: "seen", seenAt: now }];
}

/** Returns the owners of these addresses, by the ids of their rows. */
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

/** The position after which a scan of transfers by block height continues. */
export interface TransferPosition {
  blockHeight: number;
  id: string;
}

interface Due {
  network: string;
  /** The highest block that is final by the network's rule. */
  finalHeight: number;
  /** The latest block time that is final, if the network's rule is based on time; null if only heights count. */
  finalBefore: Date | null;
  headHeight: number;
  headTime: Date;
}

/** A transfer that is due, and its merchant's confirmation rule. */
export interface DueTransfer {
  transfer: StoredTransfer;
  wait: MerchantWait;
}

const sentAt = sentAtOf(transfers.blockTime, transfers.seenAt);

/**
 * Returns the transfers of a network that can be confirmed, lowest block first: they were matched, are final by the network's rule and
 * meet their merchants' rules. Transfers whose confirmation failed are included only if they are due for a retry.
 * @param after the position after which to continue; null to start at the lowest block
 */
export async function listFinalizable(
  db: Db,
  { network, finalHeight, finalBefore, headHeight, headTime }: Due,
  after: TransferPosition | null,
  limit: number,
  now: Date,
): Promise<DueTransfer[]> {
  const wishedHeight = sql`${headHeight}::bigint + 1 - coalesce(${merchantNetworks.minConfirmations}, 1)`;
  const wishedTime = sql`${headTime.toISOString()}::timestamptz - make_interval(secs => ${merchantNetworks.minSeconds})`;
  const { minConfirmations, minSeconds } = merchantNetworks;
  const rows = await db
    .select({ transfer: transfers, minConfirmations, minSeconds })
    .from(transfers)
    .leftJoin(
      merchantNetworks,
      and(eq(merchantNetworks.merchantId, transfers.merchantId), eq(merchantNetworks.network, transfers.network)),
    )
    .where(
      and(
        eq(transfers.network, network),
        eq(transfers.status, "seen"),
        lte(transfers.blockHeight, finalHeight),
        lte(transfers.blockHeight, wishedHeight),
        finalBefore === null ? undefined : sql`${sentAt} <= ${finalBefore.toISOString()}::timestamptz`,
        or(isNull(merchantNetworks.minSeconds), lte(sentAt, wishedTime)),
        isNotNull(transfers.matchedAt),
        isTurnOf("confirm", transfers.id, now),
        after === null
          ? undefined
          : sql`(${transfers.blockHeight}, ${transfers.id}) > (${after.blockHeight}::bigint, ${after.id})`,
      ),
    )
    .orderBy(asc(transfers.blockHeight), asc(transfers.id))
    .limit(limit);
  return rows.map(({ transfer, ...wait }) => ({ transfer, wait }));
}

/** A transfer as it was when the network was queried about it. */
type Observation = Pick<
  StoredTransfer,
  "id" | "blockHeight" | "blockHash" | "blockTime" | "token" | "toAddress" | "baseUnits" | "orderId" | "isAssigned"
>;

/** Returns a condition that is true if the transfer is unchanged since the query and was not assigned to an order in the meantime. */
const asObserved = ({ orderId, ...seen }: Observation) =>
  and(
    eq(transfers.id, seen.id),
    eq(transfers.status, "seen"),
    eq(transfers.blockHeight, seen.blockHeight),
    eq(transfers.blockHash, seen.blockHash),
    eq(transfers.blockTime, seen.blockTime),
    eq(transfers.token, seen.token),
    eq(transfers.toAddress, seen.toAddress),
    eq(transfers.baseUnits, seen.baseUnits),
    eq(transfers.isAssigned, seen.isAssigned),
    orderId === null ? isNull(transfers.orderId) : eq(transfers.orderId, orderId),
  );

/** A transfer as returned by the network, with its confirmations. */
interface Confirmable
  extends Pick<StoredTransfer, "id" | "blockHash" | "blockTime" | "token" | "toAddress" | "baseUnits"> {
  confirmations: number;
}

/** A transfer that was just confirmed, with its credit target. `wasLost` is true if it was confirmed before and a reorg removed it. */
export interface ConfirmedTransfer {
  id: string;
  target: CreditTarget | null;
  wasLost: boolean;
}

/**
 * Confirms transfers that are unchanged since they were observed. Skips transfers whose content or block time a reorg or another worker
 * has changed, and those that must be matched again.
 * @returns the confirmed transfers, with their current credit targets
 */
export async function confirmObserved(
  db: Db,
  observed: readonly Confirmable[],
  now: Date,
): Promise<ConfirmedTransfer[]> {
  const ids = idList(observed.map(({ id }) => id));
  const held = await db.execute<{ id: string; wasLost: boolean }>(sql`
    select id, lost_at is not null as "wasLost" from transfers where id = any(${ids}) order by id for update`);
  const lost = new Set(held.flatMap(({ id, wasLost }) => (wasLost ? [id] : [])));
  const rows = observed.map(({ id, blockHash, blockTime, token, toAddress, baseUnits, confirmations }) => ({
    id,
    blockHash,
    blockTime,
    token,
    toAddress,
    baseUnits,
    confirmations,
  }));
  const confirmed = await db.execute<{ id: string; target: CreditTarget | null }>(sql`
    update transfers t set status = 'confirmed', contradiction = null, lost_at = null, lost_acknowledged_at = null, confirmed_at = ${now.toISOString()}::timestamptz,
      confirmations = seen.confirmations
    from jsonb_to_recordset(${rowList(rows)}) as seen (id text, "blockHash" text, "blockTime" timestamptz,
      token text, "toAddress" text, "baseUnits" numeric, confirmations integer)
    where t.id = seen.id and t.status = 'seen' and t.matched_at is not null and t.block_hash = seen."blockHash"
      and t.block_time = seen."blockTime" and t.token = seen.token
      and t.to_address = seen."toAddress" and t.base_units = seen."baseUnits"
    returning t.id, ${targetColumn("t")} as target`);
  return confirmed.map((row) => ({ ...row, wasLost: lost.has(row.id) }));
}

/** Drops a transfer that the chain no longer contains, if it is unchanged since it was observed. It is matched again. */
export async function dropTransfer(db: Db, transfer: Observation): Promise<boolean> {
  const rows = await db.update(transfers).set(REVERTED).where(asObserved(transfer)).returning({ id: transfers.id });
  return rows.length === 1;
}

/**
 * Returns the new `matched_at`. It is null if the block time changes, so that the transfer is matched again. A transfer that was confirmed
 * before keeps its order.
 */
const matchedUnless = (time: Date) =>
  sql`case when ${transfers.lostAt} is null and ${transfers.blockTime} <> ${time.toISOString()}::timestamptz then null else ${transfers.matchedAt} end`;

/** Stores the block time on which the endpoints agree, if the transfer is unchanged since it was observed. It is matched again. */
export async function updateBlockTime(db: Db, transfer: Observation, time: Date): Promise<boolean> {
  const rows = await db
    .update(transfers)
    .set({ blockTime: time, matchedAt: matchedUnless(time), contradiction: null })
    .where(asObserved(transfer))
    .returning({ id: transfers.id });
  return rows.length === 1;
}

/** Moves a transfer to the block that contains it now. It is matched again if that block has another time. */
export async function relocateTransfer(
  db: Db,
  transfer: Observation,
  block: { height: number; hash: string; time: Date },
): Promise<boolean> {
  const rows = await db
    .update(transfers)
    .set({
      blockHeight: block.height,
      blockHash: block.hash,
      blockTime: block.time,
      matchedAt: matchedUnless(block.time),
      contradiction: null,
    })
    .where(asObserved(transfer))
    .returning({ id: transfers.id });
  return rows.length === 1;
}

/** Stores the contradictory responses of endpoints about a transfer, if it is unchanged since it was observed; null clears them. */
export async function updateContradiction(
  db: Db,
  transfer: Observation,
  contradiction: Contradiction | null,
): Promise<void> {
  await db.update(transfers).set({ contradiction }).where(asObserved(transfer));
}

/**
 * Returns transfers of a merchant that are blocked by contradictory responses of endpoints, oldest first. Transfers of
 * orders that a user marked as paid are left out.
 */
export async function listContradicted(db: Db, merchantId: string, limit: number): Promise<{ id: string }[]> {
  return db
    .select({ id: transfers.id })
    .from(transfers)
    .leftJoin(orders, and(eq(orders.id, transfers.orderId), eq(orders.merchantId, transfers.merchantId)))
    .where(
      and(
        eq(transfers.merchantId, merchantId),
        isNotNull(transfers.contradiction),
        eq(transfers.status, "seen"),
        sql`${orders.status} is distinct from 'paid'`,
      ),
    )
    .orderBy(transfers.id)
    .limit(limit);
}
