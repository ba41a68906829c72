import { type DbPool, openDb } from "@/db/client";

/** The process crashed: all its later statements fail too. */
export class Crash extends Error {
  override readonly name = "Crash";
}

/** The database pool of a process that can be made to crash before any of its statements. */
export interface FragileDb {
  readonly pool: DbPool;
  /** Crashes before the statement with this number, counted from now; null: never. */
  crashBefore(statement: number | null): void;
}

/**
 * Opens a pool whose process crashes where a test wants it to. PostgreSQL rolls the open transaction back, and code that catches errors
 * of single rows cannot continue, because its next statement fails as well.
 */
export function openFragileDb(url: string): FragileDb {
  let [left, statements]: [number | null, number] = [null, 0];
  const watch = () => {
    statements += 1;
    if (left !== null && statements >= left) throw new Crash("The process crashed before this statement");
    return () => {};
  };
  return {
    pool: openDb(url, { work: "none", max: 4, applicationName: "stablegate-test", watch }),
    crashBefore(statement) {
      [left, statements] = [statement, 0];
    },
  };
}
