import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { type HeadSocket, openHeadSocket } from "@/lib/chains/endpoints/head-socket";
import { FAMILIES } from "@/lib/chains/families";
import { getNetwork } from "@/lib/domain/networks";
import { startSolanaNode } from "@/sandbox/nodes/solana-node";
import { startTestChain } from "@/testing/chains/evm";

const PATIENCE = { timeout: 20_000, interval: 20 };
const KEY = "a-key-that-stays-secret";

let stops: (() => unknown)[] = [];

afterEach(async () => {
  for (const stop of stops) await stop();
  stops = [];
});

/** Subscribes to the heads of a family, and collects what happens. */
function subscribe(family: "evm" | "solana", url: string, silentMs?: number) {
  const { heads } = FAMILIES[family].protocol;
  if (!heads) throw new Error("the family announces no blocks");
  const seen: { heights: (number | null)[]; events: string[]; details: string[] } = {
    heights: [],
    events: [],
    details: [],
  };
  const socket: HeadSocket = openHeadSocket({
    url,
    headers: { "x-api-key": KEY },
    heads,
    onHead: (height) => seen.heights.push(height),
    onEvent: (event, detail) => {
      seen.events.push(event);
      seen.details.push(detail);
    },
    ...(silentMs !== undefined && { silentMs }),
  });
  stops.unshift(() => socket.close());
  return { socket, seen };
}

/** Serves WebSockets that treat each new connection as given. */
async function serve(treat: (socket: WebSocket, headers: Record<string, unknown>) => void): Promise<string> {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  server.on("connection", (socket, request) => treat(socket, request.headers));
  await once(server, "listening");
  stops.push(() => {
    for (const client of server.clients) client.terminate();
    server.close();
  });
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/${KEY}`;
}

const accepted = JSON.stringify({ jsonrpc: "2.0", id: 1, result: "0x1" });
const head = (height: number) =>
  JSON.stringify({ method: "eth_subscription", params: { result: { number: `0x${height.toString(16)}` } } });

describe("a real node announces", () => {
  test("each new block of an EVM chain", async () => {
    const chain = await startTestChain(getNetwork("ethereum"));
    stops.push(() => chain.stop());
    const { socket, seen } = subscribe("evm", chain.node.url.replace("http", "ws"));
    await vi.waitUntil(() => socket.isSubscribed(), PATIENCE);
    await chain.mine();
    const height = await chain.height();
    await vi.waitUntil(() => seen.heights.includes(height), PATIENCE);
    expect(seen.events).toEqual(["subscribed"]);
  });

  test("new slots of a Solana chain, one port above its calls", async () => {
    const node = await startSolanaNode({ slotMs: null });
    stops.push(() => node.stop());
    const url = new URL(node.url.replace("http", "ws"));
    url.port = String(Number(url.port) + 1);
    const { socket, seen } = subscribe("solana", url.href);
    await vi.waitUntil(() => socket.isSubscribed(), PATIENCE);
    await node.call("solana_advance", [3]);
    await vi.waitUntil(() => seen.heights.length > 0, PATIENCE);
    expect(seen.heights[0]).toBe(await node.call("getSlot", [{ commitment: "processed" }]));
  });
});

test("the headers of the endpoint are sent, and neither they nor the path are in a message", async () => {
  const keys: unknown[] = [];
  const url = await serve((socket, headers) => {
    keys.push(headers["x-api-key"]);
    socket.on("message", () =>
      socket.send(JSON.stringify({ id: 1, error: { code: -32601, message: `not for ${KEY}` } })),
    );
  });
  const { socket, seen } = subscribe("evm", url);
  await vi.waitUntil(() => seen.events.length > 0, PATIENCE);
  expect([keys, seen.events, socket.isSubscribed()]).toEqual([[KEY], ["refused"], false]);
  expect(seen.details.join()).not.toContain(KEY);
});

test("a connection that ends is renewed", async () => {
  let connections = 0;
  const url = await serve((socket) => {
    connections += 1;
    const isFirst = connections === 1;
    socket.on("message", () => {
      socket.send(accepted);
      if (isFirst) socket.close();
      else socket.send(head(7));
    });
  });
  const { seen } = subscribe("evm", url);
  await vi.waitUntil(() => seen.heights.length > 0, PATIENCE);
  expect(seen.events).toEqual(["subscribed", "lost", "subscribed"]);
  expect(seen.heights).toEqual([7]);
});

/** Sends a message in parts of a hundred bytes, without its end. */
function sendInParts(socket: WebSocket, count: number): void {
  for (let part = 0; part < count; part++) socket.send("0".repeat(100), { fin: false });
}

test.each<[string, (socket: WebSocket) => void]>([
  ["many messages", (socket) => Array.from({ length: 500 }, (_, height) => socket.send(head(height)))],
  ["many pings", (socket) => Array.from({ length: 500 }, () => socket.ping("0".repeat(125)))],
  ["one very large message", (socket) => socket.send("0".repeat(1_000_000))],
  ["a very large message in parts", (socket) => sendInParts(socket, 1_000)],
])("a node that floods with %s is left for minutes, and few of them are passed on", async (_what, flood) => {
  let connections = 0;
  const url = await serve((socket) => {
    connections += 1;
    socket.on("message", () => {
      socket.send(accepted);
      flood(socket);
    });
  });
  const { socket, seen } = subscribe("evm", url);
  await vi.waitUntil(() => seen.events.includes("flooded"), PATIENCE);
  expect(seen.heights.length).toBeLessThan(101);
  expect([connections, socket.isSubscribed()]).toEqual([1, false]);
});

test("a URL that cannot be used ends no process: it counts as a lost connection", async () => {
  const { socket, seen } = subscribe("evm", `ws://user:%zz${KEY}@127.0.0.1:1/${KEY}`);
  await vi.waitUntil(() => seen.events.length > 1, PATIENCE);
  expect([...new Set(seen.events), socket.isSubscribed()]).toEqual(["lost", false]);
  expect(seen.details.join()).not.toContain(KEY);
});

test("a socket that was closed passes nothing on, and does not connect again", async () => {
  let connections = 0;
  const url = await serve((client) => {
    connections += 1;
    client.on("message", () => {
      client.send(accepted);
      for (let height = 1; height < 40; height++) client.send(head(height));
    });
  });
  const { heads } = FAMILIES.evm.protocol;
  if (!heads) throw new Error("the family announces no blocks");
  const heights: (number | null)[] = [];
  const events: string[] = [];
  const onHead = (height: number | null) => {
    heights.push(height);
    socket.close();
  };
  const socket = openHeadSocket({ url, headers: {}, heads, onHead, onEvent: (event) => events.push(event) });
  await vi.waitUntil(() => heights.length > 0, PATIENCE);
  // The first wait before a new connection is at most 1.25 s, and that of this socket is not shorter.
  const other = subscribe("evm", await serve((client) => client.close()));
  await vi.waitUntil(() => other.seen.events.length > 2, PATIENCE);
  expect([connections, heights, events]).toEqual([1, [1], ["subscribed"]]);
});

test("a node that falls silent is left", async () => {
  const url = await serve((socket) => socket.on("message", () => socket.send(accepted)));
  const { seen } = subscribe("evm", url, 50);
  await vi.waitUntil(() => seen.events.length > 1, PATIENCE);
  expect(seen.events.slice(0, 2)).toEqual(["subscribed", "silent"]);
});

test("notifications before the subscription, and malformed messages, are ignored", async () => {
  const url = await serve((socket) => {
    socket.send(head(1));
    socket.send("{");
    socket.send("null");
    socket.on("message", () => {
      socket.send(accepted);
      socket.send(JSON.stringify({ method: "eth_subscription", params: null }));
      socket.send(head(2));
    });
  });
  const { seen } = subscribe("evm", url);
  await vi.waitUntil(() => seen.heights.length > 1, PATIENCE);
  expect(seen.heights).toEqual([null, 2]);
});
