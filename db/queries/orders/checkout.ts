import { type Db, runPrepared } from "@/db/client";
import { GIVEN_IDS } from "@/db/queries/many-rows";
import { ADDRESS_MAC_COLUMN, type AddressMacColumn, joinAddressMac } from "@/db/queries/orders/address-macs";
import type { AddressKind } from "@/lib/domain/addresses/load";
import type { OrderIntegration } from "@/lib/domain/integration-id";
import type { Currency } from "@/lib/domain/networks";
import type { CheckoutTerms, OrderException, OrderPrice, OrderStatus } from "@/lib/domain/orders/order";
import type { LookupAnswer } from "@/lib/domain/transfers/lookup";

/** A row for the payment page. Times are Unix milliseconds, base units are decimal strings. */
export interface CheckoutRow extends AddressMacColumn {
  id: string;
  merchant_id: string;
  mch_order_id: string;
  /** The terms; null if the merchant specified network and currency. */
  checkout: CheckoutTerms | null;
  /** The name that payers see. */
  merchant_name: string;
  /**
   * The version of the branding. It is null, like all branding columns except `frame_parents`, if the merchant never configured the payment
   * pages.
   */
  brand_version: number | null;
  accent: string | null;
  support_url: string | null;
  /** The origins that may embed the page: those of the settings, and the sites of the order's plugin whose tokens are live. */
  frame_parents: string[];
  languages: string[];
  has_logo: boolean;
  status: OrderStatus;
  exception: OrderException | null;
  version: number;
  integration: OrderIntegration;
  redirect_url: string | null;
  locale: string | null;
  price: OrderPrice | null;
  subject: string | null;
  created_ms: number;
  expires_ms: number;
  paid_ms: number | null;
  /** The shown quote. It is null, like all of its columns, until the payer has chosen. */
  quote_id: string | null;
  quote_network: string;
  quote_currency: Currency;
  quote_token: string;
  quote_address: string;
  quote_kind: AddressKind;
  quote_units: string;
  reserved_ms: number;
  is_released: boolean;
  /** The payer's other current choices, oldest first, without quotes of earlier terms. */
  other_quotes: OtherQuoteRow[] | null;
  /** True if the merchant can be paid on a different network. */
  is_elsewhere_open: boolean;
  extensions: number;
  cursor_network: string | null;
  head_height: number | null;
  finalized_height: number | null;
  head_block_ms: number | null;
  caught_up_ms: number | null;
  has_problem: boolean;
  /** The merchant's confirmation rule for the shown quote's network; if both are null, the network's rule applies. */
  min_confirmations: number | null;
  min_seconds: number | null;
  transfers: CheckoutTransferRow[] | null;
  lookups: LookupRow[] | null;
  /** The amount that the rest is requested with, and the rest; null unless too little arrived and its rest was requested. */
  rest: { units: string; asked: string } | null;
  /** The transfers that were certainly meant for this order but credited to none. */
  misdirected: MisdirectedRow[] | null;
}

export interface LookupRow {
  network: string;
  tx_id: string;
  asked_ms: number;
  answer: LookupAnswer | null;
}

export interface OtherQuoteRow {
  network: string;
  currency: Currency;
  units: string;
}

export interface MisdirectedRow {
  network: string;
  token: string;
  /** The currency; null for a look-alike, which is never among an order's own transfers. */
  currency: Currency | null;
  tx_id: string;
  base_units: string;
}

export interface CheckoutTransferRow extends MisdirectedRow {
  /** The head of the transfer's own network. */
  head_height: number | null;
  finalized_height: number | null;
  head_block_ms: number | null;
  min_confirmations: number | null;
  min_seconds: number | null;
  /** True if the transfer matched the shown quote, or a quote of earlier terms, which is credited by its value. */
  is_counted: boolean;
  is_confirmed: boolean;
  block_height: number;
  block_ms: number;
}

const MAX_TRANSFERS = 100;
const MAX_MISDIRECTED = 5;
const MAX_SITES = 20;
const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`;

const LIST = `
  select o.id, o.merchant_id, o.mch_order_id, o.checkout, coalesce(b.shown_name, m.name) as merchant_name, o.status, o.exception, o.version, o.dialect as integration, o.redirect_url, o.locale, coalesce(q.price, o.price) as price, o.subject,
    b.version as brand_version, b.accent, b.support_url, coalesce(b.frame_parents, '{}') || array(select distinct k.site from plugin_keys k
      where k.merchant_id = o.merchant_id and k.dialect = o.dialect and k.site is not null and k.ends_at is null
      order by k.site limit ${MAX_SITES}) as frame_parents, b.languages, b.logo is not null as has_logo,
    ${ms("o.created_at")} as created_ms, ${ms("o.expires_at")} as expires_ms, ${ms("o.paid_at")} as paid_ms,
    q.id as quote_id, q.network as quote_network, q.currency as quote_currency, q.token as quote_token,
    q.address as quote_address, ${ADDRESS_MAC_COLUMN}, q.kind as quote_kind,
    q.base_units::text as quote_units, ${ms("q.reserved_until")} as reserved_ms, q.released_at is not null as is_released,
    (select json_agg(json_build_object('network', other.network, 'currency', other.currency, 'units', other.base_units::text) order by other.id)
      from quotes other where other.order_id = o.id and other.merchant_id = o.merchant_id and other.id <> q.id
        and other.superseded_at is null and other.completes_quote_id is null and other.reserved_until > o.expires_at) as other_quotes,
    (select json_build_object('units', rest.base_units::text, 'asked', rest.asked_units::text) from quotes rest
      where rest.order_id = o.id and rest.merchant_id = o.merchant_id and rest.completes_quote_id = q.id limit 1) as rest,
    exists (select from receiving_addresses r where r.merchant_id = o.merchant_id and r.network <> q.network
      and r.paused_at is null and r.removed_at is null) as is_elsewhere_open, o.extensions,
    (select json_agg(json_build_object('network', l.network, 'tx_id', l.tx_id, 'asked_ms', ${ms("l.asked_at")}, 'answer', l.answer))
      from lookups l where l.order_id = o.id and l.merchant_id = o.merchant_id) as lookups,
    c.network as cursor_network, c.head_height::float8 as head_height, c.finalized_height::float8 as finalized_height,
    c.block_ms as head_block_ms,
    ${ms("c.caught_up_at")} as caught_up_ms, (c.problem is not null or c.closed_at is not null) as has_problem, n.min_confirmations,
    n.min_seconds,
    (select json_agg(json_build_object('network', t.network, 'token', t.token, 'currency', t.currency, 'tx_id', t.tx_id,
        'base_units', t.base_units::text, 'is_counted', t.quote_id = o.quote_id or exists (select from quotes past where past.order_id = t.order_id
          and past.merchant_id = t.merchant_id and past.id = t.quote_id
          and (past.superseded_at is not null or past.completes_quote_id = o.quote_id)), 'is_confirmed', t.status = 'confirmed',
        'block_height', t.block_height, 'block_ms', ${ms("t.block_time")},
        'head_height', h.head_height, 'finalized_height', h.finalized_height, 'head_block_ms', h.block_ms,
        'min_confirmations', w.min_confirmations, 'min_seconds', w.min_seconds) order by t.seen_at, t.id)
      from (select * from transfers where order_id = o.id and merchant_id = o.merchant_id and status <> 'dropped'
        order by seen_at, id limit ${MAX_TRANSFERS}) t left join cursors h on h.network = t.network
        left join merchant_networks w on w.merchant_id = o.merchant_id and w.network = t.network) as transfers,
    (select json_agg(json_build_object('network', s.network, 'token', s.token, 'currency', s.currency, 'tx_id', s.tx_id,
        'base_units', s.base_units::text) order by s.id)
      from (select * from transfers where meant_order_id = o.id and merchant_id = o.merchant_id and order_id is null and status <> 'dropped'
        order by id limit ${MAX_MISDIRECTED}) s) as misdirected
  from orders o
    left join quotes q on q.order_id = o.id and q.merchant_id = o.merchant_id and q.id = o.quote_id
    ${joinAddressMac("q")}
    join merchants m on m.id = o.merchant_id
    left join merchant_checkouts b on b.merchant_id = o.merchant_id
    left join cursors c on c.network = q.network
    left join merchant_networks n on n.merchant_id = o.merchant_id and n.network = q.network
  where o.id = any(${GIVEN_IDS})`;

/** The head of a network, and a merchant's confirmation rule for it. */
export type ChainRow = Pick<
  CheckoutTransferRow,
  "network" | "head_height" | "finalized_height" | "head_block_ms" | "min_confirmations" | "min_seconds"
>;

const LIST_CHAINS = `
  select c.network, c.head_height::float8 as head_height, c.finalized_height::float8 as finalized_height, c.block_ms as head_block_ms,
    n.min_confirmations, n.min_seconds
  from cursors c left join merchant_networks n on n.merchant_id = $1 and n.network = c.network`;

/** Returns the networks that were ever read, with the merchant's confirmation rules. */
export async function listChainRows(db: Db, merchantId: string): Promise<ChainRow[]> {
  return runPrepared<ChainRow>(db, LIST_CHAINS, [merchantId]);
}

/**
 * Returns the payment page data of the given orders that exist, in one round trip and in any order. Includes at most the first 100
 * transfers and the first 5 misdirected transfers of each order.
 */
export async function listCheckoutRows(db: Db, orderIds: readonly string[]): Promise<CheckoutRow[]> {
  return runPrepared<CheckoutRow>(db, LIST, [orderIds.join(" ")]);
}

const LIST_VERSIONS = "select o.id, o.version from orders o where o.id = any(string_to_array($1, ' '))";

/** Returns the current version of each of these orders that exists. */
export async function listOrderVersions(
  db: Db,
  orderIds: readonly string[],
): Promise<{ id: string; version: number }[]> {
  return runPrepared<{ id: string; version: number }>(db, LIST_VERSIONS, [orderIds.join(" ")]);
}
