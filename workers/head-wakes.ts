import { type HeadSocket, openHeadSocket, type SocketEvent } from "@/lib/chains/endpoints/head-socket";
import type { HeadSubscription } from "@/lib/chains/endpoints/rpc";
import type { Log } from "@/lib/log";

/** An endpoint's WebSocket. */
interface SocketAt {
  /** Host and port, for logs. */
  name: string;
  url: string;
  headers: Readonly<Record<string, string>>;
}

interface HeadWakesOptions {
  network: string;
  sockets: readonly SocketAt[];
  heads: HeadSubscription;
  log: Log;
  now: () => Date;
  /** Ends the wait of the network's loop. */
  wake: () => void;
  /** Called for each event of a socket, each notification and each wake, for metrics. */
  count?: ((event: HeadEvent) => void) | undefined;
  open?: typeof openHeadSocket;
}

/** An event for metrics. `announced`: a notification; `woken`: a read that it triggered; `distrusted`: notifications are ignored for a while. */
export type HeadEvent = SocketEvent | "announced" | "woken" | "distrusted";

/** The current times of a network, in milliseconds. */
export interface HeadPace {
  /** The shortest time between two reads that notifications trigger. */
  apartMs: number;
  blockMs: number;
}

/** The sockets of a network, which wake its loop when a new block is announced. */
export interface HeadWakes {
  /** Opens the sockets while heads are wanted, and closes them after a while without. */
  follow(isWanted: boolean): void;
  /** Returns true if heads are currently announced in time, so that the next read can wait for a notification. */
  isLive(): boolean;
  /** Records the start of a round. */
  begin(): void;
  /** Records the head that a round read, and the current times. */
  end(height: number, pace: HeadPace): void;
  close(): void;
}

/** The time for which sockets stay open after heads were last wanted. */
const LINGER_MS = 120_000;
/** The time without a notification after which heads no longer count as announced. */
const LIVE_MS = 10_000;
const LIVE_BLOCKS = 3;
/** The number of reads without a new head that notifications may trigger in a row, and of heads that they may miss. */
const MAX_FALSE = 8;
const MAX_MISSED = 3;
const FIRST_DISTRUST_MS = 60_000;
const LONGEST_DISTRUST_MS = 3_600_000;
/** The first wait for an endpoint that does not have an announced block yet. */
const LAG_MS = 150;

/**
 * Creates the sockets of a network. A notification decides nothing: it only ends a wait, and every value is still read from the endpoints. The
 * number of reads that notifications can trigger is limited, and notifications that prove false or late are ignored for a while, so that a
 * faulty or hostile node can neither cause many calls nor delay a read.
 */
export function createHeadWakes(options: HeadWakesOptions): HeadWakes {
  return new Wakes(options);
}

class Wakes implements HeadWakes {
  readonly #options: HeadWakesOptions;
  #sockets: HeadSocket[] = [];
  #wantedAt = Number.NEGATIVE_INFINITY;
  #isWanted = false;
  #announcedAt = Number.NEGATIVE_INFINITY;
  #beganAt = Number.NEGATIVE_INFINITY;
  #pace: HeadPace = { apartMs: 1_000, blockMs: 1_000 };
  /** The height of the last head that was read. */
  #height = -1;
  /** True if a block was announced that no read has returned yet. */
  #isPending = false;
  /** True if the current round was triggered by a notification. */
  #isTriggered = false;
  #timer: NodeJS.Timeout | undefined;
  #false = 0;
  #missed = 0;
  #distrust = { until: 0, ms: 0 };

  constructor(options: HeadWakesOptions) {
    this.#options = options;
  }

  follow(isWanted: boolean): void {
    const now = this.#now();
    this.#isWanted = isWanted;
    if (isWanted) this.#wantedAt = now;
    if (isWanted && this.#sockets.length === 0) this.#open();
    if (!isWanted && this.#sockets.length > 0 && now - this.#wantedAt >= LINGER_MS) this.close();
  }

  isLive(): boolean {
    const now = this.#now();
    const liveMs = Math.max(LIVE_MS, LIVE_BLOCKS * this.#pace.blockMs);
    const isRecent = now - this.#announcedAt < liveMs;
    return isRecent && this.#sockets.some((socket) => socket.isSubscribed()) && now >= this.#distrust.until;
  }

  begin(): void {
    this.#beganAt = this.#now();
    this.#isTriggered = this.#isPending;
    this.#isPending = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  end(height: number, pace: HeadPace): void {
    const isNew = height !== this.#height;
    const isFirst = this.#height < 0;
    this.#height = height;
    this.#pace = pace;
    if (isFirst || this.#sockets.length === 0) return;
    if (this.#isTriggered) this.#false = isNew ? 0 : this.#false + 1;
    if (isNew && this.isLive()) this.#missed = this.#isTriggered || this.#isPending ? 0 : this.#missed + 1;
    if (this.#false >= MAX_FALSE || this.#missed >= MAX_MISSED) this.#ignoreForAWhile();
    // An endpoint may receive a block a little later than the node that announced it.
    else if (this.#isTriggered && !isNew) this.#schedule(LAG_MS * 2 ** Math.min(this.#false, 4));
  }

  close(): void {
    for (const socket of this.#sockets) socket.close();
    this.#sockets = [];
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isPending = false;
  }

  #open(): void {
    const { sockets, heads, network, log, count, open = openHeadSocket } = this.#options;
    this.#sockets = sockets.map(({ name, url, headers }) =>
      open({
        url,
        headers,
        heads,
        onHead: (height) => this.#announce(height),
        onEvent: (event, detail) => {
          count?.(event);
          const facts = { network, endpoint: name, event, detail };
          if (event === "subscribed") log.info(facts, "an endpoint announces new blocks");
          else log.warn(facts, "an endpoint does not announce new blocks at present: the network is polled");
        },
      }),
    );
  }

  #announce(height: number | null): void {
    const now = this.#now();
    this.#options.count?.("announced");
    this.#announcedAt = now;
    if (!this.#isWanted || now < this.#distrust.until) return;
    // The block of a late notification was read already.
    if (height !== null && height <= this.#height) return;
    this.#schedule(0);
  }

  /** Wakes the loop after a wait, and not before the shortest time since the last round began. */
  #schedule(waitMs: number): void {
    if (this.#isPending) return;
    this.#isPending = true;
    const ms = Math.max(waitMs, this.#beganAt + this.#pace.apartMs - this.#now());
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#options.count?.("woken");
        this.#options.wake();
      },
      Math.max(0, ms),
    );
  }

  #ignoreForAWhile(): void {
    const { network, log, count } = this.#options;
    const ms = Math.min(LONGEST_DISTRUST_MS, this.#distrust.ms === 0 ? FIRST_DISTRUST_MS : this.#distrust.ms * 2);
    this.#distrust = { until: this.#now() + ms, ms };
    const facts = { network, falseOnes: this.#false, missed: this.#missed, seconds: ms / 1_000 };
    [this.#false, this.#missed] = [0, 0];
    count?.("distrusted");
    log.warn(facts, "announcements of new blocks were false or late: they are ignored for a while");
  }

  #now(): number {
    return this.#options.now().getTime();
  }
}
