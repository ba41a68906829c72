import { sql } from "drizzle-orm";
import { type Db, runPrepared } from "@/db/client";
import { GIVEN_IDS, idList } from "@/db/queries/many-rows";
import { ADDRESS_MAC_COLUMN, type AddressMacColumn, joinAddressMac } from "@/db/queries/orders/address-macs";
import type { CheckoutRow, CheckoutTransferRow } from "@/db/queries/orders/checkout";
import { announceOrders } from "@/db/queries/orders/order-moves";
import type { Currency } from "@/lib/domain/networks";

type BrandColumns =
  | "merchant_name"
  | "brand_version"
  | "accent"
  | "support_url"
  | "frame_parents"
  | "languages"
  | "has_logo";
type ChainColumns =
  | "cursor_network"
  | "head_height"
  | "finalized_height"
  | "head_block_ms"
  | "caught_up_ms"
  | "has_problem"
  | "min_confirmations"
  | "min_seconds";

/** A row for the page of a deposit address. Times are Unix milliseconds, base units are decimal strings. */
export interface DepositPageRow extends Pick<CheckoutRow, BrandColumns | ChainColumns>, AddressMacColumn {
  id: string;
  merchant_id: string;
  customer_ref: string;
  network: string;
  version: number;
  /** The address as returned to the customer. */
  address: string;
  receiving_address_id: string;
  /** True if the address has since been paused or removed. */
  is_closed: boolean;
  is_paused: boolean;
  /** The transfers, newest first. */
  transfers: DepositTransferRow[] | null;
}

export interface DepositTransferRow
  extends Pick<CheckoutTransferRow, "network" | "token" | "tx_id" | "base_units" | "is_confirmed" | "block_height">,
    Pick<
      CheckoutTransferRow,
      "head_height" | "finalized_height" | "head_block_ms" | "min_confirmations" | "min_seconds"
    > {
  currency: Currency;
  /** True if a reorg removed the transfer after it was confirmed. */
  is_reversed: boolean;
  seen_ms: number;
}

/** The number of transfers that are read for a page, one more than the page shows. */
export const DEPOSITS_READ = 21;
const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`;

const LIST = `
  select d.id, d.merchant_id, d.customer_ref, d.network, d.version, d.address, d.receiving_address_id, ${ADDRESS_MAC_COLUMN},
    r.paused_at is not null or r.removed_at is not null as is_closed, r.paused_at is not null as is_paused,
    coalesce(b.shown_name, m.name) as merchant_name, b.version as brand_version, b.accent, b.support_url, coalesce(b.frame_parents, '{}') as frame_parents, b.languages,
    b.logo is not null as has_logo,
    c.network as cursor_network, c.head_height::float8 as head_height, c.finalized_height::float8 as finalized_height,
    c.block_ms as head_block_ms, ${ms("c.caught_up_at")} as caught_up_ms, (c.problem is not null or c.closed_at is not null) as has_problem,
    n.min_confirmations, n.min_seconds,
    (select json_agg(json_build_object('network', t.network, 'token', t.token, 'currency', t.currency, 'tx_id', t.tx_id,
        'base_units', t.base_units::text, 'is_confirmed', t.status = 'confirmed' and t.lost_at is null,
        'is_reversed', t.status = 'confirmed' and t.lost_at is not null, 'block_height', t.block_height,
        'seen_ms', ${ms("t.seen_at")}, 'head_height', h.head_height, 'finalized_height', h.finalized_height,
        'head_block_ms', h.block_ms, 'min_confirmations', w.min_confirmations, 'min_seconds', w.min_seconds) order by t.id desc)
      from (select * from transfers where deposit_id = d.id and merchant_id = d.merchant_id and status <> 'dropped' and currency is not null
        order by id desc limit ${DEPOSITS_READ}) t left join cursors h on h.network = t.network
        left join merchant_networks w on w.merchant_id = d.merchant_id and w.network = t.network) as transfers
  from deposit_addresses d
    join receiving_addresses r on r.id = d.receiving_address_id and r.merchant_id = d.merchant_id
    ${joinAddressMac("d")}
    join merchants m on m.id = d.merchant_id
    left join merchant_checkouts b on b.merchant_id = d.merchant_id
    left join cursors c on c.network = d.network
    left join merchant_networks n on n.merchant_id = d.merchant_id and n.network = d.network
  where d.id = any(${GIVEN_IDS})`;

/** Returns the page data of the given deposit addresses that exist, in one round trip and in any order. */
export async function listDepositPageRows(db: Db, ids: readonly string[]): Promise<DepositPageRow[]> {
  return runPrepared<DepositPageRow>(db, LIST, [ids.join(" ")]);
}

const LIST_VERSIONS = "select d.id, d.version from deposit_addresses d where d.id = any(string_to_array($1, ' '))";

/** Returns the current version of each of these deposit addresses that exists. */
export async function listDepositVersions(db: Db, ids: readonly string[]): Promise<{ id: string; version: number }[]> {
  return runPrepared<{ id: string; version: number }>(db, LIST_VERSIONS, [ids.join(" ")]);
}

/**
 * Increments the versions of deposit addresses, and notifies open pages at commit. They are locked in the order of their ids, after all
 * orders, so that two transactions never deadlock.
 */
export async function touchDepositAddresses(db: Db, ids: readonly string[]): Promise<void> {
  const raised = await db.execute<{ id: string; version: number }>(sql`
    with held as (select id, merchant_id from deposit_addresses where id = any(${idList(ids)}) order by id for no key update)
    update deposit_addresses d set version = d.version + 1 from held
    where d.id = held.id and d.merchant_id = held.merchant_id returning d.id, d.version`);
  await announceOrders(db, raised);
}

const FIND_LOGO = `
  select b.logo from deposit_addresses d join merchant_checkouts b on b.merchant_id = d.merchant_id where d.id = $1`;

/** Returns the logo of a deposit address's merchant, a WebP in base64, or null. */
export async function findDepositLogo(db: Db, id: string): Promise<string | null> {
  const [row] = await runPrepared<{ logo: string | null }>(db, FIND_LOGO, [id]);
  return row?.logo ?? null;
}
