import { randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { z } from "zod";

const PATH = "/api/v1/pay/sdk/order/add";
const TIMEOUT_MS = 15_000;
const Answer = z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() });
const Created = z.object({
  trade_id: z.string(),
  actual_amount: z.number(),
  payment_url: z.url({ protocol: /^https?$/ }),
});

export interface ApiAccess {
  baseUrl: string;
  apiKey: string;
  apiSecret: string;
}

export interface NewOrder {
  currency: string;
  network: string;
  amount: string;
  mch_order_id: string;
  notify_url: string;
  redirect_url: string;
}

/** Creates an order as any merchant's server does: API key, and a signature by the standardwebhooks library. */
export async function createOrder(access: ApiAccess, order: NewOrder): Promise<z.infer<typeof Created>> {
  const body = JSON.stringify(order);
  const [id, at] = [`msg_${randomUUID()}`, new Date()];
  const response = await fetch(access.baseUrl + PATH, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-api-key": access.apiKey,
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
      "webhook-signature": new Webhook(access.apiSecret).sign(id, at, `POST ${PATH}\n${body}`),
    },
    body,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const answer = Answer.parse(await response.json());
  if (answer.code !== 0) throw new Error(`order/add answered ${answer.code}: ${answer.message}`);
  return Created.parse(answer.data);
}
