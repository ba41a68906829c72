import type { CallbackStatus, CallbackType } from "@/lib/domain/callbacks/callback";
import { OPT_IN_TYPES } from "@/lib/domain/keys/key-rules";
import { filterBy, oneOf, readDay, TEXT_LIMIT } from "@/lib/domain/list-filter";
import { CALLBACK_STATUSES } from "@/lib/domain/orders/filter";

export const CALLBACK_TYPES: readonly CallbackType[] = ["payment.confirmed", ...OPT_IN_TYPES];

/** Which callbacks a list shows, or are sent again; lives only in the URL. */
export interface CallbackFilter {
  status?: CallbackStatus;
  type?: CallbackType;
  /** Where they go: host, with the port where it is not the scheme's own. */
  host?: string;
  /** First and last day on which they were owed, both included: "2026-11-22", in UTC. */
  from?: string;
  to?: string;
}

/** The filter of callbacks: form, chips and URL are all read and written by it. */
export const callbackFilter = filterBy<CallbackFilter>({
  host: { param: "q", read: readHost },
  status: { param: "status", read: oneOf(CALLBACK_STATUSES) },
  type: { param: "type", read: oneOf(CALLBACK_TYPES) },
  from: { param: "from", read: readDay },
  to: { param: "to", read: readDay },
});

/** The host of what was typed: of a whole address, too. */
function readHost(typed: string): string | undefined {
  const text = typed.trim();
  if (text === "" || text.length > TEXT_LIMIT) return undefined;
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`);
  return url && !/\s/.test(text) ? url.host || undefined : undefined;
}

/** What deliveries to a host of a filter take turns by, over either scheme. */
export function originsOf(host: string): string[] {
  return [`https://${host}`, `http://${host}`].flatMap((url) => URL.parse(url)?.origin ?? []);
}
