import type { DbPool } from "@/db/client";
import { WATCH_WANTED } from "@/lib/domain/channels";
import { shareNetworks } from "@/lib/watch/network-reader";
import { type HeldMemory, readWaiting } from "@/lib/watch/read-waiting";
import type { Loop } from "@/workers/loop";
import type { NetworkWatcher } from "@/workers/watch-network";

const LOOK_EVERY_MS = 1_000;
/** While this worker holds all that it serves; else it looks more often, for what has become free. */
const RENEW_EVERY_MS = 2_000;
const CLAIM_EVERY_MS = 1_000;
const LISTEN_AGAIN_MS = 30_000;

/** @param network of which all lines of it are; left out: of none */
export type StartLoop = (name: string, run: () => Promise<number>, network?: string) => Loop;

interface Watched {
  pool: DbPool;
  /** For leases: nothing may come between them and the database. */
  vital: DbPool;
  /** Name of this worker among all. */
  owner: string;
  /** By the ids of their networks. */
  watchers: ReadonlyMap<string, NetworkWatcher>;
  now: () => Date;
  /** Measures the database's clock again. */
  syncClock: () => Promise<void>;
  /** Nobody is looked for: every network is watched closely. */
  alwaysAwake: boolean;
}

/** Each network is read in its own time, and at once when somebody begins to wait on one that is read seldom. */
export function watchLoops({ alwaysAwake, ...watched }: Watched, loop: StartLoop): Loop[] {
  const { watchers } = watched;
  const watching = new Map([...watchers].map(([id, watcher]) => [id, loop(`watch ${id}`, watcher.watch, id)]));
  const verifying = [...watchers].map(([id, watcher]) => loop(`verify ${id}`, watcher.verify, id));
  const leases = watchers.size > 0 ? [leaseLoop(watched, watching, loop)] : [];
  const wakers = alwaysAwake ? [] : wakeLoops(watched, watching, loop);
  return [...leases, ...watching.values(), ...verifying, ...wakers];
}

/** All leases in one round, however many networks there are. */
function leaseLoop(
  { vital, watchers, now, syncClock, owner }: Omit<Watched, "alwaysAwake">,
  watching: ReadonlyMap<string, Loop>,
  loop: StartLoop,
): Loop {
  return loop("leases", async () => {
    const askedAt = now();
    const held = await shareNetworks(vital.db, owner, [...watchers.keys()]);
    const started = [...watchers].filter(([id, watcher]) => watcher.hold(held.get(id) ?? null, askedAt));
    // This process may have stood still, or the database moved to another machine: either clock may have changed since.
    if (started.length > 0) await syncClock();
    for (const [id] of started) watching.get(id)?.wake();
    return held.size < watchers.size ? CLAIM_EVERY_MS : RENEW_EVERY_MS;
  });
}

/** A notification comes at once; the look every second is for one that was lost, and for whoever waits no more. */
function wakeLoops(
  { pool, vital, watchers, now }: Omit<Watched, "alwaysAwake">,
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
