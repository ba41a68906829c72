import type { DepositSearch } from "@/db/queries/deposits/deposits";
import type { OrderSearch } from "@/db/queries/orders/order-search";
import type { DepositRequest } from "@/lib/deposits/give-address";
import { CUSTOMER_REF, type DEPOSIT_REQUEST, type DEPOSIT_SEARCH } from "@/lib/domain/api/deposit-fields";
import { type EVENT_PLACE, LIST_LIMIT, type ORDER_SEARCH } from "@/lib/domain/api/fields";
import { isId } from "@/lib/domain/id";
import { findNetwork, type Network } from "@/lib/domain/networks";
import { ORDER_STATUSES, type OrderStatus } from "@/lib/domain/orders/order";
import {
  fieldsReader,
  type JsonObject,
  type OrderRules,
  optional,
  required,
  seen,
  text,
  type Validated,
  validateTime,
  wholeNumber,
} from "@/lib/http/api-call";
import {
  type Fields,
  NO_RULES,
  networkRule,
  UNPRINTABLE,
  validateCurrency,
  validateNetwork,
  validateNotifyUrl,
} from "@/lib/http/order-fields";

const STATUS_RULE = `one of ${ORDER_STATUSES.join(", ")}`;
const CURSOR_RULE = "the next_cursor of the page before";

/**
 * Reads what order/list asks for.
 * @throws AppError 10001 that lists every bad field
 */
export function readOrderSearch(body: JsonObject): OrderSearch {
  const fields = readSearchFields(body, NO_RULES);
  return {
    status: fields.status,
    network: fields.network?.id ?? null,
    currency: fields.currency,
    createdFrom: fields.created_from,
    createdTo: fields.created_to,
    cursor: fields.cursor,
    limit: fields.limit ?? LIST_LIMIT.usual,
  };
}

/**
 * Reads what event/list asks for.
 * @throws AppError 10001 that lists every bad field
 */
export function readEventPlace(body: JsonObject): { after: number; limit: number } {
  const { after, limit } = readEventFields(body, NO_RULES);
  return { after: after ?? 0, limit: limit ?? LIST_LIMIT.usual };
}

/**
 * Reads what deposit-address asks for.
 * @throws AppError 10001 that lists every bad field
 */
export function readDepositRequest(body: JsonObject, { env }: { env: OrderRules }): DepositRequest {
  const { customer_ref: customerRef, network, notify_url: notifyUrl } = readDepositFields(body, env);
  return { customerRef, network, notifyUrl };
}

/**
 * Reads what deposit/list asks for.
 * @throws AppError 10001 that lists every bad field
 */
export function readDepositSearch(body: JsonObject): DepositSearch {
  const { customer_ref: customerRef, network, currency, cursor, limit } = readDepositSearchFields(body, NO_RULES);
  return { customerRef, network: network?.id ?? null, currency, cursor, limit: limit ?? LIST_LIMIT.usual };
}

/** A network that was switched off keeps its orders, and they must still be found. */
const validateKnownNetwork = text("a network", (given): Validated<Network> => {
  const network = findNetwork(given);
  return network ? { value: network } : { problem: `${seen(given)} is unknown; it must be ${networkRule(NO_RULES)}` };
});

const validateStatus = text(STATUS_RULE, (given): Validated<OrderStatus> => {
  const status = ORDER_STATUSES.find((candidate) => candidate === given.toLowerCase());
  return status ? { value: status } : { problem: `${seen(given)} is unknown; it must be ${STATUS_RULE}` };
});

const validateCursor = text(CURSOR_RULE, (given): Validated<string> => {
  return isId(given) ? { value: given } : { problem: `${seen(given)} is none; it must be ${CURSOR_RULE}` };
});

function validateAfter(given: unknown): Validated<number> {
  const number = wholeNumber(given);
  if (number >= 0) return { value: number };
  return { problem: `${seen(given)} is no place; it must be the next of the answer before` };
}

function validateLimit(given: unknown): Validated<number> {
  const limit = wholeNumber(given);
  if (limit >= LIST_LIMIT.min && limit <= LIST_LIMIT.max) return { value: limit };
  return { problem: `${seen(given)} is not a whole number from ${LIST_LIMIT.min} to ${LIST_LIMIT.max}` };
}

const readSearchFields = fieldsReader({
  status: optional(validateStatus),
  network: optional(validateKnownNetwork),
  currency: optional(validateCurrency),
  created_from: optional(validateTime),
  created_to: optional(validateTime),
  cursor: optional(validateCursor),
  limit: optional(validateLimit),
} satisfies Fields<typeof ORDER_SEARCH>);

const CUSTOMER_RULE = `${CUSTOMER_REF.min} to ${CUSTOMER_REF.max} characters without control characters`;

const validateCustomerRef = text(CUSTOMER_RULE, (given): Validated<string> => {
  const { length } = [...given];
  if (length < CUSTOMER_REF.min || length > CUSTOMER_REF.max)
    return { problem: `has ${length} characters; it must have ${CUSTOMER_RULE}` };
  if (UNPRINTABLE.test(given)) return { problem: `${seen(given)} has control characters; it must be ${CUSTOMER_RULE}` };
  return { value: given.toWellFormed() };
});

const readDepositFields = fieldsReader({
  customer_ref: required(CUSTOMER_RULE, validateCustomerRef),
  network: required(networkRule, validateNetwork),
  notify_url: optional(validateNotifyUrl),
} satisfies Fields<typeof DEPOSIT_REQUEST>);

const readDepositSearchFields = fieldsReader({
  customer_ref: optional(validateCustomerRef),
  network: optional(validateKnownNetwork),
  currency: optional(validateCurrency),
  cursor: optional(validateCursor),
  limit: optional(validateLimit),
} satisfies Fields<typeof DEPOSIT_SEARCH>);

const readEventFields = fieldsReader({
  after: optional(validateAfter),
  limit: optional(validateLimit),
} satisfies Fields<typeof EVENT_PLACE>);
