import type { Db, DbPool } from "@/db/client";
import { listTargetVersions } from "@/db/queries/credit-targets";
import { ORDER_CHANGED } from "@/lib/domain/channels";
import type { Log } from "@/lib/log";

const IDS_PER_QUERY = 1_000;
const RECHECK_EVERY_MS = 60_000;

/** An open page of an order or another target. */
export interface OrderWatcher {
  /** Called with a version of the order. Versions may repeat or arrive out of order. */
  changed(version: number): void;
  /** Called when this process will send no more changes. */
  closed(): void;
}

/** The changes to orders and other targets, for the open pages of this process. */
export interface OrderChanges {
  /** Subscribes `watcher` to an order; the returned function ends the subscription. */
  watch(orderId: string, watcher: OrderWatcher): () => void;
  /** Ends every subscription. Later ones end immediately. */
  close(): void;
}

type Watchers = Map<string, Set<OrderWatcher>>;

/**
 * Creates the source of order changes for this process. Every open page shares one LISTEN connection, which opens with the first watcher.
 * After a database error, and once a minute, the versions of all watched targets are read again, a thousand per query, to recover lost
 * notifications.
 * @param listener the pool for the LISTEN connection, if `pool` does not keep sessions
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
      const everyWatcher = [...watchers.values()].flatMap((set) => [...set]);
      watchers.clear();
      for (const watcher of everyWatcher) watcher.closed();
      stop?.();
    },
  };
}

/** Starts LISTEN. After a lost connection, the driver reconnects, listens again automatically, and then calls back. */
function listen(db: Db, sql: DbPool["sql"], watchers: Watchers, log: Log): () => void {
  const recheck = () => {
    notifyVersions(db, watchers).catch((error) =>
      log.warn({ err: error }, "versions of watched orders could not be read"),
    );
  };
  const listening = sql.listen(ORDER_CHANGED, (payload) => notifyFromPayload(watchers, payload), recheck);
  listening.catch((error) => log.warn({ err: error }, "not listening for changed orders yet"));
  const timer = setInterval(recheck, RECHECK_EVERY_MS).unref();
  return () => {
    clearInterval(timer);
    listening.then((subscription) => subscription.unlisten()).catch(() => {});
  };
}

/** Forwards a notification, which contains one line with the id and version of each order. */
function notifyFromPayload(watchers: Watchers, payload: string): void {
  for (const line of payload.split("\n")) {
    const [orderId = "", version] = line.split(" ");
    notify(watchers, orderId, Number(version));
  }
}

async function notifyVersions(db: Db, watchers: Watchers): Promise<void> {
  const ids = [...watchers.keys()];
  for (let start = 0; start < ids.length; start += IDS_PER_QUERY) {
    const some = ids.slice(start, start + IDS_PER_QUERY);
    for (const { id, version } of await listTargetVersions(db, some)) notify(watchers, id, version);
  }
}

function notify(watchers: Watchers, orderId: string, version: number): void {
  if (!Number.isSafeInteger(version)) return;
  for (const watcher of watchers.get(orderId) ?? []) watcher.changed(version);
}
