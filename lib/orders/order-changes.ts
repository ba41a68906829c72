import type { Db, DbPool } from "@/db/client";
import { listTargetVersions } from "@/db/queries/credit-targets";
import { ORDER_CHANGED } from "@/lib/domain/channels";
import type { Log } from "@/lib/log";

const IDS_PER_QUERY = 1_000;
const RECHECK_EVERY_MS = 60_000;

/** An open page of an order or another target. */
export interface OrderWatcher {
  /** A version of the order; may repeat, or be older than one already told. */
  changed(version: number): void;
  /** No more news will come from this process. */
  closed(): void;
}

/** The changes of orders and other targets, for the open pages of this process. */
export interface OrderChanges {
  /** Begins to tell `watcher` about an order; the answer ends it. */
  watch(orderId: string, watcher: OrderWatcher): () => void;
  /** Ends every watch, and every later one as it begins. */
  close(): void;
}

type Watchers = Map<string, Set<OrderWatcher>>;

/**
 * One LISTEN for the whole process, shared by every open page; it begins with the first watcher.
 * After trouble with the database, and once a minute to be sure, the versions of all that is watched are read again,
 * a thousand in a query, so a lost notification is made good.
 * @param listener where sessions last, if they do not in `pool`
 */
export function createOrderChanges(pool: DbPool, log: Log, listener = pool): OrderChanges {
  const watchers: Watchers = new Map();
  let stop: (() => void) | null = null;
  let isClosed = false;

  return {
    watch(orderId, watcher) {
      if (isClosed) {
        queueMicrotask(() => watcher.closed());
        return () => {};
      }
      stop ??= listen(pool.db, listener.sql, watchers, log);
      const set = watchers.get(orderId) ?? new Set();
      watchers.set(orderId, set.add(watcher));
      return () => {
        set.delete(watcher);
        if (set.size === 0 && watchers.get(orderId) === set) watchers.delete(orderId);
      };
    },
    close() {
      isClosed = true;
      const everybody = [...watchers.values()].flatMap((set) => [...set]);
      watchers.clear();
      for (const watcher of everybody) watcher.closed();
      stop?.();
    },
  };
}

/** The driver connects and listens again by itself whenever its connection is lost, and says so. */
function listen(db: Db, sql: DbPool["sql"], watchers: Watchers, log: Log): () => void {
  const recheck = () => {
    tellVersions(db, watchers).catch((error) => log.warn({ err: error }, "versions of watched orders were not read"));
  };
  const listening = sql.listen(ORDER_CHANGED, (payload) => tellPayload(watchers, payload), recheck);
  listening.catch((error) => log.warn({ err: error }, "not listening for changed orders yet"));
  const timer = setInterval(recheck, RECHECK_EVERY_MS).unref();
  return () => {
    clearInterval(timer);
    listening.then((subscription) => subscription.unlisten()).catch(() => {});
  };
}

/** A notification holds a line of id and version for each of many orders. */
function tellPayload(watchers: Watchers, payload: string): void {
  for (const line of payload.split("\n")) {
    const [orderId = "", version] = line.split(" ");
    tell(watchers, orderId, Number(version));
  }
}

async function tellVersions(db: Db, watchers: Watchers): Promise<void> {
  const ids = [...watchers.keys()];
  for (let start = 0; start < ids.length; start += IDS_PER_QUERY) {
    const some = ids.slice(start, start + IDS_PER_QUERY);
    for (const { id, version } of await listTargetVersions(db, some)) tell(watchers, id, version);
  }
}

function tell(watchers: Watchers, orderId: string, version: number): void {
  if (!Number.isSafeInteger(version)) return;
  for (const watcher of watchers.get(orderId) ?? []) watcher.changed(version);
}
