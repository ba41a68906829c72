import { createHash } from "node:crypto";
import * as z from "zod";
import {
  type Bought,
  type OrderEventType,
  type PluginAccess,
  TIMEOUT_MS,
  type Wanted,
} from "@/sandbox/shop/protocols/order";

type Fields = Readonly<Record<string, string | number>>;

const Answer = z.object({
  status_code: z.number(),
  message: z.string(),
  data: z
    .object({ trade_id: z.string(), actual_amount: z.string(), payment_url: z.url({ protocol: /^https?$/ }) })
    .nullable(),
});
const Callback = z.record(z.string(), z.union([z.string(), z.number()]));
const STATUS: Readonly<Record<number, string>> = { 1: "waiting", 2: "paid", 3: "expired" };

/** Signs like a client of epusdt: the MD5 of the `name=value` pairs, sorted by name and joined by `&`, with the token appended. */
function sign(fields: Fields, token: string): string {
  const text = Object.keys(fields)
    .filter((name) => name !== "signature" && fields[name] !== "")
    .sort()
    .map((name) => `${name}=${fields[name]}`)
    .join("&");
  return createHash("md5")
    .update(text + token)
    .digest("hex");
}

/** Creates an order as a shop with a plugin for BEpusdt does. */
export async function buyByEpusdt(baseUrl: string, { key: token }: PluginAccess, wanted: Wanted): Promise<Bought> {
  const fields = {
    order_id: wanted.mchOrderId,
    amount: Number(wanted.amount),
    fiat: "USD",
    name: wanted.title,
    trade_type: `${wanted.currency}.${wanted.network}`.toLowerCase(),
    notify_url: wanted.notifyUrl,
    redirect_url: `${wanted.backUrl}?order=${wanted.mchOrderId}`,
  };
  const response = await fetch(`${baseUrl}/epusdt/api/v1/order/create-transaction`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...fields, signature: sign(fields, token) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const { status_code, message, data } = Answer.parse(await response.json());
  if (status_code !== 200 || !data) throw new Error(`create-transaction returned ${status_code}: ${message}`);
  return {
    tradeId: data.trade_id,
    paymentUrl: data.payment_url,
    due: `${data.actual_amount} ${wanted.currency}`,
  };
}

/** Parses the JSON body of a callback. Returns null if its signature is invalid. */
export function readEpusdtCallback(body: string, token: string): OrderEventType | null {
  const fields = Callback.safeParse(parseJson(body));
  if (!fields.success || fields.data["signature"] !== sign(fields.data, token)) return null;
  const { status, trade_id, order_id } = fields.data;
  const type = `status ${status}: ${STATUS[Number(status)] ?? "unknown"}`;
  return { type, tradeId: String(trade_id), mchOrderId: String(order_id) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
