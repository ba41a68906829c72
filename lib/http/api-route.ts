import type { DbPool } from "@/db/client";
import type { OpenKey } from "@/lib/callbacks/plugin-key-opener";
import type { Env } from "@/lib/config/env";
import type { JsonObject } from "@/lib/domain/fields/json-value";
import { newId } from "@/lib/domain/id";
import type { Integrations } from "@/lib/domain/integrations/integration";
import { type Showing, writeJson } from "@/lib/domain/orders/order-wire";
import { inEnglish } from "@/lib/domain/problems/in-english";
import { problem } from "@/lib/domain/problems/problem";
import { AppError } from "@/lib/errors";
import { type ApiCall, callOfRequest, parseJsonObject } from "@/lib/http/api-call";
import { type AuthContext, authenticate, checkSignature, countFailure, type Needed } from "@/lib/http/authenticate";
import { API_STATUS, httpStatusOf } from "@/lib/http/problem-status";
import { toPublicError } from "@/lib/http/public-error";
import { countRequest, type Work } from "@/lib/http/rate-limit";
import { type Reply, responseOf } from "@/lib/http/reply";
import type { Log } from "@/lib/log";
import type { Caller, CreateContext } from "@/lib/orders/create-order";
import type { FindOrder } from "@/lib/orders/query-order";

/** The dependencies of the handlers of the merchants' API. */
export interface ApiContext extends AuthContext {
  env: Env;
  pool: DbPool;
  log: Log;
  /** The log that receives one line for each request. */
  requestLog: Log;
  orders: CreateContext & Pick<Showing, "publicUrl">;
  findOrder: FindOrder;
  openPluginKey: OpenKey;
  /** The integrations of this process. */
  integrations: Integrations;
  /** Called with the order that a request named or is about. */
  onOrder?: (tradeId: string) => void;
  /** Returns the time of the database. */
  now(): Date;
}

/** The input of a handler of the merchants' API: key, body and time. */
export interface ApiRequest<Body> {
  context: ApiContext;
  caller: Caller;
  body: Body;
  now: Date;
}

/** The result of a handler that succeeded. */
export interface Success {
  data: object;
  headers: Record<string, string>;
}

/**
 * A handler that Next.js calls with a Request. The listener calls `answer` instead, without a Request and a Response, which are the most
 * expensive part of a small request.
 */
export interface RouteHandler {
  (request: Request): Promise<Response>;
  answer(call: ApiCall): Promise<Reply>;
  logsItself: true;
}

/** A function that returns the context of the process, which exists once the process has started. */
type GetContext = () => ApiContext;

interface RouteSpec<Body> {
  /** The scope that the request's key must have. */
  scope: Needed;
  /** The limit that the request counts against. */
  work: Work;
  /** Reads the body. @throws AppError 10001 */
  read(body: JsonObject, context: ApiContext): Body;
}

/** The facts of a request for its response and for the log. */
interface Trace {
  requestId: string;
  now: Date;
  caller: Caller | null;
  /** The id of the order that the request named or is about. */
  tradeId: string | null;
  /** The headers of every response from this point on. */
  headers: Record<string, string> | null;
}

const DEADLINE_MS = 15_000;
const RETRY_SECONDS = 5;
const ID = /^[0-9a-z]{28}$/;
const COMMON_HEADERS = {
  "Content-Type": "application/json; charset=utf-8",
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
};

/** Returns a route of the merchants' API. It checks key, limit, size, signature, JSON and fields in this order, and then calls `handle`. */
export function apiRoute<Body>(
  getContext: GetContext,
  { scope, work, read }: RouteSpec<Body>,
  handle: (request: ApiRequest<Body>) => Promise<Success>,
): RouteHandler {
  return routeHandler(getContext, async (context, call, trace) => {
    const { now } = trace;
    const key = await authenticate(context, call, scope, now);
    const caller = { merchantId: key.merchantId, apiKeyId: key.id };
    trace.caller = caller;
    trace.headers = await countRequest(context, work, key.id, now);
    const rawBody = await call.readBody();
    await checkSignature(context, key, call, rawBody, now);
    const fields = parseJsonObject(rawBody);
    const body = read(fields, context);
    noteOrder(trace, fields);
    const answer = await handle({ context, caller, body, now });
    noteOrder(trace, answer.data);
    return answer;
  });
}

/** Records the order only if the text has the form of an id, which a secret that was sent by mistake does not have. */
function noteOrder(trace: Trace, named: object): void {
  const id = "trade_id" in named ? named.trade_id : null;
  if (typeof id === "string" && ID.test(id)) trace.tradeId = id;
}

/** Returns a success: code 0 with `data`. */
export function success(data: object, headers: Record<string, string> = {}): Success {
  return { data, headers };
}

/**
 * Returns a handler that responds with 405 to every method that a route does not have.
 * @param allowed the allowed methods, such as "GET, HEAD"
 */
export function refuseMethod(getContext: GetContext, allowed: string): RouteHandler {
  return routeHandler(getContext, async (_context, { method }) => {
    throw new AppError(problem("method_not_allowed", { method, allowed }), { headers: { Allow: allowed } });
  });
}

/** Returns a handler that responds with 404 to paths that do not exist. */
export function refusePath(getContext: GetContext): RouteHandler {
  return routeHandler(getContext, async ({ env }, { target }) => {
    const path = pathOf(target).slice(0, 100);
    throw new AppError(problem("path_not_found", { path, docs: `${env.publicUrl}/docs` }));
  });
}

type ApiWork = (context: ApiContext, call: ApiCall, trace: Trace) => Promise<Success>;

function routeHandler(getContext: GetContext, work: ApiWork): RouteHandler {
  const answer = async (call: ApiCall) => answerCall(getContext(), call, work);
  const handler = async (request: Request) => responseOf(await answer(callOfRequest(request)));
  return Object.assign(handler, { answer, logsItself: true } as const);
}

/** Runs the work of one API request and returns its result or error in the envelope within 15 s. */
async function answerCall(context: ApiContext, call: ApiCall, work: ApiWork): Promise<Reply> {
  const startedAt = performance.now();
  const now = context.now();
  const requestId = call.header("x-request-id") ?? newId(now);
  const trace: Trace = { requestId, now, caller: null, tradeId: null, headers: null };
  const reply = await replyTo(context, call, trace, work);
  const ms = Math.round(performance.now() - startedAt);
  const { method, target } = call;
  if (trace.tradeId) context.onOrder?.(trace.tradeId);
  const about = { requestId, ...trace.caller, ...(trace.tradeId && { tradeId: trace.tradeId }) };
  context.requestLog.info({ ...about, method, path: pathOf(target), status: reply.status, ms }, "request");
  return reply;
}

async function replyTo(context: ApiContext, call: ApiCall, trace: Trace, work: ApiWork): Promise<Reply> {
  try {
    const { data, headers } = await withDeadline(work(context, call, trace));
    return reply(200, trace, headers, { code: 0, message: "success", data, request_id: trace.requestId });
  } catch (error) {
    const failure = await toAppError(context, call, trace, error);
    const { code, message, data } = failure;
    const status = httpStatusOf(failure);
    const errors = failure.errors?.map((one) => ({ field: one.field, message: inEnglish(one) }));
    const isAway = status === API_STATUS[10006];
    const retrySeconds = failure.retryAfterSeconds ?? (isAway ? RETRY_SECONDS : null);
    const headers =
      retrySeconds === null ? failure.headers : { "Retry-After": String(retrySeconds), ...failure.headers };
    return reply(status, trace, headers, { code, message, data, errors, request_id: trace.requestId });
  }
}

/** Returns a reply in the envelope of specification §1. */
function reply(status: number, trace: Trace, headers: Record<string, string>, envelope: object): Reply {
  const all = { ...COMMON_HEADERS, "X-Request-Id": trace.requestId, ...trace.headers, ...headers };
  return { status, headers: all, body: writeJson(envelope) };
}

async function toAppError(context: ApiContext, call: ApiCall, trace: Trace, error: unknown): Promise<AppError> {
  try {
    if (error instanceof AppError) {
      return error.code === 10002 ? await countFailure(context, call, error, trace.now) : error;
    }
    throw error;
  } catch (unexpected) {
    const { requestId, caller, tradeId } = trace;
    return toPublicError(context, { requestId, ...caller, ...(tradeId && { tradeId }) }, unexpected);
  }
}

/** Returns the path of a target without its query, which may contain a key or an address by mistake. */
function pathOf(target: string): string {
  const query = target.indexOf("?");
  return query < 0 ? target : target.slice(0, query);
}

/** Rejects work that exceeds the deadline. Retries are safe: the same request later finds an order that was created after the deadline. */
async function withDeadline<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new AppError(problem("deadline_exceeded")));
    }, DEADLINE_MS);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
