import { problem } from "@/lib/domain/problems/problem";
import { AppError } from "@/lib/errors";
import type { ApiContext } from "@/lib/http/api-route";
import type { IntegrationContext, IntegrationRequest, IntegrationRoute } from "@/lib/http/integration-routes";
import type { Reply } from "@/lib/http/reply";
import { authenticateEpayRsa, refuseCreateSignature } from "@/lib/integrations/epay-rsa/authenticate";
import { EPAY_RSA_HANDLERS, type EpayRsaHandler, type EpayRsaResult } from "@/lib/integrations/epay-rsa/handlers";
import { withEpayRsaSignature } from "@/lib/integrations/epay-rsa/signature";
import { createEpayOrder } from "@/lib/integrations/shared/epay/create-order";
import { type EpayRequest, readEpayRequest } from "@/lib/integrations/shared/epay/fields";
import { answerInJson, epayCode, payUrl, submitOrder } from "@/lib/integrations/shared/epay/responses";
import type { CheckoutOrder } from "@/lib/orders/create-checkout";

const SUBMIT_PATH = "api/pay/submit";
const CREATE_PATH = "api/pay/create";
const PATHS = [SUBMIT_PATH, CREATE_PATH, ...Object.keys(EPAY_RSA_HANDLERS)].join(", ");

/** The paths of EPay V2, with any number of slashes. */
export const epayRsaRoutes: readonly IntegrationRoute[] = [
  { methods: ["GET", "POST", "PUT", "DELETE"], path: "{path...}", answer },
];

async function answer(ctx: IntegrationContext, request: IntegrationRequest): Promise<Reply> {
  const { call, path } = request;
  if (path === SUBMIT_PATH && (call.method === "GET" || call.method === "POST"))
    return submitOrder(ctx, request, submit);
  return answerInJson(ctx, request, () => answerShop(ctx, request), epayRsaCode);
}

async function submit(api: ApiContext, request: EpayRequest, now: Date): Promise<CheckoutOrder> {
  const { plugin } = await authenticateEpayRsa(api, request, now);
  return createEpayOrder(api, request, plugin, now);
}

/** Responds to a shop's server. Successful responses are signed, errors are not. */
async function answerShop(ctx: IntegrationContext, { call, path, now }: IntegrationRequest): Promise<object> {
  const handler = path === CREATE_PATH ? create(ctx) : findHandler(path);
  if (!handler) throw new AppError(problem("plugin_path_unknown", { paths: PATHS }));
  if (call.method !== "POST") throw new AppError(problem("path_allows_only", { allowed: "POST" }));
  const request = await readEpayRequest(call);
  const { plugin, platformPrivateKey } = await authenticateEpayRsa(ctx.api, request, now);
  if (path !== CREATE_PATH) refuseCreateSignature(request);
  return withSignature(await handler(ctx.api, request, plugin, now), platformPrivateKey, now);
}

function findHandler(path: string): EpayRsaHandler | undefined {
  return Object.hasOwn(EPAY_RSA_HANDLERS, path) ? EPAY_RSA_HANDLERS[path] : undefined;
}

/**
 * Returns the handler that creates an order for a shop's server, which redirects its payer to the payment page itself. Every `method` gets
 * the page, because an address alone would not show the exact amount.
 */
function create(ctx: IntegrationContext): EpayRsaHandler {
  return async (api, request, plugin, now) => {
    const order = await createEpayOrder(api, request, plugin, now);
    return { code: 0, trade_no: order.id, pay_type: "jump", pay_info: payUrl(ctx, order) };
  };
}

function withSignature(result: EpayRsaResult, platformPrivateKey: string, now: Date): object {
  const signed = Object.entries(result).flatMap(([name, value]): [string, string][] =>
    typeof value === "object" ? [] : [[name, String(value)]],
  );
  const { timestamp, sign, sign_type } = withEpayRsaSignature(Object.fromEntries(signed), platformPrivateKey, now);
  return { ...result, timestamp, sign_type, sign };
}

/** Returns the code of an error in EPay V2: -4 no pid, -5 unknown path, otherwise as in V1. */
function epayRsaCode(failure: AppError): number {
  if (failure.problem.code === "pid_missing") return -4;
  return failure.problem.code === "plugin_path_unknown" ? -5 : epayCode(failure);
}
