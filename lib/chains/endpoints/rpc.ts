import { z } from "zod";
import { excerpt, type Posted, type PostOptions, parseJson, postJson } from "@/lib/chains/endpoints/post-json";
import { kindOfHttpStatus, kindOfRpcError, readRetryAfter } from "@/lib/chains/endpoints/rpc-error";
import { ChainError, type ChainErrorKind } from "@/lib/chains/endpoints/source";

export interface RpcCall {
  method: string;
  params: readonly unknown[];
}

export interface RpcOptions extends PostOptions {
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
  const body = { jsonrpc: "2.0", id: 1, method: call.method, params: call.params };
  return readAnswer(call, await postJson(url, body, call.method, options), options);
}

function readAnswer(call: RpcCall, { status, isOk, text, retryAfter }: Posted, options: RpcOptions): unknown {
  const retryAfterMs = readRetryAfter(retryAfter, options.now());
  const answer = Answer.safeParse(parseJson(text));
  if (!answer.success || (answer.data.error == null && answer.data.result === undefined)) {
    const kind = isOk ? "unavailable" : kindOfHttpStatus(call.method, status);
    const words = `${call.method}: HTTP ${status} with a body that is no JSON-RPC answer: ${excerpt(text)}`;
    throw new ChainError(kind, words, { retryAfterMs });
  }
  if (answer.data.error == null && isOk) return answer.data.result;
  const { code, message } = AnswerError.catch({ code: 0, message: excerpt(text) }).parse(answer.data.error);
  const kindOfError = options.kindOfError ?? kindOfRpcError;
  const kind = status === 429 ? "rateLimited" : kindOfError(call.method, code, message);
  throw new ChainError(kind, `${call.method}: ${message.slice(0, 200)} (${code})`, { retryAfterMs, code });
}
