import { sql } from "drizzle-orm";
import type { Db, DbPool } from "@/db/client";

/** Where lists, reports and files are read: from a replica as long as it shows all that was acknowledged, else from the primary. */
export interface ListReader {
  /**
   * Reads something by one function, which may run twice: where the replica fails in the middle, the primary answers.
   * @throws what the primary throws
   */
  read<T>(run: (db: Db) => Promise<T>): Promise<T>;
  /** The database to read a file from that is sent bit by bit: the same one to its end. */
  choose(): Promise<Db>;
}

interface Options {
  primary: Db;
  /** Null: there is none, and the primary answers everything. */
  replica: DbPool | null;
  /** Hears why the replica is not read for a while. */
  onRest(why: string, error?: unknown): void;
  now: () => Date;
  /** How long a list waits for a replica that is behind. */
  waitMs?: number;
  /** How much longer it may take to answer at all. */
  answerMs?: number;
}

interface Place extends Record<string, unknown> {
  system: string;
  position: string;
}

const WAIT_MS = 250;
const ANSWER_MS = 500;
const FIRST_LOOK_MS = 5;
/** A replica that was behind or away is not asked again so soon: not every list should wait for it. */
const REST_MS = 5_000;

/**
 * Makes the reader of a process. Before each list the primary says how far its log is on disk, which covers whatever it has
 * acknowledged to anybody, and the replica is read only once it has replayed that far: who has just done something sees it,
 * whichever process did it. A server that is none of this primary's replicas is never read.
 */
export function createListReader({
  primary,
  replica,
  onRest,
  now,
  waitMs = WAIT_MS,
  answerMs = ANSWER_MS,
}: Options): ListReader {
  let restUntil = 0;

  function rest(why: string, error?: unknown): Db {
    restUntil = now().getTime() + REST_MS;
    onRest(why, error);
    return primary;
  }

  async function choose(): Promise<Db> {
    if (replica === null || now().getTime() < restUntil) return primary;
    const goal = await placeOf(primary);
    try {
      const why = await atMost(whyBehind(replica.db, goal, waitMs), waitMs + answerMs);
      return why === null ? replica.db : rest(why);
    } catch (error) {
      return rest("it does not answer", error);
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
        rest("it failed in the middle", error);
        return run(primary);
      }
    },
  };
}

/** A commit is acknowledged once it is flushed, and a standby is sent nothing else. */
async function placeOf(primary: Db): Promise<Place> {
  const [row] = await primary.execute<Place>(
    sql`select (select system_identifier::text from pg_control_system()) as system, pg_current_wal_flush_lsn()::text as position`,
  );
  if (!row) throw new Error("The primary does not say how far its log is");
  return row;
}

/** Looks again and again, ever more seldom, until the replica is as far; null: it is. */
async function whyBehind(replica: Db, { system, position }: Place, waitMs: number): Promise<string | null> {
  for (let pause = FIRST_LOOK_MS, waited = 0; ; pause *= 2) {
    const [row] = await replica.execute<{ is_standby: boolean; is_ours: boolean; is_there: boolean | null }>(sql`
      select pg_is_in_recovery() as is_standby,
        (select system_identifier::text from pg_control_system()) = ${system} as is_ours,
        pg_last_wal_replay_lsn() >= ${position}::pg_lsn as is_there`);
    if (!row?.is_ours) return "it is no replica of this database, look at DATABASE_REPLICA_URL";
    // What was promoted goes its own way, and its log says nothing about the primary's.
    if (!row.is_standby) return "it was promoted and is a replica no more, look at DATABASE_REPLICA_URL";
    if (row.is_there) return null;
    if (waited >= waitMs) return `it is more than ${waitMs} ms behind`;
    const next = Math.min(pause, waitMs - waited);
    await new Promise((resolve) => setTimeout(resolve, next));
    waited += next;
  }
}

async function atMost<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    // What lost the race may fail yet, and nobody is left who would hear of it.
    work.catch(() => {});
  }
}
