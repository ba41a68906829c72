import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

export interface JsonRequest {
  path: string;
  /** The parsed body, or the query's fields if there is no body. */
  body: unknown;
}

export interface JsonAnswer {
  status: number;
  body: unknown;
}

export interface JsonServer {
  url: string;
  close(): Promise<void>;
}

const MAX_BYTES = 5 * 1024 * 1024;

/** Serves JSON on a free loopback port. Errors thrown by `answer` are returned with status 500 and their message. */
export async function serveJson(answer: (request: JsonRequest) => Promise<JsonAnswer>): Promise<JsonServer> {
  const server = createServer((request, response) => {
    reply(request, answer)
      .catch((error: unknown) => ({ status: 500, body: { error: error instanceof Error ? error.message : "failed" } }))
      .then(({ status, body }) => {
        response.writeHead(status, { "content-type": "application/json" });
        response.end(JSON.stringify(body));
      });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function reply(
  request: IncomingMessage,
  answer: (request: JsonRequest) => Promise<JsonAnswer>,
): Promise<JsonAnswer> {
  const url = new URL(request.url ?? "/", "http://localhost");
  const text = await readBody(request);
  if (text === null) return { status: 413, body: { error: "The body is too large" } };
  if (text.trim() === "") return answer({ path: url.pathname, body: Object.fromEntries(url.searchParams) });
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return { status: 400, body: { jsonrpc: "2.0", error: { code: -32700, message: "Parse error" }, id: null } };
  }
  return answer({ path: url.pathname, body });
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_BYTES) return null;
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}
