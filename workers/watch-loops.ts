import type { DbPool } from "@/db/client";
import { WATCH_WANTED } from "@/lib/domain/channels";
import { type HeldMemory, readWaiting } from "@/lib/watch/read-waiting";
import type { Loop } from "@/workers/loop";
import type { NetworkWatcher } from "@/workers/watch-network";

const LOOK_EVERY_MS = 1_000;
const LISTEN_AGAIN_MS = 30_000;

export type StartLoop = (name: string, run: () => Promise<number>) => Loop;

interface Watched {
  pool: DbPool;
  /** By the ids of their networks. */
  watchers: ReadonlyMap<string, NetworkWatcher>;
  now: () => Date;
  /** Nobody is looked for: every network is watched closely. */
  alwaysAwake: boolean;
}

/** Each network is read in its own time, and at once when somebody begins to wait on one that is read seldom. */
export function watchLoops({ pool, watchers, now, alwaysAwake }: Watched, loop: StartLoop): Loop[] {
  const watching = new Map([...watchers].map(([id, watcher]) => [id, loop(`watch ${id}`, watcher.watch)]));
  const others = [...watchers].flatMap(([id, watcher]) => [
    loop(`lease ${id}`, async () => {
      const { ms, isNew } = await watcher.keepLease();
      if (isNew) watching.get(id)?.wake();
      return ms;
    }),
    loop(`verify ${id}`, watcher.verify),
  ]);
  const wakers = alwaysAwake ? [] : wakeLoops({ pool, watchers, now }, watching, loop);
  return [...watching.values(), ...others, ...wakers];
}

/** A notification comes at once; the look every second is for one that was lost, and for whoever waits no more. */
function wakeLoops(
  { pool, watchers, now }: Omit<Watched, "alwaysAwake">,
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
    if (!isListening) await pool.sql.listen(WATCH_WANTED, () => look.wake());
    isListening = true;
    return LISTEN_AGAIN_MS;
  });
  return [look, listen];
}
