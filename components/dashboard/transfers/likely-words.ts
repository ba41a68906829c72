import { amountText } from "@/components/dashboard/frame/amount";
import { getNetwork } from "@/lib/domain/networks";
import type { LikelyOrder, PlaceClue } from "@/lib/domain/orders/likely-orders";
import { type TokenRef, type TransferStatus, tokenName, tokenOf } from "@/lib/domain/transfers/transfer";

/** What speaks for and against an order, in words: how the amounts compare first. */
export function likelyWords({ amount, clues, order, shortUnits }: LikelyOrder): string[] {
  const off = amountText(shortUnits < 0n ? -shortUnits : shortUnits, order.network, order.currency);
  const first = {
    exact: "Asks for exactly this amount",
    rest: "Exactly what is missing",
    price: "The round price, without its last digits",
    fee: `${off} short: perhaps an exchange's fee`,
    less: `${off} ${order.currency} too little`,
    more: `${off} ${order.currency} too much`,
  }[amount];
  return [first, ...clues.map((clue) => clueText(clue, order))];
}

function clueText(clue: PlaceClue, order: LikelyOrder["order"]): string {
  return {
    otherCurrency: `asks for ${order.currency}`,
    otherNetwork: `on ${getNetwork(order.network).name}`,
    otherAddress: "at another address",
    late: "expired before the payment",
    before: "made after the payment",
    settled: "paid already",
    cancelled: "cancelled",
  }[clue];
}

/** What becomes of an order when a transfer is assigned to it, in a sentence. */
export function outcomeText({ order, shortUnits }: LikelyOrder, status: TransferStatus): string {
  const off = `${amountText(shortUnits < 0n ? -shortUnits : shortUnits, order.network, order.currency)} ${order.currency}`;
  if (order.status === "paid") return "The order stays paid; what arrived is added to it as overpaid.";
  if (shortUnits > 0n) return `The order is marked as underpaid: ${off} are still missing. It is not paid.`;
  const end =
    status === "confirmed" ? "The order becomes paid" : "The order becomes paid as soon as this transfer is final";
  const surplus = shortUnits < 0n ? `, with ${off} too much` : "";
  return `${end}${surplus}, and your server is told.`;
}

/** Why a person should look twice, or null when the transfer is of the order's own token. */
export function exchangeText(transfer: TokenRef, order: { network: string; currency: string }): string | null {
  const isOtherCurrency = transfer.currency !== order.currency;
  if (!isOtherCurrency && transfer.network === order.network) return null;
  const name = (token: string, network: string) => `${token} on ${getNetwork(network).name}`;
  const arrived = tokenName(tokenOf(transfer));
  const rate = isOtherCurrency ? ` One ${arrived} counts as one ${order.currency}.` : "";
  return `You received ${name(arrived, transfer.network)}; the order asks for ${name(order.currency, order.network)}.${rate}`;
}
