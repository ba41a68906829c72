import type { DbPool } from "@/db/client";
import type { CallbackSender } from "@/lib/callbacks/callback-sender";
import type { Log } from "@/lib/log";
import type { Loop } from "@/workers/loop";
import type { NetworkWatcher } from "@/workers/watch-network";

const LOOPS_END_MS = 4_000;
const RELEASE_MS = 1_500;
/** An attempt at a callback takes 15 s at most. */
const DRAIN_MS = 16_000;

/** What a worker has under way. */
export interface Running {
  loops: readonly Loop[];
  watchers: readonly NetworkWatcher[];
  /** Writes down the calls that were counted. */
  recordAll: () => Promise<void>;
  senders: readonly Pick<CallbackSender, "drain">[];
  pools: readonly DbPool[];
}

/** Networks go to the other workers first; callbacks that are under way end as they would have. */
export async function stopAll(log: Log, stopping: AbortController, running: Running): Promise<void> {
  const { loops, watchers, recordAll, senders, pools } = running;
  stopping.abort();
  const drained = senders.map((sender) => sender.drain());
  await atMost(
    LOOPS_END_MS,
    loops.map((loop) => loop.stop()),
  );
  await atMost(RELEASE_MS, [recordAll(), ...watchers.map((watcher) => watcher.release())]);
  await atMost(DRAIN_MS, drained);
  await atMost(
    RELEASE_MS,
    pools.map((pool) => pool.close()),
  );
  log.info("the worker has stopped");
}

/** Waits for all, whatever becomes of them, but not longer than `ms`: a database that is away must not hold up a stop. */
async function atMost(ms: number, work: readonly Promise<unknown>[]): Promise<void> {
  await Promise.race([Promise.allSettled(work), new Promise((resolve) => setTimeout(resolve, ms).unref())]);
}
