/**
 * The part of a response that a client of the hosted service uses. HTTP 200 means success; for any other status, the client shows
 * `message`.
 */
interface ClientAnswer {
  status: number;
  message: string;
  data: Record<string, unknown>;
}

/**
 * A client that was written for the hosted service with the same API, with a different base URL and key. It supports no feature that only
 * this service has. Its orders contain fields that only the hosted service uses, network names are spelled as in its shop's settings, and
 * the key is a bearer token.
 */
export class ShopClient {
  readonly #base: string;
  readonly #key: string;

  constructor(origin: string, key: string) {
    this.#base = `${origin}/api/v1/pay/sdk`;
    this.#key = key;
  }

  async call(path: string, body: object): Promise<ClientAnswer> {
    const response = await fetch(`${this.#base}/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json", Authorization: `Bearer ${this.#key}` },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as { message: string; data?: Record<string, unknown> };
    return { status: response.status, message: answer.message, data: answer.data ?? {} };
  }

  /** Sends the requests that a plugin sends when its settings are saved. */
  async connect() {
    const methods = await this.call("payment-methods", {});
    const merchant = await this.call("merchant/detail", {});
    const activated = await this.call("plugin/activate", { platform: "shop", version: "1.0.0" });
    return { methods, merchant, activated };
  }

  buy(order: { number: string; amount: number; network: string; currency: string }): Promise<ClientAnswer> {
    const { number, amount, network, currency } = order;
    return this.call("order/add", {
      mch_order_id: number,
      amount,
      network,
      currency,
      redirect_url: "https://shop.example.com/thanks",
      notify_url: "https://shop.example.com/paid",
      product_no: "P-1",
      type: "goods",
      extra: { cart: [1, { sku: "a" }], note: null },
    });
  }
}
