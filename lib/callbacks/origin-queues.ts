import { MAX_IN_FLIGHT_PER_ORIGIN } from "@/lib/domain/callbacks/callback";

/** The claimed deliveries of this process to one origin. */
interface Queue<Delivery> {
  /** The number of claims: deliveries that wait, that are attempted, and whose results are being recorded. */
  held: number;
  /** The number of attempts in progress. */
  attempting: number;
  waiting: Delivery[];
  /** True if the last recorded attempts were fast and nothing has failed since. */
  isFast: boolean;
}

/**
 * The maximum number of deliveries to one fast origin that are claimed ahead, so that an attempt never waits for the database. It covers
 * the deliveries to a fast receiver while two statements record earlier ones.
 */
const MAX_AHEAD = 96;
/** The maximum number of deliveries that are claimed ahead, to all origins. */
const MAX_AHEAD_OF_ALL = 512;

/**
 * The claimed deliveries of one process, by origin. At most eight attempts to an origin are in progress; the others wait. The database
 * decides how many deliveries a process may claim (`claimDueCallbacks`).
 */
export class OriginQueues<Delivery> {
  readonly #queues = new Map<string, Queue<Delivery>>();
  #attempting = 0;

  /** The number of attempts in progress, to all origins. */
  get attempting(): number {
    return this.#attempting;
  }

  /** Adds claimed deliveries to those that wait. */
  add(origin: string, claimed: readonly Delivery[]): void {
    if (claimed.length === 0) return;
    const queue = this.#queues.get(origin) ?? { held: 0, attempting: 0, waiting: [], isFast: false };
    this.#queues.set(origin, queue);
    queue.held += claimed.length;
    queue.waiting.push(...claimed);
  }

  /** Returns the waiting delivery whose attempt begins now; undefined if there is none, or if eight attempts are in progress. */
  next(origin: string): Delivery | undefined {
    const queue = this.#queues.get(origin);
    if (!queue || queue.attempting >= MAX_IN_FLIGHT_PER_ORIGIN) return undefined;
    const delivery = queue.waiting.shift();
    if (delivery === undefined) return undefined;
    queue.attempting += 1;
    this.#attempting += 1;
    return delivery;
  }

  /** Records that an attempt ended. Its claim remains until `release`. */
  end(origin: string): void {
    const queue = this.#queues.get(origin);
    if (!queue) return;
    queue.attempting -= 1;
    this.#attempting -= 1;
  }

  /** Records that the claim of an ended attempt no longer exists. */
  release(origin: string): void {
    const queue = this.#queues.get(origin);
    if (queue) this.#drop(origin, queue, 1);
  }

  /** Stores whether the recorded attempts to an origin were fast. */
  setFast(origin: string, isFast: boolean): void {
    const queue = this.#queues.get(origin);
    if (queue) queue.isFast = isFast;
  }

  /**
   * Removes and returns the deliveries that wait for an origin, or for all origins. Nothing is claimed ahead for these origins until their
   * next attempts are recorded.
   */
  takeWaiting(origin?: string): Delivery[] {
    const origins = origin === undefined ? [...this.#queues.keys()] : [origin];
    return origins.flatMap((one) => {
      const queue = this.#queues.get(one);
      if (!queue) return [];
      queue.isFast = false;
      const taken = queue.waiting.splice(0);
      this.#drop(one, queue, taken.length);
      return taken;
    });
  }

  /** Returns the number of deliveries to an origin that this process may hold in addition; negative if it holds too many. */
  free(origin: string): number {
    const queue = this.#queues.get(origin);
    return MAX_IN_FLIGHT_PER_ORIGIN + (queue?.isFast ? this.#share() : 0) - (queue?.held ?? 0);
  }

  /** Returns the fast origins, each with the number of deliveries that may be claimed ahead. */
  listAhead(): Record<string, number> {
    const fast = [...this.#queues].filter(([, { isFast }]) => isFast);
    return Object.fromEntries(fast.map(([origin]) => [origin, this.#share()]));
  }

  #share(): number {
    return Math.min(MAX_AHEAD, Math.floor(MAX_AHEAD_OF_ALL / this.#queues.size));
  }

  #drop(origin: string, queue: Queue<Delivery>, count: number): void {
    queue.held -= count;
    if (queue.held === 0) this.#queues.delete(origin);
  }
}
