import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";

/** The database's clock, so that all processes of an installation agree on the time. */
export interface DbClock {
  now(): Date;
  /** Measures how far the local clock is off. Until the first call they count as equal. */
  sync(): Promise<void>;
}

/** The round-trip time up to which a response gives a sufficiently exact time. */
const SOON_MS = 100;
const TRIES = 3;

/**
 * A clock that runs locally, corrected by what `sync` measured: by the quickest of up to three answers, for a process that stood still while
 * one was under way would be off by half of that until the next.
 * @param local milliseconds of this machine
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
