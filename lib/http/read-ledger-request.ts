import { REPORT_DETAIL, TRANSFER_UNMATCHED } from "@/lib/domain/api/ledger-requests";
import { NO_RULES } from "@/lib/domain/fields/field";
import type { JsonObject } from "@/lib/domain/fields/json-value";
import { problem } from "@/lib/domain/problems/problem";
import type { Period } from "@/lib/domain/reports";
import { MAX_REPORT_DAYS, periodOf } from "@/lib/domain/reports";
import { invalidField } from "@/lib/errors";
import { requestReader } from "@/lib/http/read-request";
import type { UnmatchedSearch } from "@/lib/ledger/list-unmatched";

const readUnmatched = requestReader(TRANSFER_UNMATCHED);
const readReport = requestReader(REPORT_DETAIL);

/**
 * Reads the body of transfer/unmatched.
 * @throws AppError 10001 that lists every invalid field
 */
export function readUnmatchedSearch(body: JsonObject): UnmatchedSearch {
  const { reason, network, currency, cursor, limit } = readUnmatched(body, NO_RULES);
  const filter = { ...(reason && { reason }), ...(network && { network: network.id }), ...(currency && { currency }) };
  return { ...filter, cursor, limit };
}

/**
 * Reads the body of report/detail.
 * @throws AppError 10001 that lists every invalid field
 */
export function readReportPeriod(body: JsonObject): Period {
  const { from, to } = readReport(body, NO_RULES);
  const period = periodOf(from, to);
  if (!period) throw invalidField("to", problem("report_period_invalid", { max: MAX_REPORT_DAYS }));
  return period;
}
