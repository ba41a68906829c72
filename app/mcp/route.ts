import { POST as createLink } from "@/app/api/v1/pay/sdk/link/add/route";
import { POST as closeLink } from "@/app/api/v1/pay/sdk/link/close/route";
import { POST as retrieveLink } from "@/app/api/v1/pay/sdk/link/detail/route";
import { POST as listLinks } from "@/app/api/v1/pay/sdk/link/list/route";
import { POST as retrieveMerchant } from "@/app/api/v1/pay/sdk/merchant/detail/route";
import { POST as createOrder } from "@/app/api/v1/pay/sdk/order/add/route";
import { POST as cancelOrder } from "@/app/api/v1/pay/sdk/order/cancel/route";
import { POST as createCheckout } from "@/app/api/v1/pay/sdk/order/checkout/route";
import { POST as retrieveOrder } from "@/app/api/v1/pay/sdk/order/detail/route";
import { POST as listOrders } from "@/app/api/v1/pay/sdk/order/list/route";
import { POST as listPaymentMethods } from "@/app/api/v1/pay/sdk/payment-methods/route";
import { POST as createRefund } from "@/app/api/v1/pay/sdk/refund/add/route";
import { POST as cancelRefund } from "@/app/api/v1/pay/sdk/refund/cancel/route";
import { POST as retrieveRefund } from "@/app/api/v1/pay/sdk/refund/detail/route";
import { POST as listRefunds } from "@/app/api/v1/pay/sdk/refund/list/route";
import { POST as retrieveReport } from "@/app/api/v1/pay/sdk/report/detail/route";
import { POST as listUnmatchedTransfers } from "@/app/api/v1/pay/sdk/transfer/unmatched/route";
import { getContext } from "@/app/context";
import type { Env } from "@/lib/config/env";
import { answerAgent } from "@/lib/http/mcp/agent-route";
import { type Tool, toolsOf } from "@/lib/http/mcp/tools";
import { openApiDocument } from "@/lib/http/openapi/document";
import { replyRoute } from "@/lib/http/reply";
import packageJson from "@/package.json" with { type: "json" };

/** The handlers of the operations that agents can use, by path. */
const HANDLERS = {
  "order/add": createOrder,
  "order/checkout": createCheckout,
  "order/detail": retrieveOrder,
  "order/list": listOrders,
  "order/cancel": cancelOrder,
  "link/add": createLink,
  "link/detail": retrieveLink,
  "link/list": listLinks,
  "link/close": closeLink,
  "refund/add": createRefund,
  "refund/detail": retrieveRefund,
  "refund/list": listRefunds,
  "refund/cancel": cancelRefund,
  "transfer/unmatched": listUnmatchedTransfers,
  "report/detail": retrieveReport,
  "payment-methods": listPaymentMethods,
  "merchant/detail": retrieveMerchant,
};

/** The tools of each installation that this process serves; their definitions do not change while it runs. */
const TOOLS = new WeakMap<Env, readonly Tool[]>();

/** Serves the tools for agents (Model Context Protocol, Streamable HTTP). */
export const POST = replyRoute((call) => {
  const { api, env } = getContext();
  const tools = TOOLS.get(env) ?? toolsOf(openApiDocument(env, packageJson.version));
  TOOLS.set(env, tools);
  return answerAgent({ api, tools, handlers: HANDLERS, version: packageJson.version }, call);
});
