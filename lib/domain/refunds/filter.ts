import { type FilterOf, filterBy, NETWORK_ID, queryText, SEARCH_TEXT } from "@/lib/domain/list-filter";
import { REFUND_STATUSES, type RefundStatus } from "@/lib/domain/refunds/refund";

const STATUS = queryText((typed): RefundStatus | undefined => REFUND_STATUSES.find((status) => status === typed));

/** The filter for refunds, for lists and exported files. */
export const refundFilter = filterBy(
  {
    /** The search text: an id or number of a refund or its order, an address or a transaction. */
    text: SEARCH_TEXT,
    status: STATUS,
    network: NETWORK_ID,
  },
  { text: "q" },
);
export type RefundFilter = FilterOf<typeof refundFilter>;
