import { type SQL, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { scanRows, toWalkedPage, type Walked, type WalkedPage } from "@/db/queries/keyset";
import { idList } from "@/db/queries/many-rows";
import { storedForms } from "@/lib/domain/addresses/address";
import type { DepositFilter } from "@/lib/domain/deposits/filter";
import type { ReceivedSum } from "@/lib/domain/deposits/received";
import type { ListCursor } from "@/lib/domain/list-cursor";
import { allNetworks } from "@/lib/domain/networks";

/** The maximum number of addresses that are read for a page, however few of them match. */
const MAX_EXAMINED = 2_000;
/** The number of addresses that are read at a time for an exported file. Each of these reads examines at most `MAX_PER_STEP` addresses. */
const STEP = 500;
const MAX_PER_STEP = 20_000;
/** The maximum number of addresses that are returned for each kind of match. A customer's address counts once per network. */
const MAX_NAMED = 200;

/** A customer's address with its received transfers. */
export interface ListedDeposit {
  id: string;
  customerRef: string;
  network: string;
  /** The address in canonical form. */
  address: string;
  notifyUrl: string | null;
  createdAt: Date;
  /** The sums of final transfers by network and token. */
  sums: ReceivedSum[];
  /** The numbers of final transfers, of transfers that are not final yet, and of transfers that a reorg removed after they were final. */
  count: number;
  open: number;
  reversed: number;
  lastAt: Date | null;
}

/**
 * Returns a merchant's deposit addresses that match a filter, newest first. Scans an index and examines a bounded number of addresses. If
 * the matches do not fill the page, the next page continues after the last examined address.
 */
export async function listDepositAddresses(
  db: Db,
  merchantId: string,
  filter: DepositFilter,
  cursor: ListCursor,
  limit: number,
): Promise<WalkedPage<ListedDeposit>> {
  const named = await findNamed(db, merchantId, filter);
  const found = await scanAddresses(db, merchantId, filter, named, { cursor, limit, max: MAX_EXAMINED });
  return toWalkedPage(await readAddresses(db, merchantId, found.ids.slice(0, limit)), found, cursor, limit);
}

/**
 * Yields all deposit addresses that match a filter, newest first, in batches. The next batch is read on demand, and no transaction stays
 * open in between.
 */
export async function* readAllDepositAddresses(
  db: Db,
  merchantId: string,
  filter: DepositFilter,
): AsyncGenerator<ListedDeposit[]> {
  const named = await findNamed(db, merchantId, filter);
  for (let cursor: ListCursor = null; ; ) {
    const step = { cursor, limit: STEP, max: MAX_PER_STEP };
    const found: Walked = await scanAddresses(db, merchantId, filter, named, step);
    const ids = found.ids.slice(0, STEP);
    if (ids.length > 0) yield await readAddresses(db, merchantId, ids);
    const last = found.ids.length > STEP ? ids.at(-1) : found.isCut ? found.last : null;
    if (!last) return;
    cursor = { after: last };
  }
}

/** Returns one deposit address of a merchant; null if there is none. */
export async function findDepositAddress(db: Db, merchantId: string, id: string): Promise<ListedDeposit | null> {
  const [row] = await readAddresses(db, merchantId, [id]);
  return row ?? null;
}

/**
 * Returns the ids of the deposit addresses that a text identifies exactly, each kind of match by its own index. Returns null if there are
 * none; the text may then be the beginning of a customer reference.
 */
async function findNamed(db: Db, merchantId: string, { text }: DepositFilter): Promise<string[] | null> {
  if (!text) return null;
  const families = [...new Set(allNetworks().map(({ family }) => family))];
  const ways = [
    sql`d.customer_ref = ${text}`,
    sql`d.id = ${text}`,
    sql`d.family = any(${idList(families)}) and d.address = any(${idList(storedForms(text))})`,
  ];
  const parts = ways.map(
    (way) =>
      sql`(select d.id from deposit_addresses d where d.merchant_id = ${merchantId} and ${way} order by d.id desc limit ${MAX_NAMED})`,
  );
  const rows = await db.execute<{ id: string }>(sql.join(parts, sql` union `));
  return rows.length > 0 ? rows.map(({ id }) => id) : null;
}

interface Step {
  cursor: ListCursor;
  limit: number;
  max: number;
}

function scanAddresses(
  db: Db,
  merchantId: string,
  { network, text }: DepositFilter,
  named: string[] | null,
  step: Step,
): Promise<Walked> {
  const { cursor } = step;
  const kept: SQL[] = [
    ...(network ? [sql`w.network = ${network}`] : []),
    ...(text && !named ? [sql`starts_with(w.customer_ref, ${text})`] : []),
  ];
  return scanRows(db, {
    from: sql`deposit_addresses d`,
    columns: sql`d.id, d.network, d.customer_ref, d.created_at`,
    sortedBy: [sql`d.id`],
    along: [
      sql`d.merchant_id = ${merchantId}`,
      ...(cursor ? ["before" in cursor ? sql`d.id > ${cursor.before}` : sql`d.id < ${cursor.after}`] : []),
      ...(named ? [sql`d.id = any(${idList(named)})`] : []),
    ],
    kept,
    ...step,
  });
}

interface Row extends Record<string, unknown>, Omit<ListedDeposit, "createdAt" | "sums" | "lastAt"> {
  createdMs: number;
  lastMs: number | null;
  sums: { network: string; currency: ReceivedSum["currency"]; units: string }[] | null;
}

async function readAddresses(db: Db, merchantId: string, ids: readonly string[]): Promise<ListedDeposit[]> {
  if (ids.length === 0) return [];
  const rows = await db.execute<Row>(sql`
    select d.id, d.customer_ref as "customerRef", d.network, d.address, d.notify_url as "notifyUrl",
      (extract(epoch from d.created_at) * 1000)::float8 as "createdMs", found.sums, found.count, found.open, found.reversed, found."lastMs"
    from deposit_addresses d cross join lateral (
      select json_agg(json_build_object('network', s.network, 'currency', s.currency, 'units', s.units::text) order by s.network, s.currency)
          filter (where s.final > 0) as sums,
        coalesce(sum(s.final), 0)::integer as count, coalesce(sum(s.open), 0)::integer as open,
        coalesce(sum(s.reversed), 0)::integer as reversed,
        (extract(epoch from max(s.last_at)) * 1000)::float8 as "lastMs"
      from (
        select t.network, t.currency, coalesce(sum(t.base_units) filter (where t.status = 'confirmed' and t.lost_at is null), 0) as units,
          count(*) filter (where t.status = 'confirmed' and t.lost_at is null) as final, count(*) filter (where t.status = 'seen') as open,
          count(*) filter (where t.status = 'confirmed' and t.lost_at is not null) as reversed, max(t.seen_at) as last_at
        from transfers t
        where t.deposit_id = d.id and t.merchant_id = d.merchant_id and t.status <> 'dropped' and t.currency is not null
        group by t.network, t.currency) s) found
    where d.merchant_id = ${merchantId} and d.id = any(${idList(ids)}) order by d.id desc`);
  return rows.map(({ createdMs, lastMs, sums, ...row }) => ({
    ...row,
    createdAt: new Date(createdMs),
    lastAt: lastMs === null ? null : new Date(lastMs),
    sums: (sums ?? []).map(({ units, ...sum }) => ({ ...sum, units: BigInt(units) })),
  }));
}
