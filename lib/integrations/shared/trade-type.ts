import { type Currency, findNetwork, findToken, getNetwork, type Network } from "@/lib/domain/networks";

/** What of an order is named; null: left to the payer. */
export interface Chosen {
  network: string | null;
  currency: Currency | null;
}

/** Names of a whole way of paying, as panels have them for their buttons: whoever comes with one chooses on the page. */
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
 * What a `type` or `trade_type` asks for: "usdt.trc20" and "usdc.polygon" name a token and a network, "usdt" a token alone, names of
 * other ways of paying nothing. Null: it names something that nobody here can take.
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

/** "usdt" and "USDC"; null for all that is taken here. */
export function currencyOf(token: string): Currency | null {
  const symbol = token.trim().toUpperCase();
  return symbol === "USDT" || symbol === "USDC" ? symbol : null;
}

/** The name of what an order asks for, "usdt.trc20"; "" while its payer has chosen nothing. */
export function tradeTypeOf({ network, currency }: Chosen): string {
  return network && currency ? `${currency.toLowerCase()}.${nameOf(getNetwork(network))}` : "";
}

/** These protocols name a network by its token standard where that is its own alone. */
function nameOf({ id, aliases, standard }: Network): string {
  const name = standard.toLowerCase();
  return aliases.includes(name) ? name : id;
}
