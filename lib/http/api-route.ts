import { AppError } from "@/lib/errors";
import { answerRequest } from "@/lib/http/api-answer";
import type { ApiContext } from "@/lib/http/api-context";
import { authenticate } from "@/lib/http/authenticate";
import { checkSignature } from "@/lib/http/check-signature";
import type { Success } from "@/lib/http/envelope";
import { type JsonObject, parseJsonObject } from "@/lib/http/json-body";
import { countRequest, type Work } from "@/lib/http/limits";
import { readBody } from "@/lib/http/read-body";
import type { Caller } from "@/lib/orders/order-terms";

/** What a handler of the merchants' API gets: who asks, what for, and when. */
export interface ApiRequest<Body> {
  context: ApiContext;
  caller: Caller;
  body: Body;
  now: Date;
}

interface RouteSpec<Body> {
  /** Which limit it counts for. */
  work: Work;
  /** Reads the body. @throws AppError 10001 */
  read(body: JsonObject, context: ApiContext): Body;
}

export type RouteHandler = (request: Request) => Promise<Response>;

/** A route of the merchants' API: key, limit, size, signature, JSON and fields are judged in this order, then `handle` runs. */
export function apiRoute<Body>(
  getContext: () => ApiContext,
  { work, read }: RouteSpec<Body>,
  handle: (request: ApiRequest<Body>) => Promise<Success>,
): RouteHandler {
  return (request) => {
    const context = getContext();
    return answerRequest(context, request, async (trace) => {
      const { now } = trace;
      const key = await authenticate(context, request, now);
      const caller = { merchantId: key.merchantId, apiKeyId: key.id };
      trace.caller = caller;
      trace.headers = await countRequest(context, work, key.id, now);
      const rawBody = await readBody(request);
      await checkSignature(context, key, request, rawBody, now);
      const body = read(parseJsonObject(rawBody), context);
      return handle({ context, caller, body, now });
    });
  };
}

/** Answers 405 for every method that a route does not have. @param allowed "POST" */
export function refuseMethod(getContext: () => ApiContext, allowed: string): RouteHandler {
  return (request) =>
    answerRequest(getContext(), request, async () => {
      const message = `${request.method} is not allowed here; use ${allowed}`;
      throw new AppError(10001, message, { httpStatus: 405, headers: { Allow: allowed } });
    });
}

/** Answers 404 for paths that the API does not have. @param paths those that it has */
export function refusePath(getContext: () => ApiContext, paths: readonly string[]): RouteHandler {
  return (request) =>
    answerRequest(getContext(), request, async () => {
      const { pathname } = new URL(request.url);
      const message = `There is nothing at ${pathname.slice(0, 100)}; the API has ${paths.join(" and ")}`;
      throw new AppError(10001, message, { httpStatus: 404 });
    });
}
