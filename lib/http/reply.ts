import { type ApiCall, callOfRequest } from "@/lib/http/api-call";

/** A response, independent of the server that sends it. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer>;
}

/** The destination of a streamed response. */
export interface Outlet {
  /**
   * Writes a part of the response.
   * @returns false if the client has too much unread data for the response to continue
   */
  write(text: string): boolean;
  /** Ends the response; a client with unread data is disconnected. */
  end(): void;
}

/** A response that is written in parts. Either `begin` or `stop` is called; `stop` is called if the client has disconnected. */
export interface Streamed {
  status: number;
  headers: Record<string, string>;
  begin(outlet: Outlet): void;
  stop(): void;
}

/** The number of unread bytes of a stream at which the client is disconnected. The client then reconnects. */
export const MAX_UNREAD_BYTES = 1_024;

/**
 * A route that Next.js calls with a Request. The listener calls `answer` instead, without a Request and a Response, which are the most
 * expensive part of a small response.
 */
export interface ReplyRoute<Params> {
  (request: Request, context: { params: Promise<Params> }): Promise<Response>;
  answer(call: ApiCall, params: Params): Promise<Reply | Streamed>;
}

/** Creates both forms of a route from one function. */
export function replyRoute<Params>(answer: ReplyRoute<Params>["answer"]): ReplyRoute<Params> {
  const handler = async (request: Request, { params }: { params: Promise<Params> }) =>
    responseOf(await answer(callOfRequest(request), await params));
  return Object.assign(handler, { answer });
}

/** Converts a reply to a Response. */
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

/** Returns a text response. */
export function textReply(status: number, text: string, headers: Record<string, string> = {}): Reply {
  return { status, headers: { "Content-Type": "text/plain; charset=utf-8", ...headers }, body: text };
}

/**
 * Returns true if the If-None-Match header of a request names this version, so that the response is 304 (RFC 9110, section 13.1.2).
 * @param tag without quotes
 */
export function isKnown(call: Pick<ApiCall, "header">, tag: string): boolean {
  const known = call.header("if-none-match") ?? "";
  return known.split(",").some((item) => item.trim().replace(/^W\//, "") === `"${tag}"`);
}

/**
 * Returns a public script that pages of any origin load. It is cached for an hour, so that shops receive a new version soon.
 * @param tag the name of this version of the script
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
