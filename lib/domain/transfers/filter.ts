import { choice } from "@/lib/domain/fields/values";
import { type FilterOf, filterBy, NETWORK_ID, SEARCH_TEXT } from "@/lib/domain/list-filter";
import { CURRENCIES } from "@/lib/domain/networks";
import { TRANSFER_STATUSES, UNMATCHED_REASONS } from "@/lib/domain/transfers/transfer";

/** The filter for transfers. */
export const transferFilter = filterBy(
  {
    /** The filter for transfers that are unmatched and that no reorg removed. */
    show: choice(["unmatched"]),
    /** Transaction hash or address. */
    text: SEARCH_TEXT,
    reason: choice(UNMATCHED_REASONS),
    network: NETWORK_ID,
    currency: choice(CURRENCIES),
    status: choice(TRANSFER_STATUSES),
  },
  { text: "q" },
);
export type TransferFilter = FilterOf<typeof transferFilter>;
