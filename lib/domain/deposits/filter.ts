import { filterBy, TEXT_LIMIT } from "@/lib/domain/list-filter";
import { findNetwork } from "@/lib/domain/networks";

/** Which deposit addresses a list or a file shows; lives only in the URL. */
export interface DepositFilter {
  /** Id of a network. */
  network?: string;
  /** A customer or the beginning of one, an address, or the id of a deposit address. */
  text?: string;
}

/** The filter of deposit addresses: the form, the chips, the URL of a page and of a file are all read and written by it. */
export const depositFilter = filterBy<DepositFilter>({
  text: { param: "q", read: (typed) => typed.trim().slice(0, TEXT_LIMIT) },
  network: { param: "network", read: (typed) => findNetwork(typed)?.id },
});
