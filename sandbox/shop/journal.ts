import { EventEmitter } from "node:events";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import * as z from "zod";
import { toApiCallback } from "@/sandbox/shop/protocols/merchant-api";
import type { OrderEventType } from "@/sandbox/shop/protocols/order";
import { PROTOCOLS } from "@/sandbox/shop/protocols/protocol";

const Order = z.object({
  kind: z.literal("order"),
  mchOrderId: z.string(),
  tradeId: z.string(),
  title: z.string(),
  /** The amount displayed to the payer, such as "24.5001 USDT". */
  due: z.string(),
  network: z.string(),
  paymentUrl: z.string(),
  protocol: z.enum(PROTOCOLS).default("api"),
  at: z.string(),
});
export type ShopOrder = z.infer<typeof Order>;

const Refund = z.object({
  kind: z.literal("refund"),
  tradeId: z.string(),
  /** The page on which the customer says where the refund should go. */
  claimUrl: z.string(),
  due: z.string(),
  at: z.string(),
});
type ShopRefund = z.infer<typeof Refund>;

const Callback = z.object({
  kind: z.literal("callback"),
  protocol: z.enum(PROTOCOLS).default("api"),
  headers: z.record(z.string(), z.string()),
  /** The body exactly as received; for a GET, the query. */
  body: z.string(),
  verified: z.boolean(),
  /** The content of a verified callback; null if this shop does not support its type. */
  events: z
    .object({ type: z.string(), tradeId: z.string(), mchOrderId: z.string(), mchRefundId: z.string().optional() })
    .nullish(),
  received_at: z.string(),
});
export type ShopCallback = z.infer<typeof Callback>;

const Entry = z.discriminatedUnion("kind", [Order, Refund, Callback]);
type Entry = z.infer<typeof Entry>;

const KEPT = { order: 500, refund: 500, callback: 5_000 };

/** The shop's record of its orders, their refunds and every callback it received, in a file that survives restarts. */
export class Journal {
  readonly #file: string;
  readonly #changed = new EventEmitter().setMaxListeners(0);
  #orders: ShopOrder[] = [];
  #refunds: ShopRefund[] = [];
  #callbacks: ShopCallback[] = [];

  constructor(file: string) {
    this.#file = file;
    for (const entry of readEntries(file)) this.#remember(entry);
    const kept = [...this.#orders, ...this.#refunds, ...this.#callbacks].map((entry) => `${JSON.stringify(entry)}\n`);
    writeFileSync(file, kept.join(""), { mode: 0o600 });
  }

  /** Newest last. */
  get orders(): readonly ShopOrder[] {
    return this.#orders;
  }

  /** Returns the last refund of an order; undefined if none was requested. */
  refundOf(tradeId: string): ShopRefund | undefined {
    return this.#refunds.findLast((refund) => refund.tradeId === tradeId);
  }

  /** Newest last. */
  get callbacks(): readonly ShopCallback[] {
    return this.#callbacks;
  }

  add(entry: Entry): void {
    this.#remember(entry);
    appendFileSync(this.#file, `${JSON.stringify(entry)}\n`);
    this.#changed.emit("changed");
  }

  /**
   * Calls `listener` after each entry.
   * @returns a function that unsubscribes it
   */
  onChange(listener: () => void): () => void {
    this.#changed.on("changed", listener);
    return () => this.#changed.off("changed", listener);
  }

  #remember(entry: Entry): void {
    if (entry.kind === "order") this.#orders = [...this.#orders, entry].slice(-KEPT.order);
    else if (entry.kind === "refund") this.#refunds = [...this.#refunds, entry].slice(-KEPT.refund);
    else this.#callbacks = [...this.#callbacks, entry].slice(-KEPT.callback);
  }
}

/**
 * Returns the content of a verified callback; null if the callback is not verified or its type is unknown. Older entries contain only the
 * body, which is then parsed.
 */
export function eventsOf({ verified, events, body }: ShopCallback): OrderEventType | null {
  if (!verified) return null;
  return events === undefined ? toApiCallback(body) : events;
}

/** Reads the entries of a file. Skips a line that was truncated by a crash. */
function readEntries(file: string): Entry[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line) => {
      try {
        return [Entry.parse(JSON.parse(line))];
      } catch {
        return [];
      }
    });
}
