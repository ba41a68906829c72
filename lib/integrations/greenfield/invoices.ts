import type { JsonObject } from "@/lib/domain/fields/json-value";
import { newId } from "@/lib/domain/id";
import type { OrderDetail } from "@/lib/domain/orders/order-detail";
import { problem } from "@/lib/domain/problems/problem";
import { AppError, invalidField } from "@/lib/errors";
import type { ApiContext } from "@/lib/http/api-route";
import { noInvoice } from "@/lib/integrations/greenfield/failure";
import { ARCHIVED, type InvoiceStore, toInvoice } from "@/lib/integrations/greenfield/invoice-answer";
import { toInvoiceMethods } from "@/lib/integrations/greenfield/invoice-payments";
import { paymentMethodId } from "@/lib/integrations/greenfield/invoice-status";
import { readInvoice, readInvoiceMetadata } from "@/lib/integrations/greenfield/read-invoice";
import { readInvoiceSearch } from "@/lib/integrations/greenfield/read-search";
import { refuseUnquoted } from "@/lib/integrations/shared/choice-refusals";
import { parseTradeType } from "@/lib/integrations/shared/trade-type";
import { findLateWindow } from "@/lib/merchants/order-terms";
import { listPaymentMethods } from "@/lib/merchants/payment-methods";
import { cancelOrder } from "@/lib/orders/cancel-order";
import { chooseMethod } from "@/lib/orders/choose-method";
import { createCheckout } from "@/lib/orders/create-checkout";
import { changePluginOrder } from "@/lib/plugins/change-order";
import { findPluginOrder, searchPluginOrders } from "@/lib/plugins/find-orders";
import { listQuotesAndPayments } from "@/lib/plugins/order-payments";
import type { Plugin } from "@/lib/plugins/plugin-caller";

/**
 * Creates an invoice. Every request creates one, because this protocol has no idempotent order number.
 * @throws AppError 10001 naming all invalid fields, 10006 no payment method is available
 */
export async function createInvoice(ctx: ApiContext, plugin: Plugin, body: JsonObject, now: Date): Promise<object> {
  const request = readInvoice(body, plugin, newId(now));
  const choosing = { ...ctx.orders, env: ctx.env, log: ctx.log };
  const caller = { merchantId: plugin.merchantId, apiKeyId: null };
  const { order } = await createCheckout(ctx.pool.db, choosing, caller, request, now);
  return toInvoice(order, await storeOf(ctx, plugin));
}

/** Returns an invoice of a store. @throws AppError 10003 */
export async function showInvoice(ctx: ApiContext, plugin: Plugin, id: string): Promise<object> {
  return toInvoice(await findInvoice(ctx, plugin, id), await storeOf(ctx, plugin));
}

/**
 * Searches the newest 2,000 invoices of a store.
 * @returns the matching invoices, newest first
 * @throws AppError 10001 naming the invalid parameter
 */
export async function listInvoices(ctx: ApiContext, plugin: Plugin, query: URLSearchParams): Promise<object[]> {
  const { orderIds, isWithArchived, ...search } = readInvoiceSearch(query);
  const { merchantId, integration } = plugin;
  const only = { echo: { field: "orderId", values: orderIds }, hidden: isWithArchived ? null : ARCHIVED };
  const orders = await searchPluginOrders(ctx.pool.db, { merchantId, integration, ...only, ...search });
  const store = await storeOf(ctx, plugin);
  return orders.map((order) => toInvoice(order, store));
}

/**
 * Lists the payment methods of an invoice with their payments; none until the payer has chosen.
 * @throws AppError 10003
 */
export async function listInvoiceMethods(ctx: ApiContext, plugin: Plugin, id: string): Promise<object[]> {
  const order = await findInvoice(ctx, plugin, id);
  const { quotes, payments } = await listQuotesAndPayments(ctx.pool.db, ctx.orders, order);
  return toInvoiceMethods(quotes, payments);
}

/**
 * Selects a payment method of an invoice, as its payer can. An invoice that already has it is not changed.
 * @param method the id of the payment method: "USDT-TRON"
 * @throws AppError 10001 if the method is unknown, 10003, 10004 or 10006 if it cannot be selected
 */
export async function activateInvoiceMethod(
  ctx: ApiContext,
  plugin: Plugin,
  { id, method: given }: { id: string; method: string },
  now: Date,
): Promise<object> {
  const order = await findInvoice(ctx, plugin, id);
  const method = parseTradeType(given);
  if (!method?.network || !method.currency) throw invalidField("paymentMethod", problem("payment_methods_unknown"));
  const { network, currency } = method;
  const { quotes } = await listQuotesAndPayments(ctx.pool.db, ctx.orders, order);
  if (quotes.some((quote) => quote.network === network && quote.currency === currency)) return {};
  const choosing = { ...ctx.orders, env: ctx.env, log: ctx.log };
  refuseUnquoted(await chooseMethod(ctx.pool.db, choosing, id, { network, currency }, now));
  return {};
}

/**
 * Marks an invoice without payments as invalid. A repeated call changes nothing.
 * @throws AppError 10001 for any other status, 10003, 10004 if it is too late
 */
export async function markInvoice(
  ctx: ApiContext,
  plugin: Plugin,
  { id, body }: { id: string; body: JsonObject },
  now: Date,
): Promise<object> {
  const order = await findInvoice(ctx, plugin, id);
  if (typeof body["status"] !== "string" || body["status"].toLowerCase() !== "invalid")
    throw invalidField("status", problem("invoice_status_not_settable"));
  const { merchantId } = plugin;
  const context = { publicUrl: ctx.env.publicUrl, log: ctx.log, integrations: ctx.integrations };
  const result = await cancelOrder(ctx.pool.db, context, { merchantId, integration: "greenfield" }, order.id, now);
  const after = await findInvoice(ctx, plugin, id);
  if ("problem" in result && after.status !== "cancelled") throw invalidField("status", result.problem);
  return toInvoice(after, await storeOf(ctx, plugin));
}

/**
 * Replaces the metadata of an invoice. Its amount, currency and payments do not change. Without metadata, nothing changes.
 * @throws AppError 10001 naming the field, 10003
 */
export async function changeInvoice(
  ctx: ApiContext,
  plugin: Plugin,
  { id, body }: { id: string; body: JsonObject },
  now: Date,
): Promise<object> {
  if (body["metadata"] !== undefined && body["metadata"] !== null) {
    const { text, subject, orderId } = readInvoiceMetadata(body["metadata"]);
    const change = { metadata: text, subject, echo: { orderId: orderId.toWellFormed() } };
    if (!(await changePluginOrder(ctx.pool.db, { ...plugin, id }, change, now))) throw noInvoice();
  }
  return showInvoice(ctx, plugin, id);
}

/** Archives an invoice: searches leave it out, but it can still be paid. A repeated call changes nothing. @throws AppError 10003 */
export async function archiveInvoice(ctx: ApiContext, plugin: Plugin, id: string, now: Date): Promise<object> {
  const change = { echo: { [ARCHIVED.field]: ARCHIVED.value } };
  if (!(await changePluginOrder(ctx.pool.db, { ...plugin, id }, change, now))) throw noInvoice();
  return {};
}

/**
 * Shows an archived invoice in searches again.
 * @throws AppError 10001 if it is not archived, 10003
 */
export async function unarchiveInvoice(ctx: ApiContext, plugin: Plugin, id: string, now: Date): Promise<object> {
  const { echo } = await findInvoice(ctx, plugin, id);
  if (echo?.[ARCHIVED.field] !== ARCHIVED.value)
    throw new AppError(problem("invoice_not_archived"), { data: { name: "already-unarchived" } });
  await changePluginOrder(ctx.pool.db, { ...plugin, id }, { echo: { [ARCHIVED.field]: "" } }, now);
  return showInvoice(ctx, plugin, id);
}

/** Lists the payment methods that a store accepts now. */
export async function listStoreMethods(ctx: ApiContext, plugin: Plugin, now: Date): Promise<object[]> {
  const methods = await listPaymentMethods(ctx.pool.db, ctx.env, plugin, now);
  return methods.flatMap(({ network, currencies }) =>
    currencies.map((currency) => {
      const id = paymentMethodId({ network, currency });
      return { enabled: true, paymentMethodId: id, paymentMethod: id, cryptoCode: currency, config: null };
    }),
  );
}

async function findInvoice(ctx: ApiContext, { merchantId }: Plugin, id: string): Promise<OrderDetail> {
  const order = await findPluginOrder(ctx.pool.db, "greenfield", { merchantId, tradeId: id });
  if (!order) throw noInvoice();
  return order;
}

async function storeOf({ pool, env }: ApiContext, { merchantId, publicId }: Plugin): Promise<InvoiceStore> {
  const lateWindowSeconds = await findLateWindow(pool.db, merchantId);
  return { publicUrl: env.publicUrl, storeId: publicId, lateWindowSeconds };
}
