import { and, desc, eq, inArray, lt, lte, or, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { idList } from "@/db/queries/many-rows";
import { announceOrders } from "@/db/queries/orders/order-moves";
import { merchantRefunds, refundRequests, refundTransfers } from "@/db/schema";
import type { OrderIntegration } from "@/lib/domain/integration-id";
import type { Currency } from "@/lib/domain/networks";
import {
  COUNTED_STATUSES,
  DEFAULT_REFUND_SETTINGS,
  type Refund,
  type RefundSettings,
  type RefundStatus,
  type RefundSubject,
} from "@/lib/domain/refunds/refund";

/** A refund as stored, with the columns that only use cases read. */
export type StoredRefund = typeof refundRequests.$inferSelect;

/** A refund to insert. */
export type NewRefund = Pick<
  StoredRefund,
  | "id"
  | "merchantId"
  | "orderId"
  | "transferId"
  | "apiKeyId"
  | "requestedBy"
  | "mchRefundId"
  | "integration"
  | "echo"
  | "currency"
  | "microUnits"
  | "price"
  | "reason"
  | "email"
  | "expiresAt"
>;

const isOf = ({ orderId, transferId }: RefundSubject, merchantId: string) =>
  and(
    eq(refundRequests.merchantId, merchantId),
    orderId === null ? eq(refundRequests.transferId, transferId) : eq(refundRequests.orderId, orderId),
  );

const isOfFunds = (subject: RefundSubject, merchantId: string) => {
  const ofSubject = isOf(subject, merchantId);
  if (subject.orderId === null) return ofSubject;
  const ofTransfers = sql`${refundRequests.merchantId} = ${merchantId} and ${refundRequests.transferId} in (select t.id from transfers t
    where t.order_id = ${subject.orderId} and t.merchant_id = ${merchantId})`;
  return or(ofSubject, ofTransfers);
};

/** Inserts a requested refund. Returns false if the merchant already used its `mchRefundId`. */
export async function insertRefund(db: Db, refund: NewRefund, now: Date): Promise<boolean> {
  const rows = await db
    .insert(refundRequests)
    .values({ ...refund, status: "requested", createdAt: now, changedAt: now })
    .onConflictDoNothing({
      target: [refundRequests.merchantId, refundRequests.mchRefundId, refundRequests.integration],
    })
    .returning({ id: refundRequests.id });
  return rows.length === 1;
}

const COLUMNS = {
  id: refundRequests.id,
  merchantId: refundRequests.merchantId,
  orderId: refundRequests.orderId,
  transferId: refundRequests.transferId,
  mchRefundId: refundRequests.mchRefundId,
  echo: refundRequests.echo,
  currency: refundRequests.currency,
  microUnits: refundRequests.microUnits,
  price: refundRequests.price,
  reason: refundRequests.reason,
  email: refundRequests.email,
  status: refundRequests.status,
  version: refundRequests.version,
  expiresAt: refundRequests.expiresAt,
  createdAt: refundRequests.createdAt,
  network: refundRequests.network,
  address: refundRequests.address,
  claimedAt: refundRequests.claimedAt,
  approvedAt: refundRequests.approvedAt,
  endedAt: refundRequests.endedAt,
  endedReason: refundRequests.endedReason,
  txId: refundTransfers.txId,
  sentAt: refundTransfers.blockTime,
  completedAt: refundRequests.completedAt,
  claimCipher: refundRequests.claimCipher,
  freezeState: refundRequests.freezeState,
  freezeCheckedAt: refundRequests.freezeCheckedAt,
  walletAskedAt: refundRequests.walletAskedAt,
  walletStartedAt: refundRequests.walletStartedAt,
  walletTxId: refundRequests.walletTxId,
  walletSentAt: refundRequests.walletSentAt,
  exportedAt: refundRequests.exportedAt,
} as const;

/** Selects refunds with the transfers that complete them. */
export function selectRefunds(db: Db) {
  return db
    .select(COLUMNS)
    .from(refundRequests)
    .leftJoin(refundTransfers, eq(refundTransfers.refundId, refundRequests.id));
}

/** The names of a refund: its id, or the merchant's own id in the namespace of the API or an integration. */
export type RefundNames = { id: string } | { mchRefundId: string; integration: OrderIntegration };

/** Finds a refund of a merchant; null if there is none. */
export async function findRefund(db: Db, merchantId: string, names: RefundNames): Promise<Refund | null> {
  const isNamed =
    "id" in names
      ? eq(refundRequests.id, names.id)
      : and(eq(refundRequests.mchRefundId, names.mchRefundId), eq(refundRequests.integration, names.integration));
  const [row] = await selectRefunds(db).where(and(eq(refundRequests.merchantId, merchantId), isNamed));
  return row ?? null;
}

/** Finds a refund by the id in its claim link, for any merchant; null if there is none. */
export async function findClaimedRefund(db: Db, id: string): Promise<Refund | null> {
  const [row] = await selectRefunds(db).where(eq(refundRequests.id, id));
  return row ?? null;
}

/** The filter of a list of refunds. Absent fields match every refund. */
export interface RefundSearch {
  status: RefundStatus | null;
  /** The order whose refunds are listed; null: all. */
  orderId?: string | null;
  /** The id of the last refund of the previous page; null for the first page. */
  cursor: string | null;
  limit: number;
}

/** Returns a merchant's refunds that match a search, newest first, at most `limit`. */
export async function listRefunds(db: Db, merchantId: string, search: RefundSearch): Promise<Refund[]> {
  const { status, orderId = null, cursor, limit } = search;
  return selectRefunds(db)
    .where(
      and(
        eq(refundRequests.merchantId, merchantId),
        status === null ? undefined : eq(refundRequests.status, status),
        orderId === null ? undefined : eq(refundRequests.orderId, orderId),
        cursor === null ? undefined : lt(refundRequests.id, cursor),
      ),
    )
    .orderBy(desc(refundRequests.id))
    .limit(limit);
}

/** Returns the refunds of an order or a transfer, newest first. */
export async function listRefundsOf(db: Db, merchantId: string, subject: RefundSubject): Promise<Refund[]> {
  return selectRefunds(db).where(isOf(subject, merchantId)).orderBy(desc(refundRequests.id));
}

/** Locks a refund until the transaction ends; null if there is no such refund of the merchant. */
export async function lockRefund(db: Db, { id, merchantId }: { id: string; merchantId: string }) {
  const [row] = await db
    .select()
    .from(refundRequests)
    .where(and(eq(refundRequests.id, id), eq(refundRequests.merchantId, merchantId)))
    .for("update");
  return row ?? null;
}

/** The changes that a step of a refund writes, besides its status. */
export type RefundChange = Partial<
  Pick<
    StoredRefund,
    | "network"
    | "family"
    | "address"
    | "claimedAt"
    | "claimCipher"
    | "approvedAt"
    | "approvedBy"
    | "token"
    | "baseUnits"
    | "endedAt"
    | "endedReason"
    | "completedAt"
    | "freezeState"
    | "freezeCheckedAt"
    | "freezeLookAt"
  >
>;

/**
 * Writes the next status of a refund that is locked, and notifies its open pages when the transaction commits.
 * @returns false if its status is not `from` any more
 */
export async function updateRefund(
  db: Db,
  { id, merchantId, status: from }: Pick<StoredRefund, "id" | "merchantId" | "status">,
  status: RefundStatus,
  change: RefundChange,
  now: Date,
): Promise<boolean> {
  const rows = await db
    .update(refundRequests)
    .set({ ...change, status, version: sql`${refundRequests.version} + 1`, changedAt: now })
    .where(and(eq(refundRequests.id, id), eq(refundRequests.merchantId, merchantId), eq(refundRequests.status, from)))
    .returning({ id: refundRequests.id, version: refundRequests.version });
  await announceOrders(db, rows);
  return rows.length === 1;
}

/** The amounts of the counted refunds of an order or a transfer. */
export interface CountedRefunds {
  count: number;
  /** The sum in millionths of the currency. */
  microUnits: bigint;
  /** The fiat amounts of those that were requested in fiat. */
  prices: { fiat: string; amount: string }[];
}

/**
 * Sums up the refunds of an order or a transfer that are neither cancelled nor expired. Those of an order include the refunds that were
 * requested of its transfers before a user assigned them to the order. Lock the order or the transfer first.
 */
export async function sumRefunds(db: Db, merchantId: string, subject: RefundSubject): Promise<CountedRefunds> {
  const rows = await db
    .select({ microUnits: refundRequests.microUnits, price: refundRequests.price })
    .from(refundRequests)
    .where(and(isOfFunds(subject, merchantId), inArray(refundRequests.status, COUNTED_STATUSES)));
  return {
    count: rows.length,
    microUnits: rows.reduce((sum, row) => sum + row.microUnits, 0n),
    prices: rows.flatMap(({ price }) => price ?? []),
  };
}

/** A refund transaction that was recorded by its id, and is final. */
export interface RecordedRefund {
  network: string;
  currency: Currency;
  baseUnits: bigint;
}

/**
 * Returns the final refund transactions that users recorded for the transfers of an order, or for a transfer. Transactions that complete a
 * requested refund are left out, because that refund counts already.
 */
export async function listRecordedRefunds(
  db: Db,
  merchantId: string,
  subject: RefundSubject,
): Promise<RecordedRefund[]> {
  const isOwn = subject.orderId === null ? sql`t.id = ${subject.transferId}` : sql`t.order_id = ${subject.orderId}`;
  const rows = await db.execute<{ network: string; currency: Currency; units: string }>(sql`
    select t.network, t.currency, r.base_units::text as units from refunds r
      join transfers t on t.id = r.transfer_id and t.merchant_id = r.merchant_id
    where r.merchant_id = ${merchantId} and ${isOwn} and r.state = 'final' and t.currency is not null
      and not exists (select from refund_transfers x where x.network = r.network and x.tx_id = r.tx_id and x.merchant_id = r.merchant_id)`);
  return rows.map(({ units, ...row }) => ({ ...row, baseUnits: BigInt(units) }));
}

/** The received amount of an order or a transfer, in base units of a token, and the fiat price of the order. */
export interface RefundableFunds {
  network: string;
  currency: Currency;
  receivedUnits: bigint;
  /** The amount that the order asked for; equal to the received amount for a transfer. */
  askedUnits: bigint;
  price: { fiat: string; amount: string; rate: string } | null;
  /** The merchant's number of the order; null for a transfer. */
  mchOrderId: string | null;
  /** The sender of the first payment, in canonical form, with its network; null if there is none. */
  payer: { network: string; address: string } | null;
}

/** True to lock the row that is read until the transaction ends. */
interface Reading {
  isLocking: boolean;
}

/**
 * Returns the confirmed funds of an order, and locks it if `isLocking`; null if the merchant has no such order, or its payer chose no
 * currency.
 */
export async function findOrderFunds(
  db: Db,
  merchantId: string,
  orderId: string,
  { isLocking }: Reading,
): Promise<RefundableFunds | null> {
  const [row] = await db.execute<{
    network: string;
    currency: Currency;
    units: string;
    asked: string;
    price: RefundableFunds["price"];
    mch_order_id: string;
  }>(sql`
    select q.network, q.currency, o.paid_units::text as units, q.base_units::text as asked, coalesce(q.price, o.price) as price, o.mch_order_id
    from orders o join quotes q on q.order_id = o.id and q.merchant_id = o.merchant_id and q.id = o.quote_id
    where o.id = ${orderId} and o.merchant_id = ${merchantId} ${isLocking ? sql`for update of o` : sql``}`);
  if (!row) return null;
  const [payer] = await db.execute<{ network: string; address: string }>(sql`
    select t.network, t.from_address as address from transfers t
    where t.order_id = ${orderId} and t.merchant_id = ${merchantId} and t.status = 'confirmed' order by t.seen_at, t.id limit 1`);
  const { units, asked, mch_order_id: mchOrderId, ...funds } = row;
  return { ...funds, receivedUnits: BigInt(units), askedUnits: BigInt(asked), mchOrderId, payer: payer ?? null };
}

/**
 * Returns the amount of a confirmed transfer that credits nothing, and locks it if `isLocking`; null if there is no such transfer of the
 * merchant. Look-alikes, sweeps and transfers that a reorg removed cannot be refunded.
 */
export async function findTransferFunds(
  db: Db,
  merchantId: string,
  id: string,
  { isLocking }: Reading,
): Promise<RefundableFunds | null> {
  const [row] = await db.execute<{ network: string; currency: Currency; units: string; from_address: string }>(sql`
    select t.network, t.currency, t.base_units::text as units, t.from_address from transfers t
    where t.id = ${id} and t.merchant_id = ${merchantId} and t.status = 'confirmed' and t.lost_at is null
      and t.currency is not null and t.order_id is null and t.deposit_id is null and not t.is_sweep ${isLocking ? sql`for update of t` : sql``}`);
  if (!row) return null;
  const { network, currency, units, from_address: address } = row;
  return {
    network,
    currency,
    receivedUnits: BigInt(units),
    askedUnits: BigInt(units),
    price: null,
    mchOrderId: null,
    payer: { network, address },
  };
}

/** Returns the refunds whose claim link expired unused, oldest first, at most `limit`. */
export async function listExpiredRefunds(db: Db, now: Date, limit: number) {
  return db
    .select({ id: refundRequests.id, merchantId: refundRequests.merchantId })
    .from(refundRequests)
    .where(and(eq(refundRequests.status, "requested"), lte(refundRequests.expiresAt, now)))
    .orderBy(refundRequests.expiresAt)
    .limit(limit);
}

/** Returns true if an address belongs to a merchant: as a receiving address, also a removed one, or as a trial receiver or treasury. */
export async function isAddressOfMerchant(
  db: Db,
  { merchantId, family, address }: { merchantId: string; family: string; address: string },
): Promise<boolean> {
  const [row] = await db.execute<{ is_own: boolean }>(sql`
    select exists (select from family_addresses f
        where f.family = ${family} and f.address = ${address} and f.merchant_id = ${merchantId})
      or exists (select from receiver_trials r
        where r.merchant_id = ${merchantId} and (r.receiver = ${address} or r.treasury = ${address})) as is_own`);
  return row?.is_own ?? false;
}

/** Returns a merchant's settings for refunds. */
export async function findRefundSettings(db: Db, merchantId: string): Promise<RefundSettings> {
  const [row] = await db
    .select({ claimCheck: merchantRefunds.claimCheck, networks: merchantRefunds.networks })
    .from(merchantRefunds)
    .where(eq(merchantRefunds.merchantId, merchantId));
  return row ?? DEFAULT_REFUND_SETTINGS;
}

/** Stores a merchant's settings for refunds. */
export async function writeRefundSettings(
  db: Db,
  merchantId: string,
  { claimCheck, networks }: RefundSettings,
  now: Date,
): Promise<void> {
  const row = { claimCheck, networks: [...networks], updatedAt: now };
  await db
    .insert(merchantRefunds)
    .values({ merchantId, ...row })
    .onConflictDoUpdate({ target: merchantRefunds.merchantId, set: row });
}

/** Returns the number of a merchant's refunds that wait for an approval. */
export async function countClaimedRefunds(db: Db, merchantId: string): Promise<number> {
  return db.$count(
    refundRequests,
    and(eq(refundRequests.merchantId, merchantId), eq(refundRequests.status, "claimed")),
  );
}

/** Returns a merchant's own numbers of some orders, by the ids of the orders. */
export async function listOrderNumbers(
  db: Db,
  merchantId: string,
  orderIds: readonly string[],
): Promise<Map<string, string>> {
  if (orderIds.length === 0) return new Map();
  const rows = await db.execute<{ id: string; number: string }>(sql`
    select id, mch_order_id as number from orders where merchant_id = ${merchantId} and id = any(${idList(orderIds)})`);
  return new Map(rows.map(({ id, number }) => [id, number]));
}
