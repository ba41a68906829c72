import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { postJson } from "@/sandbox/nodes/json-rpc";

/** A JSON-RPC call. For other HTTP calls, the method is the path and the body is the only parameter. */
export interface RpcRequest {
  method: string;
  params: unknown[];
}

/** A node that requests can be forwarded to. */
export interface Backend {
  /** The node's URL. Only its origin is used; the path of a request is unchanged. */
  url: string;
  rewrite: Rewrite;
}

/** A request on its way through the proxy. */
export interface Exchange {
  call: RpcRequest;
  response: ServerResponse;
  /**
   * Forwards the call and resolves to the `result` of a node: the endpoint's own node, unless a different one is specified. A node's error
   * is returned to the caller unchanged, and resolves to null.
   */
  pass(call?: RpcRequest, backend?: Backend): Promise<{ result: unknown } | null>;
  answer(result: unknown): void;
  /** Responds with a JSON-RPC error. */
  refuse(code: number, message: string): void;
}

/** A fault of an endpoint: it ends the response of an exchange, or leaves it open. */
export type Fault = (exchange: Exchange) => Promise<void>;
export type Rewrite = (call: RpcRequest) => RpcRequest;

export interface FaultProxy {
  url: string;
  /** The current fault; undefined if the endpoint is healthy. */
  fault: Fault | undefined;
  /** The numbers of requests so far, and of requests that were passed to a fault. */
  counts: { requests: number; faulted: number };
  stop(): Promise<void>;
}

/** Starts an endpoint between a worker and a node, with a fault that can be set. */
export async function startFaultProxy(target: string, rewrite: Rewrite = (call) => call): Promise<FaultProxy> {
  const proxy: FaultProxy = { url: "", fault: undefined, counts: { requests: 0, faulted: 0 }, stop: async () => {} };
  const server = createServer((request, response) => {
    serve(proxy, { url: target, rewrite }, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { pathname } = new URL(target);
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname === "/" ? "" : pathname}`;
  proxy.stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return proxy;
}

async function serve(
  proxy: FaultProxy,
  own: Backend,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const sent = JSON.parse(Buffer.concat(chunks).toString() || "{}") as Partial<RpcRequest>;
  const path = request.url ?? "/";
  const isRpc = typeof sent.method === "string";
  const call = isRpc ? (sent as RpcRequest) : { method: path, params: [sent] };
  const exchange: Exchange = {
    call,
    response,
    answer: (result) => (isRpc ? reply(response, { result }) : replyPlainly(response, result)),
    refuse: (code, message) => reply(response, { error: { code, message } }),
    async pass(other = call, { url, rewrite } = own) {
      const body = isRpc ? { jsonrpc: "2.0", id: 1, ...rewrite(other) } : other.params[0];
      const target = new URL(isRpc ? new URL(own.url).pathname : other.method, url).href;
      const answer = (await postJson(target, body)) as Record<string, unknown>;
      if (!isRpc || !("error" in answer)) return { result: isRpc ? answer["result"] : answer };
      reply(response, { error: answer["error"] });
      return null;
    },
  };
  proxy.counts.requests += 1;
  if (!proxy.fault) return passOn(exchange);
  proxy.counts.faulted += 1;
  await proxy.fault(exchange);
}

/** Responds as the node does. */
export async function passOn(exchange: Exchange): Promise<void> {
  const passed = await exchange.pass();
  if (passed) exchange.answer(passed.result);
}

function replyPlainly(response: ServerResponse, body: unknown): void {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(body));
}

function reply(response: ServerResponse, body: Record<string, unknown>): void {
  if (response.writableEnded) return;
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, ...body }));
}
