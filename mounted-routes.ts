import * as depositEvents from "@/app/api/deposit/[depositId]/events/route";
import * as depositStatus from "@/app/api/deposit/[depositId]/status/route";
import * as live from "@/app/api/health/live/route";
import * as ready from "@/app/api/health/ready/route";
import * as health from "@/app/api/health/route";
import * as metrics from "@/app/api/metrics/route";
import * as openApi from "@/app/api/openapi.json/route";
import * as checkoutEvents from "@/app/api/pay/[tradeId]/events/route";
import * as checkoutStatus from "@/app/api/pay/[tradeId]/status/route";
import * as checkoutWallet from "@/app/api/pay/[tradeId]/wallet/route";
import * as refundEvents from "@/app/api/refund/[refundId]/events/route";
import * as refundStatus from "@/app/api/refund/[refundId]/status/route";
import * as webhookJwks from "@/app/api/v1/pay/public/webhook-jwks/route";
import * as depositList from "@/app/api/v1/pay/sdk/deposit/list/route";
import * as depositAddress from "@/app/api/v1/pay/sdk/deposit-address/route";
import * as eventList from "@/app/api/v1/pay/sdk/event/list/route";
import * as linkAdd from "@/app/api/v1/pay/sdk/link/add/route";
import * as linkClose from "@/app/api/v1/pay/sdk/link/close/route";
import * as linkDetail from "@/app/api/v1/pay/sdk/link/detail/route";
import * as linkList from "@/app/api/v1/pay/sdk/link/list/route";
import * as merchantDetail from "@/app/api/v1/pay/sdk/merchant/detail/route";
import * as orderAdd from "@/app/api/v1/pay/sdk/order/add/route";
import * as orderCancel from "@/app/api/v1/pay/sdk/order/cancel/route";
import * as orderCheckout from "@/app/api/v1/pay/sdk/order/checkout/route";
import * as orderDetail from "@/app/api/v1/pay/sdk/order/detail/route";
import * as orderList from "@/app/api/v1/pay/sdk/order/list/route";
import * as paymentMethods from "@/app/api/v1/pay/sdk/payment-methods/route";
import * as pluginActivate from "@/app/api/v1/pay/sdk/plugin/activate/route";
import * as refundAdd from "@/app/api/v1/pay/sdk/refund/add/route";
import * as refundCancel from "@/app/api/v1/pay/sdk/refund/cancel/route";
import * as refundDetail from "@/app/api/v1/pay/sdk/refund/detail/route";
import * as refundList from "@/app/api/v1/pay/sdk/refund/list/route";
import * as reportDetail from "@/app/api/v1/pay/sdk/report/detail/route";
import * as transferUnmatched from "@/app/api/v1/pay/sdk/transfer/unmatched/route";
import { getContext } from "@/app/context";
import * as depositPage from "@/app/deposit/[depositId]/route";
import * as docsPage from "@/app/docs/[page]/route";
import * as docs from "@/app/docs/route";
import * as embed from "@/app/embed.js/route";
import { integrationContext } from "@/app/integration-context";
import * as linkPage from "@/app/link/[linkId]/route";
import * as mcp from "@/app/mcp/route";
import * as checkoutReturn from "@/app/pay/[tradeId]/return/route";
import * as checkout from "@/app/pay/[tradeId]/route";
import * as payAssets from "@/app/pay/assets/[file]/route";
import * as refundPage from "@/app/refund/[refundId]/route";
import { unknownApiPath } from "@/app/unknown-api-path";
import { refuseMethod } from "@/lib/http/api-route";
import { integrationRoutes, type RoutedIntegrations } from "@/lib/http/integration-routes";
import type { Alias, Handler, Route } from "@/lib/http/listener";

/** A handler in the form that Next calls; handlers of the merchants' API need no Request. */
interface NextHandler<Params> {
  (request: Request, context: { params: Promise<Params> }): Response | Promise<Response>;
  answer?: Handler["answer"];
}

/** The current form of the hosted service's API paths; the one with `/sdk` is the older form. */
export const API_ALIAS: Alias = { prefix: "/api/v1/pay/", canonical: "/api/v1/pay/sdk/" };

/**
 * The routes of the API and the payment page that `server.ts` serves without Next, with the same handlers that Next would call. All paths
 * under /api/ are included except the sign-in routes, which are left to Next.
 */
const CORE_ROUTES: readonly Route[] = [
  ...mount("/api/v1/pay/sdk/order/add", orderAdd),
  ...mount("/api/v1/pay/sdk/order/checkout", orderCheckout),
  ...mount("/api/v1/pay/sdk/order/detail", orderDetail),
  ...mount("/api/v1/pay/sdk/order/cancel", orderCancel),
  // An older path of the hosted service for the same request.
  ...mount("/api/v1/pay/sdk/order/cancel-by-trade-id", orderCancel),
  ...mount("/api/v1/pay/sdk/order/list", orderList),
  ...mount("/api/v1/pay/sdk/deposit-address", depositAddress),
  ...mount("/api/v1/pay/sdk/deposit/list", depositList),
  ...mount("/api/v1/pay/sdk/link/add", linkAdd),
  ...mount("/api/v1/pay/sdk/link/detail", linkDetail),
  ...mount("/api/v1/pay/sdk/link/list", linkList),
  ...mount("/api/v1/pay/sdk/link/close", linkClose),
  ...mount("/api/v1/pay/sdk/refund/add", refundAdd),
  ...mount("/api/v1/pay/sdk/refund/detail", refundDetail),
  ...mount("/api/v1/pay/sdk/refund/list", refundList),
  ...mount("/api/v1/pay/sdk/refund/cancel", refundCancel),
  ...mount("/api/v1/pay/sdk/transfer/unmatched", transferUnmatched),
  ...mount("/api/v1/pay/sdk/report/detail", reportDetail),
  ...mount("/api/v1/pay/sdk/event/list", eventList),
  ...mount("/api/v1/pay/sdk/merchant/detail", merchantDetail),
  ...mount("/api/v1/pay/sdk/payment-methods", paymentMethods),
  ...mount("/api/v1/pay/sdk/plugin/activate", pluginActivate),
  ...mount("/api/v1/pay/public/webhook-jwks", webhookJwks),
  ...mount("/api/health", health),
  ...mount("/api/health/live", live),
  ...mount("/api/health/ready", ready),
  ...mount("/api/metrics", metrics),
  ...mount("/api/openapi.json", openApi),
  ...mount("/mcp", mcp),
  refuseOthers("/mcp", ["POST"]),
  ...mount("/docs", docs),
  ...mount<{ page: string }>("/docs/{page}", docsPage),
  ...mount("/embed.js", embed),
  ...mount<{ tradeId: string }>("/api/pay/{tradeId}/status", checkoutStatus),
  ...mount<{ tradeId: string }>("/api/pay/{tradeId}/events", checkoutEvents),
  ...mount<{ tradeId: string }>("/api/pay/{tradeId}/wallet", checkoutWallet),
  ...mount<{ file: string }>("/pay/assets/{file}", payAssets),
  ...mount<{ tradeId: string }>("/pay/{tradeId}/return", checkoutReturn),
  ...mount<{ tradeId: string }>("/pay/{tradeId}", checkout),
  ...mount<{ depositId: string }>("/api/deposit/{depositId}/status", depositStatus),
  ...mount<{ depositId: string }>("/api/deposit/{depositId}/events", depositEvents),
  ...mount<{ depositId: string }>("/deposit/{depositId}", depositPage),
  ...mount<{ refundId: string }>("/api/refund/{refundId}/status", refundStatus),
  ...mount<{ refundId: string }>("/api/refund/{refundId}/events", refundEvents),
  ...mount<{ refundId: string }>("/refund/{refundId}", refundPage),
  ...mount<{ linkId: string }>("/link/{linkId}", linkPage),
  ...["/api/auth/{action}", "/api/auth/{action}/{provider}"].flatMap((pattern): Route[] => [
    ["GET", pattern, null],
    ["POST", pattern, null],
    refuseOthers(pattern, ["GET", "POST"]),
  ]),
  ["*", "/api/{path...}", unknownApiPath],
];

/** Returns all routes that `server.ts` serves without Next, including those of the integrations. */
export function mountedRoutes(integrations: RoutedIntegrations): Route[] {
  return [...CORE_ROUTES, ...integrationRoutes(integrations, () => integrationContext(getContext()))];
}

function mount<Params>(pattern: string, module: object): Route[] {
  const methods = Object.entries(module).filter(
    ([name, value]) => /^[A-Z]+$/.test(name) && typeof value === "function",
  );
  const routes = methods.map(
    ([method, handler]: [string, NextHandler<Params>]): Route => [
      method,
      pattern,
      Object.assign(
        (request: Request, params: object) => handler(request, { params: Promise.resolve(params as Params) }),
        handler.answer && { answer: handler.answer },
      ),
    ],
  );
  if (!pattern.startsWith("/api/")) return routes;
  return [
    ...routes,
    refuseOthers(
      pattern,
      routes.map(([method]) => method),
    ),
  ];
}

/** Returns a route that rejects all other methods of a path under /api/ in the API's envelope. */
function refuseOthers(pattern: string, methods: readonly string[]): Route {
  const allowed = methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  return ["*", pattern, refuseMethod(() => getContext().api, allowed.join(", "))];
}
