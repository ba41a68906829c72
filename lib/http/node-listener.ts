import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { createRouter, Found } from "@/lib/http/router";
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
    (request, { incoming }) => {
      const match = found.get(incoming as IncomingMessage) ?? null;
      if (match && "handler" in match) return match.handler(request, match.params);
      const allowed = match?.allowed.join(", ") ?? "";
      return new Response("Method Not Allowed\n", { status: 405, headers: { Allow: allowed } });
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
