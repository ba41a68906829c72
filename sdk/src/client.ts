import type {
  CheckoutCreated,
  Link,
  LinkAddRequest,
  Operations,
  Order,
  OrderAddRequest,
  OrderCheckoutRequest,
  OrderCreated,
  OrderList,
  OrderListRequest,
  PaymentMethods,
  Refund,
  RefundAddRequest,
} from "./api.ts";
import { type CallbackEvent, type CallbackHeaders, type VerifyOptions, verifyCallback } from "./callback.ts";
import { CallbackError, WaitTimeoutError } from "./errors.ts";
import { secretBytes } from "./signature.ts";
import { type CallOptions, sleep, Transport } from "./transport.ts";

/** The settings of a client. */
export interface StablegateSettings {
  /** The address of your installation, such as `https://pay.example.com`. */
  baseUrl: string | undefined;
  /** The API key, `sg_live_…`. */
  apiKey: string | undefined;
  /**
   * The secret of the API key, `whsec_…`. It verifies callbacks and signs requests. With several secrets, each of them verifies callbacks,
   * and the first one, which must belong to the API key, signs requests.
   */
  secret?: string | readonly string[] | undefined;
  /** False to send requests without a signature although there is a secret. The default is true. */
  signRequests?: boolean;
  /** The time for each attempt, in milliseconds. The default is 20,000. */
  timeoutMs?: number;
  /** The number of further attempts after network errors, 429 and 5xx. The default is 3. */
  maxRetries?: number;
  /** A replacement for the global `fetch`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** The name of an order: its `trade_id` as a text, or your order number. */
export type OrderName = string | { trade_id: string } | { mch_order_id: string };

/** The name of a payment link: its `link_id` as a text, or your number of the link. */
export type LinkName = string | { link_id: string } | { mch_link_id: string };

/** A created order. The members that the payer selects are null if the request omits the currency or the network. */
export interface CreatedOrder
  extends Omit<CheckoutCreated, "checkout_url">,
    Pick<Order, "currency" | "network" | "actual_amount" | "address"> {
  /** The payment page. Send the payer there. */
  payment_url: string;
}

/** One of the payment methods that you can accept now. */
export type PaymentMethod = PaymentMethods["methods"][number];

/** The settings of `waitForPayment`. */
export interface WaitOptions extends CallOptions {
  /** The longest time to wait, in milliseconds. The default is 30 minutes. */
  maxWaitMs?: number;
  /** The time between two requests, in milliseconds. The default is 3,000. */
  intervalMs?: number;
}

const FINAL_STATUSES: readonly Order["status"][] = ["paid", "expired", "cancelled"];

/** A client of the merchant API. Keep it on your server: its API key must not reach a browser. */
export class Stablegate {
  readonly #transport: Transport;
  readonly #secrets: readonly string[];

  constructor(settings: StablegateSettings) {
    const { baseUrl, apiKey, secret = [], signRequests = true, timeoutMs = 20_000, maxRetries = 3 } = settings;
    if (!baseUrl || !URL.canParse(baseUrl))
      throw new TypeError(`baseUrl must be a URL such as https://pay.example.com; got "${baseUrl}"`);
    if (!apiKey) throw new TypeError("apiKey is missing (back office, Settings → API keys)");
    this.#secrets = (typeof secret === "string" ? [secret] : secret).filter((one) => one !== "");
    for (const one of this.#secrets) secretBytes(one);
    this.#transport = new Transport({
      baseUrl,
      apiKey,
      secret: (signRequests ? this.#secrets[0] : null) ?? null,
      timeoutMs,
      maxRetries,
      fetch: settings.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    });
  }

  /**
   * Creates an order. Without a currency or a network, the payer selects it on the payment page. A repeated call with the same
   * `mch_order_id` and the same terms returns the same order.
   */
  create(order: OrderAddRequest, options?: CallOptions): Promise<OrderCreated>;
  create(order: OrderCheckoutRequest, options?: CallOptions): Promise<CreatedOrder>;
  async create(order: OrderAddRequest | OrderCheckoutRequest, options?: CallOptions): Promise<CreatedOrder> {
    if (order.currency && order.network) return this.#transport.send("order/add", order, options);
    const { checkout_url, ...created } = await this.#transport.send("order/checkout", order, options);
    return { ...created, currency: null, network: null, actual_amount: null, address: null, payment_url: checkout_url };
  }

  /** Returns an order with its status, transfers and callback. */
  retrieve(order: OrderName, options?: CallOptions): Promise<Order> {
    return this.#transport.send("order/detail", named(order, "trade_id"), options);
  }

  /** Returns a page of orders, newest first. Use `for await` instead of `await` to get the orders of all pages. */
  list(filter: OrderListRequest = {}, options?: CallOptions): Promise<OrderList> & AsyncIterable<Order> {
    const send = (cursor?: string): Promise<OrderList> =>
      this.#transport.send("order/list", cursor === undefined ? filter : { ...filter, cursor }, options);
    const first = send();
    return Object.assign(first, { [Symbol.asyncIterator]: () => iteratePages(first, send) });
  }

  /** Cancels a pending order. Repeats are safe. An order that is paid, being paid or expired is refused with code 10004. */
  cancel(order: OrderName, options?: CallOptions): Promise<Order> {
    return this.#transport.send("order/cancel", named(order, "trade_id"), options);
  }

  /**
   * Requests a refund. No money moves: send `claim_url` to the customer, and approve the claim in the back office. Without
   * `mch_refund_id`, the call uses a random number, so that its own retries create one refund. Set it to make repeated calls safe.
   */
  refund(refund: RefundAddRequest, options?: CallOptions): Promise<Refund> {
    return this.#transport.send(
      "refund/add",
      { ...refund, mch_refund_id: refund.mch_refund_id || randomNumber() },
      options,
    );
  }

  /**
   * Creates a payment link, a template from which each payer creates an order. Without `mch_link_id`, the call uses a random number, so that
   * its own retries create one link. Set it to make repeated calls safe.
   */
  createLink(link: LinkAddRequest = {}, options?: CallOptions): Promise<Link> {
    return this.#transport.send("link/add", { ...link, mch_link_id: link.mch_link_id || randomNumber() }, options);
  }

  /** Returns a payment link with the number of its orders. */
  retrieveLink(link: LinkName, options?: CallOptions): Promise<Link> {
    return this.#transport.send("link/detail", named(link, "link_id"), options);
  }

  /** Returns the networks and currencies for which you can create orders now. */
  async listMethods(options?: CallOptions): Promise<PaymentMethod[]> {
    return (await this.#transport.send("payment-methods", {}, options)).methods;
  }

  /**
   * Verifies the signature of a callback and returns its event. Deliveries repeat: deliver the goods once for each `trade_id`. Respond with
   * 200 afterward, and with 401 if this throws.
   * @param body the raw body as it was received, before it is parsed
   * @param headers the headers of the request, of `fetch` or of Node
   * @throws CallbackError
   */
  async verifyCallback(
    body: string | Uint8Array | ArrayBuffer,
    headers: CallbackHeaders,
    options?: VerifyOptions,
  ): Promise<CallbackEvent> {
    if (this.#secrets.length === 0)
      throw new CallbackError("secret_missing", "The client has no secret to verify callbacks.");
    return verifyCallback(body, headers, this.#secrets, options);
  }

  /**
   * Waits until an order is paid, expired or cancelled, and returns it. Check its `status`. An expired order can still be paid late: rely on
   * callbacks to deliver goods.
   * @throws WaitTimeoutError
   */
  async waitForPayment(order: OrderName, options: WaitOptions = {}): Promise<Order> {
    const { maxWaitMs = 30 * 60_000, intervalMs = 3_000, signal } = options;
    const endsAt = Date.now() + maxWaitMs;
    for (;;) {
      const current = await this.retrieve(order, options);
      if (FINAL_STATUSES.includes(current.status)) return current;
      const leftMs = endsAt - Date.now();
      if (leftMs <= 0) {
        const message = `The order ${current.trade_id} is still ${current.status} after ${maxWaitMs} ms.`;
        throw new WaitTimeoutError("wait_timeout", message);
      }
      await sleep(Math.min(intervalMs, leftMs), signal);
    }
  }

  /** Calls any operation of the API by its path, such as `refund/detail`, with the types of the OpenAPI document. */
  call<Path extends keyof Operations>(
    path: Path,
    request: Operations[Path]["request"],
    options?: CallOptions,
  ): Promise<Operations[Path]["response"]> {
    return this.#transport.send(path, request, options);
  }
}

async function* iteratePages(
  first: Promise<OrderList>,
  send: (cursor: string) => Promise<OrderList>,
): AsyncGenerator<Order, void, undefined> {
  let page = await first;
  yield* page.orders;
  while (page.next_cursor !== null) {
    page = await send(page.next_cursor);
    yield* page.orders;
  }
}

function named(name: string | object, member: string): object {
  return typeof name === "string" ? { [member]: name } : name;
}

/** Returns a number for an object that has none: `sdk-` and 112 random bits in hexadecimal, 32 characters. */
function randomNumber(): string {
  return `sdk-${crypto.randomUUID().replaceAll("-", "").slice(0, 28)}`;
}
