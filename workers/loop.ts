import type { Log } from "@/lib/log";

const INITIAL_WAIT_MS = 500;

export interface LoopOptions {
  name: string;
  log: Log;
  /** The longest wait after a failure; the wait starts at half a second and increases. */
  maxWaitMs: number;
  /** Runs one round; resolves to the milliseconds until the next. */
  run: () => Promise<number>;
  /** Called with the duration of each round. */
  onRound?: (name: string, seconds: number, isFailure: boolean) => void;
}

export interface Loop {
  /** Ends the current wait, except one after a failure. */
  wake(): void;
  /** Waits for the current round and starts no other. */
  stop(): Promise<void>;
}

/** Runs rounds until stopped. No error ends the loop: it is logged, and the next round waits longer. */
export function startLoop(options: LoopOptions): Loop {
  let isStopped = false;
  let failures = 0;
  let wake = () => {};
  let isActive = false;

  const rest = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  async function round(): Promise<number> {
    const startedAt = performance.now();
    const report = (isFailure: boolean) =>
      options.onRound?.(options.name, (performance.now() - startedAt) / 1_000, isFailure);
    try {
      const ms = await options.run();
      report(false);
      if (failures > 0) options.log.info({ loop: options.name, failures }, "a loop is working again");
      failures = 0;
      return ms;
    } catch (error) {
      if (isStopped) return 0;
      report(true);
      failures += 1;
      const ms = Math.min(options.maxWaitMs, INITIAL_WAIT_MS * 2 ** Math.min(failures - 1, 12));
      if (isPowerOfTwo(failures)) {
        options.log.error({ loop: options.name, err: error, failures, coolDownMs: ms }, "a loop failed and continues");
      }
      return ms;
    }
  }

  async function turn(): Promise<void> {
    while (!isStopped) {
      isActive = false;
      const ms = await round();
      if (!isStopped && !(isActive && failures === 0)) await rest(ms);
    }
  }

  const ended = turn();
  return {
    wake() {
      isActive = true;
      if (failures === 0) wake();
    },
    async stop() {
      isStopped = true;
      wake();
      await ended;
    },
  };
}

/**
 * Returns true for the failures that are logged, the 1st, 2nd, 4th, 8th …, so that a long outage does not flood the
 * log.
 */
function isPowerOfTwo(count: number): boolean {
  return (count & (count - 1)) === 0;
}
