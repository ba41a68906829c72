import { ID, LIST_LIMIT } from "@/lib/domain/api/limits";
import { CURRENCY, KNOWN_NETWORK } from "@/lib/domain/api/tokens";
import { mapField, optional, type Reading, requestOf, textField } from "@/lib/domain/fields/field";
import { seen } from "@/lib/domain/fields/json-value";
import { choice, MAX_WHOLE, whole } from "@/lib/domain/fields/values";
import { isId } from "@/lib/domain/id";
import { ORDER_STATUSES } from "@/lib/domain/orders/order";
import { problem } from "@/lib/domain/problems/problem";

const CURSOR_RULE = problem("rule_next_cursor");
/** The Unix time of the end of the year 9999 in seconds, the latest time that can be stored. */
const END_OF_9999 = 253_402_300_799;

const cursor = textField(CURSOR_RULE, { type: "string", pattern: ID }, (given): Reading<string> => {
  return isId(given)
    ? { value: given }
    : { problem: problem("cursor_unknown", { given: seen(given), rule: CURSOR_RULE }) };
});

export const CURSOR = optional(cursor, { description: "The `next_cursor` of the previous page." });

const TIME = mapField(
  whole({ min: 0, max: MAX_WHOLE }, (given) => problem("time_malformed", { given })),
  (seconds) => new Date(Math.min(seconds, END_OF_9999) * 1_000),
);

export const limitOf = (description: string) =>
  optional(
    whole(LIST_LIMIT, (given) => problem("number_out_of_range", { given, min: LIST_LIMIT.min, max: LIST_LIMIT.max })),
    { description },
    LIST_LIMIT.usual,
  );

/** The request of order/list. */
export const ORDER_LIST = requestOf({
  status: optional(
    choice(ORDER_STATUSES, (given) => given.toLowerCase()),
    { description: "Returns only orders with this status." },
  ),
  network: optional(KNOWN_NETWORK, {
    description: "Returns only orders on this network, which may be disabled now.",
  }),
  currency: optional(CURRENCY, { description: "Returns only orders in this currency." }),
  created_from: optional(TIME, { description: "Returns only orders created at this time or later, in Unix seconds." }),
  created_to: optional(TIME, { description: "Returns only orders created before this time, in Unix seconds." }),
  cursor: CURSOR,
  limit: limitOf("The maximum number of orders on the page."),
});

/** The request of event/list. */
export const EVENT_LIST = requestOf({
  after: optional(
    whole({ min: 0, max: MAX_WHOLE }, (given) => problem("event_place_malformed", { given })),
    { description: "The `next` of the previous response." },
    0,
  ),
  limit: limitOf("The maximum number of events in the response."),
});

/** A request without fields. */
export const NO_FIELDS = requestOf({});
