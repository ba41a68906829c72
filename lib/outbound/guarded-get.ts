import { type Problem, problem } from "@/lib/domain/problems/problem";
import { type Asked, askVetted, type OutboundOptions } from "@/lib/outbound/guarded-post";

/** The result of a GET request: the whole body of a response with status 200, or the problem. */
export type GetResult = { kind: "answered"; text: string } | { kind: "failed"; error: Problem };

/** A GetResult with the raw bytes of the body. */
export type BytesResult = { kind: "answered"; bytes: Buffer } | { kind: "failed"; error: Problem };

const TEXTS = "application/json, application/xml;q=0.9";

/**
 * Fetches a text from a public server, with the same address policy, time limits and size limit as callbacks. Does not
 * follow redirects, use proxies or accept compression. Never throws.
 * @param userAgent "Stablegate/1.2.3"
 */
export async function guardedGet(url: string, userAgent: string, options: OutboundOptions): Promise<GetResult> {
  const got = await guardedGetBytes(url, { userAgent, accept: TEXTS }, options);
  return got.kind === "failed" ? got : { kind: "answered", text: got.bytes.toString("utf8") };
}

/** Fetches content of any type like `guardedGet`. @param accept the Accept header */
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
