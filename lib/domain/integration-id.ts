/**
 * The id of an integration: lower-case letters, digits and hyphens. It is stored with orders, keys and callbacks. Each integration has its
 * own namespace of order numbers.
 */
export type IntegrationId = string;

/** The format of integration ids, which the database also checks. */
export const INTEGRATION_ID = /^[a-z][a-z0-9-]{0,31}$/;

/** The origin of orders that no integration created. */
export const API_ORIGIN = "api";

/** The origin that is stored with an order: `API_ORIGIN`, or the id of the integration that created it. */
export type OrderIntegration = typeof API_ORIGIN | IntegrationId;

/** The data that an integration stores with an order and receives when it writes a response or a callback. The core never reads it. */
export type Echo = Readonly<Record<string, string>>;
