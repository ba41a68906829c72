import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { encodeFunctionData } from "viem";
import * as z from "zod";
import type { Network } from "@/lib/domain/networks";
import { type EvmNode, startEvmNode } from "@/sandbox/nodes/evm-node";
import { postJson } from "@/sandbox/nodes/json-rpc";
import { TEST_TOKEN_ABI } from "@/sandbox/token/install";

export interface TestChain {
  node: EvmNode;
  /** Mines blocks; transactions sent before are included in the first one. */
  mine(blocks?: number): Promise<void>;
  /** Mints tokens to an address in the next block, with a regular Transfer event. */
  pay(contract: string, to: string, baseUnits: bigint): Promise<string>;
  /** Pays several addresses in one transaction. */
  payAll(contract: string, payments: readonly (readonly [to: string, baseUnits: bigint])[]): Promise<string>;
  send(transaction: Record<string, unknown>): Promise<string>;
  height(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts a real local chain that mines only on request, with the network's tokens at their mainnet addresses. */
export async function startTestChain(network: Network): Promise<TestChain> {
  const node = await startEvmNode(network, { blockMs: null });
  const [from] = z.array(z.string()).parse(await node.call("eth_accounts"));
  const send = async (transaction: Record<string, unknown>) =>
    z.string().parse(await node.call("eth_sendTransaction", [{ from, gas: "0x7a120", ...transaction }]));
  const mint = (contract: string, to: string, baseUnits: bigint) =>
    send({ to: contract, data: encode("mint", [to as `0x${string}`, baseUnits]) });
  return {
    node,
    send,
    pay: mint,
    async payAll(contract, payments) {
      const total = payments.reduce((sum, [, units]) => sum + units, 0n);
      await mint(contract, from ?? "", total);
      const to = payments.map(([address]) => address as `0x${string}`);
      const units = payments.map(([, value]) => value);
      return send({ to: contract, data: encode("batch", [to, units]) });
    },
    async mine(blocks = 1) {
      await node.call("anvil_mine", [`0x${blocks.toString(16)}`]);
    },
    height: async () => Number(await node.call("eth_blockNumber")),
    stop: () => node.stop(),
  };
}

function encode(functionName: "mint" | "batch", args: readonly unknown[]): string {
  return encodeFunctionData({ abi: TEST_TOKEN_ABI, functionName, args } as Parameters<typeof encodeFunctionData>[0]);
}

export interface RpcCallSeen {
  method: string;
  params: unknown[];
}

/** A fault of one call: it sends its own response, or forwards the call and may change the response. */
export type Fault = (call: RpcCallSeen, response: ServerResponse, pass: () => Promise<unknown>) => Promise<unknown>;

export interface RpcProxy {
  url: string;
  /** The calls by method since the last `reset`. */
  calls: Map<string, number>;
  /** The current fault; undefined for a healthy node. */
  fault: Fault | undefined;
  stop(): Promise<void>;
}

export const HANDLED = Symbol("the fault answered by itself");

/** Starts a proxy in front of a node. The proxy counts calls and applies a fault. A fault resolves to the `result`, or to HANDLED. */
export async function startRpcProxy(target: string, fault?: Fault): Promise<RpcProxy> {
  const calls = new Map<string, number>();
  const proxy: RpcProxy = { url: "", calls, fault, stop: async () => {} };
  const server = createServer((request, response) => {
    answer(proxy, target, request, response).catch((error: unknown) => {
      if (!response.headersSent) reply(response, { error: { code: -32000, message: String(error) } });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  proxy.stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return proxy;
}

async function answer(proxy: RpcProxy, target: string, request: IncomingMessage, response: ServerResponse) {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const call = JSON.parse(Buffer.concat(chunks).toString()) as RpcCallSeen;
  proxy.calls.set(call.method, (proxy.calls.get(call.method) ?? 0) + 1);
  const pass = async (): Promise<unknown> => {
    const real = (await postJson(target, call)) as Record<string, unknown>;
    if (!("error" in real)) return real["result"];
    reply(response, { error: real["error"] });
    return HANDLED;
  };
  const result = proxy.fault ? await proxy.fault(call, response, pass) : await pass();
  if (result !== HANDLED) reply(response, { result });
}

function reply(response: ServerResponse, body: Record<string, unknown>): void {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, ...body }));
}
