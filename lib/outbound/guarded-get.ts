import { type Asked, askVetted, type OutboundOptions } from "@/lib/outbound/guarded-post";

/** What came of a question: the whole body of a status 200 as text, or why there is none, in words. */
export type GetResult = { kind: "answered"; text: string } | { kind: "failed"; error: string };

/** The same with the bytes as they came. */
export type BytesResult = { kind: "answered"; bytes: Buffer } | { kind: "failed"; error: string };

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
  const asked = await askVetted({ method: "GET", what: "the address", url, headers, body: "" }, options);
  if (asked.kind === "failed") return { kind: "failed", error: asked.error };
  const problem = problemOf(asked);
  return problem === null ? { kind: "answered", bytes: asked.answer.bytes } : { kind: "failed", error: problem };
}

function problemOf({ answer: { httpStatus, isWhole, encoding } }: Asked): string | null {
  if (httpStatus >= 300 && httpStatus < 400)
    return `it answered with a redirect (status ${httpStatus}), which is not followed`;
  if (httpStatus !== 200) return `it answered with status ${httpStatus}`;
  if (encoding !== null && encoding !== "identity") return `the answer is compressed (${encoding.slice(0, 20)})`;
  return isWhole ? null : "the answer is too large, or broke off before its end";
}
