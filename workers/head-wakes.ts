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
/**
 * The number of reads without a new head that notifications may trigger, of which each new head offsets three, and of heads in a row that
 * they may miss.
 */
const MAX_FALSE = 8;
const FALSE_PER_HEAD = 3;
const MAX_MISSED = 3;
const FIRST_DISTRUST_MS = 60_000;
const LONGEST_DISTRUST_MS = 3_600_000;
/** The first and the longest wait for an endpoint that does not have an announced block yet. */
const LAG_MS = { first: 300, longest: 2_400 };

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
  /** The highest height that was announced and that no round was triggered for yet; null if none was. */
  #announced: number | null = null;
  /** The announced height that triggered the current round; null for any other round. */
  #expected: number | null = null;
  #isInRound = false;
  /** The time of the next wake; it stays set until the round that it triggers. */
  #wakeAt: number | null = null;
  #timer: NodeJS.Timeout | undefined;
  /** The number of reads for the same announcement that returned no new head. */
  #retries = 0;
  #false = 0;
  #missed = 0;
  #distrust = { until: Number.NEGATIVE_INFINITY, ms: 0 };

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
    this.#isInRound = true;
    this.#expected = this.#announced;
    this.#clear();
  }

  end(height: number, pace: HeadPace): void {
    const isNew = height !== this.#height;
    const expected = this.#expected;
    const isTriggered = expected !== null;
    const isAnnounced = isTriggered || this.#announced !== null;
    this.#isInRound = false;
    this.#height = height;
    this.#pace = pace;
    if (this.#sockets.length === 0) return;
    // The round may have returned a block that was announced meanwhile.
    if (this.#announced !== null && this.#announced <= height) this.#announced = null;
    if (isNew) this.#retries = 0;
    if (isTriggered) this.#false = isNew ? Math.max(0, this.#false - FALSE_PER_HEAD) : this.#false + 1;
    if (isNew && this.isLive()) this.#missed = isAnnounced ? 0 : this.#missed + 1;
    if (this.#false >= MAX_FALSE || this.#missed >= MAX_MISSED) this.#ignoreForAWhile();
    else if (this.#announced !== null) this.#schedule(0);
    // An endpoint may receive a block a little later than the node that announced it.
    else if (isTriggered && !isNew && expected > height) this.#retry(expected);
  }

  close(): void {
    for (const socket of this.#sockets) socket.close();
    this.#sockets = [];
    this.#clear();
  }

  #clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#announced = null;
    this.#wakeAt = null;
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

  /** @param height null if the notification contains none; it then counts as the next one */
  #announce(height: number | null): void {
    const now = this.#now();
    const announced = height ?? this.#height + 1;
    this.#options.count?.("announced");
    // The block of a late or repeated notification was read already: the notification saves no read.
    if (announced <= this.#height) return;
    this.#announcedAt = now;
    if (!this.#isWanted || this.#sockets.length === 0 || now < this.#distrust.until) return;
    this.#announced = Math.max(announced, this.#announced ?? announced);
    // The current round may still return this block.
    if (!this.#isInRound) this.#schedule(0);
  }

  #retry(expected: number): void {
    this.#announced = expected;
    this.#schedule(Math.min(LAG_MS.longest, LAG_MS.first * 2 ** this.#retries));
    this.#retries += 1;
  }

  /** Wakes the loop after a wait, unless it is woken earlier, and not before the shortest time since the last round began. */
  #schedule(waitMs: number): void {
    const now = this.#now();
    const { apartMs } = this.#pace;
    // The clock may have been set back.
    const ms = Math.max(waitMs, 0, Math.min(apartMs, this.#beganAt + apartMs - now));
    if (this.#wakeAt !== null && this.#wakeAt <= now + ms) return;
    this.#wakeAt = now + ms;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#options.count?.("woken");
      this.#options.wake();
    }, ms);
  }

  #ignoreForAWhile(): void {
    const { network, log, count } = this.#options;
    const now = this.#now();
    const { until, ms: lastMs } = this.#distrust;
    // Faults that are hours apart count as separate ones.
    const isRepeated = now - until < LONGEST_DISTRUST_MS;
    const ms = isRepeated ? Math.min(LONGEST_DISTRUST_MS, lastMs * 2) : FIRST_DISTRUST_MS;
    this.#distrust = { until: now + ms, ms };
    const facts = { network, falseReads: this.#false, missed: this.#missed, seconds: ms / 1_000 };
    [this.#false, this.#missed, this.#retries] = [0, 0, 0];
    this.#clear();
    count?.("distrusted");
    log.warn(facts, "announcements of new blocks were false or late: they are ignored for a while");
  }

  #now(): number {
    return this.#options.now().getTime();
  }
}
