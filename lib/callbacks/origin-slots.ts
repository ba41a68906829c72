import { MAX_IN_FLIGHT_PER_ORIGIN } from "@/lib/domain/callbacks/callback";

/** The slots of this process at one origin, and the claimed deliveries that wait for one of them. */
interface Lane<Delivery> {
  /** The number of concurrent deliveries that this process may have. */
  slots: number;
  /** The number of slots in use. */
  attempting: number;
  /** The number of deliveries that statements in progress may still claim. */
  requested: number;
  waiting: Delivery[];
}

/**
 * The maximum number of deliveries to one origin that are claimed before a slot is free, so that a slot never waits for the database. It
 * covers the deliveries to a fast receiver during one statement.
 */
const MAX_AHEAD = 32;
/** The maximum number of deliveries that are claimed before a slot is free, to all origins. */
const MAX_AHEAD_OF_ALL = 256;

/**
 * The deliveries of one process, by origin. Only the database grants slots, so that all processes together never exceed the maximum number
 * of concurrent deliveries to an origin: each delivery in a slot has a lease of its own, and the database counts leases. A process that
 * has all slots of an origin claims further deliveries ahead.
 */
export class OriginSlots<Delivery> {
  readonly #lanes = new Map<string, Lane<Delivery>>();

  /** Returns the number of slots at an origin. */
  slotsAt(origin: string): number {
    return this.#lanes.get(origin)?.slots ?? 0;
  }

  /** Records a delivery that begins in a slot that the database just granted. */
  grant(origin: string): void {
    const lane = this.#laneOf(origin);
    lane.slots += 1;
    lane.attempting += 1;
  }

  /**
   * Records a delivery that ended.
   * @param isKept true if its slot stays with this process
   */
  end(origin: string, isKept: boolean): void {
    const lane = this.#lanes.get(origin);
    if (!lane) return;
    lane.attempting -= 1;
    if (!isKept) lane.slots -= 1;
    this.#trim(origin, lane);
  }

  /** Releases the slot of a delivery that ended after another process had claimed its callback. */
  releaseLost(origin: string): void {
    const lane = this.#lanes.get(origin);
    if (!lane) return;
    lane.slots = Math.max(lane.attempting, lane.slots - 1);
    this.#trim(origin, lane);
  }

  /** Returns a waiting delivery that begins in a free slot; undefined if there is none. */
  next(origin: string): Delivery | undefined {
    const lane = this.#lanes.get(origin);
    if (!lane || lane.attempting >= lane.slots) return undefined;
    const delivery = lane.waiting.shift();
    if (delivery !== undefined) lane.attempting += 1;
    return delivery;
  }

  /**
   * Returns the number of deliveries to claim with the next statement: one for each free slot and, if this process has all slots, some
   * ahead. The caller must report the result with `add`.
   */
  request(origin: string, mayClaimAhead: boolean): number {
    const lane = this.#lanes.get(origin);
    if (!lane) return 0;
    const isFull = lane.slots >= MAX_IN_FLIGHT_PER_ORIGIN;
    const ahead = mayClaimAhead && isFull ? Math.min(MAX_AHEAD, Math.floor(MAX_AHEAD_OF_ALL / this.#lanes.size)) : 0;
    const free = lane.slots - lane.attempting;
    const count = Math.max(0, free + ahead - lane.waiting.length - lane.requested);
    lane.requested += count;
    return count;
  }

  /** Adds the deliveries that a statement claimed to those that wait. */
  add(origin: string, requested: number, claimed: readonly Delivery[]): void {
    const lane = this.#laneOf(origin);
    lane.requested -= requested;
    lane.waiting.push(...claimed);
    this.#trim(origin, lane);
  }

  /** Removes and returns the deliveries that wait at an origin, or at all origins. */
  takeWaiting(origin?: string): Delivery[] {
    const origins = origin === undefined ? [...this.#lanes.keys()] : [origin];
    return origins.flatMap((one) => {
      const lane = this.#lanes.get(one);
      const taken = lane?.waiting.splice(0) ?? [];
      if (lane) this.#trim(one, lane);
      return taken;
    });
  }

  /** Releases the free slots, unless a delivery waits for them or a statement in progress may claim one. */
  releaseIdle(origin: string): void {
    const lane = this.#lanes.get(origin);
    if (!lane || lane.requested > 0 || lane.waiting.length > 0) return;
    lane.slots = lane.attempting;
    this.#trim(origin, lane);
  }

  #laneOf(origin: string): Lane<Delivery> {
    const lane = this.#lanes.get(origin) ?? { slots: 0, attempting: 0, requested: 0, waiting: [] };
    this.#lanes.set(origin, lane);
    return lane;
  }

  #trim(origin: string, lane: Lane<Delivery>): void {
    if (lane.slots === 0 && lane.requested === 0 && lane.waiting.length === 0) this.#lanes.delete(origin);
  }
}
