import * as z from "zod";
import { ChainError, type ChainErrorKind } from "@/lib/chains/endpoints/source";
import { hideSecrets, secretsOfUrl } from "@/lib/domain/keys/hide-secrets";
import { parseRetryAfter } from "@/lib/domain/retry-after";

/** The maximum length of the part of a response that an error may include, in characters. */
const MAX_MESSAGE_LENGTH = 2_000;
const LONGEST_RETRY_MS = 600_000;

export interface RpcCall {
  method: string;
  params: readonly unknown[];
}

export interface RpcOptions extends PostOptions {
  now: () => Date;
  /** Classifies a JSON-RPC error, if the family's nodes have codes of their own. */
  kindOfError?: ((method: string, code: number, message: string) => ChainErrorKind) | undefined;
}

const Answer = z.object({ result: z.unknown().optional(), error: z.unknown().optional() });
const AnswerError = z.object({ code: z.number().catch(0), message: z.string().catch("no message") });

/**
 * Sends one JSON-RPC call over HTTP.
 * @returns the response's `result`, unparsed
 * @throws ChainError for any failure: no connection, timeout, HTML, truncated JSON, HTTP and JSON-RPC errors
 */
export async function callRpc(url: string, call: RpcCall, options: RpcOptions): Promise<unknown> {
  const body = { jsonrpc: "2.0", id: 1, method: call.method, params: call.params };
  return readAnswer(call, await postJson(url, body, call.method, options), options);
}

function readAnswer(call: RpcCall, posted: Posted, options: RpcOptions): unknown {
  const { status, isOk, text, retryAfter, redacted } = posted;
  const retryAfterMs = readRetryAfter(retryAfter, options.now());
  const answer = Answer.safeParse(parseJson(text));
  if (!answer.success || (answer.data.error == null && answer.data.result === undefined)) {
    const kind = isOk ? "unavailable" : kindOfHttpStatus(call.method, status);
    const detail = `${call.method}: HTTP ${status} with a body that is not a JSON-RPC response: ${excerpt(redacted(text))}`;
    throw new ChainError(kind, detail, { retryAfterMs });
  }
  if (answer.data.error == null && isOk) return answer.data.result;
  const { code, message } = AnswerError.catch({ code: 0, message: excerpt(redacted(text)) }).parse(answer.data.error);
  const kindOfError = options.kindOfError ?? kindOfRpcError;
  const kind = status === 429 ? "rateLimited" : kindOfError(call.method, code, message);
  throw new ChainError(kind, `${call.method}: ${redacted(message).slice(0, 200)} (${code})`, { retryAfterMs, code });
}

export interface PostOptions {
  /** The time limit for the whole call: connecting, waiting and reading. */
  timeoutMs: number;
  maxBytes: number;
  /** Aborts the call on a clean shutdown. */
  signal?: AbortSignal | undefined;
  /** The headers of the call, such as an API key; never part of an error. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Runs before the request is sent; its duration does not count as latency of the endpoint. */
  beforeSending?: (() => Promise<void> | undefined) | undefined;
}

export interface Posted {
  status: number;
  isOk: boolean;
  text: string;
  retryAfter: string | null;
  /** Returns a displayable part of the response, without the endpoint's credentials, which some endpoints echo. */
  redacted(detail: string): string;
}

/**
 * Posts a JSON body and reads any response.
 * @param what the name of the call, for error messages
 * @throws ChainError when there was no response: no connection, timeout, a redirect, more than `maxBytes`
 */
export async function postJson(url: string, body: unknown, what: string, options: PostOptions): Promise<Posted> {
  await options.beforeSending?.();
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout;
  const own = { "content-type": "application/json", accept: "application/json" };
  try {
    const target = withoutCredentials(url);
    const response = await fetch(target.href, {
      method: "POST",
      headers: { ...options.headers, ...own, ...target.headers },
      body: JSON.stringify(body),
      redirect: "error",
      signal,
    });
    const text = await readBody(response, options.maxBytes);
    const redacted = (detail: string) =>
      hideSecrets(detail.slice(0, MAX_MESSAGE_LENGTH), [...secretsOfUrl(url), ...Object.values(options.headers ?? {})]);
    return {
      status: response.status,
      isOk: response.ok,
      text,
      retryAfter: response.headers.get("retry-after"),
      redacted,
    };
  } catch (error) {
    if (error instanceof ChainError) throw error;
    throw new ChainError("unavailable", `${what}: ${reasonOf(error, options.timeoutMs)}`, { cause: error });
  }
}

/** Parses a body as JSON. Returns null if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Returns the beginning of a body, for an error. */
export function excerpt(body: string): string {
  return JSON.stringify(body.slice(0, 80));
}

/** Reads a body in one piece if its length is known and allowed, which is faster than piece by piece. */
async function readBody(response: Response, maxBytes: number): Promise<string> {
  if (!response.body) return "";
  const length = response.headers.get("content-length");
  // The length of an encoded body is that of its encoded form.
  const isPlain = response.headers.get("content-encoding") === null;
  if (isPlain && length !== null && Number(length) <= maxBytes) return response.text();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new ChainError("rangeTooLarge", `The response is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Returns a URL without its credentials, because `fetch` refuses URLs with credentials, and the header that contains them instead. */
export function withoutCredentials(url: string): { href: string; headers: { authorization?: string } } {
  const plain = new URL(url);
  const { username, password } = plain;
  if (!username && !password) return { href: plain.href, headers: {} };
  plain.username = "";
  plain.password = "";
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { href: plain.href, headers: { authorization: `Basic ${Buffer.from(pair).toString("base64")}` } };
}

function reasonOf(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `no response within ${timeoutMs} ms`;
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

const RATE =
  /rate.?limit|too many requests|request (count|limit)|requests? per|quota|capacity|compute units|throttl|\b429\b/i;
const PAST_HEAD =
  /invalid block ?hash|beyond|past (the )?head|unknown block|block not found|header not found|not (yet )?available|after last accepted|future block|no state|greater than (the )?(latest|head)/i;
const TOO_LARGE =
  /range|limit|too (large|many|wide|big|long)|more than|exceed|response size|result set|block count|time.?d? ?out|deadline/i;

/**
 * Classifies a JSON-RPC error. Nodes have no common code for a request that is too large, so the message is examined. The kind "too much"
 * applies only to calls whose response grows with the request.
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

/** Classifies an HTTP status when the body is not a JSON-RPC response. */
export function kindOfHttpStatus(method: string, status: number): ChainErrorKind {
  if (status === 429) return "rateLimited";
  if (canBeTooLarge(method) && (status === 413 || status === 408 || status === 504)) return "rangeTooLarge";
  return status >= 400 && status < 500 && status !== 408 ? "refused" : "unavailable";
}

/** Returns the milliseconds of a Retry-After header, at most ten minutes; null when absent or unreadable. */
export function readRetryAfter(header: string | null, now: Date): number | null {
  const ms = header === null ? null : parseRetryAfter(header, now);
  return ms === null ? null : Math.min(ms, LONGEST_RETRY_MS);
}

/** Returns true if the error is a timeout set by this service. */
export function isTimeout(error: ChainError): boolean {
  return error.cause instanceof Error && error.cause.name === "TimeoutError";
}

function canBeTooLarge(method: string): boolean {
  return method === "eth_getLogs" || method === "eth_getBlockReceipts";
}

/** A subscription to new heads over a WebSocket. */
export interface HeadSubscription {
  subscribe: RpcCall;
  /** The method of its notifications. */
  notification: string;
  /** Returns the height in the parameters of a notification; null if they contain none. */
  heightOf: (params: unknown) => number | null;
}

/** The protocol of a family's nodes: how to call them, identify their chain and recognize errors. */
export interface NodeProtocol {
  /**
   * The call that returns the chain id, and a function that reads its result. The function returns null if the result is not a chain id.
   */
  identify: RpcCall & { read: (result: unknown) => string | null };
  /** Classifies a JSON-RPC error; omitted if the nodes use no error codes of their own. */
  kindOfError?: RpcOptions["kindOfError"];
  /** Returns the transport of a URL. */
  callOf: (url: string) => typeof callRpc;
  /** The number of blocks by which receipts and logs lag behind their block. */
  receiptLag: number;
  /** True if nodes return the state after any recent block, not only the newest state. */
  hasPastState: boolean;
  /** The nodes' subscription to new heads; null if they offer none. */
  heads: HeadSubscription | null;
}
