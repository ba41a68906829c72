/** The stages of a shutdown in their order. Each starts when the one before it has ended. */
const STAGES = ["announcement", "programs", "shop", "connections", "machines", "lock"] as const;
type Stage = (typeof STAGES)[number];

interface Part {
  stage: Stage;
  stop(): Promise<unknown>;
  kill?: (() => void) | undefined;
}

/** Everything that was started, to be stopped in the reverse of what it needs. */
export class Shutdown {
  readonly #parts: Part[] = [];
  readonly #stopping = new AbortController();
  readonly #late: Promise<unknown>[] = [];
  #done: Promise<void> | null = null;

  /** Aborted as soon as the stop begins. */
  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Adds a part. One that comes after the stop began is stopped at once. */
  add(stage: Stage, stop: () => Promise<unknown>, kill?: () => void): void {
    if (this.signal.aborted) this.#late.push(stop());
    else this.#parts.push({ stage, stop, kill });
  }

  /**
   * Stops everything once, however often it is called. A part that fails to stop does not keep the others running.
   * @param starting what still adds parts; it is waited for
   */
  run(starting: Promise<unknown>): Promise<void> {
    this.#stopping.abort(new Error("Stop requested"));
    this.#done ??= this.#stopAll(starting);
    return this.#done;
  }

  /** Ends at once what can be ended at once; machines notice by themselves that their starter is gone. */
  kill(): void {
    for (const part of this.#parts) part.kill?.();
  }

  async #stopAll(starting: Promise<unknown>): Promise<void> {
    for (const stage of STAGES) {
      const parts = this.#parts.filter((part) => part.stage === stage);
      await Promise.allSettled(parts.map((part) => part.stop()));
    }
    await Promise.allSettled([starting]);
    await Promise.allSettled(this.#late);
  }
}
