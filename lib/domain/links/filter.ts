import { choice } from "@/lib/domain/fields/values";
import { LINK_STATUSES } from "@/lib/domain/links/link";
import { type FilterOf, filterBy, SEARCH_TEXT } from "@/lib/domain/list-filter";

/** The filter for payment links in the back office. */
export const linkFilter = filterBy(
  {
    /** The search text: a part of the description, or an id. */
    text: SEARCH_TEXT,
    status: choice(LINK_STATUSES),
  },
  { text: "q" },
);
export type LinkFilter = FilterOf<typeof linkFilter>;
