import { writeJson } from "@/lib/domain/orders/order-wire";
import { problem } from "@/lib/domain/problems/problem";
import { AppError } from "@/lib/errors";
import type { ApiContext } from "@/lib/http/api-route";
import { countFailure } from "@/lib/http/authenticate";
import type { IntegrationContext, IntegrationRequest, IntegrationRoute } from "@/lib/http/integration-routes";
import { API_STATUS, httpStatusOf } from "@/lib/http/problem-status";
import { toPublicError } from "@/lib/http/public-error";
import { jsonReply, type Reply } from "@/lib/http/reply";
import { authenticateGreenfield } from "@/lib/integrations/greenfield/authenticate";
import { answerBrowser } from "@/lib/integrations/greenfield/browser-requests";
import { answerConnectionPage } from "@/lib/integrations/greenfield/connection-route";
import { greenfieldFailure } from "@/lib/integrations/greenfield/failure";
import { paymentMethodId } from "@/lib/integrations/greenfield/invoice-status";
import { storePermissions } from "@/lib/integrations/greenfield/permissions";
import { answerClaim } from "@/lib/integrations/greenfield/refund-routes";
import { toStore } from "@/lib/integrations/greenfield/store";
import type { StoreCall } from "@/lib/integrations/greenfield/store-route";
import { answerStore, requirePermission } from "@/lib/integrations/greenfield/store-routes";
import { listEnabledMethods } from "@/lib/merchants/payment-methods";
import { findPluginShop } from "@/lib/plugins/find-shop";

/** The version that clients compare with the version that they require. */
const SERVER_VERSION = "2.0.0";

/** The seconds after which a client may repeat a request during an outage whose duration is unknown. */
const RETRY_SECONDS = 5;

/** The paths of BTCPay's Greenfield API, with any number of slashes. */
export const greenfieldRoutes: readonly IntegrationRoute[] = [
  { methods: ["POST"], path: "hand-over", answer: answerConnectionPage },
  // Clients check the health before they have a token. Networks that are not read are left out of the store's payment methods.
  { methods: ["GET"], path: "api/v1/health", answer: async () => jsonReply(200, { synchronized: true }) },
  {
    methods: ["DELETE", "GET", "POST", "PUT"],
    path: "{path...}",
    answer: async (ctx, request) => answerBrowser(request.call) ?? answer(ctx, request),
  },
];

async function answer({ api }: IntegrationContext, { call, path, requestId, now }: IntegrationRequest): Promise<Reply> {
  try {
    const claim = await answerClaim(api, call, path, now);
    const body = writeJson(claim ?? (await resultOf(api, await authenticate(api, call, now), path)));
    return { ...jsonReply(200, {}), body };
  } catch (error) {
    const failure = toPublicError(api, { requestId }, error);
    const counted = failure.code === 10002 ? await countFailure(api, call, failure, now) : failure;
    const { status, body } = greenfieldFailure(counted, httpStatusOf(counted));
    const seconds = counted.retryAfterSeconds ?? (status === API_STATUS[10006] ? RETRY_SECONDS : null);
    const wait = seconds === null ? {} : { "retry-after": String(seconds) };
    return jsonReply(status, body, { ...counted.headers, ...wait });
  }
}

async function authenticate(api: ApiContext, call: StoreCall["call"], now: Date): Promise<StoreCall> {
  return { call, plugin: await authenticateGreenfield(api, call, now), now };
}

const STORE_PATH = /^api\/v1\/stores\/([^/]+)(?:\/(.*))?$/;

/**
 * Returns the result of an authenticated request.
 * @throws AppError 10003 for another shop's store, with the same message as for one that does not exist
 */
async function resultOf(api: ApiContext, request: StoreCall, path: string): Promise<object> {
  const { call, plugin } = request;
  const [, storeId, rest = ""] = STORE_PATH.exec(path) ?? [];
  if (storeId === plugin.publicId) return answerStore(api, request, rest);
  if (storeId !== undefined) throw new AppError(problem("store_not_found"), { data: NO_STORE });
  const handler = Object.hasOwn(HANDLERS, path) ? HANDLERS[path] : undefined;
  if (!handler) throw new AppError(problem("nothing_at_path"));
  if (call.method !== "GET")
    throw new AppError(problem("path_allows_only", { allowed: "GET" }), { headers: { allow: "GET" } });
  return handler(api, plugin);
}

const NO_STORE = { name: "store-not-found" };

const HANDLERS: Readonly<Record<string, (api: ApiContext, plugin: StoreCall["plugin"]) => object | Promise<object>>> = {
  "api/v1/server/info": ({ env }) => ({
    version: SERVER_VERSION,
    onion: "",
    supportedPaymentMethods: listEnabledMethods(env).map(paymentMethodId),
    fullySynched: true,
    syncStatus: [],
  }),
  "api/v1/api-keys/current": (_api, { token, label, publicId, permissions }) => ({
    apiKey: token,
    label,
    permissions: storePermissions(publicId, permissions),
  }),
  "api/v1/stores": async ({ pool }, plugin) => {
    requirePermission(plugin, "btcpay.store.canviewstoresettings");
    return [toStore(plugin, await findPluginShop(pool.db, plugin))];
  },
};
