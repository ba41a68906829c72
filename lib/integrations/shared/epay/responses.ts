import { inEnglish } from "@/lib/domain/problems/in-english";
import { problem } from "@/lib/domain/problems/problem";
import { AppError } from "@/lib/errors";
import { countFailure } from "@/lib/http/authenticate";
import type { IntegrationContext, IntegrationRequest } from "@/lib/http/integration-routes";
import { toPublicError } from "@/lib/http/public-error";
import { jsonReply, type Reply } from "@/lib/http/reply";
import { type EpayRequest, readEpayRequest } from "@/lib/integrations/shared/epay/fields";
import type { CheckoutOrder } from "@/lib/orders/create-checkout";

/** The cost of an order that a payer's browser creates, in views. */
const CREATE_COST = 10;

/** Creates the order of a request after authenticating it. */
type CreateOrder = (ctx: IntegrationContext["api"], request: EpayRequest, now: Date) => Promise<CheckoutOrder>;

/**
 * Creates an order for a payer's browser that the shop sent to this endpoint, and redirects the browser to the payment page. A refused
 * request gets a page for the payer; the reason, which only the shop can act on, is logged.
 */
export async function submitOrder(
  ctx: IntegrationContext,
  request: IntegrationRequest,
  create: CreateOrder,
): Promise<Reply> {
  const { call, requestId, path, now } = request;
  const wait = ctx.visitors.view(call, now, CREATE_COST);
  if (wait > 0) return ctx.refusalPage(call, new AppError(problem("too_many_views", { seconds: wait })), requestId);
  try {
    const order = await create(ctx.api, await readEpayRequest(call), now);
    const headers = { location: payUrl(ctx, order), "cache-control": "no-store" };
    return { status: 302, headers, body: "" };
  } catch (error) {
    const failure = await toFailure(ctx, request, error);
    const { code, message } = failure;
    ctx.api.log.warn({ requestId, path, code, reason: message }, "a payment request of a payer's browser was refused");
    return ctx.refusalPage(call, failure, requestId);
  }
}

/** Returns the URL of an order's payment page. */
export function payUrl({ api }: Pick<IntegrationContext, "api">, { id }: Pick<CheckoutOrder, "id">): string {
  return `${api.env.publicUrl}/pay/${id}`;
}

/**
 * Responds in JSON. Every response of this protocol has status 200, because clients read the code and the message only in such responses.
 * @param codeOf returns the protocol's code of an error
 */
export async function answerInJson(
  ctx: IntegrationContext,
  request: IntegrationRequest,
  work: () => Promise<object>,
  codeOf: (failure: AppError) => number = epayCode,
): Promise<Reply> {
  try {
    return jsonReply(200, await work());
  } catch (error) {
    const failure = await toFailure(ctx, request, error);
    return jsonReply(200, { code: codeOf(failure), msg: inEnglish(failure.problem) }, failure.headers);
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

/** Returns the EPay code of an error: -3 signature, -2 temporary, -4 internal, -1 all others. */
export function epayCode({ code }: AppError): number {
  if (code === 10002) return -3;
  if (code === 10005 || code === 10006) return -2;
  return code === 10099 ? -4 : -1;
}
