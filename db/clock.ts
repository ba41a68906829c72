import type { DbPool } from "@/db/client";
import type { Log } from "@/lib/log";

/** The database's clock, as this process knows it. */
export interface DbClock {
  now(): Date;
  /** Compares the clocks now. @throws the driver's error when the database is away */
  compare(): Promise<void>;
  stop(): void;
}

const COMPARE_EVERY_MS = 60_000;

/** A clock that follows the database's, so that all processes agree; compared every minute, and by `compare`. */
export function createDbClock(pool: DbPool, log: Log): DbClock {
  let offsetMs = 0;

  async function compare(): Promise<void> {
    const sentAt = Date.now();
    const [row] = await pool.sql<{ ms: number }[]>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`;
    const arrivedAt = Date.now();
    if (row) offsetMs = Math.round(row.ms - (sentAt + arrivedAt) / 2);
  }

  const timer = setInterval(() => {
    compare().catch((error) => log.warn({ err: error }, "the clock was not compared with the database's"));
  }, COMPARE_EVERY_MS).unref();

  return { now: () => new Date(Date.now() + offsetMs), compare, stop: () => clearInterval(timer) };
}
