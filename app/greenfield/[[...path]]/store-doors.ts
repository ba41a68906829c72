import { problem } from "@/lib/domain/problems/problem";
import { AppError } from "@/lib/errors";
import { type ApiCall, parseJsonObject } from "@/lib/http/api-call";
import type { ApiContext } from "@/lib/http/api-route";
import { countRequest, type Work } from "@/lib/http/rate-limit";
import type { authenticateGreenfield } from "@/lib/integrations/greenfield/authenticate";
import { notAllowed } from "@/lib/integrations/greenfield/failure";
import {
  createInvoice,
  listInvoiceMethods,
  listInvoices,
  listStoreMethods,
  markInvoice,
  showInvoice,
} from "@/lib/integrations/greenfield/invoices";
import { type Permission, storePermissions } from "@/lib/integrations/greenfield/permissions";
import {
  changeWebhook,
  createWebhook,
  listStoreWebhooks,
  removeWebhook,
  showWebhook,
} from "@/lib/integrations/greenfield/webhooks";

/** A request for something of a store, whose token proved itself. */
export interface StoreCall {
  call: ApiCall;
  plugin: Awaited<ReturnType<typeof authenticateGreenfield>>;
  now: Date;
}

interface Door {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below the store; ":id" is any one part. */
  path: string;
  permission: Permission;
  work: Work;
  answer(ctx: ApiContext, asked: StoreCall, id: string): Promise<object>;
}

const VIEW = "btcpay.store.canviewinvoices";
const CREATE = "btcpay.store.cancreateinvoice";
const MODIFY = "btcpay.store.canmodifyinvoices";
const SETTINGS = "btcpay.store.canviewstoresettings";
const WEBHOOKS = "btcpay.store.webhooks.canmodifywebhooks";

const DOORS: readonly Door[] = [
  {
    method: "GET",
    path: "",
    permission: SETTINGS,
    work: "reads",
    answer: async (_ctx, { plugin }) => toStore(plugin),
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
];

/** A store as clients know it. */
export function toStore({ publicId }: { publicId: string }): object {
  return { id: publicId, name: publicId };
}

/** @throws AppError 10003 that this token may not do it, where it may not */
export function requirePermission({ publicId, permissions }: StoreCall["plugin"], permission: Permission): void {
  const name = `${permission}:${publicId}`;
  if (!storePermissions(publicId, permissions).includes(name)) throw notAllowed(name);
}

/**
 * Answers what lies below a token's own store.
 * @param path below the store: "invoices/1", "" is the store itself
 * @throws AppError 10003 there is nothing, or the token may not, 10001 with HTTP 405, 10005, or as the story behind the door
 */
export async function answerStore(ctx: ApiContext, asked: StoreCall, path: string): Promise<object> {
  const { call, plugin, now } = asked;
  const found = DOORS.filter((door) => fits(door, path));
  const door = found.find(({ method }) => method === call.method);
  if (!door && found.length > 0) throw wrongMethod(found);
  if (!door) throw new AppError(problem("nothing_at_store_path"));
  requirePermission(plugin, door.permission);
  await countRequest(ctx, door.work, plugin.publicId, now);
  return door.answer(ctx, asked, path.split("/")[1] ?? "");
}

function fits(door: Door, path: string): boolean {
  const wanted = door.path.split("/");
  const given = path.split("/");
  return wanted.length === given.length && wanted.every((part, place) => part === ":id" || part === given[place]);
}

function wrongMethod(doors: readonly Door[]): AppError {
  const allowed = doors.map(({ method }) => method).join(", ");
  return new AppError(problem("path_allows", { allowed }), { headers: { allow: allowed } });
}

const queryOf = ({ target }: ApiCall) => new URLSearchParams(target.slice(`${target}?`.indexOf("?") + 1));
