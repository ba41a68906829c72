import { sql } from "drizzle-orm";
import type { Db, DbPool } from "@/db/client";

/** A reader for lists, reports and files. It uses a replica that has all acknowledged transactions, and otherwise the primary. */
export interface ListReader {
  /**
   * Runs a function that reads. If the replica fails during the read, the function runs again on the primary.
   * @throws the errors of the primary
   */
  read<T>(run: (db: Db) => Promise<T>): Promise<T>;
  /** Returns the database for a streamed file, which must be read from a single database. */
  choose(): Promise<Db>;
}

interface Options {
  primary: Db;
  /** The replica; null if there is none, and all reads use the primary. */
  replica: DbPool | null;
  /** Called with the reason when the replica is temporarily not used. */
  onUnavailable(why: string, error?: unknown): void;
  now: () => Date;
  /** The maximum time in milliseconds to wait for a replica that is behind. */
  waitMs?: number;
  /** The additional time in milliseconds for the replica to respond. */
  answerMs?: number;
}

interface Position extends Record<string, unknown> {
  system: string;
  position: string;
}

const WAIT_MS = 250;
const ANSWER_MS = 500;
const FIRST_LOOK_MS = 5;
/** The time in milliseconds for which a lagging or unreachable replica is not used, so that it does not delay every list. */
const COOL_DOWN_MS = 5_000;

/**
 * Creates the reader of a process. Before each list, it reads the primary's flushed log position, which covers every transaction that was
 * acknowledged to any client. It reads the replica only once the replica has replayed that position, so that users see their own changes,
 * regardless of which process made them. It never reads a server that is not a replica of this primary.
 */
export function createListReader({
  primary,
  replica,
  onUnavailable,
  now,
  waitMs = WAIT_MS,
  answerMs = ANSWER_MS,
}: Options): ListReader {
  let availableAtMs = 0;

  function rest(why: string, error?: unknown): Db {
    availableAtMs = now().getTime() + COOL_DOWN_MS;
    onUnavailable(why, error);
    return primary;
  }

  async function choose(): Promise<Db> {
    if (replica === null || now().getTime() < availableAtMs) return primary;
    const goal = await readPosition(primary);
    try {
      const why = await withTimeout(whyBehind(replica.db, goal, waitMs), waitMs + answerMs);
      return why === null ? replica.db : rest(why);
    } catch (error) {
      return rest("it does not respond", error);
    }
  }

  return {
    choose,
    async read(run) {
      const db = await choose();
      if (db === primary) return run(primary);
      try {
        return await run(db);
      } catch (error) {
        rest("it failed during a query", error);
        return run(primary);
      }
    },
  };
}

/**
 * Returns the flushed log position of the primary. A commit is acknowledged once it is flushed, and a standby receives
 * only flushed log.
 */
async function readPosition(primary: Db): Promise<Position> {
  const [row] = await primary.execute<Position>(
    sql`select (select system_identifier::text from pg_control_system()) as system, pg_current_wal_flush_lsn()::text as position`,
  );
  if (!row) throw new Error("The primary returned no log position");
  return row;
}

/**
 * Waits with growing pauses until the replica has replayed the position. Returns null on success, otherwise the reason why the replica is
 * not used.
 */
async function whyBehind(replica: Db, { system, position }: Position, waitMs: number): Promise<string | null> {
  for (let pause = FIRST_LOOK_MS, waited = 0; ; pause *= 2) {
    const [row] = await replica.execute<{ is_standby: boolean; is_ours: boolean; is_there: boolean | null }>(sql`
      select pg_is_in_recovery() as is_standby,
        (select system_identifier::text from pg_control_system()) = ${system} as is_ours,
        pg_last_wal_replay_lsn() >= ${position}::pg_lsn as is_there`);
    if (!row?.is_ours) return "it is not a replica of this database, check DATABASE_REPLICA_URL";
    // A promoted server has its own timeline, so its position is not comparable to the primary's.
    if (!row.is_standby) return "it was promoted and is no longer a replica, check DATABASE_REPLICA_URL";
    if (row.is_there) return null;
    if (waited >= waitMs) return `it is more than ${waitMs} ms behind`;
    const next = Math.min(pause, waitMs - waited);
    await new Promise((resolve) => setTimeout(resolve, next));
    waited += next;
  }
}

async function withTimeout<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`No response within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    // The promise that loses the race may reject later. Without a handler, this would be an unhandled rejection.
    work.catch(() => {});
  }
}
