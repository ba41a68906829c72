import type { Db } from "@/db/client";
import { findOrderDetail } from "@/db/queries/orders/orders";
import { displayAddress } from "@/lib/domain/addresses/address";
import { formatUnits, parseUnits } from "@/lib/domain/money";
import { findNetwork, findToken, getNetwork, getToken, type Network } from "@/lib/domain/networks";
import type { QuotedOrder } from "@/lib/domain/orders/order-detail";
import { isLookAlike, type KnownToken, tokenName } from "@/lib/domain/transfers/transfer";
import { openWalletOn } from "@/sandbox/wallets/open-wallet";
import type { Wallet } from "@/sandbox/wallets/wallet";

/** The differences between a payment and the payment page's request; empty for the exact payment. */
export interface Deviation {
  /** The amount as a decimal string, in whole tokens. */
  amount?: string | undefined;
  /** The id or alias of the network. */
  network?: string | undefined;
  /** The currency, or the symbol of a look-alike. */
  currency?: string | undefined;
  times?: number | undefined;
}

export interface Payment {
  order: QuotedOrder;
  network: Network;
  token: KnownToken;
  /** The address in its usual format. */
  to: string;
  /** Decimal text. */
  amount: string;
  /** True if the payment exactly matches the page's request. */
  isExact: boolean;
  transactions: string[];
  wallet: Wallet<string>;
}

/** An error of a payment that was not sent, with a message for the payer. */
export class PayProblem extends Error {
  override readonly name = "PayProblem";
}

type RpcUrl = (networkId: string) => string | undefined;

/**
 * Pays an order from the sandbox wallet with real token transfers; returns as soon as they are sent.
 * @throws PayProblem if there is no such order, or if the deviation is invalid.
 */
export async function payOrder(db: Db, rpcUrl: RpcUrl, tradeId: string, deviation: Deviation = {}): Promise<Payment> {
  const order = await findOrderDetail(db, { id: tradeId });
  if (!order)
    throw new PayProblem(
      `There is no order ${tradeId}. The trade_id is in the response of order/add, and in the URL of the payment page`,
    );
  if (order.quote === null)
    throw new PayProblem("The payer of this order has not selected a network yet: select one on its payment page");
  const { network, token } = chooseToken(order, deviation);
  const amount =
    deviation.amount ??
    formatUnits(order.quote.baseUnits, getToken(getNetwork(order.quote.network), order.quote.currency).decimals);
  const baseUnits = readAmount(amount, token, network);
  const url = rpcUrl(network.id);
  if (!url) throw new PayProblem(`The sandbox has no local chain of ${network.name}`);
  const to = displayAddress(network.family, order.quote.address);
  const wallet = await openWalletOn(network, url);
  const transactions: string[] = [];
  for (let time = 0; time < (deviation.times ?? 1); time++) {
    transactions.push(await wallet.transfer({ contract: token.contract, to, baseUnits }));
  }
  const isAsked = !isLookAlike(token) && token.currency === order.quote.currency;
  const isSameToken = network.id === order.quote.network && isAsked;
  const isExact = isSameToken && baseUnits === order.quote.baseUnits && transactions.length === 1;
  return {
    order,
    network,
    token,
    to,
    amount,
    isExact,
    transactions,
    wallet,
  };
}

function chooseToken({ quote }: QuotedOrder, deviation: Deviation): { network: Network; token: KnownToken } {
  const network = findNetwork(deviation.network ?? quote.network);
  if (!network) throw new PayProblem(`There is no network "${deviation.network}"`);
  const asked = getNetwork(quote.network);
  if (network.family !== asked.family)
    throw new PayProblem(`The order's address is on ${asked.name}: nothing can be sent to it on ${network.name}`);
  const wanted = (deviation.currency ?? quote.currency).toUpperCase();
  const lookAlike = network.lookAlikes.find(({ symbol }) => symbol.toUpperCase() === wanted);
  const token = findToken(network, wanted) ?? lookAlike;
  if (!token) throw new PayProblem(`There is no ${wanted} on ${network.name}, only ${symbolsOf(network)}`);
  return { network, token };
}

function symbolsOf({ tokens, lookAlikes }: Network): string {
  return [...tokens.map(({ currency }) => currency), ...lookAlikes.map(({ symbol }) => symbol)].join(" and ");
}

function readAmount(text: string, token: KnownToken, network: Network): bigint {
  const units = parseUnits(text, token.decimals);
  if (units === null)
    throw new PayProblem(
      `"${text}" is not an amount of ${tokenName(token)} on ${network.name}: enter a number with at most ${token.decimals} decimals, such as 12.5`,
    );
  if (units === 0n) throw new PayProblem("The amount must be greater than 0");
  return units;
}
