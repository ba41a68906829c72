import type { CallbackEvent } from "@/lib/domain/callbacks/callback";
import type { Echo, IntegrationId } from "@/lib/domain/integration-id";

/** A URL that a shop registered for the events of its orders. Its secret signs what is sent there. */
export interface Webhook {
  id: string;
  /** The shop's public id in this integration. */
  shopId: string;
  url: string;
  /** Names of the wanted events in the words of the integration; none: all of them. */
  events: readonly string[];
}

/** An event of an order, and where the integration may send it. */
export interface IntegrationEvent extends CallbackEvent {
  /** The data that the integration stored with the order. */
  echo: Echo;
  /** The URL that came with the order; null: none. */
  notifyUrl: string | null;
  webhooks: readonly Webhook[];
}

/** A callback as it is stored. `body` may hold more than what is sent, such as which signature the order's request asked for. */
export interface WrittenCallback {
  /** The event's id where one event makes one callback, else from `newId`. */
  id: string;
  url: string;
  body: string;
  /** The webhook whose secret signs it; left out: a key of the shop signs it. */
  webhookId?: string;
}

/** A request as it is sent, signed in its headers, its URL or its body. */
export interface SignedRequest {
  method: "GET" | "POST";
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** The callbacks of an integration. */
export interface IntegrationCallbacks {
  /**
   * Returns the callbacks of an event: none where the protocol has no message for it.
   * @param newId a new callback id at every call
   */
  write(event: IntegrationEvent, newId: () => string): WrittenCallback[];
  /**
   * Returns one attempt at a stored callback, signed.
   * @param secret the shop's key that it used last, or the secret of the webhook
   */
  sign(callback: Pick<WrittenCallback, "url" | "body">, secret: string): SignedRequest;
  /** Returns whether a response says that the shop has taken the callback in. */
  isAcknowledged(httpStatus: number, responseText: string): boolean;
}

/** All that the core asks of a protocol by which shops create orders. See docs/integrations.md. */
export interface Integration {
  /** Stored with orders and keys; it must never change. */
  id: IntegrationId;
  callbacks: IntegrationCallbacks;
}

/** The integrations of a process by their ids. */
export type Integrations = ReadonlyMap<IntegrationId, Integration>;

/** No integrations: orders of any are kept, and their callbacks wait. */
export const NO_INTEGRATIONS: Integrations = new Map();

/** Registers integrations. @throws Error where two have the same id */
export function registerIntegrations(list: readonly Integration[]): Integrations {
  const registered = new Map(list.map((integration) => [integration.id, integration]));
  if (registered.size < list.length)
    throw new Error(`Two integrations have the same id; got ${list.map(({ id }) => id).join(", ")}`);
  return registered;
}
