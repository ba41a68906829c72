import type { OrderSearch } from "@/db/queries/orders/order-search";
import { EVENT_LIST, ORDER_LIST } from "@/lib/domain/api/list-requests";
import { NO_RULES } from "@/lib/domain/fields/field";
import type { JsonObject } from "@/lib/domain/fields/json-value";
import { requestReader } from "@/lib/http/read-request";

const readOrderList = requestReader(ORDER_LIST);
const readEventList = requestReader(EVENT_LIST);

/**
 * Reads the body of order/list.
 * @throws AppError 10001 that lists every invalid field
 */
export function readOrderSearch(body: JsonObject): OrderSearch {
  const fields = readOrderList(body, NO_RULES);
  return {
    status: fields.status,
    network: fields.network?.id ?? null,
    currency: fields.currency,
    createdFrom: fields.created_from,
    createdTo: fields.created_to,
    cursor: fields.cursor,
    limit: fields.limit,
  };
}

/**
 * Reads the body of event/list.
 * @throws AppError 10001 that lists every invalid field
 */
export function readEventCursor(body: JsonObject): { after: number; limit: number } {
  return readEventList(body, NO_RULES);
}
