import { type ApiCall, callOfRequest } from "@/lib/http/api-call";

/** An answer, whoever sends it. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer>;
}

/** A route as Next calls it, and as the listener does, which makes no Request and no Response: the dearest part of a small answer. */
export interface ReplyRoute<Params> {
  (request: Request, context: { params: Promise<Params> }): Promise<Response>;
  answer(call: ApiCall, params: Params): Promise<Reply>;
}

/** Makes both forms of a route from one function. */
export function replyRoute<Params>(answer: ReplyRoute<Params>["answer"]): ReplyRoute<Params> {
  const handler = async (request: Request, { params }: { params: Promise<Params> }) =>
    responseOf(await answer(callOfRequest(request), await params));
  return Object.assign(handler, { answer });
}

/** The same answer as a Response. */
export function responseOf({ status, headers, body }: Reply): Response {
  return new Response(body.length === 0 ? null : body, { status, headers });
}

/** An answer in JSON that nobody keeps. */
export function jsonReply(status: number, value: object, headers: Record<string, string> = {}): Reply {
  const all = { "content-type": "application/json", "cache-control": "no-store", ...headers };
  return { status, headers: all, body: JSON.stringify(value) };
}

/** Whether a request names this version of what it asks for, so that 304 is the answer (RFC 9110, section 13.1.2). @param tag without quotes */
export function isKnown(call: Pick<ApiCall, "header">, tag: string): boolean {
  const known = call.header("if-none-match") ?? "";
  return known.split(",").some((item) => item.trim().replace(/^W\//, "") === `"${tag}"`);
}

/** The server's clock for a page that is the same for everybody. */
export function timeHeader(now: Date): Record<string, string> {
  return { "server-timing": `now;dur=${now.getTime()}` };
}
