import { inEnglish } from "@/lib/domain/problems/in-english";
import type { Problem } from "@/lib/domain/problems/problem";
import { httpStatusOfProblem } from "@/lib/http/problem-status";
import { jsonReply, type Reply, responseOf } from "@/lib/http/reply";

/**
 * Returns the reply for a problem at an endpoint that requires no key: `{ message }` with the HTTP status of its code. A problem with the
 * parameter `seconds` is temporary, and `Retry-After` has the same number.
 */
export function problemReply(invalid: Problem): Reply {
  const { seconds } = invalid.params;
  const headers = typeof seconds === "number" ? retryHeaders(seconds) : {};
  return jsonReply(httpStatusOfProblem(invalid.code), { message: inEnglish(invalid) }, headers);
}

/** Returns the reply for a problem as a `Response`, for Next.js routes. */
export function problemResponse(invalid: Problem): Response {
  return responseOf(problemReply(invalid));
}

/** Returns the headers of a response after which a retry makes sense. */
export function retryHeaders(seconds: number): Record<string, string> {
  return { "cache-control": "no-store", "retry-after": String(seconds) };
}
