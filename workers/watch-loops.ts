import type { DbPool } from "@/db/client";
import { WATCH_WANTED } from "@/lib/domain/channels";
import { shareNetworks } from "@/lib/watch/network-reader";
import { type HeldMemory, readWaiting } from "@/lib/watch/read-waiting";
import type { Loop } from "@/workers/loop";
import type { NetworkWatcher } from "@/workers/watch-network";

const LOOK_EVERY_MS = 1_000;
/** The interval of renewals while this worker holds the leases of all its networks; otherwise it checks more often for free leases. */
const RENEW_EVERY_MS = 2_000;
const CLAIM_EVERY_MS = 1_000;
const LISTEN_AGAIN_MS = 30_000;

/** Starts a loop. @param network the network in all its log lines; omitted if there is none */
export type StartLoop = (name: string, run: () => Promise<number>, network?: string) => Loop;

interface Watched {
  pool: DbPool;
  /** The pool for leases: it bypasses all poolers. */
  vital: DbPool;
  /** The unique name of this worker among all workers. */
  owner: string;
  /** The watchers by the ids of their networks. */
  watchers: ReadonlyMap<string, NetworkWatcher>;
  now: () => Date;
  /** Measures the offset of the database's clock again. */
  syncClock: () => Promise<void>;
  /** True to poll every network at the active interval, without queries for waiting payers. */
  alwaysActive: boolean;
}

/** Starts the loops that read networks: each at its own interval, and immediately when a payer starts to wait on an idle network. */
export function watchLoops({ alwaysActive, ...watched }: Watched, loop: StartLoop): Loop[] {
  const { watchers } = watched;
  const watching = new Map([...watchers].map(([id, watcher]) => [id, loop(`watch ${id}`, watcher.watch, id)]));
  for (const [id, watcher] of watchers) watcher.wakeWith(() => watching.get(id)?.wake());
  const verifying = [...watchers].map(([id, watcher]) => loop(`verify ${id}`, watcher.verify, id));
  const leases = watchers.size > 0 ? [leaseLoop(watched, watching, loop)] : [];
  const wakers = alwaysActive ? [] : wakeLoops(watched, watching, loop);
  return [...leases, ...watching.values(), ...verifying, ...wakers];
}

/** Starts the loop that handles all leases in one round, regardless of the number of networks. */
function leaseLoop(
  { vital, watchers, now, syncClock, owner }: Omit<Watched, "alwaysActive">,
  watching: ReadonlyMap<string, Loop>,
  loop: StartLoop,
): Loop {
  return loop("leases", async () => {
    const askedAt = now();
    const held = await shareNetworks(vital.db, owner, [...watchers.keys()]);
    const started = [...watchers].filter(([id, watcher]) => watcher.hold(held.get(id) ?? null, askedAt));
    // This process may have been suspended, or the database moved to a different machine, so either clock may have changed.
    if (started.length > 0) await syncClock();
    for (const [id] of started) watching.get(id)?.wake();
    return held.size < watchers.size ? CLAIM_EVERY_MS : RENEW_EVERY_MS;
  });
}

/**
 * Starts the loops that wake networks. A notification arrives immediately; the check every second covers lost notifications and payers who
 * no longer wait.
 */
function wakeLoops(
  { pool, vital, watchers, now }: Omit<Watched, "alwaysActive">,
  watching: ReadonlyMap<string, Loop>,
  loop: StartLoop,
): Loop[] {
  const held: HeldMemory = { until: new Map(), readAt: null };
  const look = loop("who waits", async () => {
    const waiting = await readWaiting(pool.db, [...watchers.keys()], held, now());
    for (const [id, watcher] of watchers) {
      const who = waiting.get(id);
      if (who && watcher.see(who)) watching.get(id)?.wake();
    }
    return LOOK_EVERY_MS;
  });
  let isListening = false;
  const listen = loop("listen for orders", async () => {
    if (!isListening) await vital.sql.listen(WATCH_WANTED, () => look.wake());
    isListening = true;
    return LISTEN_AGAIN_MS;
  });
  return [look, listen];
}
