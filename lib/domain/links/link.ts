import { displayAmount, formatUnits, MAX_STEPS, PUBLIC_DECIMALS, parseUnits } from "@/lib/domain/money";
import { CURRENCIES, type Currency } from "@/lib/domain/networks";
import type { CheckoutTerms } from "@/lib/domain/orders/order";
import { type Problem, problem } from "@/lib/domain/problems/problem";
import { findFiat, MAX_PRICE, priceText } from "@/lib/domain/rates/currencies";

/** The characters of a merchant's own id of a link. */
export const MCH_LINK_ID = { min: 1, max: 32 } as const;
/** The lifetime of a link in seconds. */
export const LINK_EXPIRES_IN = { usual: 604_800, min: 300, max: 315_360_000 } as const;
export const LINK_USES = { min: 1, max: 1_000_000 } as const;
export const MAX_NOTE_LABEL = 60;
/** The maximum length of a payer's note, in characters. */
export const MAX_NOTE = 200;

/** The statuses of a link. `used_up`: as many orders as it allows are open or paid; an order that expires unpaid opens it again. */
export const LINK_STATUSES = ["open", "used_up", "expired", "closed"] as const;
export type LinkStatus = (typeof LINK_STATUSES)[number];

/** The terms of a link, from which its orders are created. Amounts are decimal text. */
export interface LinkTerms {
  /** The network and the currency; null if the payer selects them. */
  network: string | null;
  currency: Currency | null;
  /** The fiat currency of the amounts; null if they are in tokens. */
  fiat: string | null;
  /** The fixed amount; null if the payer enters the amount. */
  amount: string | null;
  /** The bounds of an amount that the payer enters; null for none. */
  minAmount: string | null;
  maxAmount: string | null;
  subject: string | null;
  /** The label of the field for the payer's note; null for no field. */
  noteLabel: string | null;
  notifyUrl: string | null;
  redirectUrl: string | null;
  /** The maximum number of orders that are open or paid; null for any number. */
  maxUses: number | null;
}

/** A payment link. */
export interface PaymentLink extends LinkTerms {
  id: string;
  merchantId: string;
  mchLinkId: string | null;
  /** Null if the link does not expire. */
  expiresAt: Date | null;
  createdAt: Date;
  closedAt: Date | null;
}

/** Returns the status of a link. @param uses the number of its orders that are open or paid */
export function linkStatus(
  { closedAt, expiresAt, maxUses }: Pick<PaymentLink, "closedAt" | "expiresAt" | "maxUses">,
  uses: number,
  now: Date,
): LinkStatus {
  if (closedAt) return "closed";
  if (expiresAt && expiresAt <= now) return "expired";
  return maxUses !== null && uses >= maxUses ? "used_up" : "open";
}

/** Returns the unit of a link's amounts: "EUR", "USDT", or "USDT or USDC" if the payer selects the currency. */
export function linkUnit({ fiat, currency }: Pick<LinkTerms, "fiat" | "currency">): string {
  return fiat ?? currency ?? CURRENCIES.join(" or ");
}

/** Formats an amount of a link with its unit: "12.50 USDT", "19.90 EUR". */
export function linkAmountText(link: Pick<LinkTerms, "fiat" | "currency">, amount: string): string {
  return link.fiat === null ? `${displayAmount(amount)} ${linkUnit(link)}` : priceText({ amount, fiat: link.fiat });
}

/** Returns the number of decimals that an amount of a link can have. */
export function linkDecimals({ fiat }: Pick<LinkTerms, "fiat">): number {
  return fiat === null ? PUBLIC_DECIMALS : (findFiat(fiat)?.decimals ?? 0);
}

/**
 * Parses an amount of a link as units of its last decimal; null if it is not an amount above 0, has too many decimals, or is more than the
 * maximum of an order.
 */
export function parseLinkAmount(link: Pick<LinkTerms, "fiat">, text: string): bigint | null {
  const decimals = linkDecimals(link);
  const units = text.length <= 40 && /^\d/.test(text) ? parseUnits(text, decimals) : null;
  const max = link.fiat === null ? MAX_STEPS : BigInt(MAX_PRICE) * 10n ** BigInt(decimals);
  return units !== null && units > 0n && units <= max ? units : null;
}

/** Returns an amount that a person typed, with a decimal point and without spaces: "12,50 " is "12.50". */
export function typedAmount(typed: string): string {
  const text = typed.replaceAll(/\s/g, "");
  return /^\d+,\d+$/.test(text) ? text.replace(",", ".") : text;
}

/** Returns the shortest form of an amount of a link: "25.00" is "25". */
export function plainAmount(link: Pick<LinkTerms, "fiat">, text: string): string {
  return formatUnits(parseLinkAmount(link, text) ?? 0n, linkDecimals(link));
}

/** Returns the problem of the bounds of an open amount; null if the minimum is not above the maximum. */
export function boundsProblem({ fiat, minAmount, maxAmount }: LinkTerms): Problem | null {
  if (minAmount === null || maxAmount === null) return null;
  const min = parseLinkAmount({ fiat }, minAmount);
  const max = parseLinkAmount({ fiat }, maxAmount);
  return min !== null && max !== null && min > max
    ? problem("link_bounds_swapped", { min: minAmount, max: maxAmount })
    : null;
}

/** An amount that a payer entered, in its shortest form, or the reason why the link does not allow it. */
type PayerAmount = { amount: string } | { refused: "malformed" | "tooLittle" | "tooMuch" };

/** Reads the amount that a payer entered for a link with an open amount. */
export function readPayerAmount(link: LinkTerms, typed: string): PayerAmount {
  const units = parseLinkAmount(link, typedAmount(typed));
  if (units === null) return { refused: "malformed" };
  const bound = (text: string | null) => (text === null ? null : parseLinkAmount(link, text));
  const min = bound(link.minAmount);
  const max = bound(link.maxAmount);
  if (min !== null && units < min) return { refused: "tooLittle" };
  if (max !== null && units > max) return { refused: "tooMuch" };
  return { amount: formatUnits(units, linkDecimals(link)) };
}

/** Returns the terms of an order that a payer creates with a link. @param amount in the unit of the link */
export function checkoutOf(
  { network, currency, fiat }: Pick<LinkTerms, "network" | "currency" | "fiat">,
  amount: string,
): CheckoutTerms {
  return fiat === null
    ? { network, currency, amount, price: null }
    : { network, currency, amount: null, price: { fiat, amount } };
}

/**
 * Returns the terms with which a merchant's payment methods are checked before a payer enters an amount. A fiat amount that is open stands
 * for its minimum, or for one unit.
 */
export function sampleCheckout(terms: LinkTerms): CheckoutTerms {
  if (terms.amount !== null || terms.fiat !== null) return checkoutOf(terms, terms.amount ?? terms.minAmount ?? "1");
  return { network: terms.network, currency: terms.currency, amount: null, price: null };
}

/** Returns the metadata of an order that a payer created with a link: its id, and the payer's note if there is one. */
export function linkMetadata(linkId: string, note: string | null): string {
  return JSON.stringify(note === null ? { payment_link: linkId } : { payment_link: linkId, note });
}

/**
 * Returns the URL of the page of a link.
 * @param publicUrl the public URL of this installation, without a trailing slash
 */
export function linkUrl(publicUrl: string, id: string): string {
  return `${publicUrl}/link/${id}`;
}
