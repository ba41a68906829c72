import { randomBytes } from "node:crypto";
import { type Logger, type SQL, sql } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import {
  drizzle,
  type PostgresJsDatabase,
  PostgresJsPreparedQuery,
  type PostgresJsSession,
} from "drizzle-orm/postgres-js";
import type postgres from "postgres";
import { withoutRow } from "@/db/failure";
import * as schema from "@/db/schema";
import { openDriver } from "@/db/servers";

/** A connection pool or a transaction of it: every story takes one, so any of them fits into a transaction. */
export type Db = PostgresJsDatabase<typeof schema>;

export interface DbPool {
  db: Db;
  /** The driver itself, for LISTEN and for statements that drizzle cannot write. */
  sql: postgres.Sql;
  close(): Promise<void>;
}

interface WorkLimits {
  /** A statement is ended after this time, 0: never. */
  statementMs: number;
  /** A statement that waits for a lock is ended after this time. */
  lockMs: number;
  /**
   * A transaction whose process says nothing is taken back after this time, and its locks are free: what stopped in the
   * middle of one (SIGSTOP, a machine that sleeps) must not hold up a takeover.
   */
  silentMs: number;
}

/** What each kind of work may take, by the database's own watch. */
export const WORK_LIMITS = {
  /** A request of a merchant ends after 15 s. */
  api: { statementMs: 10_000, lockMs: 5_000, silentMs: 5_000 },
  /** Pages of payers and of the back office, with its reports. */
  pages: { statementMs: 30_000, lockMs: 5_000, silentMs: 5_000 },
  /**
   * A network's lease holds 6 s: a silent transaction ends before it, so that the next worker waits for nothing more. A
   * process can also fall silent between the two halves of a statement: workers look for that (`endSilentSessions`).
   */
  worker: { statementMs: 60_000, lockMs: 10_000, silentMs: 5_000 },
  /** A change of the schema takes the time that it takes; one whose process is gone must not stand for ever. */
  migrate: { statementMs: 0, lockMs: 0, silentMs: 60_000 },
  /** Tools and tests. */
  none: { statementMs: 0, lockMs: 0, silentMs: 0 },
} as const satisfies Record<string, WorkLimits>;

/** The server ends a statement at its limit and says so; one that says nothing for so much longer is gone, whatever the network says. */
const ANSWER_SPARE_MS = 5_000;

interface PoolOptions {
  work: keyof typeof WORK_LIMITS;
  max?: number;
  applicationName?: string;
  /** A pooler stands between, which gives each transaction another connection: nothing is kept in a session. */
  isPooled?: boolean;
  /** Is told as each statement of drizzle leaves; what it returns is called when that is over. Left out: nobody is. */
  watch?: WatchStatement | undefined;
}

export type WatchStatement = () => () => void;

/** It watches for a pool and its transactions; the texts of statements are nobody's. */
class Watcher implements Logger {
  readonly watch: WatchStatement;
  constructor(watch: WatchStatement) {
    this.watch = watch;
  }
  logQuery(): void {}
}

const watched = async <T>(logger: unknown, run: () => Promise<T>): Promise<T> => {
  const end = logger instanceof Watcher ? logger.watch() : null;
  try {
    return await run();
  } catch (error) {
    throw withoutRow(error);
  } finally {
    end?.();
  }
};

/** Opens a pool on a PostgreSQL URL, of one server or several (`db/servers.ts`), for one kind of work. Nothing connects before the first query. */
export function openDb(url: string, options: PoolOptions): DbPool {
  const { isPooled = false } = options;
  const limits = WORK_LIMITS[options.work];
  const settings = isPooled ? {} : settingsOf(limits);
  const sql = openDriver(url, {
    max: options.max ?? 10,
    prepare: !isPooled,
    connect_timeout: 10,
    ...(limits.statementMs > 0 && { answer_timeout: (limits.statementMs + ANSWER_SPARE_MS) / 1_000 }),
    connection: { application_name: options.applicationName ?? "stablegate", ...settings },
    onnotice: () => {},
  });
  const db = drizzle(sql, { schema, ...(options.watch && { logger: new Watcher(options.watch) }) });
  return { db, sql, close: () => sql.end({ timeout: 5 }) };
}

/** As texts: the driver leaves out a 0, which says here that a limit of the role or the database does not hold. */
function settingsOf({ statementMs, lockMs, silentMs }: WorkLimits) {
  return {
    statement_timeout: `${statementMs}` as unknown as number,
    lock_timeout: `${lockMs}` as unknown as number,
    idle_in_transaction_session_timeout: `${silentMs}` as unknown as number,
  };
}

interface Runs {
  queryWithCache<T>(text: string, params: unknown[], query: () => Promise<T>): Promise<T>;
}

/**
 * Every statement of drizzle fails here: its parameters leave the error before anybody sees it, who may print it (a page
 * that Next renders, a script) past the log.
 */
const statements = PostgresJsPreparedQuery.prototype as unknown as Runs;
const run = statements.queryWithCache;
statements.queryWithCache = function queryWithCache(this: Runs & { logger?: unknown }, text, params, query) {
  return watched(this.logger, () => run.call(this, text, params, query));
} as Runs["queryWithCache"];

const dialect = new PgDialect();
type Session = PostgresJsSession<postgres.Sql, Record<string, unknown>, Record<string, never>>;

/** The driver's own connection under a transaction, for COPY, which drizzle cannot write. */
export function driverOf(db: Db): postgres.Sql {
  return (db._.session as unknown as Session).client as postgres.Sql;
}

/**
 * Runs a statement that the server keeps parsed and planned per connection: one round trip each time.
 * For the few statements of the hot paths; `text` must be one of a fixed set, with $1, $2 … for `params`.
 * @param params texts, numbers, booleans and null; times as ISO 8601 texts.
 */
export async function runPrepared<Row extends object>(
  db: Db,
  text: string,
  params: readonly (string | number | boolean | null)[],
): Promise<Row[]> {
  const session = db._.session as unknown as Session & { logger: Logger };
  session.logger.logQuery(text, [...params]);
  return watched(session.logger, async () => session.client.unsafe<Row[]>(text, [...params], { prepare: true }));
}

/** The same of a statement that is put together: its parts must be such that its text is one of a fixed set, too. */
export async function executePrepared<Row extends object>(db: Db, query: SQL): Promise<Row[]> {
  const { sql: text, params } = dialect.sqlToQuery(query);
  return runPrepared<Row>(db, text, params as string[]);
}

/**
 * The form of stored API keys that a process reads, named on its connections: keys are found by an HMAC. Earlier processes name none, so
 * that `db/queries/merchants/key-hashes.ts` sees whether one is still connected.
 */
const KEY_FORM = "v2";

/** Returns the name of a web process's connections for one purpose. */
export const webName = (work: "api" | "pages" | "listener") => `stablegate-${work} ${KEY_FORM}`;

/** Returns a worker's name among all on the database. Its last eight characters name its connections. */
export const newOwner = (host: string, pid: number) => `${host}:${pid}:${KEY_FORM}${randomBytes(3).toString("hex")}`;

/** How the connections of a worker are named, so that others see whether it is still there. */
export const workerName = (owner: string) => `stablegate-worker ${owner.slice(-8)}`;

/**
 * Ends connections of this service whose process went silent in the middle of a statement, between sending its text and its
 * values: a silence that no timeout of PostgreSQL before 17 ends, while the locks of the transaction stay.
 * @returns how many were ended
 */
export async function endSilentSessions(db: Db, silentMs: number): Promise<number> {
  const rows = await db.execute(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and usename = current_user and application_name like 'stablegate-%'
      and state = 'active' and wait_event_type = 'Client' and wait_event = 'ClientRead' and pid <> pg_backend_pid()
      and state_change < clock_timestamp() - make_interval(secs => ${silentMs / 1_000})`);
  return rows.length;
}
