import type { DbPool } from "@/db/client";
import type { CallbackSender } from "@/lib/callbacks/callback-sender";
import type { Log } from "@/lib/log";
import type { Loop } from "@/workers/loop";
import type { NetworkWatcher } from "@/workers/watch-network";

const LOOPS_END_MS = 4_000;
const RELEASE_MS = 1_500;
/** The longest drain; an attempt at a callback takes at most 15 s. */
const DRAIN_MS = 16_000;

/** The running parts of a worker. */
export interface Running {
  loops: readonly Loop[];
  watchers: readonly NetworkWatcher[];
  /** Stores the calls counted so far. */
  recordAll: () => Promise<void>;
  senders: readonly Pick<CallbackSender, "drain">[];
  pools: readonly DbPool[];
}

/** Stops a worker. Releases its networks to the other workers first. Callbacks in progress finish normally. */
export async function stopAll(log: Log, stopping: AbortController, running: Running): Promise<void> {
  const { loops, watchers, recordAll, senders, pools } = running;
  stopping.abort();
  const drained = senders.map((sender) => sender.drain());
  await withTimeout(
    LOOPS_END_MS,
    loops.map((loop) => loop.stop()),
  );
  await withTimeout(RELEASE_MS, [recordAll(), ...watchers.map((watcher) => watcher.release())]);
  await withTimeout(DRAIN_MS, drained);
  await withTimeout(
    RELEASE_MS,
    pools.map((pool) => pool.close()),
  );
  log.info("the worker has stopped");
}

/**
 * Waits for all promises, whether they resolve or reject, but at most `ms`: an unreachable database must not delay a
 * stop.
 */
async function withTimeout(ms: number, work: readonly Promise<unknown>[]): Promise<void> {
  await Promise.race([Promise.allSettled(work), new Promise((resolve) => setTimeout(resolve, ms).unref())]);
}
