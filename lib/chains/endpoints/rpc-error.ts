import type { ChainError, ChainErrorKind } from "@/lib/chains/endpoints/source";

const RATE =
  /rate.?limit|too many requests|request (count|limit)|requests? per|quota|capacity|compute units|throttl|\b429\b/i;
const PAST_HEAD =
  /invalid block ?hash|beyond|past (the )?head|unknown block|block not found|header not found|not (yet )?available|after last accepted|future block|no state|greater than (the )?(latest|head)/i;
const TOO_LARGE =
  /range|limit|too (large|many|wide|big|long)|more than|exceed|response size|result set|block count|time.?d? ?out|deadline/i;

/**
 * What a JSON-RPC error means. Nodes agree on no code for "too much at once", so the words decide;
 * "too much" only makes sense for calls whose answer grows with what was asked.
 */
export function kindOfRpcError(method: string, code: number, message: string): ChainErrorKind {
  if (code === -32601) return "refused";
  if (RATE.test(message)) return "rateLimited";
  if (PAST_HEAD.test(message)) return "inconsistent";
  if (canBeTooLarge(method) && (code === -32005 || TOO_LARGE.test(message))) return "rangeTooLarge";
  if (code === -32005) return "rateLimited";
  if (code === -32004 || code === -32602 || code === -32600) return "refused";
  if (/not (supported|allowed|enabled)|unsupported|does not exist|forbidden|unauthori[sz]ed|archive/i.test(message)) {
    return "refused";
  }
  return "unavailable";
}

/** What an HTTP status means when the body is no JSON-RPC answer. */
export function kindOfHttpStatus(method: string, status: number): ChainErrorKind {
  if (status === 429) return "rateLimited";
  if (canBeTooLarge(method) && (status === 413 || status === 408 || status === 504)) return "rangeTooLarge";
  return status >= 400 && status < 500 && status !== 408 ? "refused" : "unavailable";
}

/** Milliseconds of a Retry-After header (seconds or an HTTP date), at most ten minutes; null when absent or unreadable. */
export function readRetryAfter(header: string | null, now: Date): number | null {
  if (header === null) return null;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1_000 : Date.parse(header) - now.getTime();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), 600_000) : null;
}

/** Whether the error is our own deadline running out. */
export function isTimeout(error: ChainError): boolean {
  return error.cause instanceof Error && error.cause.name === "TimeoutError";
}

function canBeTooLarge(method: string): boolean {
  return method === "eth_getLogs" || method === "eth_getBlockReceipts";
}
