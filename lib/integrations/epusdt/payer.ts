import type { Method } from "@/lib/domain/checkout/choice";
import { formatUnits } from "@/lib/domain/money";
import { type Currency, getNetwork, getToken } from "@/lib/domain/networks";
import type { OrderDetail } from "@/lib/domain/orders/order-detail";
import { toDetailData } from "@/lib/domain/orders/order-wire";
import { problem } from "@/lib/domain/problems/problem";
import { AppError, invalidField } from "@/lib/errors";
import type { ApiContext } from "@/lib/http/api-route";
import { expirationOf } from "@/lib/integrations/epusdt/expiration";
import { textIn } from "@/lib/integrations/epusdt/fields";
import { epusdtStatus, toEpusdtOrder } from "@/lib/integrations/epusdt/order-answer";
import type { EpusdtFields } from "@/lib/integrations/epusdt/signature";
import { refuseUnquoted } from "@/lib/integrations/shared/choice-refusals";
import { shortDecimal } from "@/lib/integrations/shared/short-decimal";
import { currencyOf, parseTradeType } from "@/lib/integrations/shared/trade-type";
import { listPaymentMethods } from "@/lib/merchants/payment-methods";
import { askedPrice, chooseMethod, methodsOf } from "@/lib/orders/choose-method";
import { findPluginOrder } from "@/lib/plugins/find-orders";
import { findShopPlugin } from "@/lib/plugins/plugin-caller";
import { countPrice } from "@/lib/rates/count-price";

/**
 * Returns an order to a payer, who needs only the order's id.
 * @throws AppError 10003
 */
export async function showEpusdtOrder(ctx: ApiContext, tradeId: string, now: Date): Promise<object> {
  const order = await findOrder(ctx, tradeId);
  const plugin = await findShopPlugin(ctx, { merchantId: order.merchantId, integration: "epusdt" });
  const expiration = expirationOf(plugin);
  const shown = toEpusdtOrder(order, ctx.orders, { isGmw: false, expiration }, now);
  return { ...shown, return_url: order.status === "paid" ? (order.redirectUrl ?? "") : "" };
}

/**
 * Chooses a payment method for a payer on a page of the shop.
 * @throws AppError 10001, 10003, 10004 if no choice is possible, 10006 if this method is not available now
 */
export async function chooseEpusdtMethod(ctx: ApiContext, fields: EpusdtFields, now: Date): Promise<object> {
  const { id } = await findOrder(ctx, textIn(fields, "trade_id"));
  const named = `${textIn(fields, "currency")}.${textIn(fields, "network")}`;
  const { network, currency } = parseTradeType(named) ?? { network: null, currency: null };
  if (network === null || currency === null)
    throw invalidField("network", problem("choice_not_payable", { given: named.slice(0, 40) }));
  const choosing = { ...ctx.orders, env: ctx.env, log: ctx.log };
  refuseUnquoted(await chooseMethod(ctx.pool.db, choosing, id, { network, currency }, now));
  return showEpusdtOrder(ctx, id, now);
}

/**
 * Lists the payment methods of an order with the amount at the current rate. The amount to be paid is that of update-order, which skips
 * reserved amounts. @throws AppError 10003
 */
export async function listEpusdtMethods(ctx: ApiContext, fields: EpusdtFields, now: Date): Promise<object> {
  const order = await findOrder(ctx, textIn(fields, "trade_id"));
  const asked = textIn(fields, "currency");
  const all = methodsOf(order.checkout, await listPaymentMethods(ctx.pool.db, ctx.env, order, now));
  const wanted = all.filter(({ currency }) => asked === "" || currency === currencyOf(asked));
  const sums = new Map<Currency, Sum | null>();
  for (const { network, currency } of wanted)
    if (!sums.has(currency)) sums.set(currency, await sumIn(ctx, order, { network, currency }, now));
  return { methods: wanted.flatMap((method) => toItem(order, method, sums.get(method.currency) ?? null)) };
}

/** An amount and its rate as decimal strings. */
interface Sum {
  amount: string;
  rate: string;
}

async function sumIn(ctx: ApiContext, order: OrderDetail, method: Method, now: Date): Promise<Sum | null> {
  const asked = order.checkout && askedPrice(order.checkout);
  if (!asked) return { amount: order.checkout?.amount ?? "", rate: "1" };
  const token = getToken(getNetwork(method.network), method.currency);
  const price = { merchantId: order.merchantId, token, asked };
  const counted = await countPrice(ctx.pool.db, ctx.orders.rateSources ?? [], price, now);
  if ("problem" in counted) return null;
  return { amount: formatUnits(counted.amountUnits, token.decimals), rate: counted.price.rate };
}

/** Returns the item of a method; an empty list if its amount is unknown. */
function toItem({ echo }: OrderDetail, { network, currency }: Method, sum: Sum | null): object[] {
  if (sum === null) return [];
  const item = {
    amount: echo?.["amount"] ?? "",
    actual_amount: shortDecimal(sum.amount),
    fiat: echo?.["fiat"] ?? "",
    exchange_rate: shortDecimal(sum.rate),
    currency,
    network,
    token_net_name: getNetwork(network).standard,
  };
  return [{ ...item, token_custom_name: "", is_popular: false }];
}

/** Returns the status of an order to pages that poll it. @throws AppError 10003 */
export async function checkEpusdtStatus(ctx: ApiContext, tradeId: string): Promise<object> {
  const order = await findOrder(ctx, tradeId);
  const trade_hash = toDetailData(order, ctx.orders).tx_hash ?? "";
  const return_url = order.status === "paid" ? (order.redirectUrl ?? "") : "";
  return { trade_id: order.id, trade_hash, status: epusdtStatus(order.status), return_url };
}

async function findOrder({ pool }: ApiContext, tradeId: string): Promise<OrderDetail> {
  const order = await findPluginOrder(pool.db, "epusdt", { id: tradeId });
  if (order) return order;
  throw new AppError(problem("trade_id_unknown"));
}
