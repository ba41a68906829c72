import type { StoredCallbackType } from "@/lib/domain/callbacks/callback";
import { REFUND_STEPS } from "@/lib/domain/callbacks/refund-step";
import { choice } from "@/lib/domain/fields/values";
import { OPT_IN_TYPES } from "@/lib/domain/keys/key-rules";
import { DAY, type FilterOf, filterBy, queryText, TEXT_LIMIT } from "@/lib/domain/list-filter";
import { CALLBACK_STATUSES } from "@/lib/domain/orders/filter";

export const CALLBACK_TYPES: readonly StoredCallbackType[] = [
  ...new Set(["payment.confirmed", ...OPT_IN_TYPES, ...REFUND_STEPS] as const),
];

/** The host of a URL, or a host as entered. */
const HOST = queryText((typed) => {
  const text = typed.trim();
  if (text === "" || text.length > TEXT_LIMIT || /\s/.test(text)) return null;
  return URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`)?.host;
});

/** The filter of callbacks, in lists and when they are resent. */
export const callbackFilter = filterBy(
  {
    /** The host of the destination, with the port if it is not the scheme's default. */
    host: HOST,
    status: choice(CALLBACK_STATUSES),
    type: choice(CALLBACK_TYPES),
    /** The first and the last day of creation, inclusive, in UTC. */
    from: DAY,
    to: DAY,
  },
  { host: "q" },
);
export type CallbackFilter = FilterOf<typeof callbackFilter>;

/** Returns the origins that match a filter's host, for both schemes. */
export function originsOf(host: string): string[] {
  return [`https://${host}`, `http://${host}`].flatMap((url) => URL.parse(url)?.origin ?? []);
}
