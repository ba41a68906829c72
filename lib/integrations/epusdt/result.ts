import type { ApiCode } from "@/lib/domain/problems/api-codes";
import { type ProblemCode, problem } from "@/lib/domain/problems/problem";
import { AppError } from "@/lib/errors";

/** The numbers of errors: those of BEpusdt and the original epusdt, or those of GMPay, which distinguish more errors. */
export type ErrorNumbers = "original" | "gmpay";

/** The error numbers of the original protocol. Errors without a number use their HTTP status. */
const STATUS_CODES: Readonly<Record<ApiCode, number>> = {
  10001: 400,
  10002: 401,
  10003: 10_008,
  10004: 10_002,
  10005: 429,
  10006: 503,
  10099: 500,
};

/** GMPay's number for a request with an invalid parameter. Source of these numbers: epusdt's `util/constant/errno.go`. */
const INVALID_PARAMETER = 10_009;

/** GMPay's numbers for fields with an invalid value. */
const GMPAY_FIELDS: ReadonlyMap<string, number> = new Map([
  ["amount", 10_004],
  ["money", 10_004],
  ["network", 10_016],
  ["block_transaction_id", 10_038],
  ["notify_url", 10_041],
  ["redirect_url", 10_044],
  ["return_url", 10_044],
]);

/** GMPay's numbers for problems. */
const GMPAY_PROBLEMS: { readonly [Code in ProblemCode]?: number } = {
  method_half_given: INVALID_PARAMETER,
  payment_type_unknown: 10_016,
  payment_type_not_payable: 10_016,
  choice_not_offered: 10_016,
  network_without_address: 10_003,
  no_receiving_address: 10_003,
  amounts_reserved: 10_005,
  amount_reserved: 10_005,
  choice_amount_reserved: 10_005,
  new_amount_reserved: 10_005,
  rate_missing: 10_006,
  choice_without_rate: 10_006,
  new_price_without_rate: 10_006,
  choice_closed: 10_013,
  lookup_without_method: 10_013,
  network_unavailable: 10_014,
  network_not_taking_orders: 10_014,
  networks_not_taking_orders: 10_014,
};

/** Returns the number of an error. */
export function errorNumber({ code, errors, problem: { code: name } }: AppError, numbers: ErrorNumbers): number {
  if (numbers === "original") return STATUS_CODES[code];
  const known = GMPAY_PROBLEMS[name];
  if (known !== undefined) return known;
  return code === 10001 ? (GMPAY_FIELDS.get(errors?.[0]?.field ?? "") ?? INVALID_PARAMETER) : STATUS_CODES[code];
}

/** Returns the envelope of a result or an error, which this protocol sends with HTTP 200. */
export function epusdtEnvelope(result: object | AppError, requestId: string, numbers: ErrorNumbers): object {
  const isFailure = result instanceof AppError;
  return {
    status_code: isFailure ? errorNumber(result, numbers) : 200,
    message: isFailure ? result.message : "success",
    data: isFailure ? null : result,
    request_id: requestId,
  };
}

/** The temporary problems that a payer can solve. */
const FOR_PAYERS: ReadonlySet<ProblemCode> = new Set([
  "choice_amount_reserved",
  "choice_not_offered",
  "choice_without_rate",
  "choice_changed_too_often",
  "choice_changed_too_fast",
]);

const isOutage = ({ code }: AppError) => code === 10006 || code === 10099;

/** Returns the error of a payer's own request as a payer reads it: the sentences of outages address merchants and operators. */
export function toPayerFailure(failure: AppError): AppError {
  const isForOthers = isOutage(failure) && !FOR_PAYERS.has(failure.problem.code);
  return isForOthers ? new AppError(problem("service_away_for_payer")) : failure;
}
