import { amountText } from "@/components/dashboard/frame/amount";
import type { Translate } from "@/components/messages/translate";
import { getNetwork } from "@/lib/domain/networks";
import type { LikelyOrder } from "@/lib/domain/orders/likely-orders";
import { type TokenRef, tokenName, tokenOf } from "@/lib/domain/transfers/transfer";

type Say = Translate<"likely">;

/** Returns the reasons for and against an order as text, the comparison of the amounts first. */
export function likelyWords({ amount, clues, order, shortUnits }: LikelyOrder, t: Say): string {
  const off = amountText(shortUnits < 0n ? -shortUnits : shortUnits, order.network, order.currency);
  const words = [
    t(amount, { off, currency: order.currency }),
    ...clues.map((clue) => t(clue, { currency: order.currency, network: getNetwork(order.network).name })),
  ];
  return words.join(t("join"));
}

/** Returns a reason to check again; null if the transfer has the order's own token. */
export function exchangeText(transfer: TokenRef, order: { network: string; currency: string }, t: Say): string | null {
  const isOtherCurrency = transfer.currency !== order.currency;
  if (!isOtherCurrency && transfer.network === order.network) return null;
  const names = { there: getNetwork(transfer.network).name, here: getNetwork(order.network).name };
  const both = { arrived: tokenName(tokenOf(transfer)), asked: order.currency };
  const words = t("exchange", { ...names, ...both });
  return isOtherCurrency ? `${words} ${t("counts", both)}` : words;
}
