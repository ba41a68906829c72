import * as z from "zod";
import {
  excerpt,
  kindOfHttpStatus,
  parseJson,
  postJson,
  type RpcCall,
  type RpcOptions,
  readRetryAfter,
} from "@/lib/chains/endpoints/rpc";
import { ChainError } from "@/lib/chains/endpoints/source";
import { quantity } from "@/lib/chains/evm/logs";
import { readTronLogs, readTronReceipt } from "@/lib/chains/tron/http-logs";
import { isNothing, type TronAsk, TronBlock, TronCall, TronHeader } from "@/lib/chains/tron/http-wire";

const Failure = z.object({ Error: z.string() });
const CallArguments = z.object({ to: z.string(), data: z.string() });

/**
 * Implements an EVM JSON-RPC call with a TRON node's HTTP API, so that such an endpoint can replace a JSON-RPC endpoint at any block: the
 * hashes, positions and times are the same, and the result is null if the node has no data.
 * @param url the API's base, such as https://api.trongrid.io
 * @throws ChainError like callRpc; "refused" for a call that the watcher does not need
 */
export async function callTronHttp(url: string, { method, params }: RpcCall, options: RpcOptions): Promise<unknown> {
  const ask: TronAsk = (path, fields) => post(url, path, fields, method, options);
  switch (method) {
    case "eth_chainId":
      return chainId(await ask("wallet/getblock", { id_or_num: "0" }));
    case "eth_getBlockByNumber":
      if (params[1] === true) return content(await ask("wallet/getblockbynum", { num: Number(params[0]) }));
      if (params[0] === "latest") return header(await ask("wallet/getblock", {}));
      return header(await (params[0] === "finalized" ? ask("walletsolidity/getblock", {}) : ask(...at(params[0]))));
    case "eth_getBlockByHash":
      return header(await ask("wallet/getblock", { id_or_num: String(params[0]).slice(2) }));
    case "eth_getLogs":
      return readTronLogs(ask, params[0]);
    case "eth_getTransactionReceipt":
      return readTronReceipt(ask, String(params[0]));
    case "eth_call":
      return trial(ask, CallArguments.parse(params[0]));
    default:
      throw new ChainError("refused", `${method} has no counterpart in TRON's HTTP API`);
  }
}

async function post(
  base: string,
  path: string,
  fields: Readonly<Record<string, unknown>>,
  method: string,
  options: RpcOptions,
): Promise<unknown> {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/${path}`;
  const { status, isOk, text, retryAfter, redacted } = await postJson(url.href, fields, path, options);
  const answer = parseJson(text);
  const failure = Failure.safeParse(answer);
  if (isOk && typeof answer === "object" && answer !== null && !failure.success) return answer;
  const kind = isOk ? "unavailable" : kindOfHttpStatus(method, status);
  throw new ChainError(
    kind,
    `${path}: HTTP ${status}: ${failure.data ? redacted(failure.data.Error).slice(0, 200) : excerpt(redacted(text))}`,
    {
      retryAfterMs: readRetryAfter(retryAfter, options.now()),
    },
  );
}

function at(height: unknown): Parameters<TronAsk> {
  return ["wallet/getblock", { id_or_num: String(Number(height)) }];
}

/** Returns TRON's chain id, which is the end of its first block's id. */
function chainId(answer: unknown): string {
  return quantity(Number.parseInt(TronHeader.parse(answer).blockID.slice(-8), 16));
}

function header(answer: unknown): Record<string, string> | null {
  if (isNothing(answer)) return null;
  const { blockID, block_header } = TronHeader.parse(answer);
  const { number, parentHash, timestamp } = block_header.raw_data;
  return {
    number: quantity(number),
    hash: `0x${blockID}`,
    parentHash: `0x${parentHash}`,
    timestamp: quantity(Math.floor(timestamp / 1_000)),
  };
}

/** Returns a block's header with the ids of its transactions. */
function content(answer: unknown): Record<string, unknown> | null {
  const known = header(answer);
  return known && { ...known, transactions: TronBlock.parse(answer).transactions.map(({ txID }) => `0x${txID}`) };
}

async function trial(ask: TronAsk, { to, data }: z.infer<typeof CallArguments>): Promise<string> {
  const unanswered = `41${"0".repeat(40)}`;
  const fields = { owner_address: unanswered, contract_address: `41${to.slice(2)}`, data: data.slice(2) };
  const { result, constant_result } = TronCall.parse(await ask("wallet/triggerconstantcontract", fields));
  return result.code ? "0x" : `0x${constant_result.join("")}`;
}
