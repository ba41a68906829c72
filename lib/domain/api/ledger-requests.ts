import { CURSOR, limitOf } from "@/lib/domain/api/list-requests";
import { CURRENCY, KNOWN_NETWORK } from "@/lib/domain/api/tokens";
import { optional, type Reading, requestOf, required, textField } from "@/lib/domain/fields/field";
import { seen } from "@/lib/domain/fields/json-value";
import { choice } from "@/lib/domain/fields/values";
import { problem } from "@/lib/domain/problems/problem";
import { UNMATCHED_REASONS } from "@/lib/domain/transfers/transfer";

/** The request of transfer/unmatched. */
export const TRANSFER_UNMATCHED = requestOf({
  reason: optional(choice(UNMATCHED_REASONS), { description: "Returns only transfers with this reason." }),
  network: optional(KNOWN_NETWORK, {
    description: "Returns only transfers on this network, which may be disabled now.",
  }),
  currency: optional(CURRENCY, { description: "Returns only transfers in this currency." }),
  cursor: CURSOR,
  limit: limitOf("The maximum number of transfers on the page."),
});

const DAY_RULE = problem("rule_day");

/** A calendar day in UTC, read as its start. */
const DAY = textField(
  DAY_RULE,
  { type: "string", pattern: "^20[0-9]{2}-[0-9]{2}-[0-9]{2}$" },
  (given): Reading<Date> => {
    const at = /^20\d\d-\d\d-\d\d$/.test(given) ? new Date(given) : null;
    const isDay = at !== null && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(given);
    return isDay ? { value: at } : { problem: problem("field_malformed", { given: seen(given), rule: DAY_RULE }) };
  },
);

/** The request of report/detail. */
export const REPORT_DETAIL = requestOf({
  from: required(DAY, { description: "The first day of the period, in UTC.", examples: ["2026-11-01"] }),
  to: required(DAY, {
    description: "The last day of the period, in UTC, at most 366 days after the first one.",
    examples: ["2026-11-30"],
  }),
});
