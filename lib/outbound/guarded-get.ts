import { type Problem, problem } from "@/lib/domain/problems/problem";
import { type Asked, askVetted, type OutboundOptions } from "@/lib/outbound/guarded-post";

/** The result of a GET request: the whole body of a response with status 200, or the problem. */
export type GetResult = { kind: "answered"; text: string } | { kind: "failed"; error: Problem };

/** The same with the bytes as they came. */
export type BytesResult = { kind: "answered"; bytes: Buffer } | { kind: "failed"; error: Problem };

const TEXTS = "application/json, application/xml;q=0.9";

/**
 * Asks a public server for a text: through the same door as callbacks, with the same rule for addresses, the same times and the
 * same size. No redirects, no proxies, nothing compressed. Never throws.
 * @param userAgent "Stablegate/1.2.3"
 */
export async function guardedGet(url: string, userAgent: string, options: OutboundOptions): Promise<GetResult> {
  const got = await guardedGetBytes(url, { userAgent, accept: TEXTS }, options);
  return got.kind === "failed" ? got : { kind: "answered", text: got.bytes.toString("utf8") };
}

/** The same of anything else. @param accept the header of that name */
export async function guardedGetBytes(
  url: string,
  { userAgent, accept }: { userAgent: string; accept: string },
  options: OutboundOptions,
): Promise<BytesResult> {
  const headers = { accept, "accept-encoding": "identity", "user-agent": userAgent };
  const asked = await askVetted(
    { method: "GET", urlProblem: "outbound_address_invalid", url, headers, body: "" },
    options,
  );
  if (asked.kind === "failed") return { kind: "failed", error: asked.error };
  const error = problemOf(asked);
  return error === null ? { kind: "answered", bytes: asked.answer.bytes } : { kind: "failed", error };
}

function problemOf({ answer: { httpStatus: status, isWhole, encoding } }: Asked): Problem | null {
  if (status >= 300 && status < 400) return problem("outbound_redirect", { status });
  if (status !== 200) return problem("outbound_status", { status });
  if (encoding !== null && encoding !== "identity")
    return problem("outbound_compressed", { encoding: encoding.slice(0, 20) });
  return isWhole ? null : problem("outbound_incomplete");
}
