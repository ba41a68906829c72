import { type ApiCode, apiCodeOf } from "@/lib/domain/problems/api-codes";
import type { ProblemCode } from "@/lib/domain/problems/problem";
import type { AppError } from "@/lib/errors";

/** The HTTP status of each code of the API. */
export const API_STATUS: Readonly<Record<ApiCode, number>> = {
  10001: 400,
  10002: 401,
  10003: 404,
  10004: 409,
  10005: 429,
  10006: 503,
  10099: 500,
};

/** The HTTP statuses of problems that do not use the status of their API code. */
const OTHER_STATUS: { readonly [Code in ProblemCode]?: number } = {
  path_not_found: 404,
  method_not_allowed: 405,
  path_allows: 405,
  path_allows_only: 405,
  body_too_large: 413,
  token_lacks_permission: 403,
  payout_approved_by_user: 403,
  api_key_not_for_agents: 403,
  api_key_signs_requests: 403,
  origin_refused: 403,
};

/** Returns the HTTP status of the response to a problem. */
export function httpStatusOf({ problem, code }: Pick<AppError, "problem" | "code">): number {
  return OTHER_STATUS[problem.code] ?? API_STATUS[code];
}

/** Returns the HTTP status of a problem that is not an `AppError`. */
export function httpStatusOfProblem(code: ProblemCode): number {
  return OTHER_STATUS[code] ?? API_STATUS[apiCodeOf(code)];
}
