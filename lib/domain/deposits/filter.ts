import { type FilterOf, filterBy, NETWORK_ID, SEARCH_TEXT } from "@/lib/domain/list-filter";

/** The filter for deposit addresses, in lists and files. */
export const depositFilter = filterBy(
  {
    /** A customer reference or its beginning, an address, or the id of a deposit address. */
    text: SEARCH_TEXT,
    network: NETWORK_ID,
  },
  { text: "q" },
);
export type DepositFilter = FilterOf<typeof depositFilter>;
