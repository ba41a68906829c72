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
import * as webhookJwks from "@/app/api/v1/pay/public/webhook-jwks/route";
import * as anyPath from "@/app/api/v1/pay/sdk/[[...path]]/route";
import * as depositList from "@/app/api/v1/pay/sdk/deposit/list/route";
import * as depositAddress from "@/app/api/v1/pay/sdk/deposit-address/route";
import * as eventList from "@/app/api/v1/pay/sdk/event/list/route";
import * as merchantDetail from "@/app/api/v1/pay/sdk/merchant/detail/route";
import * as orderAdd from "@/app/api/v1/pay/sdk/order/add/route";
import * as orderCancel from "@/app/api/v1/pay/sdk/order/cancel/route";
import * as orderCheckout from "@/app/api/v1/pay/sdk/order/checkout/route";
import * as orderDetail from "@/app/api/v1/pay/sdk/order/detail/route";
import * as orderList from "@/app/api/v1/pay/sdk/order/list/route";
import * as paymentMethods from "@/app/api/v1/pay/sdk/payment-methods/route";
import * as pluginActivate from "@/app/api/v1/pay/sdk/plugin/activate/route";
import * as depositPage from "@/app/deposit/[depositId]/route";
import * as docs from "@/app/docs/route";
import * as embed from "@/app/embed.js/route";
import * as epay from "@/app/epay/[[...path]]/route";
import * as epusdt from "@/app/epusdt/[[...path]]/route";
import * as greenfield from "@/app/greenfield/[[...path]]/route";
import * as handOver from "@/app/greenfield/hand-over/route";
import * as checkoutReturn from "@/app/pay/[tradeId]/return/route";
import * as checkout from "@/app/pay/[tradeId]/route";
import * as payAssets from "@/app/pay/assets/[file]/route";
import type { Handler, Route } from "@/lib/http/listener";

/** A handler as Next calls it; one of the merchants' API needs no Request. */
interface NextHandler<Params> {
  (request: Request, context: { params: Promise<Params> }): Response | Promise<Response>;
  answer?: Handler["answer"];
}

/** Routes of the API and the payment page that `server.ts` answers without Next: the very handlers that Next would call. */
export const MOUNTED_ROUTES: readonly Route[] = [
  ...mount("/api/v1/pay/sdk/order/add", { ...orderAdd, "*": orderAdd.OPTIONS }),
  ...mount("/api/v1/pay/sdk/order/checkout", { ...orderCheckout, "*": orderCheckout.OPTIONS }),
  ...mount("/api/v1/pay/sdk/order/detail", { ...orderDetail, "*": orderDetail.OPTIONS }),
  ...mount("/api/v1/pay/sdk/order/cancel", { ...orderCancel, "*": orderCancel.OPTIONS }),
  ...mount("/api/v1/pay/sdk/order/list", { ...orderList, "*": orderList.OPTIONS }),
  ...mount("/api/v1/pay/sdk/deposit-address", { ...depositAddress, "*": depositAddress.OPTIONS }),
  ...mount("/api/v1/pay/sdk/deposit/list", { ...depositList, "*": depositList.OPTIONS }),
  ...mount("/api/v1/pay/sdk/event/list", { ...eventList, "*": eventList.OPTIONS }),
  ...mount("/api/v1/pay/sdk/merchant/detail", { ...merchantDetail, "*": merchantDetail.OPTIONS }),
  ...mount("/api/v1/pay/sdk/payment-methods", { ...paymentMethods, "*": paymentMethods.OPTIONS }),
  ...mount("/api/v1/pay/sdk/plugin/activate", { ...pluginActivate, "*": pluginActivate.OPTIONS }),
  ...mount("/api/v1/pay/sdk/{path...}", { ...anyPath, "*": anyPath.OPTIONS }),
  ...mount("/api/v1/pay/public/webhook-jwks", webhookJwks),
  ...mount("/api/health", health),
  ...mount("/api/health/live", live),
  ...mount("/api/health/ready", ready),
  ...mount("/api/metrics", metrics),
  ...mount("/api/openapi.json", openApi),
  ...mount("/docs", docs),
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
  ...mount("/epay/{path...}", epay),
  ...mount("/epusdt/{path...}", epusdt),
  ...mount("/greenfield/hand-over", handOver),
  ...mount("/greenfield/{path...}", greenfield),
];

function mount<Params>(pattern: string, module: object): Route[] {
  const methods = Object.entries(module).filter(
    ([name, value]) => /^[A-Z]+$|^\*$/.test(name) && typeof value === "function",
  );
  return methods.map(([method, handler]: [string, NextHandler<Params>]) => [
    method,
    pattern,
    Object.assign(
      (request: Request, params: object) => handler(request, { params: Promise.resolve(params as Params) }),
      handler.answer && { answer: handler.answer },
    ),
  ]);
}
