import { problem } from "@/lib/domain/problems/problem";
import { AppError } from "@/lib/errors";
import { parseJsonObject } from "@/lib/http/api-call";
import type { ApiContext } from "@/lib/http/api-route";
import { countRequest } from "@/lib/http/rate-limit";
import { notAllowed } from "@/lib/integrations/greenfield/failure";
import {
  activateInvoiceMethod,
  archiveInvoice,
  changeInvoice,
  createInvoice,
  listInvoiceMethods,
  listInvoices,
  listStoreMethods,
  markInvoice,
  showInvoice,
  unarchiveInvoice,
} from "@/lib/integrations/greenfield/invoices";
import { type Permission, storePermissions } from "@/lib/integrations/greenfield/permissions";
import { REFUND_ROUTES } from "@/lib/integrations/greenfield/refund-routes";
import { toStore } from "@/lib/integrations/greenfield/store";
import { queryOf, type StoreCall, type StoreRoute } from "@/lib/integrations/greenfield/store-route";
import {
  changeWebhook,
  createWebhook,
  listStoreWebhooks,
  listWebhookDeliveries,
  redeliver,
  removeWebhook,
  showDelivery,
  showDeliveryRequest,
  showWebhook,
} from "@/lib/integrations/greenfield/webhooks";
import { findPluginShop } from "@/lib/plugins/find-shop";

const VIEW = "btcpay.store.canviewinvoices";
const CREATE = "btcpay.store.cancreateinvoice";
const MODIFY = "btcpay.store.canmodifyinvoices";
const SETTINGS = "btcpay.store.canviewstoresettings";
const WEBHOOKS = "btcpay.store.webhooks.canmodifywebhooks";

const ROUTES: readonly StoreRoute[] = [
  {
    method: "GET",
    path: "",
    permission: SETTINGS,
    work: "reads",
    answer: async (ctx, { plugin }) => toStore(plugin, await findPluginShop(ctx.pool.db, plugin)),
  },
  {
    method: "GET",
    path: "payment-methods",
    permission: SETTINGS,
    work: "reads",
    answer: (ctx, { plugin, now }) => listStoreMethods(ctx, plugin, now),
  },
  {
    method: "POST",
    path: "invoices",
    permission: CREATE,
    work: "creates",
    answer: async (ctx, { call, plugin, now }) =>
      createInvoice(ctx, plugin, parseJsonObject(await call.readBody()), now),
  },
  {
    method: "GET",
    path: "invoices",
    permission: VIEW,
    work: "reads",
    answer: (ctx, { call, plugin }) => listInvoices(ctx, plugin, queryOf(call)),
  },
  {
    method: "GET",
    path: "invoices/:id",
    permission: VIEW,
    work: "reads",
    answer: (ctx, { plugin }, id) => showInvoice(ctx, plugin, id),
  },
  {
    method: "GET",
    path: "invoices/:id/payment-methods",
    permission: VIEW,
    work: "reads",
    answer: (ctx, { plugin }, id) => listInvoiceMethods(ctx, plugin, id),
  },
  {
    method: "POST",
    path: "invoices/:id/status",
    permission: MODIFY,
    work: "creates",
    answer: async (ctx, { call, plugin, now }, id) =>
      markInvoice(ctx, plugin, { id, body: parseJsonObject(await call.readBody()) }, now),
  },
  {
    method: "PUT",
    path: "invoices/:id",
    permission: MODIFY,
    work: "creates",
    answer: async (ctx, { call, plugin, now }, id) =>
      changeInvoice(ctx, plugin, { id, body: parseJsonObject(await call.readBody()) }, now),
  },
  {
    method: "DELETE",
    path: "invoices/:id",
    permission: MODIFY,
    work: "creates",
    answer: (ctx, { plugin, now }, id) => archiveInvoice(ctx, plugin, id, now),
  },
  {
    method: "POST",
    path: "invoices/:id/unarchive",
    permission: MODIFY,
    work: "creates",
    answer: (ctx, { plugin, now }, id) => unarchiveInvoice(ctx, plugin, id, now),
  },
  {
    method: "POST",
    path: "invoices/:id/payment-methods/:method/activate",
    permission: VIEW,
    work: "creates",
    answer: (ctx, { plugin, now }, id, method) => activateInvoiceMethod(ctx, plugin, { id, method }, now),
  },
  ...REFUND_ROUTES,
  {
    method: "POST",
    path: "webhooks",
    permission: WEBHOOKS,
    work: "creates",
    answer: async (ctx, { call, plugin, now }) =>
      createWebhook(ctx, plugin, parseJsonObject(await call.readBody()), now),
  },
  {
    method: "GET",
    path: "webhooks",
    permission: WEBHOOKS,
    work: "reads",
    answer: (ctx, { plugin }) => listStoreWebhooks(ctx, plugin),
  },
  {
    method: "GET",
    path: "webhooks/:id",
    permission: WEBHOOKS,
    work: "reads",
    answer: (ctx, { plugin }, id) => showWebhook(ctx, plugin, id),
  },
  {
    method: "PUT",
    path: "webhooks/:id",
    permission: WEBHOOKS,
    work: "creates",
    answer: async (ctx, { call, plugin, now }, id) =>
      changeWebhook(ctx, plugin, { id, body: parseJsonObject(await call.readBody()) }, now),
  },
  {
    method: "DELETE",
    path: "webhooks/:id",
    permission: WEBHOOKS,
    work: "creates",
    answer: (ctx, { plugin }, id) => removeWebhook(ctx, plugin, id),
  },
  {
    method: "GET",
    path: "webhooks/:id/deliveries",
    permission: WEBHOOKS,
    work: "reads",
    answer: (ctx, { call, plugin }, id) => listWebhookDeliveries(ctx, plugin, id, queryOf(call).get("count")),
  },
  {
    method: "GET",
    path: "webhooks/:id/deliveries/:delivery",
    permission: WEBHOOKS,
    work: "reads",
    answer: (ctx, { plugin }, id, delivery) => showDelivery(ctx, plugin, id, delivery),
  },
  {
    method: "GET",
    path: "webhooks/:id/deliveries/:delivery/request",
    permission: WEBHOOKS,
    work: "reads",
    answer: (ctx, { plugin }, id, delivery) => showDeliveryRequest(ctx, plugin, id, delivery),
  },
  {
    method: "POST",
    path: "webhooks/:id/deliveries/:delivery/redeliver",
    permission: WEBHOOKS,
    work: "creates",
    answer: (ctx, { plugin, now }, webhookId, id) => redeliver(ctx, plugin, { webhookId, id }, now),
  },
];

/**
 * Verifies that a token has a permission.
 * @throws AppError 10003 without it
 */
export function requirePermission({ publicId, permissions }: StoreCall["plugin"], permission: Permission): void {
  const name = `${permission}:${publicId}`;
  if (!storePermissions(publicId, permissions).includes(name)) throw notAllowed(name);
}

/**
 * Responds to a request below a token's own store.
 * @param path the path below the store: "invoices/1"; "" is the store itself
 * @throws AppError 10003 if the path does not exist or the permission is missing, 10001 with HTTP 405, 10005, or the errors of the use
 * case
 */
export async function answerStore(ctx: ApiContext, asked: StoreCall, path: string): Promise<object> {
  const { call, plugin, now } = asked;
  const found = ROUTES.filter((route) => fits(route, path));
  const route = found.find(({ method }) => method === call.method);
  if (!route && found.length > 0) throw methodNotAllowed(found);
  if (!route) throw new AppError(problem("nothing_at_store_path"));
  requirePermission(plugin, route.permission);
  await countRequest(ctx, route.work, plugin.publicId, now);
  const [, id = "", , part = ""] = path.split("/");
  return route.answer(ctx, asked, id, part);
}

function fits(route: StoreRoute, path: string): boolean {
  const wanted = route.path.split("/");
  const given = path.split("/");
  return wanted.length === given.length && wanted.every((part, index) => part.startsWith(":") || part === given[index]);
}

function methodNotAllowed(routes: readonly StoreRoute[]): AppError {
  const allowed = routes.map(({ method }) => method).join(", ");
  return new AppError(problem("path_allows", { allowed }), { headers: { allow: allowed } });
}
