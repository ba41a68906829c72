import { problem } from "@/lib/domain/problems/problem";
import { AppError } from "@/lib/errors";
import type { IntegrationContext, IntegrationRequest } from "@/lib/http/integration-routes";
import { toPublicError } from "@/lib/http/public-error";
import { jsonReply, type Reply } from "@/lib/http/reply";
import { countingFailures } from "@/lib/integrations/epusdt/failures";
import { readEpusdtQueryAndForm } from "@/lib/integrations/epusdt/fields";
import { createEpayOrder } from "@/lib/integrations/epusdt/orders";
import { epusdtEnvelope } from "@/lib/integrations/epusdt/result";

/** The cost of an order that a payer's browser creates, in views. */
const CREATE_COST = 10;

/**
 * Creates an order from a request of EPay V1 that a payer's browser or a shop's server sends, and redirects to the payment page. A refused
 * request gets a page if it is from a browser, and otherwise the JSON of GMPay.
 */
export async function submitEpay(ctx: IntegrationContext, request: IntegrationRequest): Promise<Reply> {
  const { call, requestId, path, now } = request;
  const isBrowser = (call.header("accept") ?? "").includes("text/html");
  const wait = isBrowser ? ctx.visitors.view(call, now, CREATE_COST) : 0;
  try {
    if (wait > 0) throw new AppError(problem("too_many_views", { seconds: wait }));
    const fields = await readEpusdtQueryAndForm(call);
    const id = await countingFailures(ctx.api, call, now, () => createEpayOrder(ctx.api, fields, now));
    const headers = { location: `${ctx.api.env.publicUrl}/pay/${id}`, "cache-control": "no-store" };
    return { status: 302, headers, body: "" };
  } catch (error) {
    const failure = toPublicError(ctx.api, { requestId }, error);
    if (isBrowser) {
      const { code, message } = failure;
      ctx.api.log.warn(
        { requestId, path, code, reason: message },
        "a payment request of a payer's browser was refused",
      );
      return asOk(await ctx.refusalPage(call, failure, requestId));
    }
    return jsonReply(200, epusdtEnvelope(failure, requestId, "gmpay"), failure.headers);
  }
}

/** Returns a page with status 200, which every response of this protocol has. */
function asOk({ headers, body }: Reply): Reply {
  return { status: 200, headers, body };
}
