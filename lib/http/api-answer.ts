import { isDatabaseBusy } from "@/db/failure";
import { isDatabaseAway } from "@/db/unavailable";
import { newId } from "@/lib/domain/id";
import { AppError } from "@/lib/errors";
import type { ApiContext } from "@/lib/http/api-context";
import { countFailure } from "@/lib/http/authenticate";
import { errorReply, type Success, successReply, toResponse } from "@/lib/http/envelope";
import type { Reply } from "@/lib/http/shortcut";
import type { Caller } from "@/lib/orders/order-terms";

/** What is known of a request so far, for its answer and for the log. */
export interface Trace {
  requestId: string;
  now: Date;
  caller: Caller | null;
  /** Headers of every answer from here on. */
  headers: Record<string, string>;
}

const DEADLINE_MS = 15_000;
const OWN_REQUEST_ID = /^[\w.:-]{1,128}$/;

/** Runs the work of one API request and answers in the envelope, whatever happens, within 15 s. */
export async function answerRequest(
  context: ApiContext,
  request: Request,
  work: (trace: Trace) => Promise<Success>,
): Promise<Response> {
  const startedAt = performance.now();
  const now = context.now();
  const given = request.headers.get("x-request-id") ?? "";
  const trace: Trace = { requestId: OWN_REQUEST_ID.test(given) ? given : newId(now), now, caller: null, headers: {} };
  const reply = await replyTo(context, request, trace, work);
  const ms = Math.round(performance.now() - startedAt);
  context.log.info(
    {
      requestId: trace.requestId,
      ...trace.caller,
      method: request.method,
      path: pathOf(request.url),
      status: reply.status,
      ms,
    },
    "request",
  );
  return toResponse(reply);
}

async function replyTo(
  context: ApiContext,
  request: Request,
  trace: Trace,
  work: (trace: Trace) => Promise<Success>,
): Promise<Reply> {
  try {
    const done = await withDeadline(work(trace));
    return withHeaders(successReply(done, trace.requestId), trace);
  } catch (error) {
    const failure = await toAppError(context, request, trace, error);
    return withHeaders(errorReply(failure, trace.requestId), trace);
  }
}

async function toAppError(context: ApiContext, request: Request, trace: Trace, error: unknown): Promise<AppError> {
  try {
    if (error instanceof AppError) {
      return error.code === 10002 ? await countFailure(context, request, error, trace.now) : error;
    }
    throw error;
  } catch (unexpected) {
    const { requestId, caller } = trace;
    if (isDatabaseAway(unexpected)) {
      context.log.error({ err: unexpected, requestId, ...caller }, "the database is away");
      return new AppError(10006, "The database cannot be reached at the moment; please try again in a few seconds");
    }
    if (isDatabaseBusy(unexpected)) {
      context.log.error({ err: unexpected, requestId, ...caller }, "the database is too busy");
      const message = "The database is too busy at the moment; repeat the request with the same values, that is safe";
      return new AppError(10006, message, { headers: { "Retry-After": "2" } });
    }
    context.log.error({ err: unexpected, requestId, ...caller }, "request failed");
    return new AppError(
      10099,
      `Something went wrong on our side; please tell the operator the request_id ${requestId}`,
    );
  }
}

function withHeaders(reply: Reply, trace: Trace): Reply {
  return { ...reply, headers: { ...trace.headers, ...reply.headers } };
}

/** A query may carry what somebody put there by mistake: a key, an address. */
function pathOf(url: string): string {
  const path = url.indexOf("/", url.indexOf("//") + 2);
  return url.slice(path).split("?", 1)[0] ?? "";
}

/** An order that is made after the deadline is found by the same request later: repeats are safe. */
async function withDeadline<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new AppError(10006, "This took too long; repeat the request with the same values, that is safe"));
    }, DEADLINE_MS);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
