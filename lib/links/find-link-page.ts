import type { Db } from "@/db/client";
import { findBrandRow, findMerchantLogo } from "@/db/queries/links/link-page";
import { countUses, findLinkTerms, listFormOrders } from "@/db/queries/links/links";
import { isId } from "@/lib/domain/id";
import type { LinkFacts } from "@/lib/domain/links/link-view";
import { whyNoPayment } from "@/lib/links/link-refusal";
import { isOpenOrder } from "@/lib/links/start-payment";
import type { ChoiceContext } from "@/lib/orders/choose-method";
import { brandIn } from "@/lib/orders/find-checkout";

/**
 * Returns the data of the page of a payment link; null if there is no such link.
 * @param formKey the key of the form that this browser got before; null for none
 */
export async function findLinkPage(
  db: Db,
  ctx: ChoiceContext,
  { id, formKey }: { id: string; formKey: string | null },
  now: Date,
): Promise<LinkFacts | null> {
  const link = isId(id) ? await findLinkTerms(db, id) : null;
  const brand = link && (await findBrandRow(db, link.merchantId));
  if (!link || !brand) return null;
  const [uses, refusal, own] = await Promise.all([
    countUses(db, link),
    whyNoPayment(db, ctx, link, now),
    formKey === null ? [] : listFormOrders(db, link, formKey),
  ]);
  return {
    link,
    merchantName: brand.merchant_name,
    brand: brandIn(brand),
    uses,
    // A rate that is missing now is fetched within seconds, before the payer submits the form.
    isPayable: refusal === null || refusal.problem.code === "rate_missing",
    openOrderId: own.find((order) => isOpenOrder(order, now))?.orderId ?? null,
  };
}

/** Returns the logo of the page of a link, a WebP in base64. Does not query the database if the merchant has no logo. */
export async function findLinkPageLogo(db: Db, { link, brand }: LinkFacts): Promise<string | null> {
  return brand.hasLogo ? findMerchantLogo(db, link.merchantId) : null;
}
