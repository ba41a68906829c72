import { type ApiCode, isOutage } from "@/lib/domain/problems/api-codes";
import { inEnglish } from "@/lib/domain/problems/in-english";
import { type Problem, problem } from "@/lib/domain/problems/problem";
import { AppError } from "@/lib/errors";
import { API_STATUS } from "@/lib/http/problem-status";

/** The names of errors in this protocol. The data of an error can contain a more specific name. */
const NAMES: Readonly<Record<ApiCode, string>> = {
  10001: "bad-request",
  10002: "unauthenticated",
  10003: "not-found",
  10004: "conflict",
  10005: "too-many-requests",
  10006: "unavailable",
  10099: "internal-error",
};

/** The field names of this protocol, keyed by the core's names. */
const PATHS: Readonly<Record<string, string>> = {
  network: "checkout.paymentMethods",
  fiat: "currency",
  fiat_amount: "amount",
  redirect_url: "checkout.redirectURL",
};

/** Returns the error for an unknown invoice. */
export function noInvoice(): AppError {
  return new AppError(problem("invoice_not_found"), { data: { name: "invoice-not-found" } });
}

/** Returns the error for a token without a permission. */
export function notAllowed(permission: string): AppError {
  return new AppError(problem("token_lacks_permission", { permission }), {
    data: { name: "missing-permission", missingPermission: permission },
  });
}

/** Returns the error for an unknown pull payment. */
export function noPullPayment(): AppError {
  return new AppError(problem("pull_payment_not_found"), { data: { name: "pullpayment-not-found" } });
}

/** Returns the error for an unknown payout. */
export function noPayout(): AppError {
  return new AppError(problem("payout_not_found"), { data: { name: "payout-not-found" } });
}

/** Returns the error with HTTP 400 and a name of this protocol. Source: BTCPay Server, CreateAPIError. */
export function namedRefusal(name: string, refusal: Problem): AppError {
  return new AppError(refusal, { data: { name, isBadRequest: true } });
}

/** The name of a refusal. Source: BTCPay Server, the code of its errors without a name of their own. */
const REFUSED = "generic-error";
const UNPROCESSABLE = 422;

/**
 * Returns the status and body of an error: invalid fields with HTTP 422, each with its path; all others with a name. A refusal that is not an
 * outage also has HTTP 422, because clients show its message only then; after HTTP 503 they report that the server is unavailable.
 * @param httpStatus the status of all other errors
 */
export function greenfieldFailure(failure: AppError, httpStatus: number): { status: number; body: object } {
  const { code, message, errors, data } = failure;
  if (errors !== undefined && (code === 10001 || code === 10004)) {
    const body = errors.map((one) => ({ path: PATHS[one.field] ?? one.field, message: inEnglish(one) }));
    return { status: UNPROCESSABLE, body };
  }
  if (data?.["isBadRequest"] === true) return { status: API_STATUS[10001], body: { code: data["name"], message } };
  const isRefusal = code === 10004 || (code === 10006 && !isOutage(failure.problem.code));
  const missing = data?.["missingPermission"];
  const body = {
    code: data?.["name"] ?? (isRefusal ? REFUSED : NAMES[code]),
    message,
    ...(missing !== undefined && { missingPermission: missing }),
  };
  return { status: isRefusal ? UNPROCESSABLE : httpStatus, body };
}
