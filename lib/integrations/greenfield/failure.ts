import type { ApiCode } from "@/lib/domain/problems/api-codes";
import { inEnglish } from "@/lib/domain/problems/in-english";
import { problem } from "@/lib/domain/problems/problem";
import { AppError } from "@/lib/errors";

/** Errors by the names that clients know; one that has a better name carries it. */
const NAMES: Readonly<Record<ApiCode, string>> = {
  10001: "bad-request",
  10002: "unauthenticated",
  10003: "not-found",
  10004: "conflict",
  10005: "too-many-requests",
  10006: "unavailable",
  10099: "internal-error",
};

/** What fields are called here that the stories name otherwise. */
const PATHS: Readonly<Record<string, string>> = {
  network: "checkout.paymentMethods",
  fiat: "currency",
  fiat_amount: "amount",
  redirect_url: "checkout.redirectURL",
};

/** There is nothing of this kind with such an id in this store. */
export function noInvoice(): AppError {
  return new AppError(problem("invoice_not_found"), { data: { name: "invoice-not-found" } });
}

/** A token that may not do what was asked. */
export function notAllowed(permission: string): AppError {
  return new AppError(problem("token_lacks_permission", { permission }), {
    data: { name: "missing-permission", missingPermission: permission },
  });
}

/**
 * The errors that clients of this protocol read: invalid fields with HTTP 422, each by its path; all others by a name.
 * @param httpStatus of every other failure
 */
export function greenfieldFailure(failure: AppError, httpStatus: number): { status: number; body: object } {
  const { code, message, errors, data } = failure;
  if (errors !== undefined && (code === 10001 || code === 10004)) {
    const body = errors.map((one) => ({ path: PATHS[one.field] ?? one.field, message: inEnglish(one) }));
    return { status: 422, body };
  }
  const missing = data?.["missingPermission"];
  const body = {
    code: data?.["name"] ?? NAMES[code],
    message,
    ...(missing !== undefined && { missingPermission: missing }),
  };
  return { status: httpStatus, body };
}
