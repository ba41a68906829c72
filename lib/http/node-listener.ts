import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { readIncoming } from "@/lib/http/read-body";
import type { createRouter, Found } from "@/lib/http/router";
import { offerBody, offeredReply } from "@/lib/http/shortcut";
import type { Log } from "@/lib/log";

interface ListenerOptions {
  router: ReturnType<typeof createRouter>;
  /** Answers what no route answers. */
  fallback: (incoming: IncomingMessage, outgoing: ServerResponse) => void;
  trustedProxies: number;
  log: Log;
}

/** Puts route handlers, which speak Request and Response, straight onto node:http. */
export function createListener({ router, fallback, trustedProxies, log }: ListenerOptions): RequestListener {
  const found = new WeakMap<IncomingMessage, Found>();
  const run = getRequestListener(
    async (request, env) => {
      const [incoming, outgoing] = [env.incoming as IncomingMessage, env.outgoing as ServerResponse];
      const response = await answer(found.get(incoming) ?? null, request, incoming);
      return sendShortcut(response, outgoing) ? RESPONSE_ALREADY_SENT : response;
    },
    {
      overrideGlobalObjects: false,
      hostname: "localhost",
      errorHandler(error) {
        log.error({ err: error }, "a handler failed");
        return new Response("Internal Server Error\n", { status: 500 });
      },
    },
  );
  return (incoming, outgoing) => {
    stampPeer(incoming, trustedProxies);
    const path = incoming.url?.split("?", 1)[0] ?? "/";
    const match = router.find(incoming.method ?? "GET", path);
    if (!match) return fallback(incoming, outgoing);
    found.set(incoming, match);
    void run(incoming, outgoing);
  };
}

async function answer(found: Found, request: Request, incoming: IncomingMessage): Promise<Response> {
  if (found && "handler" in found) {
    offerBody(request, () => readIncoming(incoming));
    return found.handler(request, found.params);
  }
  return new Response("Method Not Allowed\n", { status: 405, headers: { Allow: found?.allowed.join(", ") ?? "" } });
}

/** Head and body leave in one write. */
function sendShortcut(response: Response, outgoing: ServerResponse): boolean {
  const reply = offeredReply(response);
  if (!reply) return false;
  outgoing.writeHead(reply.status, { ...reply.headers, "Content-Length": Buffer.byteLength(reply.body) });
  outgoing.end(reply.body);
  return true;
}

/** Lets X-Forwarded-For speak for the client only behind a trusted proxy; else it is the socket's peer, whatever was sent. */
function stampPeer(incoming: IncomingMessage, trustedProxies: number): void {
  const isSent = incoming.headers["x-forwarded-for"] !== undefined;
  if (isSent && trustedProxies > 0) return;
  const peer = incoming.socket.remoteAddress ?? "unknown";
  const isForwardedFor = (name: string | undefined) => name?.toLowerCase() === "x-forwarded-for";
  if (isSent) {
    incoming.rawHeaders = incoming.rawHeaders.filter((_text, index, all) => !isForwardedFor(all[index - (index % 2)]));
  }
  // Both forms of the headers are read: Next reads the object, Request the list.
  incoming.rawHeaders.push("X-Forwarded-For", peer);
  incoming.headers["x-forwarded-for"] = peer;
}
