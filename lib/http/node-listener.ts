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
  const { rawHeaders } = incoming;
  const isForwardedFor = (index: number) => rawHeaders[index - (index % 2)]?.toLowerCase() === "x-forwarded-for";
  const isSent = rawHeaders.some((_text, index) => index % 2 === 0 && isForwardedFor(index));
  if (isSent && trustedProxies > 0) return;
  if (isSent) incoming.rawHeaders = rawHeaders.filter((_text, index) => !isForwardedFor(index));
  incoming.rawHeaders.push("X-Forwarded-For", incoming.socket.remoteAddress ?? "unknown");
}
