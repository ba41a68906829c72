import type { Env } from "@/lib/config/env";
import { allNetworks, getNetwork } from "@/lib/domain/networks";
import type { OrderDetail } from "@/lib/domain/orders/order-detail";
import {
  type DetailData,
  type ExactNumber,
  exactNumber,
  type Showing,
  toDetailData,
} from "@/lib/domain/orders/order-wire";
import { apiOf, epusdtStatus, gmpayNetwork } from "@/lib/integrations/epusdt/order-data";
import { shortDecimal } from "@/lib/integrations/shared/short-decimal";
import { methodsOn, type PaymentMethod } from "@/lib/merchants/payment-methods";
import type { Plugin } from "@/lib/plugins/plugin-caller";

/** The version of epusdt's API that `config` returns. */
const API_VERSION = "v1";

/**
 * Returns an order as GMPay returns it: amounts are numbers, `token` is the currency, and `expiration_time` is in Unix seconds. An order
 * whose payer has not chosen a method has the status 4 and `actual_amount` 0. `network` and `status_detail` are those of gmpay-edge.
 */
export function toGmpayOrder(order: OrderDetail, showing: Showing): object {
  const data = toDetailData(order, showing);
  return {
    trade_id: order.id,
    order_id: order.mchOrderId,
    ...sumsOf(order, data),
    status: epusdtStatus(order),
    status_detail: statusDetail(order),
    expiration_time: data.expires_at,
    payment_url: data.payment_url,
  };
}

/**
 * Returns an order as epusdt returns it to pages of a cashier: times are in Unix milliseconds, and `payment_url` is empty, because the
 * payer pays to an address.
 */
export function toGmpayCheckout(order: OrderDetail, showing: Showing, redirectUrl: string, now: Date): object {
  const data = toDetailData(order, showing);
  return {
    trade_id: order.id,
    ...sumsOf(order, data),
    status: epusdtStatus(order),
    payment_type: apiOf(order.echo) === "epay" ? "epay" : "gmpay",
    expiration_time: order.expiresAt.getTime(),
    created_at: order.createdAt.getTime(),
    server_time: now.getTime(),
    redirect_url: redirectUrl,
    payment_url: "",
    is_selected: order.quote !== null,
  };
}

function sumsOf({ echo }: OrderDetail, data: DetailData): object {
  return {
    amount: numberOf(echo?.["amount"] ?? "0"),
    currency: echo?.["fiat"] ?? "",
    actual_amount: numberOf(data.actual_amount === null ? "0" : JSON.stringify(data.actual_amount)),
    receive_address: data.address ?? "",
    token: data.currency ?? "",
    network: gmpayNetwork(data.network),
  };
}

const numberOf = (decimal: string): ExactNumber => exactNumber(shortDecimal(decimal));

/** Returns the state of an order in the words of gmpay-edge. */
function statusDetail({ status, exception }: OrderDetail): string {
  if (exception === "overpaid" && status === "paid") return "overpaid";
  return exception === "underpaid" && status === "pending" ? "partially_paid" : status;
}

/** Returns the methods that are enabled in this installation, whichever of them a shop offers. */
export function enabledMethods(env: Pick<Env, "rpcUrls">): PaymentMethod[] {
  return methodsOn(
    allNetworks().map(({ id }) => ({ network: id, isOpen: true, offMethods: [] })),
    env,
  );
}

/** Returns the public configuration as GMPay returns it. @param plugin the shop's plugin; null if the request names none */
export function toGmpayConfig(methods: readonly PaymentMethod[], plugin: Plugin | null): object {
  return {
    supported_assets: methods.map(({ network, currencies }) => ({
      network: gmpayNetwork(network),
      display_name: getNetwork(network).name,
      tokens: currencies.toSorted(),
    })),
    site: {
      cashier_name: "",
      logo_url: "",
      website_title: "",
      support_link: "",
      background_color: "",
      background_image_url: "",
    },
    epay: { default_token: "", default_currency: plugin?.fiat?.toLowerCase() ?? "", default_network: "" },
    okpay: { enabled: false, allow_tokens: [] },
    version: API_VERSION,
  };
}
