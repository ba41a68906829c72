import { type JsonObject, seen } from "@/lib/domain/fields/json-value";
import { formatMicro, parseMicro } from "@/lib/domain/money";
import { problem } from "@/lib/domain/problems/problem";
import { fiatUnits } from "@/lib/domain/refunds/amounts";
import type { Refund } from "@/lib/domain/refunds/refund";
import { AppError, invalidField } from "@/lib/errors";
import type { ApiContext } from "@/lib/http/api-route";
import { claimPayout } from "@/lib/integrations/greenfield/claim-payout";
import { namedRefusal, noPayout, noPullPayment } from "@/lib/integrations/greenfield/failure";
import { orderNumbersIn } from "@/lib/integrations/greenfield/order-number";
import { payoutState, toPayout, toPullPayment } from "@/lib/integrations/greenfield/pull-payment-answer";
import {
  type PullPaymentRequest,
  readPullPayment,
  reasonOf,
  verifyMethods,
} from "@/lib/integrations/greenfield/read-pull-payment";
import { requestOrderRefund } from "@/lib/integrations/greenfield/request-order-refund";
import { findPluginOrder } from "@/lib/plugins/find-orders";
import type { Plugin } from "@/lib/plugins/plugin-caller";
import { findPaidOrders, findPluginRefund, listPluginRefunds } from "@/lib/plugins/refunds";
import { cancelRefund } from "@/lib/refunds/decide-refund";
import { refundContext } from "@/lib/refunds/move-refund";
import { findRefundable } from "@/lib/refunds/refundable";
import type { RequestedAmount } from "@/lib/refunds/request-refund";

/** The store of a payout; a merchant that is null stands for any store. */
type PayoutStore = Pick<Plugin, "integration"> & { merchantId: string | null };

/**
 * Requests a refund for a pull payment. Shops send no id of an invoice, but name their order: the name up to the first semicolon ends with
 * the number of an order for which this store has exactly one paid invoice with an amount that is left to refund.
 * @throws AppError 10001 naming the invalid fields, or that there is no such invoice, or more than one; 403 for automatic approval
 */
export async function createPullPayment(ctx: ApiContext, plugin: Plugin, body: JsonObject, now: Date): Promise<object> {
  const request = readPullPayment(body, now);
  if (request.isAutoApproved) throw approvedByUser(ctx, plugin, "btcpay.store.cancreatepullpayments");
  const orderId = await findNamedOrder(ctx, plugin, request.name);
  const refundable = await findRefundable(ctx.pool.db, plugin.merchantId, { orderId, transferId: null });
  if (!refundable) throw namedRefusal("non-refundable", problem("refund_order_unpaid"));
  const { currency, price } = refundable.funds;
  const order = await findPluginOrder(ctx.pool.db, "greenfield", { merchantId: plugin.merchantId, tradeId: orderId });
  if (!order) throw noPullPayment();
  verifyMethods(request.methods, currency);
  const amount = amountIn(request, {
    token: currency,
    fiat: price?.fiat ?? null,
    number: order.echo?.["orderId"] ?? "",
  });
  const { name, description, expiresInSeconds } = request;
  const terms = { amount, reason: reasonOf(description, name), expiresInSeconds, echo: { name, description } };
  return toPullPayment(await requestOrderRefund(ctx, order, terms, now, "amount"), ctx.env.publicUrl);
}

/** Returns the id of the order that the name of a pull payment names. @throws AppError 10001 */
async function findNamedOrder(
  { pool }: ApiContext,
  { merchantId, integration }: Plugin,
  name: string,
): Promise<string> {
  const of = { merchantId, integration };
  const numbers = orderNumbersIn(name);
  const found = numbers.length === 0 ? null : await findPaidOrders(pool.db, of, { field: "orderId", numbers });
  if (!found) throw invalidField("name", problem("pull_payment_order_unnamed", { given: JSON.stringify(name) }));
  const { ids, withFunds, number } = found;
  // If nothing is left of any of them, the request for the first one reports it.
  const [id, ...others] = withFunds.length > 0 ? withFunds : ids.slice(0, 1);
  if (id !== undefined && others.length === 0) return id;
  throw invalidField(
    "name",
    problem("pull_payment_order_ambiguous", { number, count: withFunds.length, ids: withFunds.slice(0, 5).join(", ") }),
  );
}

/** Returns the amount of a pull payment, in the fiat currency of the order's price or in the token that paid it. @throws AppError 10001 */
export function amountIn(
  { amount, currency }: Pick<PullPaymentRequest, "amount" | "currency">,
  { token, fiat, number }: { token: string; fiat: string | null; number: string },
  fields: { amount: string; currency: string } = { amount: "amount", currency: "currency" },
): Exclude<RequestedAmount, "all"> {
  if (currency === fiat) {
    if (fiatUnits(amount, fiat) === null)
      throw invalidField(fields.amount, problem("refund_fiat_malformed", { given: amount, fiat }));
    return { fiatAmount: amount };
  }
  const currencies = [fiat, token].filter((one) => one !== null).join(" or ");
  if (currency !== token)
    throw invalidField(fields.currency, problem("pull_payment_currency", { given: currency, number, currencies }));
  const microUnits = parseMicro(amount);
  if (microUnits === null) throw invalidField(fields.amount, problem("refund_amount_malformed", { given: amount }));
  return { microUnits };
}

/**
 * Lists the pull payments of a store: the newest 1,000 refunds of its orders, newest first.
 * @param isWithArchived true to list cancelled refunds too
 */
export async function listPullPayments(ctx: ApiContext, plugin: Plugin, isWithArchived: boolean): Promise<object[]> {
  const refunds = await listPluginRefunds(ctx.pool.db, plugin);
  return refunds
    .filter(({ status }) => isWithArchived || status !== "cancelled")
    .map((refund) => toPullPayment(refund, ctx.env.publicUrl));
}

/** Returns a pull payment, of any store. @throws AppError 10003 */
export async function showPullPayment(ctx: ApiContext, id: string): Promise<object> {
  return toPullPayment(await findPullPayment(ctx, id), ctx.env.publicUrl);
}

/** Lists the payouts of a pull payment of any store: one after its claim. @throws AppError 10003 */
export async function listPullPaymentPayouts(ctx: ApiContext, id: string, isWithCancelled: boolean): Promise<object[]> {
  return payoutsOf([await findPullPayment(ctx, id)], isWithCancelled);
}

async function findPullPayment({ pool }: ApiContext, id: string): Promise<Refund> {
  const refund = await findPluginRefund(pool.db, { merchantId: null, integration: "greenfield" }, id);
  if (!refund) throw noPullPayment();
  return refund;
}

/**
 * Archives a pull payment: cancels its refund before the transfer was detected. A repeated call changes nothing.
 * @throws AppError 10003; 10004 if the refund was sent or has expired
 */
export async function archivePullPayment(ctx: ApiContext, plugin: Plugin, id: string, now: Date): Promise<object> {
  if (!(await findPluginRefund(ctx.pool.db, plugin, id))) throw noPullPayment();
  await cancel(ctx, plugin, id, now);
  return {};
}

async function cancel(ctx: ApiContext, { merchantId, integration }: Plugin, id: string, now: Date) {
  const refused = await cancelRefund(
    ctx.pool.db,
    refundContext(ctx),
    { merchantId, integration },
    { id, reason: "" },
    now,
  );
  if (refused) throw namedRefusal("invalid-state", refused.problem);
}

/**
 * Lists the payouts of a store: the claimed refunds of its orders, newest first.
 * @param isWithCancelled true to list cancelled ones too
 */
export async function listPayouts(ctx: ApiContext, plugin: Plugin, isWithCancelled: boolean): Promise<object[]> {
  return payoutsOf(await listPluginRefunds(ctx.pool.db, plugin), isWithCancelled);
}

function payoutsOf(refunds: readonly Refund[], isWithCancelled: boolean): object[] {
  return refunds
    .filter((refund) => isWithCancelled || payoutState(refund) !== "Cancelled")
    .flatMap((refund) => toPayout(refund) ?? []);
}

/**
 * Returns a payout.
 * @param of the store of the refund; without a merchant: any store
 * @param pullPaymentId the id of its pull payment, which is its own id
 * @throws AppError 10003
 */
export async function showPayout(ctx: ApiContext, of: PayoutStore, id: string, pullPaymentId = id): Promise<object> {
  if (pullPaymentId !== id) throw noPayout();
  const payout = toPayout(await findPayout(ctx, of, id));
  if (!payout) throw noPayout();
  return payout;
}

/**
 * Cancels a payout and its refund. A repeated call changes nothing.
 * @throws AppError 10003; 10004 if the refund was sent
 */
export async function cancelPayout(ctx: ApiContext, plugin: Plugin, id: string, now: Date): Promise<object> {
  await findPayout(ctx, plugin, id);
  await cancel(ctx, plugin, id, now);
  return {};
}

/**
 * Refuses to approve a payout. Approving a refund changes who receives money, so a user does it in the back office and confirms it with the
 * password, which the holder of a token cannot do.
 * @throws AppError 403, or 10003 if there is no such payout
 */
export async function refuseApproval(ctx: ApiContext, plugin: Plugin, id: string): Promise<never> {
  await findPayout(ctx, plugin, id);
  throw approvedByUser(ctx, plugin, "btcpay.store.canmanagepayouts", id);
}

/**
 * Responds to a request that marks a payout as paid: only the transfer on the network completes a refund.
 * @throws AppError 10004 unless the refund is completed; 10003
 */
export async function markPaid(ctx: ApiContext, plugin: Plugin, id: string): Promise<object> {
  const refund = await findPayout(ctx, plugin, id);
  const state = payoutState(refund);
  if (state === "Completed") return {};
  const { microUnits, currency } = refund;
  const url = `${ctx.env.publicUrl}/dashboard/refunds/${id}`;
  const sentence = { state: String(state), amount: formatMicro(microUnits), currency, url };
  throw namedRefusal("invalid-state", problem("payout_completed_by_transfer", sentence));
}

/**
 * Creates the payout of a pull payment of a store, which claims its refund for the customer.
 * @throws AppError 10001 without a pull payment; 403 if it should be approved; otherwise as `claimPayout`
 */
export async function createPayout(ctx: ApiContext, plugin: Plugin, body: JsonObject, now: Date): Promise<object> {
  const { pullPaymentId: id, approved } = body;
  if (approved === true) throw approvedByUser(ctx, plugin, "btcpay.store.canmanagepayouts");
  if (typeof id !== "string") throw invalidField("pullPaymentId", problem("payout_without_pull_payment"));
  return claimPayout(ctx, { merchantId: plugin.merchantId, id, body }, now);
}

/** Responds to a request for a state of a payout. @throws AppError 10001 if a request cannot set it; otherwise as the other functions */
export async function markPayout(
  ctx: ApiContext,
  plugin: Plugin,
  { id, body }: { id: string; body: JsonObject },
  now: Date,
): Promise<object> {
  const state = body["state"];
  if (state === "Cancelled") return cancelPayout(ctx, plugin, id, now);
  if (state === "Completed" || state === "InProgress") return markPaid(ctx, plugin, id);
  if (state === "AwaitingPayment") return refuseApproval(ctx, plugin, id);
  throw invalidField("state", problem("payout_state_unsettable", { given: seen(state) }));
}

async function findPayout({ pool }: ApiContext, of: PayoutStore, id: string): Promise<Refund> {
  const refund = await findPluginRefund(pool.db, of, id);
  if (!refund || payoutState(refund) === null) throw noPayout();
  return refund;
}

/** Returns the error for a request that would approve a refund. */
function approvedByUser({ env }: ApiContext, { publicId }: Plugin, permission: string, id?: string): AppError {
  const url = `${env.publicUrl}/dashboard/refunds${id === undefined ? "" : `/${id}`}`;
  const data = { name: "missing-permission", missingPermission: `${permission}:${publicId}` };
  return new AppError(problem("payout_approved_by_user", { url }), { data });
}
