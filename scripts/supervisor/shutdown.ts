/** The stages of a shutdown, in order. Each starts after the previous one has ended. */
const STAGES = ["announcement", "programs", "shop", "connections", "machines", "lock"] as const;
type Stage = (typeof STAGES)[number];

interface Part {
  stage: Stage;
  stop(): Promise<unknown>;
  kill?: (() => void) | undefined;
}

/** The started parts of a program, which are stopped in reverse order of their dependencies. */
export class Shutdown {
  readonly #parts: Part[] = [];
  readonly #stopping = new AbortController();
  readonly #late: Promise<unknown>[] = [];
  #done: Promise<void> | null = null;

  /** Returns the signal that is aborted as soon as the shutdown starts. */
  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Adds a part. A part added after the shutdown started is stopped immediately. */
  add(stage: Stage, stop: () => Promise<unknown>, kill?: () => void): void {
    if (this.signal.aborted) this.#late.push(stop());
    else this.#parts.push({ stage, stop, kill });
  }

  /**
   * Stops everything once, no matter how often it is called. A part that fails to stop does not prevent the others from stopping.
   * @param starting a promise that may still add parts; it is awaited
   */
  run(starting: Promise<unknown>): Promise<void> {
    this.#stopping.abort(new Error("Stop requested"));
    this.#done ??= this.#stopAll(starting);
    return this.#done;
  }

  /**
   * Immediately kills all parts that can be killed. Local nodes and database servers detect that the process that started them has ended,
   * and exit.
   */
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
