import type { Db } from "@/db/client";
import { listCallbackFormats, listOptIns } from "@/db/queries/callbacks/callback-keys";
import { insertCallbacks, insertEvents } from "@/db/queries/callbacks/callbacks";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { announceOrders, raiseVersions } from "@/db/queries/orders/order-moves";
import { listOrderDetailRows, orderDetailOf } from "@/db/queries/orders/orders";
import { announceFreezeCheck } from "@/db/queries/refunds/refund-freeze";
import { findRefund, type RefundChange, type StoredRefund, updateRefund } from "@/db/queries/refunds/refund-requests";
import { enqueueRefundStep } from "@/lib/callbacks/write-for-integrations";
import type { AuditAction } from "@/lib/domain/audit/audit";
import { callbackOrigin, writeEvent } from "@/lib/domain/callbacks/callback";
import { REFUND_STEPS, type RefundStepName } from "@/lib/domain/callbacks/refund-step";
import { newId } from "@/lib/domain/id";
import { API_ORIGIN } from "@/lib/domain/integration-id";
import type { Integrations } from "@/lib/domain/integrations/integration";
import type { AppSecret } from "@/lib/domain/keys/app-secret";
import type { Actor } from "@/lib/domain/keys/role";
import { canMoveRefund, type RefundStatus } from "@/lib/domain/refunds/refund";
import { toRefundData } from "@/lib/domain/refunds/refund-wire";

/** The dependencies of use cases that change refunds, besides the database and the time. */
export interface RefundContext {
  /** The origin of the installation, for links in events. */
  publicUrl: string;
  /** The integrations of this process, which report the steps of refunds of their orders. */
  integrations?: Integrations;
}

/** The dependencies of use cases that read or write what a customer claimed. */
export type ClaimContext = RefundContext & { appSecret: AppSecret };

/** Returns the context of the use cases that change refunds in a process with these settings and integrations. */
export function refundContext(from: {
  env: Pick<ClaimContext, "publicUrl" | "appSecret">;
  integrations: Integrations;
}): ClaimContext {
  const { publicUrl, appSecret } = from.env;
  return { publicUrl, appSecret, integrations: from.integrations };
}

/** A step of a refund: its next status, the columns that it sets, and its entry in the audit log. */
export interface RefundStep {
  to: RefundStatus;
  change?: RefundChange;
  action: AuditAction;
  detail?: Record<string, unknown>;
  /** The user who acted; absent if the customer, a program or the service did. */
  by?: Pick<Actor, "userId" | "from">;
}

const UNCHECKED = { freezeState: null, freezeCheckedAt: null, freezeLookAt: null };
/** The changes to the check of the token's freeze list: a new claim has no result, and an approved address is checked again. */
const RECHECKS: Readonly<Partial<Record<RefundStatus, RefundChange>>> = {
  requested: UNCHECKED,
  claimed: UNCHECKED,
  approved: { freezeLookAt: null },
};

/**
 * Moves a locked refund to its next status. Only this file changes the status of a refund, together with its audit entry, the version of
 * its order and its event. Lock the order of the refund before the refund.
 * @throws Error if the status graph has no such step, which is a defect of the caller
 */
export async function moveRefund(
  tx: Db,
  ctx: RefundContext,
  refund: StoredRefund,
  { to, change = {}, action, detail = {}, by }: RefundStep,
  now: Date,
): Promise<void> {
  const { id, merchantId, orderId, status } = refund;
  if (!canMoveRefund(status, to)) throw new Error(`A refund cannot change from ${status} to ${to}`);
  const checked = { ...change, ...RECHECKS[to] };
  if (!(await updateRefund(tx, refund, to, checked, now))) throw new Error(`The refund ${id} is not locked`);
  const network = change.network ?? refund.network;
  if (to in RECHECKS && network !== null) await announceFreezeCheck(tx, network);
  await insertAuditEvent(tx, { merchantId, orderId, action, detail: { refundId: id, ...detail }, ...by }, now);
  if (orderId === null) return;
  const raised = await raiseVersions(tx, [orderId], now);
  await announceOrders(tx, raised);
  const version = raised[0]?.version;
  if (to === "completed" && version !== undefined) await enqueueCompleted(tx, ctx, refund, { orderId, version }, now);
  const type = REFUND_STEPS.find((name) => name === action);
  if (type) await reportStep(tx, ctx, { refund, orderId, type }, now);
}

/** Reports a step by the integration that created the order; nothing for an order of the API. */
async function reportStep(
  tx: Db,
  { integrations }: RefundContext,
  { refund, orderId, type }: { refund: StoredRefund; orderId: string; type: RefundStepName },
  now: Date,
): Promise<void> {
  const { id, merchantId, status: before } = refund;
  const [row] = integrations ? await listOrderDetailRows(tx, [orderId]) : [];
  const integration = row && orderDetailOf(row).integration;
  if (!integrations || !integration || integration === API_ORIGIN) return;
  const after = await findRefund(tx, merchantId, { id });
  if (after) await enqueueRefundStep(tx, integrations, { at: now, before, refund: after, type, orderId, integration });
}

/**
 * Enqueues the event of a completed refund if the merchant subscribed to it. The format and the subscription are those of the key that
 * created the order. An order of an integration has the event in the list of events only.
 */
async function enqueueCompleted(
  tx: Db,
  { publicUrl }: RefundContext,
  { id, merchantId }: StoredRefund,
  { orderId, version }: { orderId: string; version: number },
  now: Date,
): Promise<void> {
  const type = "refund.completed";
  const optIns = await listOptIns(tx, [orderId], now);
  if (!optIns.get(orderId)?.has(type)) return;
  const refund = await findRefund(tx, merchantId, { id });
  const [order] = (await listOrderDetailRows(tx, [orderId])).map(orderDetailOf);
  if (!refund || !order) return;
  const eventId = `evt_${newId(now)}`;
  const data = toRefundData(refund, { publicUrl, mchOrderId: order.mchOrderId });
  const body = writeEvent({ id: eventId, type, at: now, data });
  const event = { id: eventId, merchantId, target: { kind: "order", id: orderId }, type, body } as const;
  const isNew = await insertEvents(tx, [{ ...event, version }], now);
  const format = (await listCallbackFormats(tx, [orderId], now)).get(orderId) ?? "standard";
  const { notifyUrl: url } = order;
  if (!isNew.has(eventId) || url === null || order.integration !== "api" || format !== "standard") return;
  await insertCallbacks(tx, [{ ...event, url, origin: callbackOrigin(url), format }], now);
}
