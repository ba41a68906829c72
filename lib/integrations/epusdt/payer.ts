import type { Method } from "@/lib/domain/checkout/choice";
import { MAX_TYPED } from "@/lib/domain/checkout/lookup-view";
import { formatUnits } from "@/lib/domain/money";
import { type Currency, getNetwork, getToken } from "@/lib/domain/networks";
import type { OrderDetail } from "@/lib/domain/orders/order-detail";
import { toDetailData } from "@/lib/domain/orders/order-wire";
import { problem } from "@/lib/domain/problems/problem";
import { AppError, invalidField } from "@/lib/errors";
import type { ApiContext } from "@/lib/http/api-route";
import { expirationOf } from "@/lib/integrations/epusdt/expiration";
import { textIn } from "@/lib/integrations/epusdt/fields";
import { toGmpayCheckout } from "@/lib/integrations/epusdt/gmpay-answer";
import { toEpusdtInfo, toEpusdtOrder } from "@/lib/integrations/epusdt/order-answer";
import { apiOf, epusdtStatus } from "@/lib/integrations/epusdt/order-data";
import type { EpusdtFields } from "@/lib/integrations/epusdt/signature";
import { refuseUnquoted } from "@/lib/integrations/shared/choice-refusals";
import { shortDecimal } from "@/lib/integrations/shared/short-decimal";
import { currencyOf, parseTradeType } from "@/lib/integrations/shared/trade-type";
import { askLookup } from "@/lib/ledger/ask-lookup";
import { listPaymentMethods } from "@/lib/merchants/payment-methods";
import { askedPrice, chooseMethod, methodsOf } from "@/lib/orders/choose-method";
import { findCheckout } from "@/lib/orders/find-checkout";
import { findPluginOrder } from "@/lib/plugins/find-orders";
import { findShopPlugin } from "@/lib/plugins/plugin-caller";
import { countPrice } from "@/lib/rates/count-price";

/** Returns an order to a page of BEpusdt's shop, which needs only the order's id. @throws AppError 10003 */
export async function showEpusdtOrder(ctx: ApiContext, fields: EpusdtFields, now: Date): Promise<object> {
  const order = await findOrder(ctx, textIn(fields, "trade_id"));
  const page = await findCheckout(ctx.pool.db, order.id, ctx.integrations);
  const { checkout, status, expiresAt, transfers } = order;
  const isFixed = checkout?.network != null && checkout.currency != null;
  const canReselect = !isFixed && status === "pending" && now < expiresAt && transfers.length === 0;
  const redirectUrl = redirectUrlOf(ctx, order);
  return toEpusdtInfo(order, ctx.orders, { redirectUrl, canReselect, supportUrl: page?.brand.supportUrl ?? "" });
}

/** Returns an order to a page of a GMPay shop. @throws AppError 10003 */
export async function showGmpayOrder(ctx: ApiContext, tradeId: string, now: Date): Promise<object> {
  const order = await findOrder(ctx, tradeId);
  return toGmpayCheckout(order, ctx.orders, redirectUrlOf(ctx, order), now);
}

/** Returns the URL to which the payer of a paid order returns, through the payment page if it is signed then; "" if there is none. */
function redirectUrlOf({ orders }: ApiContext, { id, echo, redirectUrl }: OrderDetail): string {
  return redirectUrl !== null && apiOf(echo) === "epay" ? `${orders.publicUrl}/pay/${id}/return` : (redirectUrl ?? "");
}

/**
 * Chooses a payment method for a payer on a page of BEpusdt's shop.
 * @throws AppError 10001, 10003, 10004 if no choice is possible, 10006 if this method is not available now
 */
export async function chooseEpusdtMethod(ctx: ApiContext, fields: EpusdtFields, now: Date): Promise<object> {
  const id = await choose(ctx, fields, textIn(fields, "currency"), now);
  const order = await findOrder(ctx, id);
  const plugin = await findShopPlugin(ctx, { merchantId: order.merchantId, integration: "epusdt" });
  return toEpusdtOrder(order, ctx.orders, expirationOf(plugin), now);
}

/** Chooses a payment method for a payer on a page of a GMPay shop. @throws AppError as `chooseEpusdtMethod` */
export async function switchGmpayNetwork(ctx: ApiContext, fields: EpusdtFields, now: Date): Promise<object> {
  return showGmpayOrder(ctx, await choose(ctx, fields, textIn(fields, "token"), now), now);
}

async function choose(ctx: ApiContext, fields: EpusdtFields, token: string, now: Date): Promise<string> {
  const { id } = await findOrder(ctx, textIn(fields, "trade_id"));
  const named = `${token}.${textIn(fields, "network")}`;
  const { network, currency } = parseTradeType(named) ?? { network: null, currency: null };
  if (network === null || currency === null)
    throw invalidField("network", problem("choice_not_payable", { given: named.slice(0, 40) }));
  const choosing = { ...ctx.orders, env: ctx.env, log: ctx.log };
  refuseUnquoted(await chooseMethod(ctx.pool.db, choosing, id, { network, currency }, now));
  return id;
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
  const methods = wanted.flatMap((method) => toItem(order, method, sums.get(method.currency) ?? null));
  // BEpusdt's setting for the order of networks; without it, its pages show the list as it is.
  return { methods, network_sort: "" };
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
  const return_url = order.status === "paid" ? redirectUrlOf(ctx, order) : "";
  return { trade_id: order.id, trade_hash, status: epusdtStatus(order), return_url };
}

/** A transaction that a payer submits for an order. */
interface Submitted {
  tradeId: string;
  /** The id as typed. */
  text: string;
  /** The client's address; null if requests are not limited by address. */
  from: string | null;
}

/**
 * Requests the lookup of a transaction that a payer says pays an order, as "I have paid" on the payment page does. The status in the result
 * is the order's: only a transfer on the chain pays it.
 * @throws AppError 10001 no id of the order's networks, 10003, 10004 the payer has chosen no method, 10005
 */
export async function submitEpusdtTransaction(ctx: ApiContext, submitted: Submitted, now: Date): Promise<object> {
  const order = await findOrder(ctx, submitted.tradeId);
  if (order.quote === null) throw new AppError(problem("lookup_without_method"));
  const text = submitted.text.slice(0, MAX_TYPED);
  const asking = { ...ctx.orders, env: ctx.env, log: ctx.log };
  const refused = await askLookup(ctx.pool.db, asking, { tradeId: order.id, text, from: submitted.from }, now);
  if (refused === "txid") throw invalidField("block_transaction_id", problem("lookup_id_malformed"));
  if (refused === "asked") throw new AppError(problem("lookups_too_often"));
  return { trade_id: order.id, status: epusdtStatus(order), block_transaction_id: text };
}

async function findOrder({ pool }: ApiContext, tradeId: string): Promise<OrderDetail> {
  const order = await findPluginOrder(pool.db, "epusdt", { id: tradeId });
  if (order) return order;
  throw new AppError(problem("trade_id_unknown"));
}
