import { type ApiCall, parseJsonObject } from "@/lib/http/api-call";
import type { ApiContext } from "@/lib/http/api-route";
import { networkOf } from "@/lib/http/authenticate";
import { countRequest } from "@/lib/http/rate-limit";
import { claimPayout } from "@/lib/integrations/greenfield/claim-payout";
import { refundInvoice, showRefundAmounts } from "@/lib/integrations/greenfield/invoice-refunds";
import {
  archivePullPayment,
  cancelPayout,
  createPayout,
  createPullPayment,
  listPayouts,
  listPullPaymentPayouts,
  listPullPayments,
  markPaid,
  markPayout,
  refuseApproval,
  showPayout,
  showPullPayment,
} from "@/lib/integrations/greenfield/pull-payments";
import { queryOf, type StoreRoute } from "@/lib/integrations/greenfield/store-route";

const REFUND = "btcpay.store.cancreatenonapprovedpullpayments";

/** The routes below a store for refunds: pull payments, payouts and refunds of invoices. They need one permission. */
export const REFUND_ROUTES: readonly StoreRoute[] = [
  {
    method: "POST",
    path: "invoices/:id/refund",
    permission: REFUND,
    work: "creates",
    answer: async (ctx, { call, plugin, now }, id) => refundInvoice(ctx, plugin, { id, body: await bodyOf(call) }, now),
  },
  {
    method: "GET",
    path: "invoices/:id/refund/:method",
    permission: REFUND,
    work: "reads",
    answer: (ctx, { plugin, now }, id, method) => showRefundAmounts(ctx, plugin, { id, method }, now),
  },
  {
    method: "POST",
    path: "pull-payments",
    permission: REFUND,
    work: "creates",
    answer: async (ctx, { call, plugin, now }) => createPullPayment(ctx, plugin, await bodyOf(call), now),
  },
  {
    method: "GET",
    path: "pull-payments",
    permission: REFUND,
    work: "reads",
    answer: async (ctx, { call, plugin }) => listPullPayments(ctx, plugin, await readFlag(call, "includeArchived")),
  },
  {
    method: "DELETE",
    path: "pull-payments/:id",
    permission: REFUND,
    work: "creates",
    answer: (ctx, { plugin, now }, id) => archivePullPayment(ctx, plugin, id, now),
  },
  {
    method: "POST",
    path: "payouts",
    permission: REFUND,
    work: "creates",
    answer: async (ctx, { call, plugin, now }) => createPayout(ctx, plugin, await bodyOf(call), now),
  },
  {
    method: "GET",
    path: "payouts",
    permission: REFUND,
    work: "reads",
    answer: async (ctx, { call, plugin }) => listPayouts(ctx, plugin, await readFlag(call, "includeCancelled")),
  },
  {
    method: "GET",
    path: "payouts/:id",
    permission: REFUND,
    work: "reads",
    answer: (ctx, { plugin }, id) => showPayout(ctx, plugin, id),
  },
  {
    method: "POST",
    path: "payouts/:id",
    permission: REFUND,
    work: "reads",
    answer: (ctx, { plugin }, id) => refuseApproval(ctx, plugin, id),
  },
  {
    method: "DELETE",
    path: "payouts/:id",
    permission: REFUND,
    work: "creates",
    answer: (ctx, { plugin, now }, id) => cancelPayout(ctx, plugin, id, now),
  },
  {
    method: "POST",
    path: "payouts/:id/mark-paid",
    permission: REFUND,
    work: "creates",
    answer: (ctx, { plugin }, id) => markPaid(ctx, plugin, id),
  },
  {
    method: "POST",
    path: "payouts/:id/mark",
    permission: REFUND,
    work: "creates",
    answer: async (ctx, { call, plugin, now }, id) => markPayout(ctx, plugin, { id, body: await bodyOf(call) }, now),
  },
];

const OPEN_PATH = /^api\/v1\/pull-payments\/([^/]+)(?:\/(payouts)(?:\/([^/]+))?)?$/;

/**
 * Responds to the requests of a customer who has the id of a pull payment, which need no token: show it, list its payouts, and claim it.
 * @returns null if the path belongs to another request
 * @throws AppError 10001, 10003, 10004, or 10005 after too many requests from one address
 */
export async function answerClaim(ctx: ApiContext, call: ApiCall, path: string, now: Date): Promise<object | null> {
  const [matched, id = "", payouts, payoutId] = OPEN_PATH.exec(path) ?? [];
  const isClaim = call.method === "POST" && payouts !== undefined && payoutId === undefined;
  if (matched === undefined || (call.method !== "GET" && !isClaim)) return null;
  await countRequest(ctx, isClaim ? "creates" : "reads", networkOf(ctx, call), now);
  if (isClaim) return claimPayout(ctx, { merchantId: null, id, body: await bodyOf(call) }, now);
  if (payouts === undefined) return showPullPayment(ctx, id);
  if (payoutId !== undefined) return showPayout(ctx, ANY_STORE, payoutId, id);
  return listPullPaymentPayouts(ctx, id, await readFlag(call, "includeCancelled"));
}

const ANY_STORE = { merchantId: null, integration: "greenfield" } as const;

const bodyOf = async (call: ApiCall) => parseJsonObject(await call.readBody());

/** Reads a flag from the query, or from the JSON body of a GET request. Source: btcpayserver-greenfield-php, PullPayment. */
async function readFlag(call: ApiCall, name: string): Promise<boolean> {
  const given = queryOf(call).get(name);
  if (given !== null) return given.toLowerCase() === "true";
  const body = await call.readBody();
  return body.length > 0 && parseJsonObject(body)[name] === true;
}
