import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A JSON-RPC call; for TRON's HTTP API, the path is the method, and the body is the only parameter. */
export interface Call {
  method: string;
  params: readonly unknown[];
}

/** The response of a node to a call: the `result`, or a JSON-RPC error. */
export type ScriptedResponse = { result: unknown } | { error: { code: number; message: string } };

/** Changes the response of the damaged endpoint; returns it unchanged if there is nothing to change. */
export type Damage = (call: Call, answered: ScriptedResponse) => ScriptedResponse;

/** A server that replays two endpoints of a chain from memory: an intact one, and one whose responses can be damaged. */
export interface ScriptedNodes {
  bad: string;
  good: string;
  /** Undefined if both endpoints are good. */
  damage: Damage | undefined;
  /** The calls of both endpoints since this list was last cleared. */
  calls: Call[];
  /** Stops recording: from now on, only recorded responses are replayed. */
  play(): void;
  stop(): Promise<void>;
}

interface Script {
  /** The URL of the node whose responses are recorded. */
  target: string;
  /** Returns the response of a node for data that it does not have. */
  unknown: (call: Call) => ScriptedResponse;
  /** Returns the response of both endpoints to queries about themselves; undefined if the target's response is used. */
  respond?: (call: Call) => ScriptedResponse | undefined;
}

/** Starts in recording mode: calls go to the target, and its responses are stored. */
export async function startScriptedNodes({ target, unknown, respond }: Script): Promise<ScriptedNodes> {
  const recorded = new Map<string, ScriptedResponse>();
  let isRecording = true;
  const nodes: ScriptedNodes = {
    bad: "",
    good: "",
    damage: undefined,
    calls: [],
    play: () => {
      isRecording = false;
    },
    stop: async () => {},
  };

  async function forwardTo(call: Call, url: string, body: unknown): Promise<ScriptedResponse> {
    const key = JSON.stringify([call.method, call.params]);
    const own = respond?.(call);
    if (own) return own;
    if (isRecording) recorded.set(key, await ask(url, body));
    return structuredClone(recorded.get(key) ?? unknown(call));
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, name = "", ...rest] = (request.url ?? "/").split("/");
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Partial<Call>;
    const path = rest.length > 0 ? `/${rest.join("/")}` : "";
    const call: Call =
      body.method === undefined ? { method: path, params: [body] } : { method: body.method, params: body.params ?? [] };
    nodes.calls.push(call);
    const answered = await forwardTo(call, `${target}${path}`, body);
    const reported = name === "bad" && nodes.damage ? nodes.damage(call, answered) : answered;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(body.method === undefined ? plain(reported) : { jsonrpc: "2.0", id: 1, ...reported }));
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  nodes.bad = `${origin}/bad`;
  nodes.good = `${origin}/good`;
  nodes.stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return nodes;
}

/** Converts a response to the format of the HTTP API, which has no envelope. An omitted result is an empty response. */
function plain(answered: ScriptedResponse): unknown {
  return "result" in answered ? (answered.result ?? null) : { Error: answered.error.message };
}

async function ask(url: string, body: unknown): Promise<ScriptedResponse> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  const answer = (await response.json()) as Record<string, unknown>;
  if (!("jsonrpc" in answer)) return { result: answer };
  return "error" in answer
    ? { error: answer["error"] as { code: number; message: string } }
    : { result: answer["result"] };
}
