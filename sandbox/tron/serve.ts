import * as z from "zod";
import { answerRpc, RpcProblem } from "@/sandbox/nodes/json-rpc-answer";
import { type JsonAnswer, type JsonServer, serveJson } from "@/sandbox/nodes/json-server";
import { runControl } from "@/sandbox/tron/control";
import type { EvmChain } from "@/sandbox/tron/evm-chain";
import { accountMethods } from "@/sandbox/tron/http-accounts";
import { blockMethods } from "@/sandbox/tron/http-blocks";
import { infoMethods } from "@/sandbox/tron/http-infos";
import { transactionMethods } from "@/sandbox/tron/http-transactions";
import { jsonRpcMethods } from "@/sandbox/tron/json-rpc-methods";
import { toBase58Address } from "@/sandbox/tron/network";
import type { TransactionBook } from "@/sandbox/tron/transaction-book";

const Fields = z.record(z.string(), z.unknown());
const ADDRESSES = new Set(["address", "owner_address", "to_address", "contract_address", "witness_address"]);
const METHOD_PATH = /^\/wallet(solidity)?\/([a-z]+)$/;

/** Serves a chain as TRON does: /wallet/*, /walletsolidity/*, /jsonrpc; control calls at /control. */
export async function serveTron(chain: EvmChain, book: TransactionBook, nowMs: () => number): Promise<JsonServer> {
  const calls = new Map([
    ...blockMethods(chain, book),
    ...infoMethods(chain, book),
    ...transactionMethods(chain, book, nowMs),
    ...accountMethods(chain),
  ]);
  const protocol = new Map(jsonRpcMethods(chain, book));

  return serveJson(async ({ path, body }) => {
    if (path === "/jsonrpc") return { status: 200, body: await answerRpc(body, runMethod) };
    if (path === "/control") {
      return { status: 200, body: await answerRpc(body, (name, params) => runControl(chain, book, name, params)) };
    }
    const [, solidity, name] = METHOD_PATH.exec(path) ?? [];
    const call = name ? calls.get(name) : undefined;
    if (!call) return { status: 404, body: { Error: `${path} does not exist` } };
    return httpAnswer(async () => call(Fields.parse(body), solidity !== undefined), body);
  });

  function runMethod(name: string, params: readonly unknown[]) {
    const method = protocol.get(name);
    if (!method) throw new RpcProblem(-32601, `the method ${name} does not exist/is not available`);
    return method(params);
  }
}

/** Returns the HTTP response; TRON sends errors with status 200. */
async function httpAnswer(run: () => Promise<unknown>, body: unknown): Promise<JsonAnswer> {
  try {
    const answer = await run();
    const isVisible = Fields.safeParse(body).data?.["visible"];
    return { status: 200, body: String(isVisible) === "true" ? readable(answer) : answer };
  } catch (error) {
    const text =
      error instanceof z.ZodError ? z.prettifyError(error) : error instanceof Error ? error.message : "failed";
    return { status: 200, body: { Error: `class java.lang.IllegalArgumentException : ${text}` } };
  }
}

/** Converts the addresses in a response to base58check, for requests with `visible: true`. */
function readable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readable);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => {
    if (name === "visible") return [name, true];
    const isAddress = ADDRESSES.has(name) && typeof inner === "string" && /^41[0-9a-f]{40}$/.test(inner);
    return [name, isAddress ? toBase58Address(inner) : readable(inner)];
  });
  return Object.fromEntries(entries);
}
