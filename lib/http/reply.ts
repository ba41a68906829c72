import { type ApiCall, callOfRequest } from "@/lib/http/api-call";

/** A response, independent of its server. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer>;
}

/** The destination of a response without an end. */
export interface Outlet {
  /** @returns false where the client left so much unread that it is not worth waiting for */
  write(text: string): boolean;
  /** Ends the answer; a client that left anything unread is cut off. */
  end(): void;
}

/** An answer that is written bit by bit. Either `begin` or `stop` is called, and `stop` when the client is gone. */
export interface Streamed {
  status: number;
  headers: Record<string, string>;
  begin(outlet: Outlet): void;
  stop(): void;
}

/** The unread bytes of a stream at which a client is disconnected; it reconnects. */
export const MAX_UNREAD_BYTES = 1_024;

/** A route as Next calls it, and as the listener does, which makes no Request and no Response: the dearest part of a small answer. */
export interface ReplyRoute<Params> {
  (request: Request, context: { params: Promise<Params> }): Promise<Response>;
  answer(call: ApiCall, params: Params): Promise<Reply | Streamed>;
}

/** Makes both forms of a route from one function. */
export function replyRoute<Params>(answer: ReplyRoute<Params>["answer"]): ReplyRoute<Params> {
  const handler = async (request: Request, { params }: { params: Promise<Params> }) =>
    responseOf(await answer(callOfRequest(request), await params));
  return Object.assign(handler, { answer });
}

/** The same answer as a Response. */
export function responseOf(reply: Reply | Streamed): Response {
  const { status, headers } = reply;
  if ("begin" in reply) return new Response(streamOf(reply), { status, headers });
  return new Response(reply.body.length === 0 ? null : reply.body, { status, headers });
}

function streamOf({ begin, stop }: Streamed): ReadableStream {
  const encoder = new TextEncoder();
  let isOpen = true;
  return new ReadableStream(
    {
      start: (controller) =>
        begin({
          write(text) {
            controller.enqueue(encoder.encode(text));
            return (controller.desiredSize ?? 0) >= 0;
          },
          end() {
            if (isOpen) controller.close();
            isOpen = false;
          },
        }),
      cancel() {
        isOpen = false;
        stop();
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: MAX_UNREAD_BYTES }),
  );
}

/** Returns a JSON response that must not be cached. */
export function jsonReply(status: number, value: object, headers: Record<string, string> = {}): Reply {
  const all = { "content-type": "application/json", "cache-control": "no-store", ...headers };
  return { status, headers: all, body: JSON.stringify(value) };
}

/** An answer in text. */
export function textReply(status: number, text: string, headers: Record<string, string> = {}): Reply {
  return { status, headers: { "Content-Type": "text/plain; charset=utf-8", ...headers }, body: text };
}

/** Returns true if a request names this version, so that 304 is the response (RFC 9110, section 13.1.2). @param tag without quotes */
export function isKnown(call: Pick<ApiCall, "header">, tag: string): boolean {
  const known = call.header("if-none-match") ?? "";
  return known.split(",").some((item) => item.trim().replace(/^W\//, "") === `"${tag}"`);
}

/**
 * Returns a public script that pages of any origin load: cached for an hour, so that every shop soon has a new version.
 * @param tag names this version of it
 */
export function sharedScript(call: Pick<ApiCall, "header">, { script, tag }: { script: string; tag: string }): Reply {
  const headers = {
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": "public, max-age=3600",
    "access-control-allow-origin": "*",
    "cross-origin-resource-policy": "cross-origin",
    "x-content-type-options": "nosniff",
    etag: `"${tag}"`,
  };
  return isKnown(call, tag) ? { status: 304, headers, body: "" } : { status: 200, headers, body: script };
}

/** Returns the header with the server's clock, for a page that is the same for all viewers. */
export function timeHeader(now: Date): Record<string, string> {
  return { "server-timing": `now;dur=${now.getTime()}` };
}
