import { problem } from "@/lib/domain/problems/problem";
import { AppError } from "@/lib/errors";
import type { ApiContext } from "@/lib/http/api-route";
import type { IntegrationContext, IntegrationRequest, IntegrationRoute } from "@/lib/http/integration-routes";
import type { Reply } from "@/lib/http/reply";
import { answerEpayQuery } from "@/lib/integrations/epay/answer-query";
import { isSignedEpay } from "@/lib/integrations/epay/signature";
import { createEpayOrder } from "@/lib/integrations/shared/epay/create-order";
import { type EpayRequest, readEpayRequest, textIn } from "@/lib/integrations/shared/epay/fields";
import { answerInJson, payUrl, submitOrder } from "@/lib/integrations/shared/epay/responses";
import type { CheckoutOrder } from "@/lib/orders/create-checkout";
import { authenticatePlugin } from "@/lib/plugins/plugin-caller";

const HANDLERS: Readonly<Record<string, IntegrationRoute["answer"]>> = {
  "submit.php": (ctx, request) => submitOrder(ctx, request, createOrder),
  "mapi.php": create,
  "api.php": query,
};

const PATHS = "submit.php, mapi.php and api.php";

/** The three paths of EPay V1, with any number of slashes. */
export const epayRoutes: readonly IntegrationRoute[] = [
  { methods: ["GET", "POST", "PUT", "DELETE"], path: "{path...}", answer },
];

async function answer(ctx: IntegrationContext, request: IntegrationRequest): Promise<Reply> {
  const { path, call } = request;
  const refuse = (error: AppError) => answerInJson(ctx, request, () => Promise.reject(error));
  const handler = Object.hasOwn(HANDLERS, path) ? HANDLERS[path] : undefined;
  if (!handler) return refuse(new AppError(problem("plugin_path_unknown", { paths: PATHS })));
  if (call.method !== "GET" && call.method !== "POST")
    return refuse(new AppError(problem("path_allows_only", { allowed: "GET and POST" })));
  return handler(ctx, request);
}

/** Creates an order for a shop's server, which redirects its payer to the payment page itself. */
function create(ctx: IntegrationContext, request: IntegrationRequest): Promise<Reply> {
  return answerInJson(ctx, request, async () => {
    const order = await createOrder(ctx.api, await readEpayRequest(request.call), request.now);
    return { code: 1, trade_no: order.id, payurl: payUrl(ctx, order) };
  });
}

function query(ctx: IntegrationContext, request: IntegrationRequest): Promise<Reply> {
  return answerInJson(ctx, request, async () =>
    answerEpayQuery(ctx.api, await readEpayRequest(request.call), request.now),
  );
}

async function createOrder(api: ApiContext, request: EpayRequest, now: Date): Promise<CheckoutOrder> {
  const { fields } = request;
  const named = { integration: "epay", publicId: textIn(fields, "pid") } as const;
  const { plugin } = await authenticatePlugin(api, named, (key) => isSignedEpay(fields, key), now);
  return createEpayOrder(api, request, plugin, now);
}
