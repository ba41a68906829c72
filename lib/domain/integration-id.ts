/**
 * The name of an integration: another protocol by which shops create orders. It is stored with orders, keys and callbacks, and the
 * order numbers of each integration are a namespace of their own.
 */
export const INTEGRATION_IDS = ["epay", "epusdt", "greenfield"] as const;
export type IntegrationId = (typeof INTEGRATION_IDS)[number];

/** The origin that is stored with an order: "api", or the integration that created it. */
export const ORDER_INTEGRATIONS = ["api", ...INTEGRATION_IDS] as const;
export type OrderIntegration = (typeof ORDER_INTEGRATIONS)[number];

/** The data that an integration stores with an order and receives when it writes a response or a callback. The core never reads it. */
export type Echo = Readonly<Record<string, string>>;

/** The meaning of `expiration_time` for a plugin: the remaining seconds, or the Unix time of the end. */
export const EXPIRATIONS = ["remaining", "unix"] as const;
export type Expiration = (typeof EXPIRATIONS)[number];

/** The currency of a plugin's prices until the shop chooses one. */
export const USUAL_FIAT = "CNY";
