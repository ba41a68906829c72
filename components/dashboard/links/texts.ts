import type { Translate } from "@/components/messages/translate";
import { type LinkTerms, linkAmountText, linkUnit } from "@/lib/domain/links/link";
import { displayMicro } from "@/lib/domain/money";
import type { Currency } from "@/lib/domain/networks";
import { toMicro } from "@/lib/domain/refunds/amounts";

/** Returns the amount of a link: "25 USDT", or which amounts the payer can enter. */
export function linkAmount(link: LinkTerms, t: Translate<"linkPages">): string {
  if (link.amount !== null) return linkAmountText(link, link.amount);
  const bound = (amount: string | null) => (amount === null ? null : linkAmountText(link, amount));
  const min = bound(link.minAmount);
  const max = bound(link.maxAmount);
  if (min && max) return t("open.between", { min, max });
  if (min) return t("open.least", { min });
  return max ? t("open.most", { max }) : t("open.any", { unit: linkUnit(link) });
}

/** A sum in base units of a token. */
interface Sum {
  network: string;
  currency: Currency;
  paidUnits: bigint;
}

/** Returns sums of tokens, one text per currency: "120 USDT". */
export function sumTexts(sums: readonly Sum[]): string[] {
  const byCurrency = new Map<Currency, bigint>();
  for (const { network, currency, paidUnits } of sums)
    byCurrency.set(currency, (byCurrency.get(currency) ?? 0n) + toMicro(network, currency, paidUnits));
  return [...byCurrency].map(([currency, micro]) => `${displayMicro(micro)} ${currency}`);
}
