import type { IntegrationId } from "@/lib/domain/integration-id";

/** What a key may be used for; it is all of them unless somebody chose. */
export const SCOPES = ["orders:create", "orders:read", "orders:cancel", "events:read"] as const;
export type Scope = (typeof SCOPES)[number];

/** In which words callbacks are written for whoever holds a key. */
export const CALLBACK_FORMATS = ["standard", "plugin-v1"] as const;
export type KeyFormat = (typeof CALLBACK_FORMATS)[number];
/** The format of a callback: that of the key that created its order, or the id of the integration that did. */
export type CallbackFormat = KeyFormat | IntegrationId;

/** Returns whether a callback's format is one of an API key. */
export function isKeyFormat(format: CallbackFormat): format is KeyFormat {
  return (CALLBACK_FORMATS as readonly string[]).includes(format);
}

/** What a key may ask to hear of; a confirmed payment is told to everybody. */
export const OPT_IN_TYPES = [
  "payment.detected",
  "payment.underpaid",
  "payment.overpaid",
  "payment.reversed",
  "order.expired",
  "order.cancelled",
  "deposit.confirmed",
  "deposit.reversed",
] as const;

export type OptInType = (typeof OPT_IN_TYPES)[number];

/** What a person decides about a key. */
export interface KeyRules {
  /** Refuse requests that carry the key but no signature. */
  mustSign: boolean;
  scopes: readonly Scope[];
  /** Where it may come from; none: anywhere. */
  cidrs: readonly string[];
  callbackFormat: KeyFormat;
}

/** What holds of a key about which nobody decided. */
export const DEFAULT_RULES: KeyRules = { mustSign: false, scopes: SCOPES, cidrs: [], callbackFormat: "standard" };
