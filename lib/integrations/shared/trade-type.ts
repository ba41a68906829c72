import { type Currency, findNetwork, findToken, getNetwork, type Network } from "@/lib/domain/networks";

/** The network and currency that a request names; null: the payer chooses. */
export interface Chosen {
  network: string | null;
  currency: Currency | null;
}

/** The names of generic payment methods, as used by the buttons of panels. The payer then chooses on the payment page. */
const ANY_WAY = new Set([
  "",
  "alipay",
  "wxpay",
  "qqpay",
  "wechat",
  "bank",
  "jdpay",
  "paypal",
  "epusdt",
  "crypto",
  "usd",
]);

/**
 * Parses a `type` or `trade_type`. "usdt.trc20" and "usdc.polygon" name a token and a network, "usdt" names only a token, and generic
 * payment methods name neither. Returns null if the token or network is not supported.
 */
export function parseTradeType(given: string): Chosen | null {
  const text = given.trim().toLowerCase();
  if (ANY_WAY.has(text)) return { network: null, currency: null };
  const [token = "", ...rest] = text.split(/[.\-_]/);
  const currency = currencyOf(token);
  if (currency === null) return null;
  if (rest.length === 0) return { network: null, currency };
  return networkOf(rest.join("-"), currency);
}

function networkOf(name: string, currency: Currency): Chosen | null {
  const network = findNetwork(name);
  return network && findToken(network, currency) ? { network: network.id, currency } : null;
}

/** Returns the currency of a token symbol, ignoring case; null if it is not supported. */
export function currencyOf(token: string): Currency | null {
  const symbol = token.trim().toUpperCase();
  return symbol === "USDT" || symbol === "USDC" ? symbol : null;
}

/** Returns the trade type of an order, for example "usdt.trc20"; "" until the payer has chosen. */
export function tradeTypeOf({ network, currency }: Chosen): string {
  return network && currency ? `${currency.toLowerCase()}.${nameOf(getNetwork(network))}` : "";
}

/** Returns the name of a network in these protocols: its token standard, or its id if other networks have the same standard. */
function nameOf({ id, aliases, standard }: Network): string {
  const name = standard.toLowerCase();
  return aliases.includes(name) ? name : id;
}
