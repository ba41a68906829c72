import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { encodeFunctionData } from "viem";
import * as z from "zod";
import { canonicalAddress } from "@/lib/domain/addresses/address";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { jsonRpc, postJson } from "@/sandbox/nodes/json-rpc";
import { startTronNode, type TronNode } from "@/sandbox/nodes/tron-node";
import { TEST_TOKEN_ABI } from "@/sandbox/token/install";

export interface TronChain {
  node: TronNode;
  mine(blocks?: number): Promise<void>;
  /**
   * Mints tokens to an address in canonical form, in the next block.
   * @returns the id of the transaction: 0x and 64 digits
   */
  pay(to: string, baseUnits: bigint, contract?: string): Promise<string>;
  /** Sends several transfers through a contract, in one transaction. */
  payAll(payments: readonly (readonly [to: string, baseUnits: bigint])[]): Promise<string>;
  /** Sends a transfer that exceeds the payer's balance. */
  fail(to: string): Promise<string>;
  /** Replaces the newest blocks with different ones. If `reinclude` is true, their transactions are included in the next block. */
  reorg(depth: number, reinclude: boolean): Promise<void>;
  stop(): Promise<void>;
}

const tron = getNetwork("tron");
/** The canonical form of USDT's contract. */
export const TRON_USDT = canonicalAddress(tron.family, getToken(tron, "USDT").contract);

/** Starts a local TRON chain that mines only on request. */
export async function startTronChain(solid = 5): Promise<TronChain> {
  const node = await startTronNode({ blockMs: null, lag: { solid, receipts: 1 } });
  const evm = (method: string, params: readonly unknown[] = []) => jsonRpc(node.controlUrl, method, params);
  const [from = ""] = z.array(z.string()).parse(await evm("eth_accounts"));
  const send = async (functionName: "mint" | "batch" | "transfer", args: readonly unknown[], contract = TRON_USDT) => {
    const abi = TEST_TOKEN_ABI;
    const data = encodeFunctionData({ abi, functionName, args } as Parameters<typeof encodeFunctionData>[0]);
    return z.string().parse(await evm("eth_sendTransaction", [{ from, to: contract, data, gas: "0x7a120" }]));
  };
  return {
    node,
    pay: (to, baseUnits, contract) => send("mint", [to, baseUnits], contract),
    async payAll(payments) {
      await send("mint", [from, payments.reduce((sum, [, units]) => sum + units, 0n)]);
      return send("batch", [payments.map(([to]) => to), payments.map(([, units]) => units)]);
    },
    fail: (to) => send("transfer", [to, 2n ** 256n - 1n]),
    async mine(blocks = 1) {
      await node.call("tron_mine", [blocks]);
    },
    async reorg(depth, reinclude) {
      await node.call("tron_reorg", [depth, { reinclude }]);
    },
    stop: () => node.stop(),
  };
}

/** A call of either kind: the method of a JSON-RPC call or the last segment of an HTTP path, with its parameters. */
export interface TronCallSeen {
  name: string;
  given: unknown;
  headers: IncomingMessage["headers"];
}

/** A fault of one call: returns its own response (JSON-RPC: the `result`), a changed real one, or UNTOUCHED. */
export type TronFault = (call: TronCallSeen, pass: () => Promise<unknown>, response: ServerResponse) => unknown;

export const ANSWERED = Symbol("the fault answered by itself");

export interface TronProxy {
  /** The URL of the HTTP API. `jsonRpcUrl` is a path below it. */
  url: string;
  jsonRpcUrl: string;
  /** The calls by name. */
  calls: Map<string, number>;
  fault: TronFault | undefined;
  stop(): Promise<void>;
}

/** Starts a proxy in front of a TRON node, or in place of one. The proxy counts calls and applies a fault. */
export async function startTronProxy(target: string | null, fault?: TronFault): Promise<TronProxy> {
  const proxy: TronProxy = { url: "", jsonRpcUrl: "", calls: new Map(), fault, stop: async () => {} };
  const server = createServer((request, response) => {
    serve(proxy, target, request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500).end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  proxy.jsonRpcUrl = `${proxy.url}/jsonrpc`;
  proxy.stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return proxy;
}

async function serve(proxy: TronProxy, target: string | null, request: IncomingMessage, response: ServerResponse) {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const isRpc = request.url === "/jsonrpc";
  const fields = JSON.parse(Buffer.concat(chunks).toString()) as { method: string; params: unknown[] };
  const path = request.url ?? "";
  const call = {
    name: isRpc ? fields.method : path.replace(/^\/wallet\//, "").replace(/^\//, ""),
    given: isRpc ? fields.params : fields,
    headers: request.headers,
  };
  proxy.calls.set(call.name, (proxy.calls.get(call.name) ?? 0) + 1);
  let problem: unknown;
  const pass = async (): Promise<unknown> => {
    if (target === null) throw new Error(`not recorded: ${call.name}`);
    const real = (await postJson(`${target}${path}`, fields)) as Record<string, unknown>;
    problem = isRpc ? real["error"] : undefined;
    return isRpc ? real["result"] : real;
  };
  const result = await (proxy.fault ? proxy.fault(call, pass, response) : pass());
  if (result === ANSWERED) return;
  response.setHeader("content-type", "application/json");
  const answer = problem === undefined ? { result } : { error: problem };
  response.end(JSON.stringify(isRpc ? { jsonrpc: "2.0", id: 1, ...answer } : result));
}
