import { choice } from "@/lib/domain/fields/values";
import { type FilterOf, filterBy, NETWORK_ID, SEARCH_TEXT } from "@/lib/domain/list-filter";
import { REFUND_STATUSES } from "@/lib/domain/refunds/refund";

/** The filter for refunds, for lists and exported files. */
export const refundFilter = filterBy(
  {
    /** The search text: an id or number of a refund or its order, an address or a transaction. */
    text: SEARCH_TEXT,
    status: choice(REFUND_STATUSES),
    network: NETWORK_ID,
  },
  { text: "q" },
);
export type RefundFilter = FilterOf<typeof refundFilter>;
