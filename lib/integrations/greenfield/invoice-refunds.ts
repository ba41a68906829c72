import type { JsonObject } from "@/lib/domain/fields/json-value";
import { formatMicro, PUBLIC_DECIMALS } from "@/lib/domain/money";
import type { OrderDetail } from "@/lib/domain/orders/order-detail";
import { type Problem, problem } from "@/lib/domain/problems/problem";
import { findFiat } from "@/lib/domain/rates/currencies";
import { formatRate } from "@/lib/domain/rates/price";
import { toMicro } from "@/lib/domain/refunds/amounts";
import { REFUND_EXPIRES_IN } from "@/lib/domain/refunds/refund";
import { AppError, invalidField } from "@/lib/errors";
import type { ApiContext } from "@/lib/http/api-route";
import { namedRefusal, noInvoice } from "@/lib/integrations/greenfield/failure";
import { toPullPayment } from "@/lib/integrations/greenfield/pull-payment-answer";
import { amountIn } from "@/lib/integrations/greenfield/pull-payments";
import {
  type InvoiceRefundRequest,
  type RefundVariant,
  readInvoiceRefund,
  reasonOf,
  verifyMethods,
} from "@/lib/integrations/greenfield/read-pull-payment";
import {
  amountOfVariant,
  lessPercentage,
  type VariantAmounts,
  variantAmounts,
} from "@/lib/integrations/greenfield/refund-variants";
import { requestOrderRefund } from "@/lib/integrations/greenfield/request-order-refund";
import { parseTradeType } from "@/lib/integrations/shared/trade-type";
import { findPluginOrder } from "@/lib/plugins/find-orders";
import type { Plugin } from "@/lib/plugins/plugin-caller";
import { findRate } from "@/lib/rates/find-rate";
import { findRefundable, type Refundable } from "@/lib/refunds/refundable";
import type { RequestedAmount } from "@/lib/refunds/request-refund";

/**
 * Requests the refund of an invoice. Amounts in fiat are converted at the rate of the order; the variant CurrentRate is converted at the
 * current rate. No variant returns more than what is left of the payment.
 * @throws AppError 10001 naming the invalid fields; `non-refundable` if nothing is left; 10003
 */
export async function refundInvoice(
  ctx: ApiContext,
  plugin: Plugin,
  { id, body }: { id: string; body: JsonObject },
  now: Date,
): Promise<object> {
  const order = await findInvoice(ctx, plugin, id);
  const request = readInvoiceRefund(body);
  const refundable = await findFunds(ctx, plugin, id);
  verifyMethods(request.methods, refundable.funds.currency);
  const { variant, description } = request;
  const name = request.name || `Refund ${id}`;
  const amount =
    variant === "Custom"
      ? customAmount(request, refundable, order)
      : await amountFor(ctx, plugin, refundable, { variant, percentage: request.subtractPercentage }, now);
  const terms = {
    amount,
    reason: reasonOf(description, request.name),
    expiresInSeconds: REFUND_EXPIRES_IN.usual,
    echo: { name, description },
  };
  if (isZero(amount)) throw namedRefusal("non-refundable", problem("refund_nothing_left"));
  const field = variant === "Custom" ? "customAmount" : "refundVariant";
  return toPullPayment(await requestOrderRefund(ctx, order, terms, now, field), ctx.env.publicUrl);
}

const isZero = (amount: RequestedAmount) =>
  amount !== "all" && ("microUnits" in amount ? amount.microUnits === 0n : !/[1-9]/.test(amount.fiatAmount));

/** Returns the custom amount of a refund, less the percentage. @throws AppError 10001 */
function customAmount(
  { customAmount: amount, customCurrency: currency, subtractPercentage }: InvoiceRefundRequest,
  { funds }: Refundable,
  { echo }: OrderDetail,
): RequestedAmount {
  const fiat = funds.price?.fiat ?? null;
  const known = { token: funds.currency, fiat, number: echo?.["orderId"] ?? "" };
  const fields = { amount: "customAmount", currency: "customCurrency" };
  return lessPercentage(amountIn({ amount: amount ?? "", currency }, known, fields), fiat, subtractPercentage);
}

async function amountFor(
  ctx: ApiContext,
  { merchantId }: Plugin,
  refundable: Refundable,
  { variant, percentage }: { variant: Exclude<RefundVariant, "Custom">; percentage: string },
  now: Date,
): Promise<RequestedAmount> {
  const amounts = await amountsOf(ctx, merchantId, refundable, variant === "CurrentRate", now);
  const fiat = refundable.funds.price?.fiat ?? null;
  const amount = amountOfVariant(variant, amounts, { percentage, fiat });
  if (amount) return amount;
  throw invalidField(
    "refundVariant",
    problem(variant === "Fiat" ? "refund_variant_without_fiat" : "refund_not_overpaid"),
  );
}

/**
 * Returns the amounts that the variants of a refund would return, as BTCPay Server's clients show them before a refund.
 * @param method the id of a payment method in the currency that was paid
 * @throws AppError 10003 for an unknown invoice or another currency; 10006 without a current rate
 */
export async function showRefundAmounts(
  ctx: ApiContext,
  plugin: Plugin,
  { id, method }: { id: string; method: string },
  now: Date,
): Promise<object> {
  await findInvoice(ctx, plugin, id);
  const refundable = await findFunds(ctx, plugin, id);
  const { currency, price } = refundable.funds;
  if (parseTradeType(method)?.currency !== currency)
    throw new AppError(problem("refund_method_unknown", { given: JSON.stringify(method), currency }), {
      data: { name: "paymentmethod-not-found" },
    });
  const { then, now: atNow, fiat, overpaid } = await amountsOf(ctx, plugin.merchantId, refundable, true, now);
  const decimals = price ? (findFiat(price.fiat)?.decimals ?? 0) : PUBLIC_DECIMALS;
  return {
    paymentAmountThen: formatMicro(then),
    paymentAmountNow: formatMicro(atNow),
    invoiceAmount: fiat ?? formatMicro(then),
    overpaidPaymentAmount: overpaid === null ? null : formatMicro(overpaid),
    paymentCurrency: currency,
    paymentCurrencyDivisibility: PUBLIC_DECIMALS,
    invoiceCurrency: price?.fiat ?? currency,
    invoiceCurrencyDivisibility: decimals,
  };
}

async function amountsOf(
  { pool, orders }: ApiContext,
  merchantId: string,
  refundable: Refundable,
  isAtCurrentRate: boolean,
  now: Date,
): Promise<VariantAmounts> {
  const { network, currency, receivedUnits, askedUnits, price } = refundable.funds;
  const excess = toMicro(network, currency, receivedUnits > askedUnits ? receivedUnits - askedUnits : 0n);
  if (!isAtCurrentRate || !price) return variantAmounts(refundable, excess, null);
  const question = { merchantId, currency, fiat: price.fiat };
  const rate = await findRate(pool.db, orders.rateSources ?? [], question, now);
  if ("problem" in rate) throw new AppError(rate.problem);
  return variantAmounts(refundable, excess, formatRate(rate.rate));
}

async function findFunds({ pool }: ApiContext, { merchantId }: Plugin, orderId: string): Promise<Refundable> {
  const refundable = await findRefundable(pool.db, merchantId, { orderId, transferId: null });
  const refusal: Problem | null =
    !refundable || refundable.funds.receivedUnits === 0n ? problem("refund_order_unpaid") : null;
  if (!refundable || refusal) throw namedRefusal("non-refundable", refusal ?? problem("refund_order_unpaid"));
  if (refundable.leftMicro <= 0n) throw namedRefusal("non-refundable", problem("refund_nothing_left"));
  return refundable;
}

async function findInvoice({ pool }: ApiContext, { merchantId }: Plugin, id: string): Promise<OrderDetail> {
  const order = await findPluginOrder(pool.db, "greenfield", { merchantId, tradeId: id });
  if (!order) throw noInvoice();
  return order;
}
