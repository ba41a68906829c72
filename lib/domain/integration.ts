/** Protocols that shops speak already, each beside the merchants' API. */
export const INTEGRATION_IDS = ["epay", "epusdt", "greenfield"] as const;
export type IntegrationId = (typeof INTEGRATION_IDS)[number];

/** In whose words an order was asked for; the numbers of each are a namespace of their own. */
export const ORDER_INTEGRATIONS = ["api", ...INTEGRATION_IDS] as const;
export type OrderIntegration = (typeof ORDER_INTEGRATIONS)[number];

/** What an integration gives back of an order as it was asked, by the names that it has for it. Nothing of it is money that counts. */
export type Echo = Readonly<Record<string, string>>;

/** What `expiration_time` means to a plugin: the seconds that are left, or the Unix time of the end. */
export const EXPIRATIONS = ["remaining", "unix"] as const;
export type Expiration = (typeof EXPIRATIONS)[number];

/** What prices of a plugin are in where nobody chose: these protocols were made for the yuan. */
export const USUAL_FIAT = "CNY";
