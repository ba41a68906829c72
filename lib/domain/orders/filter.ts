import { choice } from "@/lib/domain/fields/values";
import { INTEGRATION_ID } from "@/lib/domain/integration-id";
import { DAY, type FilterOf, filterBy, NETWORK_ID, queryText, SEARCH_TEXT } from "@/lib/domain/list-filter";
import { PUBLIC_DECIMALS, parseUnits } from "@/lib/domain/money";
import { CURRENCIES } from "@/lib/domain/networks";
import { ORDER_EXCEPTIONS, ORDER_STATUSES } from "@/lib/domain/orders/order";

export const CALLBACK_STATUSES = ["pending", "delivered", "failed"] as const;

const AMOUNT = queryText((typed) => {
  const text = typed.trim();
  return /^\d{1,15}(\.\d{1,6})?$/.test(text) ? text : null;
});

/** The filter for orders, for lists and exported files. */
export const orderFilter = filterBy(
  {
    /** The search text: an order id, the merchant's own number or its beginning, a transaction hash, or an address. */
    text: SEARCH_TEXT,
    status: choice(ORDER_STATUSES),
    exception: choice(ORDER_EXCEPTIONS),
    network: NETWORK_ID,
    currency: choice(CURRENCIES),
    /** The status of the order's callback. */
    callback: choice(CALLBACK_STATUSES),
    /** The origin of the order: the API or an integration. */
    integration: queryText((typed) => (INTEGRATION_ID.test(typed) ? typed : null)),
    /** The first and the last day of creation, both included, in UTC. */
    from: DAY,
    to: DAY,
    /** The bounds of the amount to be paid, both included, in any token. */
    min: AMOUNT,
    max: AMOUNT,
  },
  { text: "q" },
);
export type OrderFilter = FilterOf<typeof orderFilter>;

/** Returns the amount bounds of a filter, in steps of 0.000001. */
export function amountSpan({ min, max }: OrderFilter): { min: bigint | null; max: bigint | null } {
  const steps = (text: string | undefined) => (text ? parseUnits(text, PUBLIC_DECIMALS) : null);
  return { min: steps(min), max: steps(max) };
}
