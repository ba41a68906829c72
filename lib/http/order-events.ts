import { problem } from "@/lib/domain/problems/problem";
import type { ApiCall } from "@/lib/http/api-call";
import { problemReply } from "@/lib/http/public-problem";
import type { Outlet, Reply, Streamed } from "@/lib/http/reply";
import type { Visitors } from "@/lib/http/visitors";
import type { Log } from "@/lib/log";
import type { OrderChanges, OrderWatcher } from "@/lib/orders/order-changes";

const RETRY_MS = 3_000;
/** The shortest delay before clients of a stopped process reconnect; the longest is two and a half seconds. */
const SOONEST_MS = 500;
const SPREAD_MS = 2_000;
/**
 * The number of heartbeat slots. Each second the streams of one slot receive a heartbeat, so that not all streams are written to at the
 * same time.
 */
const HEARTBEAT_SLOTS = 15;
const TURN_MS = 1_000;

const HELLO = `retry: ${RETRY_MS}\n\n`;
const HEARTBEAT = "event: ping\ndata: 1\n\n";
const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
  "x-content-type-options": "nosniff",
};

/** Event streams of this process. */
export interface OrderStreams {
  /**
   * Starts watching an order.
   * @param onEnd is called once, when the stream has ended for any reason
   */
  open(orderId: string, onEnd: () => void): OrderEvents;
  /** Returns the number of open streams. */
  count(): number;
}

/** Creates the event streams of a process; one timer sends the heartbeats of all streams. */
export function createOrderStreams(changes: OrderChanges): OrderStreams {
  const slots = Array.from({ length: HEARTBEAT_SLOTS }, () => new Set<OrderEvents>());
  let turn = 0;
  let timer: NodeJS.Timeout | undefined;

  function beat(): void {
    turn = (turn + 1) % HEARTBEAT_SLOTS;
    for (const events of slots[turn] ?? []) events.beat();
  }

  function leave(slot: Set<OrderEvents>, events: OrderEvents): void {
    slot.delete(events);
    if (slots.some(({ size }) => size > 0)) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    count: () => slots.reduce((sum, { size }) => sum + size, 0),
    open(orderId, onEnd) {
      const slot = slots.reduce((one, other) => (other.size < one.size ? other : one));
      const events: OrderEvents = new OrderEvents(changes, orderId, () => {
        leave(slot, events);
        onEnd();
      });
      slot.add(events);
      timer ??= setInterval(beat, TURN_MS);
      return events;
    },
  };
}

/**
 * A stream of server-sent events for one order. It sends the order's version, then each higher version, and a heartbeat every 15 s.
 * Versions only increase. The subscription starts immediately, so no change is missed if the caller reads the current version afterwards
 * and passes it to the stream. The stream ends when the client disconnects or stops reading, or when the process closes its changes.
 */
export class OrderEvents implements OrderWatcher {
  readonly #unwatch: () => void;
  readonly #onEnd: () => void;
  #outlet: Outlet | null = null;
  #version = 0;
  #isOver = false;

  constructor(changes: OrderChanges, orderId: string, onEnd: () => void) {
    this.#onEnd = onEnd;
    this.#unwatch = changes.watch(orderId, this);
  }

  changed(version: number): void {
    if (version <= this.#version) return;
    this.#version = version;
    this.#write(message(version));
  }

  beat(): void {
    this.#write(HEARTBEAT);
  }

  /** Ends the stream when this process stops. Clients reconnect soon, each after a different delay, to another process. */
  closed(): void {
    if (this.#isOver) return;
    this.#outlet?.write(`retry: ${Math.round(SOONEST_MS + Math.random() * SPREAD_MS)}\n\n`);
    this.#leave();
    // Data that was just written is sent at the end of this turn of the event loop.
    setImmediate(() => this.#outlet?.end());
  }

  #end(): void {
    if (this.#isOver) return;
    this.#leave();
    this.#outlet?.end();
  }

  #leave(): void {
    this.#isOver = true;
    this.#unwatch();
    this.#onEnd();
  }

  /** Returns the response, which starts with the highest version so far. */
  reply(): Streamed {
    return { status: 200, headers: HEADERS, begin: (outlet) => this.#begin(outlet), stop: () => this.#end() };
  }

  #begin(outlet: Outlet): void {
    this.#outlet = outlet;
    if (this.#isOver) outlet.end();
    else this.#write(HELLO + message(this.#version));
  }

  #write(text: string): void {
    if (this.#isOver || this.#outlet === null) return;
    if (!this.#outlet.write(text)) this.#end();
  }
}

function message(version: number): string {
  return `id: ${version}\ndata: ${version}\n\n`;
}

const RETRY_SECONDS = 5;
const FULL_SECONDS = 60;
const FULL = {
  address: problem("too_many_streams_of_address", { seconds: FULL_SECONDS }),
  process: problem("too_many_streams", { seconds: FULL_SECONDS }),
} as const;

/** The problems of a target that cannot be watched, because it does not exist or cannot be read. */
const PROBLEMS = {
  order: {
    notFound: problem("page_order_not_found"),
    unreadable: problem("page_order_unreadable", { seconds: RETRY_SECONDS }),
  },
  deposit: {
    notFound: problem("page_deposit_not_found"),
    unreadable: problem("page_deposit_unreadable", { seconds: RETRY_SECONDS }),
  },
  refund: {
    notFound: problem("page_refund_not_found"),
    unreadable: problem("page_refund_unreadable", { seconds: RETRY_SECONDS }),
  },
} as const;

interface EventsContext {
  orderStreams: OrderStreams;
  visitors: Visitors;
  log: Log;
  now(): Date;
}

/** An order or another target that a page watches. `findVersion` returns null if it does not exist. */
interface Watched {
  id: string;
  kind: keyof typeof PROBLEMS;
  findVersion(id: string): Promise<number | null>;
}

/** Streams the version of the watched target to a page, and then each higher version (server-sent events). */
export async function answerEvents(call: ApiCall, context: EventsContext, watched: Watched): Promise<Reply | Streamed> {
  const { log, orderStreams, visitors, now } = context;
  const { id, kind, findVersion } = watched;
  const wait = visitors.view(call, now());
  if (wait > 0) return problemReply(problem("too_many_views", { seconds: wait }));
  const stream = visitors.openStream(call, now());
  if ("refused" in stream) return problemReply(FULL[stream.refused]);
  const events = orderStreams.open(id, stream.close);
  try {
    const version = await findVersion(id);
    if (version !== null) {
      events.changed(version);
      return events.reply();
    }
    events.closed();
    return problemReply(PROBLEMS[kind].notFound);
  } catch (error) {
    events.closed();
    log.error({ err: error, id }, `the event stream of this ${kind} could not be opened`);
    return problemReply(PROBLEMS[kind].unreadable);
  }
}
