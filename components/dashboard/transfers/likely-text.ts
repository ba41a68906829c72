import { amountText } from "@/components/dashboard/frame/amount";
import type { Translate } from "@/components/messages/translate";
import { getNetwork } from "@/lib/domain/networks";
import type { LikelyOrder } from "@/lib/domain/orders/likely-orders";
import { type TokenRef, tokenName, tokenOf } from "@/lib/domain/transfers/transfer";

type Text = Translate<"likely">;

/** Returns the reasons for and against an order as text, starting with the comparison of the amounts. */
export function likelyText({ amount, clues, order, shortUnits }: LikelyOrder, t: Text): string {
  const off = amountText(shortUnits < 0n ? -shortUnits : shortUnits, order.network, order.currency);
  const texts = [
    t(amount, { off, currency: order.currency }),
    ...clues.map((clue) => t(clue, { currency: order.currency, network: getNetwork(order.network).name })),
  ];
  return texts.join(t("join"));
}

/** Returns a reason to check the match again; null if the transfer is in the order's own token. */
export function exchangeText(transfer: TokenRef, order: { network: string; currency: string }, t: Text): string | null {
  const isOtherCurrency = transfer.currency !== order.currency;
  if (!isOtherCurrency && transfer.network === order.network) return null;
  const names = { there: getNetwork(transfer.network).name, here: getNetwork(order.network).name };
  const both = { arrived: tokenName(tokenOf(transfer)), asked: order.currency };
  const texts = t("exchange", { ...names, ...both });
  return isOtherCurrency ? `${texts} ${t("counts", both)}` : texts;
}
