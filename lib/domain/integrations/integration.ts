import type { CallbackEvent } from "@/lib/domain/callbacks/callback";
import {
  API_ORIGIN,
  type Echo,
  INTEGRATION_ID,
  type IntegrationId,
  type OrderIntegration,
} from "@/lib/domain/integration-id";
import type { IntegrationConnection } from "@/lib/domain/integrations/connection";
import type { IntegrationDescription } from "@/lib/domain/integrations/description";
import { type SettingView, viewSetting } from "@/lib/domain/integrations/settings";
import { inLanguage, type Localized } from "@/lib/domain/integrations/texts";
import { CALLBACK_FORMATS } from "@/lib/domain/keys/key-rules";
import type { DetailData } from "@/lib/domain/orders/order-wire";
import type { Refund, RefundStatus } from "@/lib/domain/refunds/refund";

/** A URL that a shop registered for the events of its orders. Its secret signs the requests to it. */
export interface Webhook {
  id: string;
  /** The shop's public id in this integration. */
  shopId: string;
  url: string;
  /** The integration's names for the requested events; empty for all events. */
  events: readonly string[];
}

/** An event of an order, with the URLs to which the integration may send it. */
export interface IntegrationEvent extends CallbackEvent {
  /** The data that the integration stored with the order. */
  echo: Echo;
  /** The URL that was sent with the order; null if none. */
  notifyUrl: string | null;
  webhooks: readonly Webhook[];
}

/** A step of a refund, with the URLs to which the integration of its order may report it. */
export interface RefundEvent {
  at: Date;
  /** The status before the step. */
  before: RefundStatus;
  /** The refund after the step. */
  refund: Refund;
  webhooks: readonly Webhook[];
}

/** A callback as stored. `body` may contain more than is sent, such as the signature method that the order's request specified. */
export interface WrittenCallback {
  /** The event's id if one event creates one callback; otherwise an id from `newId`. */
  id: string;
  url: string;
  body: string;
  /** The webhook whose secret signs the callback; if omitted, a key of the shop signs it. */
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
   * Returns the callbacks of an event; none if the protocol has no message for it.
   * @param newId returns a new callback id at every call
   */
  write(event: IntegrationEvent, newId: () => string): WrittenCallback[];
  /**
   * Returns the callbacks of a step of a refund. Omitted if the protocol has no messages about refunds.
   * @param newId returns a new callback id at every call
   */
  writeRefund?(event: RefundEvent, newId: () => string): WrittenCallback[];
  /**
   * Returns a signed attempt of a stored callback.
   * @param secret the key that the shop used last (for a key pair, the text of its `PlatformKeys`), or the secret of the webhook
   * @param at the time of the attempt, for signatures that cover it
   */
  sign(callback: Pick<WrittenCallback, "url" | "body">, secret: string, at: Date): SignedRequest;
  /**
   * Returns the body that repeats a stored callback under a new id. Omitted if shops cannot request a repetition with the protocol.
   */
  repeat?(body: string, id: string): string;
  /** Returns true if a response acknowledges the callback. */
  isAcknowledged(httpStatus: number, responseText: string): boolean;
}

/** An order whose payer can return to the shop. */
export interface ReturningOrder {
  tradeId: string;
  /** The URL that was sent with the order. */
  redirectUrl: string;
}

/** A paid order whose payer returns to the shop. */
export interface PaidOrder {
  redirectUrl: string;
  echo: Echo;
  data: DetailData;
}

/** The rule that determines the URL to which the payer of a paid order returns. */
export type ReturnRule =
  | { kind: "plain"; url(order: ReturningOrder): string }
  /** The payment page links to `/pay/{id}/return`, which redirects to this URL with the result of the payment, signed with the shop's key. */
  | { kind: "signed"; sign(order: PaidOrder, key: string, at: Date): string };

/** The form of a shop's credentials. */
export interface CredentialRule {
  /** The form of a public id. `digits`: nine digits, which every client can store as a number; `letters`: alphanumeric, as in keys. */
  publicId: "digits" | "letters";
  /**
   * `signing_key`: both sides sign with the key, which is stored encrypted; `token`: requests include it, and only its hash is stored;
   * `key_pair`: each side signs with its own RSA key and verifies with the other's public key. The service generates both pairs, and keeps
   * `PlatformKeys` encrypted.
   */
  key: "signing_key" | "token" | "key_pair";
}

/** A protocol by which shops create orders, with the interface that the core uses. See docs/integrations.md. */
export interface Integration {
  /** The id that is stored with orders and keys; it must never change. */
  id: IntegrationId;
  name: Localized;
  callbacks: IntegrationCallbacks;
  returnRule: ReturnRule;
  /**
   * Returns the order number that the shop shows its customers, from the data stored with an order; null if the shop sent none. Omitted if it
   * is the number of the order itself.
   */
  shownNumber?(echo: Echo): string | null;
  credentials: CredentialRule;
  description: IntegrationDescription;
  /** The flow by which applications request tokens; omitted if they cannot. At most one integration of an installation has such a flow. */
  connection?: IntegrationConnection;
}

/** The integrations of a process by their ids. */
export type Integrations = ReadonlyMap<IntegrationId, Integration>;

/** The empty set of integrations. Existing orders of integrations are retained, and their callbacks remain pending. */
export const NO_INTEGRATIONS: Integrations = new Map();

/** The values that are stored instead of an integration's id for records that no integration created. */
const RESERVED_IDS: readonly string[] = [API_ORIGIN, ...CALLBACK_FORMATS];

/**
 * Registers integrations.
 * @throws Error if an id is malformed or reserved, two ids are equal, two integrations have connections, or one with a connection has a
 * price currency
 */
export function registerIntegrations<Registered extends Integration>(
  list: readonly Registered[],
): ReadonlyMap<IntegrationId, Registered> {
  const connecting = list.filter(({ connection }) => connection);
  if (connecting.length > 1)
    throw new Error(`Only one integration may have connections; got ${connecting.map(({ id }) => id).join(", ")}`);
  const priced = connecting.find(({ description }) => description.hasPriceCurrency);
  if (priced)
    throw new Error(
      `The integration "${priced.id}" must not have a price currency, because its connections do not ask for it`,
    );
  const registered = new Map<IntegrationId, Registered>();
  for (const integration of list) {
    const { id } = integration;
    if (!INTEGRATION_ID.test(id))
      throw new Error(
        `The id of an integration must be 1 to 32 lower-case letters, digits and hyphens, and begin with a letter; got "${id}"`,
      );
    if (RESERVED_IDS.includes(id))
      throw new Error(`The id of an integration must not be one of ${RESERVED_IDS.join(", ")}; got "${id}"`);
    if (registered.has(id)) throw new Error(`Two integrations have the id "${id}"`);
    registered.set(id, integration);
  }
  return registered;
}

/**
 * Returns an integration.
 * @throws Error if this process lacks it
 */
export function getIntegration(integrations: Integrations, id: IntegrationId): Integration {
  const integration = integrations.get(id);
  if (!integration) throw new Error(`The integration "${id}" is not installed`);
  return integration;
}

/** Returns the integration whose applications can request tokens; null if there is none. */
export function findConnecting(
  integrations: Integrations,
): { integration: Integration; connection: IntegrationConnection } | null {
  for (const integration of integrations.values())
    if (integration.connection) return { integration, connection: integration.connection };
  return null;
}

/** An integration as the back office shows it in one language. */
export interface IntegrationView extends Omit<IntegrationDescription, "about" | "settings"> {
  id: IntegrationId;
  name: string;
  about: string;
  settings: readonly SettingView[];
}

/** Returns an integration in a back-office language. */
export function viewIntegration({ id, name, description }: Integration, language: string): IntegrationView {
  return {
    ...description,
    id,
    name: inLanguage(name, language),
    about: inLanguage(description.about, language),
    settings: description.settings.map((setting) => viewSetting(setting, language)),
  };
}

/** The id and name of an integration, for lists in the back office. */
export interface IntegrationName {
  id: IntegrationId;
  name: string;
}

/** Returns the names of integrations in a back-office language. */
export function integrationNames(integrations: Integrations, language: string): IntegrationName[] {
  return [...integrations.values()].map(({ id, name }) => ({ id, name: inLanguage(name, language) }));
}

/** Returns the name of an order's integration: its id if this process lacks it, null for an order of the API. */
export function nameOfOrigin(integrations: Integrations, origin: OrderIntegration, language: string): string | null {
  if (origin === API_ORIGIN) return null;
  const integration = integrations.get(origin);
  return integration ? inLanguage(integration.name, language) : origin;
}
