import type { IntegrationId } from "@/lib/domain/integration-id";

/** The scopes that a key can have. */
export const SCOPES = [
  "orders:create",
  "orders:read",
  "orders:cancel",
  "events:read",
  "refunds:create",
  "refunds:read",
  "links:create",
  "links:read",
  "transfers:read",
  "reports:read",
] as const;
export type Scope = (typeof SCOPES)[number];

const GRANTED: readonly string[] = ["refunds", "links", "transfers", "reports"];

/** The scopes that a key has by default. A key has the scopes for refunds, links, transfers and reports only if a user granted them. */
export const USUAL_SCOPES = SCOPES.filter((scope) => !GRANTED.some((subject) => scope.startsWith(`${subject}:`)));

/** The formats of callbacks. */
export const CALLBACK_FORMATS = ["standard", "plugin-v1"] as const;
export type KeyFormat = (typeof CALLBACK_FORMATS)[number];
/** The format of a callback: the format of the key that created its order, or the id of the integration that created it. */
export type CallbackFormat = KeyFormat | IntegrationId;

/** Returns true if a callback's format is the format of an API key. */
export function isKeyFormat(format: CallbackFormat): format is KeyFormat {
  return (CALLBACK_FORMATS as readonly string[]).includes(format);
}

/** The events to which a key can opt in. `payment.confirmed` is always sent. */
export const OPT_IN_TYPES = [
  "payment.detected",
  "payment.underpaid",
  "payment.overpaid",
  "payment.reversed",
  "payment.claimed",
  "order.expired",
  "order.cancelled",
  "deposit.confirmed",
  "deposit.reversed",
  "refund.completed",
] as const;

export type OptInType = (typeof OPT_IN_TYPES)[number];

/** The settings of a key. */
export interface KeyRules {
  /** True if requests with the key but without a signature are rejected. */
  mustSign: boolean;
  scopes: readonly Scope[];
  /** The address ranges from which the key may be used; empty for any. */
  cidrs: readonly string[];
  callbackFormat: KeyFormat;
  /** True if the key was made for a shop plugin, which may set the callback format to PLUGIN_FORMAT. */
  isForPlugin: boolean;
  /** True if the key may be used by agents, through the tools at /mcp. */
  isForAgents: boolean;
}

/** The default settings of a key. */
export const DEFAULT_RULES: KeyRules = {
  mustSign: false,
  scopes: USUAL_SCOPES,
  cidrs: [],
  callbackFormat: "standard",
  isForPlugin: false,
  isForAgents: false,
};

/** The callback format that plugins of the hosted service read. */
export const PLUGIN_FORMAT: KeyFormat = "plugin-v1";

/** Returns true if a plugin may use a key: the merchant made the key for a plugin, or its callbacks already have the plugins' format. */
export function allowsPlugin({
  isForPlugin,
  callbackFormat,
}: Pick<KeyRules, "isForPlugin" | "callbackFormat">): boolean {
  return isForPlugin || callbackFormat === PLUGIN_FORMAT;
}
