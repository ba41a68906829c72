import { and, asc, eq, isNotNull, isNull, lte, or, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { idList, isTurnOf, rowList } from "@/db/queries/many-rows";
import type { StoredTransfer } from "@/db/queries/transfers/matches";
import { merchantNetworks, orders, transfers } from "@/db/schema";
import type { MerchantWait } from "@/lib/domain/networks/finality";
import type { Contradiction } from "@/lib/domain/transfers/transfer";

/** Where a reader of transfers by height stopped. */
export interface TransferPlace {
  blockHeight: number;
  id: string;
}

interface Due {
  network: string;
  /** Final by the network's rule at and below. */
  finalHeight: number;
  /** And where the rule is a time: by block time at and before; null where only heights say so. */
  finalBefore: Date | null;
  headHeight: number;
  headTime: Date;
}

/** A transfer that is due, and what its merchant waits for. */
export interface DueTransfer {
  transfer: StoredTransfer;
  wait: MerchantWait;
}

/**
 * Judged transfers of a network that are final by its rule and have waited as their merchants ask, but are not confirmed
 * yet, lowest first; those that failed only when it is their turn again.
 * @param after only those that follow this place; null: from the lowest on
 */
export async function listFinalizable(
  db: Db,
  { network, finalHeight, finalBefore, headHeight, headTime }: Due,
  after: TransferPlace | null,
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
        finalBefore === null ? undefined : lte(transfers.blockTime, finalBefore),
        or(isNull(merchantNetworks.minSeconds), lte(transfers.blockTime, wishedTime)),
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

/** A transfer as it was when the network was asked about it. */
type Observation = Pick<
  StoredTransfer,
  "id" | "blockHeight" | "blockHash" | "token" | "toAddress" | "baseUnits" | "orderId" | "isAssigned"
>;

/** Still all that an answer was about, and nobody gave it to an order meanwhile. */
const asObserved = ({ id, blockHeight, blockHash, token, toAddress, baseUnits, orderId, isAssigned }: Observation) =>
  and(
    eq(transfers.id, id),
    eq(transfers.status, "seen"),
    eq(transfers.blockHeight, blockHeight),
    eq(transfers.blockHash, blockHash),
    eq(transfers.token, token),
    eq(transfers.toAddress, toAddress),
    eq(transfers.baseUnits, baseUnits),
    eq(transfers.isAssigned, isAssigned),
    orderId === null ? isNull(transfers.orderId) : eq(transfers.orderId, orderId),
  );

/** A transfer as an answer was about it, and the confirmations it has. */
interface Confirmable extends Pick<StoredTransfer, "id" | "blockHash" | "token" | "toAddress" | "baseUnits"> {
  confirmations: number;
}

/**
 * Confirms transfers, each only as it was observed: one that a reorg, another worker or another content was quicker for is left.
 * @returns those that were confirmed, with the orders that they pay at this moment
 */
export async function confirmObserved(
  db: Db,
  observed: readonly Confirmable[],
  now: Date,
): Promise<{ id: string; orderId: string | null }[]> {
  const ids = idList(observed.map(({ id }) => id));
  await db.execute(sql`select from transfers where id = any(${ids}) order by id for update`);
  const rows = observed.map(({ id, blockHash, token, toAddress, baseUnits, confirmations }) => ({
    ...{ id, blockHash, token, toAddress, baseUnits, confirmations },
  }));
  return db.execute<{ id: string; orderId: string | null }>(sql`
    update transfers t set status = 'confirmed', contradiction = null, confirmed_at = ${now.toISOString()}::timestamptz,
      confirmations = seen.confirmations
    from jsonb_to_recordset(${rowList(rows)}) as seen (id text, "blockHash" text, token text, "toAddress" text,
      "baseUnits" numeric, confirmations integer)
    where t.id = seen.id and t.status = 'seen' and t.block_hash = seen."blockHash" and t.token = seen.token
      and t.to_address = seen."toAddress" and t.base_units = seen."baseUnits"
    returning t.id, t.order_id as "orderId"`);
}

/** Takes a transfer back that the chain no longer has, only as it was observed; the matcher judges it again. */
export async function dropTransfer(db: Db, transfer: Observation): Promise<boolean> {
  const rows = await db
    .update(transfers)
    .set({ status: "dropped", matchedAt: null, contradiction: null })
    .where(asObserved(transfer))
    .returning({ id: transfers.id });
  return rows.length === 1;
}

/** Follows a transfer to the block in which the chain has it now. */
export async function relocateTransfer(
  db: Db,
  transfer: Observation,
  block: { height: number; hash: string; time: Date },
): Promise<boolean> {
  const rows = await db
    .update(transfers)
    .set({ blockHeight: block.height, blockHash: block.hash, blockTime: block.time, contradiction: null })
    .where(asObserved(transfer))
    .returning({ id: transfers.id });
  return rows.length === 1;
}

/** Keeps what the endpoints say that contradict each other about a transfer, only as it was observed; null: they do no more. */
export async function updateContradiction(
  db: Db,
  transfer: Observation,
  contradiction: Contradiction | null,
): Promise<void> {
  await db.update(transfers).set({ contradiction }).where(asObserved(transfer));
}

/**
 * Transfers of a merchant that wait because the endpoints contradict each other, oldest first. One whose order a person marked as
 * paid waits for nobody.
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
