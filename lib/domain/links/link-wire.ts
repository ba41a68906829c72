import { type LinkStatus, linkStatus, linkUrl, type PaymentLink } from "@/lib/domain/links/link";
import type { Currency } from "@/lib/domain/networks";
import { type ExactNumber, exactNumber } from "@/lib/domain/orders/order-wire";

/** A payment link in responses of the API. Amounts are exact JSON numbers, times Unix seconds. */
export interface LinkData {
  link_id: string;
  mch_link_id: string | null;
  url: string;
  status: LinkStatus;
  network: string | null;
  currency: Currency | null;
  amount: ExactNumber | null;
  fiat: string | null;
  fiat_amount: ExactNumber | null;
  min_amount: ExactNumber | null;
  max_amount: ExactNumber | null;
  subject: string | null;
  note_label: string | null;
  notify_url: string | null;
  redirect_url: string | null;
  max_uses: number | null;
  uses: number;
  paid_orders: number;
  created_at: number;
  expires_at: number | null;
  closed_at: number | null;
}

/** The number of orders of a link. */
export interface LinkUses {
  /** The orders that are open or paid. */
  uses: number;
  paidOrders: number;
}

/** Returns the public representation of a link. */
export function toLinkData(link: PaymentLink & LinkUses, publicUrl: string, now: Date): LinkData {
  const { fiat } = link;
  const number = (text: string | null) => (text === null ? null : exactNumber(text));
  return {
    link_id: link.id,
    mch_link_id: link.mchLinkId,
    url: linkUrl(publicUrl, link.id),
    status: linkStatus(link, link.uses, now),
    network: link.network,
    currency: link.currency,
    amount: fiat === null ? number(link.amount) : null,
    fiat,
    fiat_amount: fiat === null ? null : number(link.amount),
    min_amount: number(link.minAmount),
    max_amount: number(link.maxAmount),
    subject: link.subject,
    note_label: link.noteLabel,
    notify_url: link.notifyUrl,
    redirect_url: link.redirectUrl,
    max_uses: link.maxUses,
    uses: link.uses,
    paid_orders: link.paidOrders,
    created_at: unixSeconds(link.createdAt),
    expires_at: link.expiresAt && unixSeconds(link.expiresAt),
    closed_at: link.closedAt && unixSeconds(link.closedAt),
  };
}

const unixSeconds = (at: Date): number => Math.floor(at.getTime() / 1_000);
