import { type Db, runPrepared } from "@/db/client";
import { GIVEN_IDS } from "@/db/queries/many-rows";
import type { CheckoutRow } from "@/db/queries/orders/checkout";
import type { Currency } from "@/lib/domain/networks";
import type { ClaimCheck, RefundStatus } from "@/lib/domain/refunds/refund";

type BrandColumns =
  | "merchant_name"
  | "brand_version"
  | "accent"
  | "support_url"
  | "frame_parents"
  | "languages"
  | "has_logo";

/** A row for the claim page of a refund. Times are Unix milliseconds, amounts decimal strings of millionths. */
export interface ClaimPageRow extends Pick<CheckoutRow, BrandColumns> {
  id: string;
  version: number;
  status: RefundStatus;
  currency: Currency;
  micro_units: string;
  price: { fiat: string; amount: string } | null;
  reason: string | null;
  ended_reason: string | null;
  has_email: boolean;
  has_order: boolean;
  expires_ms: number;
  network: string | null;
  address: string | null;
  /** The network on which the order was paid. */
  paid_on: string | null;
  claim_check: ClaimCheck | null;
  claim_networks: string[] | null;
  /** The transfer that completes the refund, with the height of its network. */
  tx_id: string | null;
  block_height: number | null;
  head_height: number | null;
  finalized_height: number | null;
  head_block_ms: number | null;
}

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`;

const LIST = `
  select r.id, r.version, r.status, r.currency, r.micro_units::text as micro_units, r.price, r.reason, r.ended_reason,
    r.email is not null as has_email, r.order_id is not null as has_order, ${ms("r.expires_at")} as expires_ms, r.network, r.address,
    coalesce((select q.network from orders o join quotes q on q.order_id = o.id and q.merchant_id = o.merchant_id and q.id = o.quote_id
        where o.id = r.order_id and o.merchant_id = r.merchant_id),
      (select t.network from transfers t where t.id = r.transfer_id and t.merchant_id = r.merchant_id)) as paid_on,
    s.claim_check, s.networks as claim_networks,
    coalesce(b.shown_name, m.name) as merchant_name, b.version as brand_version, b.accent, b.support_url, b.frame_parents, b.languages,
    b.logo is not null as has_logo,
    x.tx_id, x.block_height::float8 as block_height, c.head_height::float8 as head_height,
    c.finalized_height::float8 as finalized_height, c.block_ms as head_block_ms
  from refund_requests r
    join merchants m on m.id = r.merchant_id
    left join merchant_refunds s on s.merchant_id = r.merchant_id
    left join merchant_checkouts b on b.merchant_id = r.merchant_id
    left join refund_transfers x on x.refund_id = r.id
    left join cursors c on c.network = x.network
  where r.id = any(${GIVEN_IDS})`;

/** Returns the page data of the given refunds that exist, in one round trip and in any order. */
export async function listClaimPageRows(db: Db, ids: readonly string[]): Promise<ClaimPageRow[]> {
  return runPrepared<ClaimPageRow>(db, LIST, [ids.join(" ")]);
}

const LIST_VERSIONS = "select r.id, r.version from refund_requests r where r.id = any(string_to_array($1, ' '))";

/** Returns the current version of each of these refunds that exists. */
export async function listRefundVersions(db: Db, ids: readonly string[]): Promise<{ id: string; version: number }[]> {
  return runPrepared<{ id: string; version: number }>(db, LIST_VERSIONS, [ids.join(" ")]);
}

const FIND_LOGO = `
  select b.logo from refund_requests r join merchant_checkouts b on b.merchant_id = r.merchant_id where r.id = $1`;

/** Returns the logo of a refund's merchant, a WebP in base64, or null. */
export async function findRefundLogo(db: Db, id: string): Promise<string | null> {
  const [row] = await runPrepared<{ logo: string | null }>(db, FIND_LOGO, [id]);
  return row?.logo ?? null;
}
