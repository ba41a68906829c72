import { type Db, runPrepared } from "@/db/client";
import type { CheckoutRow } from "@/db/queries/orders/checkout";

type BrandColumns =
  | "merchant_name"
  | "brand_version"
  | "accent"
  | "support_url"
  | "frame_parents"
  | "languages"
  | "has_logo";

/** The merchant of a payment link, as its page shows it. */
type LinkBrandRow = Pick<CheckoutRow, BrandColumns>;

const FIND_BRAND = `
  select coalesce(b.shown_name, m.name) as merchant_name, b.version as brand_version, b.accent, b.support_url, b.frame_parents, b.languages,
    b.logo is not null as has_logo
  from merchants m left join merchant_checkouts b on b.merchant_id = m.id
  where m.id = $1`;

/** Returns the name and the brand of a merchant; null if there is no such merchant. */
export async function findBrandRow(db: Db, merchantId: string): Promise<LinkBrandRow | null> {
  const [row] = await runPrepared<LinkBrandRow>(db, FIND_BRAND, [merchantId]);
  return row ?? null;
}

const FIND_LOGO = "select b.logo from merchant_checkouts b where b.merchant_id = $1";

/** Returns the logo of a merchant, a WebP in base64, or null. */
export async function findMerchantLogo(db: Db, merchantId: string): Promise<string | null> {
  const [row] = await runPrepared<{ logo: string | null }>(db, FIND_LOGO, [merchantId]);
  return row?.logo ?? null;
}
