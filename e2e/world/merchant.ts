import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { text } from "node:stream/consumers";
import * as z from "zod";
import type { Announcement } from "@/sandbox/announcement";

const Created = z.object({
  code: z.literal(0),
  data: z.object({
    trade_id: z.string(),
    mch_order_id: z.string(),
    currency: z.string(),
    network: z.string(),
    amount: z.number(),
    actual_amount: z.number(),
    address: z.string(),
    expiration_time: z.number(),
    payment_url: z.string(),
  }),
});
export type CreatedOrder = z.infer<typeof Created>["data"];

const Detail = z.object({
  code: z.literal(0),
  data: z.looseObject({ status: z.string(), tx_hash: z.string().nullable() }),
});

/** The base URL of the API and a key. */
type Shop = Pick<Announcement, "base_url" | "api_key">;

interface NewOrder {
  network: string;
  currency: string;
  /** The amount in the token; left out if a fiat price is given. */
  amount?: number;
  fiat?: string;
  fiat_amount?: number;
  notify_url?: string;
  redirect_url?: string;
}

/** Creates an order as a merchant's server does, with only the API key. */
export async function createOrder(shop: Shop, order: NewOrder): Promise<CreatedOrder> {
  const answer = await call(shop, "add", { mch_order_id: randomUUID().replaceAll("-", ""), ...order });
  return Created.parse(answer).data;
}

const OfChoice = z.object({ code: z.literal(0), data: z.object({ trade_id: z.string(), checkout_url: z.string() }) });

/** Creates an order whose payer chooses the network and currency. */
export async function createCheckout(shop: Shop, terms: Pick<NewOrder, "amount" | "redirect_url">) {
  const answer = await call(shop, "checkout", { mch_order_id: randomUUID().replaceAll("-", ""), ...terms });
  return OfChoice.parse(answer).data;
}

/** Returns the current state of an order from the API. */
export async function findOrder(shop: Shop, tradeId: string) {
  return Detail.parse(await call(shop, "detail", { trade_id: tradeId })).data;
}

async function call(shop: Shop, name: string, body: object): Promise<unknown> {
  const response = await fetch(`${shop.base_url}/api/v1/pay/sdk/order/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": shop.api_key },
    body: JSON.stringify(body),
  });
  return response.json();
}

export interface ReceivedCallback {
  headers: Record<string, string>;
  /** The body, exactly as received. */
  body: string;
}

/** A merchant's callback receiver on loopback. */
export class Receiver {
  readonly callbacks: ReceivedCallback[] = [];
  /** The HTTP status of the receiver's responses. */
  status = 200;
  readonly #server: Server;
  readonly url: string;

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  static async open(): Promise<Receiver> {
    const server = createServer();
    await once(server.listen(0, "127.0.0.1"), "listening");
    const address = server.address();
    if (!address || typeof address === "string") throw new Error("no port");
    const receiver = new Receiver(server, `http://127.0.0.1:${address.port}/callback`);
    server.on("request", async (request, response) => {
      const body = await text(request);
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      receiver.callbacks.push({ headers, body });
      response.writeHead(receiver.status).end("ok");
    });
    return receiver;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}
