import { inEnglish } from "@/lib/domain/problems/in-english";
import { problem } from "@/lib/domain/problems/problem";
import { AppError } from "@/lib/errors";
import { countFailure } from "@/lib/http/authenticate";
import type { IntegrationContext, IntegrationRequest, IntegrationRoute } from "@/lib/http/integration-routes";
import { toPublicError } from "@/lib/http/public-error";
import { jsonReply, type Reply } from "@/lib/http/reply";
import { answerEpayQuery } from "@/lib/integrations/epay/answer-query";
import { createEpayOrder, epayCode } from "@/lib/integrations/epay/create-epay-order";
import { readEpayRequest } from "@/lib/integrations/epay/fields";

/** The cost of an order that a payer's browser creates, in views. */
const CREATE_COST = 10;
const HANDLERS: Readonly<Record<string, IntegrationRoute["answer"]>> = {
  "submit.php": submit,
  "mapi.php": create,
  "api.php": query,
};

const PATHS = "submit.php, mapi.php and api.php";

/** The three paths of EPay V1, with any number of slashes. */
export const epayRoutes: readonly IntegrationRoute[] = [{ methods: ["GET", "POST"], path: "{path...}", answer }];

async function answer(ctx: IntegrationContext, request: IntegrationRequest): Promise<Reply> {
  const handler = Object.hasOwn(HANDLERS, request.path) ? HANDLERS[request.path] : undefined;
  if (handler) return handler(ctx, request);
  return jsonReply(404, { code: -1, msg: inEnglish(problem("plugin_path_unknown", { paths: PATHS })) });
}

/** Creates an order for a payer's browser that the shop sent to this endpoint, and redirects the browser to the payment page. */
async function submit(ctx: IntegrationContext, request: IntegrationRequest): Promise<Reply> {
  const { call, requestId, path, now } = request;
  const wait = ctx.visitors.view(call, now, CREATE_COST);
  if (wait > 0) return ctx.refusalPage(call, new AppError(problem("too_many_views", { seconds: wait })), requestId);
  try {
    const order = await createOrder(ctx, request);
    const headers = { location: `${ctx.api.env.publicUrl}/pay/${order.id}`, "cache-control": "no-store" };
    return { status: 302, headers, body: "" };
  } catch (error) {
    const failure = await toFailure(ctx, request, error);
    const { code, message } = failure;
    ctx.api.log.warn({ requestId, path, code, reason: message }, "a payment request of a payer's browser was refused");
    return ctx.refusalPage(call, failure, requestId);
  }
}

/** Creates an order for a shop's server, which redirects its payer to the payment page itself. */
function create(ctx: IntegrationContext, request: IntegrationRequest): Promise<Reply> {
  return inJson(ctx, request, async () => {
    const order = await createOrder(ctx, request);
    return { code: 1, trade_no: order.id, payurl: `${ctx.api.env.publicUrl}/pay/${order.id}` };
  });
}

function query(ctx: IntegrationContext, request: IntegrationRequest): Promise<Reply> {
  return inJson(ctx, request, async () => answerEpayQuery(ctx.api, await readEpayRequest(request.call), request.now));
}

async function createOrder({ api }: IntegrationContext, { call, now }: IntegrationRequest) {
  return createEpayOrder(api, await readEpayRequest(call), now);
}

/** Responds in JSON. Errors of this protocol have status 200, because clients read the message only in such responses. */
async function inJson(
  ctx: IntegrationContext,
  request: IntegrationRequest,
  work: () => Promise<object>,
): Promise<Reply> {
  try {
    return jsonReply(200, await work());
  } catch (error) {
    const failure = await toFailure(ctx, request, error);
    return jsonReply(200, { code: epayCode(failure), msg: failure.message });
  }
}

async function toFailure(
  { api }: IntegrationContext,
  { call, requestId, now }: IntegrationRequest,
  error: unknown,
): Promise<AppError> {
  const failure = toPublicError(api, { requestId }, error);
  return failure.code === 10002 ? countFailure(api, call, failure, now) : failure;
}
