import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Receiver {
  /** "http://127.0.0.1:<port>" */
  origin: string;
  /** The received requests, in order. */
  received: Received[];
  /** The highest number of concurrent requests. */
  readonly peak: number;
  close(): Promise<void>;
}

/** Starts a merchant's real HTTP server on loopback; `answer` ends the response, or leaves it open. */
export async function startReceiver(
  answer: (response: ServerResponse, request: Received, count: number) => void | Promise<void>,
  host = "127.0.0.1",
): Promise<Receiver> {
  const received: Received[] = [];
  let open = 0;
  let peak = 0;
  const server = createServer(async (request, response) => {
    open += 1;
    peak = Math.max(peak, open);
    response.once("close", () => {
      open -= 1;
    });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = "", url: path = "", headers } = request;
    const one = { method, path, headers, body: Buffer.concat(chunks).toString() };
    received.push(one);
    await answer(response, one, received.length);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://${host}:${port}`,
    received,
    get peak() {
      return peak;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Returns a handler that responds to every request with a status. */
export const answerWith =
  (status: number, headers: Record<string, string> = {}, body = "") =>
  (response: ServerResponse): void => {
    response.writeHead(status, headers).end(body);
  };
