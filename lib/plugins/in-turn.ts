/** Runs work after all earlier work of the same key has ended. */
export type InTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Returns the queues of a process, one for each key with unfinished work. */
export function createInTurn(): InTurn {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key);
    const own = before ? before.then(work) : work();
    const ended = own.catch(() => undefined);
    last.set(key, ended);
    try {
      return await own;
    } finally {
      if (last.get(key) === ended) last.delete(key);
    }
  };
}
