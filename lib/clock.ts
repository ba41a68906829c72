import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";

/** The database's clock, so that all processes of an installation agree on the time. */
export interface DbClock {
  now(): Date;
  /** Measures the offset of the local clock. Until the first call the offset is zero. */
  sync(): Promise<void>;
}

/** The maximum round-trip time at which a response is considered exact. */
const SOON_MS = 100;
const TRIES = 3;

/**
 * Creates a clock that runs locally, corrected by the offset that `sync` measured. `sync` uses the fastest of up to three responses: if
 * the process is suspended during a request, the offset is wrong by half of the suspension until the next `sync`.
 * @param local returns this machine's time in milliseconds
 */
export function createDbClock(db: Db, local: () => number): DbClock {
  let offsetMs = 0;
  return {
    now: () => new Date(local() + offsetMs),
    async sync() {
      let quickest = Number.POSITIVE_INFINITY;
      let found = offsetMs;
      for (let tries = 0; tries < TRIES && quickest > SOON_MS; tries++) {
        const askedAt = local();
        const [row] = await db.execute<{ ms: string }>(
          sql`select (extract(epoch from clock_timestamp()) * 1000)::bigint::text as ms`,
        );
        const answeredAt = local();
        if (!row || answeredAt - askedAt >= quickest) continue;
        quickest = answeredAt - askedAt;
        found = Number(row.ms) - Math.round((askedAt + answeredAt) / 2);
      }
      offsetMs = found;
    },
  };
}
