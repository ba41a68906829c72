import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";

/** The database's clock, so that all processes of an installation agree on the time. */
export interface DbClock {
  now(): Date;
  /** Measures how far the local clock is off. Until the first call they count as equal. */
  sync(): Promise<void>;
}

/** A clock that runs locally, corrected by what `sync` measured. @param local milliseconds of this machine */
export function createDbClock(db: Db, local: () => number): DbClock {
  let offsetMs = 0;
  return {
    now: () => new Date(local() + offsetMs),
    async sync() {
      const askedAt = local();
      const [row] = await db.execute<{ ms: string }>(
        sql`select (extract(epoch from clock_timestamp()) * 1000)::bigint::text as ms`,
      );
      if (row) offsetMs = Number(row.ms) - Math.round((askedAt + local()) / 2);
    },
  };
}
