import { randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import * as z from "zod";
import { type Bought, type OrderEventType, TIMEOUT_MS, type Wanted } from "@/sandbox/shop/protocols/order";

const ORDER_PATH = "/api/v1/pay/order/add";
const REFUND_PATH = "/api/v1/pay/refund/add";
const Answer = z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() });
const Created = z.object({
  trade_id: z.string(),
  actual_amount: z.number(),
  payment_url: z.url({ protocol: /^https?$/ }),
});
const Requested = z.object({ claim_url: z.url({ protocol: /^https?$/ }), amount: z.number(), currency: z.string() });
const Event = z.object({
  type: z.string(),
  data: z.object({
    trade_id: z.string(),
    status: z.string(),
    mch_order_id: z.string().nullish(),
    mch_refund_id: z.string().nullish(),
  }),
});

export interface ApiAccess {
  apiKey: string;
  apiSecret: string;
}

/** Creates an order as a merchant's server does. */
export async function buyByApi(baseUrl: string, access: ApiAccess, wanted: Wanted): Promise<Bought> {
  const { currency, network, amount } = wanted;
  const urls = { notify_url: wanted.notifyUrl, redirect_url: wanted.backUrl };
  const order = { currency, network, amount, mch_order_id: wanted.mchOrderId, ...urls };
  const data = await post(baseUrl + ORDER_PATH, access, order);
  const { trade_id: tradeId, payment_url: paymentUrl, actual_amount } = Created.parse(data);
  return { tradeId, paymentUrl, due: `${actual_amount} ${currency}` };
}

/** A refund that was requested: the link for the customer, and the amount such as "24.5001 USDT". */
export interface ShopRefund {
  claimUrl: string;
  due: string;
}

/**
 * Requests the refund of everything that an order received. A repeated request returns the same refund, because the shop's number of the
 * order is also its number of the refund.
 * @throws Error with the message of the API
 */
export async function refundByApi(
  baseUrl: string,
  access: ApiAccess,
  { tradeId, mchOrderId }: { tradeId: string; mchOrderId: string },
): Promise<ShopRefund> {
  const data = await post(baseUrl + REFUND_PATH, access, { trade_id: tradeId, mch_refund_id: mchOrderId });
  const { claim_url: claimUrl, amount, currency } = Requested.parse(data);
  return { claimUrl, due: `${amount} ${currency}` };
}

/**
 * Sends a request with an API key and a signature by the standardwebhooks library.
 * @returns the data of the response
 * @throws Error with the message of the API
 */
async function post(url: string, access: ApiAccess, fields: object): Promise<unknown> {
  const { pathname } = new URL(url);
  const body = JSON.stringify(fields);
  const id = `msg_${randomUUID()}`;
  const at = new Date();
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-api-key": access.apiKey,
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
      "webhook-signature": new Webhook(access.apiSecret).sign(id, at, `POST ${pathname}\n${body}`),
    },
    body,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const answer = Answer.parse(await response.json());
  if (answer.code !== 0)
    throw new Error(`${pathname.split("/").slice(-2).join("/")} returned ${answer.code}: ${answer.message}`);
  return answer.data;
}

/**
 * Verifies a callback as documented for merchants: the standardwebhooks library checks the signature over the raw body.
 * @returns the content of the callback; null if the signature is invalid, "unknown" for a type that this shop does not support
 */
export function readApiCallback(
  body: string,
  headers: Record<string, string>,
  secret: string,
): OrderEventType | "unknown" | null {
  try {
    new Webhook(secret).verify(body, headers);
  } catch {
    return null;
  }
  return toApiCallback(body) ?? "unknown";
}

/** Returns the content of a verified event; null if this shop does not support its type. */
export function toApiCallback(body: string): OrderEventType | null {
  const parsed = Event.safeParse(JSON.parse(body));
  if (!parsed.success) return null;
  const { type, data } = parsed.data;
  return {
    type,
    tradeId: data.trade_id,
    mchOrderId: data.mch_order_id ?? "",
    mchRefundId: data.mch_refund_id ?? undefined,
  };
}
