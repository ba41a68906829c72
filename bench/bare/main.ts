import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { usageOf } from "@/bench/bare/usage";

/** Deliveries that consist only of POST requests. */
export interface BareDeliveries {
  origins: readonly string[];
  body: string;
  count: number;
  concurrency: number;
}

/** The content served at /kept, as it was uploaded. */
let kept: { type: string; body: Buffer } = { type: "text/plain", body: Buffer.from("") };

/**
 * Runs a bare Node process, as the limit for other measurements. It echoes request bodies, serves one file from memory, keeps idle event
 * streams open, and posts a body repeatedly. It ends with its parent.
 */
async function run(): Promise<void> {
  process.once("disconnect", () => process.exit(1));
  process.once("SIGTERM", () => process.exit(0));
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  process.on("message", (asked: string | BareDeliveries) => {
    if (typeof asked === "string") process.send?.(usageOf(asked));
    else void deliver(asked).then((perSecond) => process.send?.(perSecond));
  });
  process.send?.((server.address() as AddressInfo).port);
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.url?.endsWith("/events")) {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    response.write(": open\n\n");
    return;
  }
  if (request.method === "GET") {
    response.writeHead(200, { "content-type": kept.type, "content-length": kept.body.length });
    response.end(kept.body);
    return;
  }
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  const body = Buffer.concat(parts);
  if (request.method === "PUT") kept = { type: request.headers["content-type"] ?? kept.type, body };
  // Parsing and serializing is the minimum work of any service that responds to a call.
  const text = request.method === "PUT" ? "" : JSON.stringify(JSON.parse(body.toString("utf8")));
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
  response.end(text);
}

/**
 * Posts a body to the origins in turn.
 * @returns deliveries per second
 */
async function deliver({ origins, body, count, concurrency }: BareDeliveries): Promise<number> {
  let sent = 0;
  const headers = { "content-type": "application/json", "webhook-id": "evt_bare" };
  const loop = async () => {
    while (sent < count) {
      const origin = origins[sent++ % origins.length];
      const response = await fetch(`${origin}/paid`, { method: "POST", headers, body });
      await response.arrayBuffer();
    }
  };
  const beganAt = performance.now();
  await Promise.all(Array.from({ length: concurrency }, loop));
  return (count / (performance.now() - beganAt)) * 1_000;
}

run().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
