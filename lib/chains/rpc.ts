import { z } from "zod";
import { kindOfHttpStatus, kindOfRpcError, readRetryAfter } from "@/lib/chains/rpc-error";
import { ChainError, type ChainErrorKind } from "@/lib/chains/source";

export interface RpcCall {
  method: string;
  params: readonly unknown[];
}

export interface RpcOptions {
  /** For the whole call: connecting, waiting and reading. */
  timeoutMs: number;
  maxBytes: number;
  /** Ends the call early, at a clean stop. */
  signal?: AbortSignal | undefined;
  now: () => Date;
  /** What a JSON-RPC error means, where the family's nodes have codes of their own. */
  kindOfError?: ((method: string, code: number, message: string) => ChainErrorKind) | undefined;
}

const Answer = z.object({ result: z.unknown().optional(), error: z.unknown().optional() });
const AnswerError = z.object({ code: z.number().catch(0), message: z.string().catch("no message") });

/**
 * One JSON-RPC call over HTTP.
 * @returns the answer's `result`, unparsed.
 * @throws ChainError for anything else: no connection, deadline, HTML, cut-off JSON, HTTP and JSON-RPC errors.
 */
export async function callRpc(url: string, call: RpcCall, options: RpcOptions): Promise<unknown> {
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout;
  try {
    const response = await fetch(plainUrl(url), {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json", ...credentials(url) },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: call.method, params: call.params }),
      redirect: "error",
      signal,
    });
    return readAnswer(call, response, await readBody(response, options.maxBytes), options);
  } catch (error) {
    if (error instanceof ChainError) throw error;
    throw new ChainError("unavailable", `${call.method}: ${reasonOf(error, options.timeoutMs)}`, { cause: error });
  }
}

function readAnswer(call: RpcCall, response: Response, body: string, options: RpcOptions): unknown {
  const retryAfterMs = readRetryAfter(response.headers.get("retry-after"), options.now());
  const answer = Answer.safeParse(parseJson(body));
  if (!answer.success || (answer.data.error == null && answer.data.result === undefined)) {
    const kind = response.ok ? "unavailable" : kindOfHttpStatus(call.method, response.status);
    const text = `${call.method}: HTTP ${response.status} with a body that is no JSON-RPC answer: ${excerpt(body)}`;
    throw new ChainError(kind, text, { retryAfterMs });
  }
  if (answer.data.error == null && response.ok) return answer.data.result;
  const { code, message } = AnswerError.catch({ code: 0, message: excerpt(body) }).parse(answer.data.error);
  const kindOfError = options.kindOfError ?? kindOfRpcError;
  const kind = response.status === 429 ? "rateLimited" : kindOfError(call.method, code, message);
  throw new ChainError(kind, `${call.method}: ${message.slice(0, 200)} (${code})`, { retryAfterMs, code });
}

async function readBody(response: Response, maxBytes: number): Promise<string> {
  if (!response.body) return "";
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new ChainError("rangeTooLarge", `The answer is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function excerpt(body: string): string {
  return JSON.stringify(body.slice(0, 80));
}

/** `fetch` refuses URLs that carry credentials; they travel in a header instead. */
function plainUrl(url: string): string {
  const plain = new URL(url);
  plain.username = "";
  plain.password = "";
  return plain.href;
}

function credentials(url: string): { authorization?: string } {
  const { username, password } = new URL(url);
  if (!username && !password) return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString("base64")}` };
}

function reasonOf(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `no answer within ${timeoutMs} ms`;
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
