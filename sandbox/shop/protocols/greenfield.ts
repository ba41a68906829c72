import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import * as z from "zod";
import {
  type Bought,
  type OrderEventType,
  type PluginAccess,
  TIMEOUT_MS,
  type Wanted,
} from "@/sandbox/shop/protocols/order";

const Invoice = z.object({ id: z.string(), checkoutLink: z.url({ protocol: /^https?$/ }) });
const Webhooks = z.array(z.object({ id: z.string(), url: z.string() }));
const Delivery = z.object({
  type: z.string(),
  invoiceId: z.string(),
  metadata: z.object({ orderId: z.string() }),
});
const Refusal = z.object({ message: z.string() }).or(z.array(z.object({ message: z.string() })));

type Ask = (method: string, path: string, body?: object) => Promise<unknown>;

/** Returns the secret that signs the deliveries to this shop. The shop derives it from its token. */
const secretOf = (token: string) => createHash("sha256").update(`webhook of the demo shop ${token}`).digest("hex");

/**
 * Creates an invoice as a shop with a plugin for BTCPay Server does, after subscribing to paid invoices.
 * @throws Error with a message
 */
export async function buyByGreenfield(baseUrl: string, access: PluginAccess, wanted: Wanted): Promise<Bought> {
  const ask = askWith(baseUrl, access);
  await listen(ask, access, wanted.notifyUrl);
  const invoice = await ask("POST", "invoices", {
    amount: wanted.amount,
    currency: "USD",
    metadata: { orderId: wanted.mchOrderId, itemDesc: wanted.title },
    checkout: {
      paymentMethods: [`${wanted.currency}-${wanted.network}`.toUpperCase()],
      redirectURL: `${wanted.backUrl}?order=${wanted.mchOrderId}`,
    },
  });
  const { id: tradeId, checkoutLink: paymentUrl } = Invoice.parse(invoice);
  return { tradeId, paymentUrl, due: `${wanted.amount} USD` };
}

/** Creates or updates this shop's only webhook, with its current secret. Safe to repeat. */
async function listen(ask: Ask, { key }: PluginAccess, url: string): Promise<void> {
  const authorizedEvents = { everything: false, specificEvents: ["InvoiceSettled"] };
  const webhook = { url, secret: secretOf(key), enabled: true, authorizedEvents };
  const own = Webhooks.parse(await ask("GET", "webhooks")).find((one) => one.url === url);
  await (own ? ask("PUT", `webhooks/${own.id}`, webhook) : ask("POST", "webhooks", webhook));
}

function askWith(baseUrl: string, { publicId, key }: PluginAccess): Ask {
  return async (method, path, body) => {
    const response = await fetch(`${baseUrl}/greenfield/api/v1/stores/${publicId}/${path}`, {
      method,
      headers: { authorization: `token ${key}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const answer: unknown = await response.json();
    if (response.ok) return answer;
    const text = [Refusal.parse(answer)].flat().map(({ message }) => message);
    throw new Error(`${path} answered ${response.status}: ${text.join("; ")}`);
  };
}

/** Returns the content of a delivery; null if its signature does not match the bytes. */
export function readGreenfieldCallback(
  body: string,
  headers: Record<string, string>,
  token: string,
): OrderEventType | null {
  const right = Buffer.from(`sha256=${createHmac("sha256", secretOf(token)).update(body).digest("hex")}`);
  const given = Buffer.from(headers["btcpay-sig"] ?? "");
  if (given.length !== right.length || !timingSafeEqual(given, right)) return null;
  const { type, invoiceId: tradeId, metadata } = Delivery.parse(JSON.parse(body));
  return { type, tradeId, mchOrderId: metadata.orderId };
}
