import { findOrderTerms } from "@/db/queries/merchants/merchants";
import { findOrderDetail, listOrderDetailRows, orderDetailOf } from "@/db/queries/orders/orders";
import {
  type InvoiceQuote,
  listInvoicePayments,
  listInvoiceQuotes,
  searchInvoices,
} from "@/db/queries/plugins/integration-orders";
import type { Plugin } from "@/db/queries/plugins/plugins";
import { genuineAddress } from "@/lib/domain/addresses/address";
import type { JsonObject } from "@/lib/domain/fields/json-value";
import { isId, newId } from "@/lib/domain/id";
import type { OrderDetail } from "@/lib/domain/orders/order-detail";
import { problem } from "@/lib/domain/problems/problem";
import { invalidField } from "@/lib/errors";
import type { ApiContext } from "@/lib/http/api-route";
import { noInvoice } from "@/lib/integrations/greenfield/failure";
import { type InvoiceStore, toInvoice } from "@/lib/integrations/greenfield/invoice-answer";
import { toInvoiceMethods } from "@/lib/integrations/greenfield/invoice-payments";
import { paymentMethodId } from "@/lib/integrations/greenfield/invoice-status";
import { readInvoice } from "@/lib/integrations/greenfield/read-invoice";
import { readInvoiceSearch } from "@/lib/integrations/greenfield/read-search";
import { listPaymentMethods } from "@/lib/merchants/payment-methods";
import { cancelOrder } from "@/lib/orders/cancel-order";
import { createCheckout } from "@/lib/orders/create-checkout";

/**
 * Makes an invoice. Every request makes one, for this protocol has no number that is used once.
 * @throws AppError 10001 naming all fields that are wrong, 10006 nothing can be paid with at this moment
 */
export async function createInvoice(ctx: ApiContext, plugin: Plugin, body: JsonObject, now: Date): Promise<object> {
  const request = readInvoice(body, plugin, newId(now));
  const choosing = { ...ctx.orders, env: ctx.env, log: ctx.log };
  const caller = { merchantId: plugin.merchantId, apiKeyId: null };
  const { order } = await createCheckout(ctx.pool.db, choosing, caller, request, now);
  return toInvoice(order, await storeOf(ctx, plugin));
}

/** An invoice of a store. @throws AppError 10003 */
export async function showInvoice(ctx: ApiContext, plugin: Plugin, id: string): Promise<object> {
  return toInvoice(await findInvoice(ctx, plugin, id), await storeOf(ctx, plugin));
}

/** Invoices of a store, the newest first, among the newest 2,000. @throws AppError 10001 naming what cannot be searched for */
export async function listInvoices(ctx: ApiContext, plugin: Plugin, query: URLSearchParams): Promise<object[]> {
  const ids = await searchInvoices(ctx.pool.db, plugin.merchantId, readInvoiceSearch(query));
  const found = new Map((await listOrderDetailRows(ctx.pool.db, ids)).map((row) => [row.id, orderDetailOf(row)]));
  const store = await storeOf(ctx, plugin);
  return ids.flatMap((id) => {
    const order = found.get(id);
    return order ? [toInvoice(order, store)] : [];
  });
}

/** By which ways an invoice asked to be paid, and what came; nothing while its payer has yet to choose. @throws AppError 10003 */
export async function listInvoiceMethods(ctx: ApiContext, plugin: Plugin, id: string): Promise<object[]> {
  const order = await findInvoice(ctx, plugin, id);
  const asked = await listInvoiceQuotes(ctx.pool.db, order);
  const isGenuine = (quote: InvoiceQuote) =>
    genuineAddress({ ...quote, merchantId: order.merchantId, seal: quote.seal }, ctx.orders.isGenuineAddress) !== null;
  // One that was changed in the database is shown to nobody who would pay it.
  const quotes = asked.filter(isGenuine);
  return toInvoiceMethods(quotes, await listInvoicePayments(ctx.pool.db, order));
}

/**
 * Marks an invoice that nothing came for as invalid; once more changes nothing.
 * @throws AppError 10001 it is asked to become something else, 10003, 10004 in words where it is too late
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
  const story = { publicUrl: ctx.env.publicUrl, log: ctx.log, integrations: ctx.integrations };
  const result = await cancelOrder(ctx.pool.db, story, { merchantId, integration: "greenfield" }, order.id, now);
  const after = await findInvoice(ctx, plugin, id);
  if ("problem" in result && after.status !== "cancelled") throw invalidField("status", result.problem);
  return toInvoice(after, await storeOf(ctx, plugin));
}

/** The ways to pay that a store takes at this moment. */
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
  const order = isId(id) ? await findOrderDetail(ctx.pool.db, { merchantId, tradeId: id }) : null;
  if (order?.integration !== "greenfield") throw noInvoice();
  return order;
}

async function storeOf({ pool, env }: ApiContext, { merchantId, publicId }: Plugin): Promise<InvoiceStore> {
  const terms = await findOrderTerms(pool.db, merchantId);
  return { publicUrl: env.publicUrl, storeId: publicId, lateWindowSeconds: terms?.lateWindowSeconds ?? 0 };
}
