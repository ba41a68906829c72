import * as z from "zod";

export const Anchor = z.object({ slot: z.number(), timeMs: z.number(), stepMs: z.number() });
/** The times of the slots from `slot` on: `slot` starts at `timeMs`, and slots are `stepMs` apart. */
export type Anchor = z.infer<typeof Anchor>;

/** The start times of slots. They never decrease from one slot to the next. */
export class Timeline {
  readonly #anchors: Anchor[] = [];

  add(anchor: Anchor): void {
    this.#anchors.push(anchor);
  }

  /** Returns the time at which a slot begins, in Unix milliseconds. */
  timeMs(slot: number): number {
    const index = this.#anchors.findLastIndex((anchor) => anchor.slot <= slot);
    const anchor = this.#anchors[index];
    if (!anchor) return this.#anchors[0]?.timeMs ?? 0;
    const regular = anchor.timeMs + (slot - anchor.slot) * anchor.stepMs;
    return Math.min(regular, this.#anchors[index + 1]?.timeMs ?? regular);
  }

  /** Returns the slot at a time, at the current slot duration. */
  slotAt(nowMs: number): number {
    const anchor = this.#anchors.at(-1);
    if (!anchor || anchor.stepMs === 0) return anchor?.slot ?? 0;
    return anchor.slot + Math.floor((nowMs - anchor.timeMs) / anchor.stepMs);
  }
}
