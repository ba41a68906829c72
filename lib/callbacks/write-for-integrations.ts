import type { Db } from "@/db/client";
import { insertCallbacks, type NewCallback } from "@/db/queries/callbacks/callbacks";
import { deleteUnwritten, lockUnwritten, wakeInstalled } from "@/db/queries/callbacks/unwritten";
import { listListening } from "@/db/queries/plugins/webhooks";
import { type CallbackEvent, callbackOrigin, readEvent } from "@/lib/domain/callbacks/callback";
import type { RefundStepName } from "@/lib/domain/callbacks/refund-step";
import { newId } from "@/lib/domain/id";
import type { Echo, IntegrationId } from "@/lib/domain/integration-id";
import type { Integrations, RefundEvent } from "@/lib/domain/integrations/integration";

/** An event of an order that an integration created. */
interface IntegrationOrderEvent extends CallbackEvent {
  merchantId: string;
  orderId: string;
  /** The `notify_url` of the order. */
  url: string | null;
  integration: IntegrationId;
  echo?: Echo | null;
}

/** The maximum number of pending events that one transaction writes. */
const MAX_WRITTEN = 100;

/**
 * Returns the callbacks of events, each in the format of the integration that created the order. For an integration that this process does
 * not have, it returns one callback without a body. Senders report why that callback is pending, and `writeWaitingCallbacks` replaces it.
 */
export async function writeForIntegrations(
  db: Db,
  integrations: Integrations,
  events: readonly IntegrationOrderEvent[],
): Promise<NewCallback[]> {
  const listening = await listListening(db, [...new Set(events.map(({ merchantId }) => merchantId))]);
  return events.flatMap((event) => {
    const { id, merchantId, orderId, type, at, integration, echo, url } = event;
    const webhooks = listening.filter((one) => one.merchantId === merchantId && one.integration === integration);
    if (url === null && webhooks.length === 0) return [];
    const target = { kind: "order" as const, id: orderId };
    const about = { merchantId, target, type, format: integration };
    const installed = integrations.get(integration);
    if (!installed) return [{ ...about, id, url: url ?? "", origin: callbackOrigin(url ?? ""), body: "" }];
    const written = installed.callbacks.write(
      { ...event, echo: echo ?? {}, notifyUrl: url, webhooks: webhooks.map(toWebhook) },
      () => `evt_${newId(at)}`,
    );
    return written.map((callback) => ({ ...about, ...callback, origin: callbackOrigin(callback.url) }));
  });
}

const toWebhook = ({ id, publicId, url, events }: Awaited<ReturnType<typeof listListening>>[number]) => ({
  id,
  shopId: publicId,
  url,
  events,
});

/** A step of a refund of an order that an integration created. */
interface RefundStepEvent extends Omit<RefundEvent, "webhooks"> {
  type: RefundStepName;
  orderId: string;
  integration: IntegrationId;
}

/**
 * Enqueues the callbacks of a step of a refund, in the format of the integration that created its order. Call it in the transaction of the
 * step. Only webhooks receive them. A process without the integration enqueues none.
 */
export async function enqueueRefundStep(db: Db, integrations: Integrations, event: RefundStepEvent): Promise<void> {
  const { at, integration, orderId, refund, type } = event;
  const { merchantId } = refund;
  const write = integrations.get(integration)?.callbacks.writeRefund;
  if (!write) return;
  const webhooks = (await listListening(db, [merchantId])).filter((one) => one.integration === integration);
  const written = write({ ...event, webhooks: webhooks.map(toWebhook) }, () => `evt_${newId(at)}`);
  const about = { merchantId, target: { kind: "order" as const, id: orderId }, type, format: integration };
  const rows = written.map((callback) => ({ ...about, ...callback, origin: callbackOrigin(callback.url) }));
  await insertCallbacks(db, rows, at);
}

/**
 * Writes callbacks that were waiting for an integration that this process has, with the state at the time of their events. Callbacks that
 * were written before the integration was missing become due.
 * @returns the number of waiting callbacks
 */
export async function writeWaitingCallbacks(db: Db, integrations: Integrations, now: Date): Promise<number> {
  if (integrations.size === 0) return 0;
  const ids = [...integrations.keys()];
  return db.transaction(async (tx) => {
    const woken = await wakeInstalled(tx, ids, now);
    const waiting = await lockUnwritten(tx, ids, MAX_WRITTEN);
    const events = waiting.map(({ body, metadata, ...order }) => ({ ...order, ...readEvent(body, metadata) }));
    const written = await writeForIntegrations(tx, integrations, events);
    await deleteUnwritten(tx, waiting);
    await insertCallbacks(tx, written, now);
    return woken + waiting.length;
  });
}
