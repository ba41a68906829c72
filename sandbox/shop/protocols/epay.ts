import { createHash } from "node:crypto";
import * as z from "zod";
import {
  type Bought,
  type OrderEventType,
  type PluginAccess,
  TIMEOUT_MS,
  type Wanted,
} from "@/sandbox/shop/protocols/order";

const Answer = z.object({
  code: z.number(),
  msg: z.string().optional(),
  trade_no: z.string().optional(),
  payurl: z.url({ protocol: /^https?$/ }).optional(),
});

/** Signs like a client of EPay V1: the MD5 of the `name=value` pairs, sorted by name and joined by `&`, with the key appended. */
function sign(fields: Readonly<Record<string, string>>, key: string): string {
  const text = Object.keys(fields)
    .filter((name) => name !== "sign" && name !== "sign_type" && fields[name]?.trim())
    .sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
    .map((name) => `${name}=${fields[name]}`)
    .join("&");
  return createHash("md5")
    .update(text + key)
    .digest("hex");
}

/**
 * Creates an order as a shop with an EPay plugin does: sends a signed form to mapi.php and redirects the payer to the URL in the response.
 */
export async function buyByEpay(baseUrl: string, { publicId, key }: PluginAccess, wanted: Wanted): Promise<Bought> {
  const fields = {
    pid: publicId,
    type: `${wanted.currency}.${wanted.network}`.toLowerCase(),
    out_trade_no: wanted.mchOrderId,
    notify_url: wanted.notifyUrl,
    return_url: wanted.backUrl,
    name: wanted.title,
    money: wanted.amount,
    clientip: "127.0.0.1",
  };
  const response = await fetch(`${baseUrl}/epay/mapi.php`, {
    method: "POST",
    body: new URLSearchParams({ ...fields, sign: sign(fields, key), sign_type: "MD5" }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const { code, msg, trade_no, payurl } = Answer.parse(await response.json());
  if (code !== 1 || !trade_no || !payurl) throw new Error(`mapi.php returned ${code}: ${msg ?? ""}`);
  return { tradeId: trade_no, paymentUrl: payurl, due: `${wanted.amount} USD` };
}

/** Parses the query of a callback, or of the redirect that returns a payer to the shop. Returns null if its signature is invalid. */
export function readEpayCallback(query: string, key: string): OrderEventType | null {
  const fields = Object.fromEntries(new URLSearchParams(query));
  const { trade_status: type = "", trade_no: tradeId = "", out_trade_no: mchOrderId = "" } = fields;
  return fields["sign"] === sign(fields, key) ? { type, tradeId, mchOrderId } : null;
}
