/** What a key may be used for; it is all of them unless somebody chose. */
export const SCOPES = ["orders:create", "orders:read", "orders:cancel", "events:read"] as const;
export type Scope = (typeof SCOPES)[number];

/** In which words callbacks are written for whoever holds a key. */
export const CALLBACK_FORMATS = ["standard", "plugin-v1"] as const;
export type CallbackFormat = (typeof CALLBACK_FORMATS)[number];

/** What a person decides about a key. */
export interface KeyRules {
  /** Refuse requests that carry the key but no signature. */
  mustSign: boolean;
  scopes: readonly Scope[];
  /** Where it may come from; none: anywhere. */
  cidrs: readonly string[];
  callbackFormat: CallbackFormat;
}

/** What holds of a key about which nobody decided. */
export const DEFAULT_RULES: KeyRules = { mustSign: false, scopes: SCOPES, cidrs: [], callbackFormat: "standard" };
