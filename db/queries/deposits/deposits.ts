import { type SQL, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { idList } from "@/db/queries/many-rows";
import { CLOCK_TOLERANCE } from "@/db/queries/transfers/matches";
import { SENT_AT } from "@/db/queries/transfers/sent-at";
import type { Deposit } from "@/lib/domain/deposits/deposit-wire";
import type { Currency } from "@/lib/domain/networks";

/** The filter of deposit/list. */
export interface DepositSearch {
  customerRef: string | null;
  network: string | null;
  currency: Currency | null;
  /** The id of the last transfer on the previous page. */
  cursor: string | null;
  limit: number;
}

interface DepositRow
  extends Record<string, unknown>,
    Omit<Deposit, "baseUnits" | "seenAt" | "confirmedAt" | "reversedAt"> {
  merchantId: string;
  notifyUrl: string | null;
  units: string;
  seenMs: number;
  confirmedMs: number;
  reversedMs: number | null;
}

/** A deposit with the URL that receives its events. */
export interface DepositWithCallback extends Deposit {
  merchantId: string;
  notifyUrl: string | null;
}

const COLUMNS = sql.raw(`
  t.id, t.merchant_id as "merchantId", d.id as "addressId", d.customer_ref as "customerRef", d.notify_url as "notifyUrl", t.network, t.currency,
  d.address, t.from_address as "fromAddress", t.tx_id as "txId", t.base_units::text as units, coalesce(t.confirmations, 0) as confirmations,
  (extract(epoch from t.seen_at) * 1000)::float8 as "seenMs", (extract(epoch from t.confirmed_at) * 1000)::float8 as "confirmedMs",
  (extract(epoch from t.lost_at) * 1000)::float8 as "reversedMs"`);
/**
 * The join that selects deposits. A transfer that a reorg removed after it was confirmed remains a deposit, even while the chain has
 * included it again and it is not final yet.
 */
const JOINED = sql.raw(
  "transfers t join deposit_addresses d on d.id = t.deposit_id and d.merchant_id = t.merchant_id and (t.status = 'confirmed' or t.lost_at is not null) and t.currency is not null",
);

function toDeposit({ units, seenMs, confirmedMs, reversedMs, ...row }: DepositRow): DepositWithCallback {
  return {
    ...row,
    baseUnits: BigInt(units),
    seenAt: new Date(seenMs),
    confirmedAt: new Date(confirmedMs),
    reversedAt: reversedMs === null ? null : new Date(reversedMs),
  };
}

/**
 * Returns a merchant's deposits, newest first, at most `limit`: final deposits, and deposits that a reorg removed after they were final.
 */
export async function listDeposits(db: Db, merchantId: string, search: DepositSearch): Promise<Deposit[]> {
  const { customerRef, network, currency, cursor, limit } = search;
  const kept: SQL[] = [
    sql`t.merchant_id = ${merchantId} and t.deposit_id is not null`,
    ...(customerRef === null
      ? []
      : [
          sql`t.deposit_id in (select id from deposit_addresses where merchant_id = ${merchantId} and customer_ref = ${customerRef})`,
        ]),
    ...(network === null ? [] : [sql`t.network = ${network}`]),
    ...(currency === null ? [] : [sql`t.currency = ${currency}`]),
    ...(cursor === null ? [] : [sql`t.id < ${cursor}`]),
  ];
  const rows = await db.execute<DepositRow>(
    sql`select ${COLUMNS} from ${JOINED} where ${sql.join(kept, sql` and `)} order by t.id desc limit ${limit}`,
  );
  return rows.map(toDeposit);
}

/**
 * Returns the deposits among transfers, in the order of their ids: final deposits, and deposits that a reorg removed after they were
 * final.
 */
export async function listDepositsAmong(db: Db, transferIds: readonly string[]): Promise<DepositWithCallback[]> {
  if (transferIds.length === 0) return [];
  const rows = await db.execute<DepositRow>(
    sql`select ${COLUMNS} from ${JOINED} where t.id = any(${idList(transferIds)}) order by t.id`,
  );
  return rows.map(toDeposit);
}

/** Returns the highest version among the events of each transfer that has any. */
export async function findEventVersions(db: Db, transferIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await db.execute<{ id: string; version: number }>(sql`
    select transfer_id as id, max(version) as version from events where transfer_id = any(${idList(transferIds)}) group by 1`);
  return new Map(rows.map(({ id, version }) => [id, version]));
}

/**
 * Returns the deposit addresses of transfers that were sent when the address already belonged to its customer, on any network of its
 * family.
 * @returns the addresses by transfer id; look-alikes and transfers that belong to no customer are omitted
 */
export async function findDepositAddresses(db: Db, transferIds: readonly string[]): Promise<Map<string, string>> {
  if (transferIds.length === 0) return new Map();
  const rows = await db.execute<{ id: string; depositId: string }>(sql`
    select t.id, found.id as "depositId"
    from transfers t join receiving_addresses r on r.id = t.receiving_address_id and r.merchant_id = t.merchant_id
    cross join lateral (
      select d.id from deposit_addresses d
      where d.merchant_id = t.merchant_id and d.family = r.family and d.address = r.address
        and d.created_at - ${CLOCK_TOLERANCE} <= ${SENT_AT}
      order by d.network = t.network desc, d.created_at, d.id limit 1) found
    where t.id = any(${idList(transferIds)}) and t.currency is not null`);
  return new Map(rows.map(({ id, depositId }) => [id, depositId]));
}
