import type { OrderChanges, OrderWatcher } from "@/lib/orders/order-changes";

const HEARTBEAT_MS = 15_000;
const RETRY_MS = 3_000;
/** Messages a client may leave unread before its stream is cut: it comes back and asks. */
const MAX_UNREAD = 16;

const encoder = new TextEncoder();
const HELLO = encoder.encode(`retry: ${RETRY_MS}\n\n`);
const HEARTBEAT = encoder.encode("event: ping\ndata: 1\n\n");

/**
 * Server-sent events of one order: its version, then each higher one; a heartbeat every 15 s. Versions only rise.
 * The watch begins at once, so whoever reads the present version afterwards and tells it here misses no change.
 * Ends when the client goes or stops reading, or when the process closes its changes.
 */
export class OrderEvents implements OrderWatcher {
  readonly #controller: ReadableStreamDefaultController<Uint8Array>;
  readonly #body: ReadableStream<Uint8Array>;
  readonly #unwatch: () => void;
  readonly #onEnd: () => void;
  readonly #heartbeat: NodeJS.Timeout;
  #version = 0;
  #isOver = false;

  constructor(changes: OrderChanges, orderId: string, signal: AbortSignal, onEnd = () => {}) {
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
    this.#body = new ReadableStream({
      start: (opened) => {
        controller = opened;
      },
      cancel: () => this.closed(),
    });
    if (!controller) throw new Error("A stream starts when it is made");
    this.#controller = controller;
    this.#onEnd = onEnd;
    this.#unwatch = changes.watch(orderId, this);
    this.#heartbeat = setInterval(() => this.#send(HEARTBEAT), HEARTBEAT_MS);
    signal.addEventListener("abort", () => this.closed(), { once: true });
    this.#send(HELLO);
  }

  changed(version: number): void {
    if (version <= this.#version) return;
    this.#version = version;
    this.#send(encoder.encode(`id: ${version}\ndata: ${version}\n\n`));
  }

  closed(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#unwatch();
    this.#onEnd();
    clearInterval(this.#heartbeat);
    try {
      this.#controller.close();
    } catch {
      // Already cancelled by the client.
    }
  }

  answer(): Response {
    return new Response(this.#body, {
      headers: {
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-cache, no-transform",
        "x-accel-buffering": "no",
        "x-content-type-options": "nosniff",
      },
    });
  }

  #send(bytes: Uint8Array): void {
    if (this.#isOver) return;
    this.#controller.enqueue(bytes);
    if ((this.#controller.desiredSize ?? 0) < -MAX_UNREAD) this.closed();
  }
}
