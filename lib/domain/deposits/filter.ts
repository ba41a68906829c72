import { type FilterOf, filterBy, NETWORK_ID, SEARCH_TEXT } from "@/lib/domain/list-filter";

/** The filter for deposit addresses, for lists and exported files. */
export const depositFilter = filterBy(
  {
    /** The search text: a customer reference or its beginning, an address, or the id of a deposit address. */
    text: SEARCH_TEXT,
    network: NETWORK_ID,
  },
  { text: "q" },
);
export type DepositFilter = FilterOf<typeof depositFilter>;
