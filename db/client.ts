import { randomBytes } from "node:crypto";
import { type SQL, sql } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import type postgres from "postgres";
import { openDriver } from "@/db/servers";
import { createDb, type Db, sessionOf, type WatchStatement } from "@/db/session";

export type { Db };

export interface DbPool {
  db: Db;
  /** The driver, for LISTEN, COPY and other statements that the ORM does not support. */
  sql: postgres.Sql;
  close(): Promise<void>;
}

interface WorkLimits {
  /** The longest time that a statement may take; 0: no limit. */
  statementMs: number;
  /** The longest time that a statement may wait for a lock; 0: no limit. */
  lockMs: number;
  /**
   * The longest time that a transaction may be idle between two statements; 0: no limit. PostgreSQL then rolls it back and
   * releases its locks, so that a stopped process (SIGSTOP, a suspended machine) does not delay a takeover.
   */
  silentMs: number;
}

/** The limits of each kind of work, which PostgreSQL enforces. */
export const WORK_LIMITS = {
  /** Requests from merchants, which end after 15 s. */
  api: { statementMs: 10_000, lockMs: 5_000, silentMs: 5_000 },
  /** Pages of payers and of the back office, with its reports. */
  pages: { statementMs: 30_000, lockMs: 5_000, silentMs: 5_000 },
  /**
   * An idle transaction ends before a network's lease of 6 s expires, so that the next worker does not wait for its locks.
   * `endSilentSessions` ends the session of a process that stops while it sends a statement.
   */
  worker: { statementMs: 60_000, lockMs: 10_000, silentMs: 5_000 },
  /** Schema changes, which may take any time, unless their process stops between two statements. */
  migrate: { statementMs: 0, lockMs: 0, silentMs: 60_000 },
  /** Tools and tests. */
  none: { statementMs: 0, lockMs: 0, silentMs: 0 },
} as const satisfies Record<string, WorkLimits>;

/** The time that a server has beyond a statement's limit to report the timeout. After that, its connection counts as lost. */
const RESPONSE_MARGIN_MS = 5_000;

interface PoolOptions {
  work: keyof typeof WORK_LIMITS;
  max?: number;
  applicationName?: string;
  /** True if the server is behind a pooler that assigns a connection per transaction. Sessions then store no state. */
  isPooled?: boolean;
  /** A function that is called for each statement. */
  watch?: WatchStatement | undefined;
  /** True to prepare repeated statements, for processes that run few different ones again and again. No effect behind a pooler. */
  preparesRepeated?: boolean;
}

/** Opens a pool for one kind of work. The PostgreSQL URL names one server or several (`db/servers.ts`). The first query connects. */
export function openDb(url: string, options: PoolOptions): DbPool {
  const { isPooled = false } = options;
  const limits = WORK_LIMITS[options.work];
  const settings = isPooled ? {} : settingsOf(limits);
  const sql = openDriver(url, {
    max: options.max ?? 10,
    prepare: !isPooled,
    connect_timeout: 10,
    answer_timeout: limits.statementMs > 0 ? (limits.statementMs + RESPONSE_MARGIN_MS) / 1_000 : 0,
    connection: { application_name: options.applicationName ?? "stablegate", ...settings },
    onnotice: () => {},
  });
  return { db: createDb(sql, options), sql, close: () => sql.end({ timeout: 5 }) };
}

/** Returns the limits as strings, because the driver omits the number 0, which overrides a limit of the role or the database. */
function settingsOf({ statementMs, lockMs, silentMs }: WorkLimits) {
  return {
    statement_timeout: `${statementMs}` as unknown as number,
    lock_timeout: `${lockMs}` as unknown as number,
    idle_in_transaction_session_timeout: `${silentMs}` as unknown as number,
  };
}

const dialect = new PgDialect();

/** Returns the driver's connection of a transaction, for COPY, which the ORM does not support. */
export function driverOf(db: Db): postgres.Sql {
  return sessionOf(db).client;
}

/**
 * Runs a prepared statement: the server parses and plans it once per connection, and each run takes one round trip. Use it for hot paths
 * only. `text` must be one of a fixed set, with $1, $2 … for `params`.
 * @param params strings, numbers, booleans and null; times as ISO 8601 strings
 */
export async function runPrepared<Row extends object>(
  db: Db,
  text: string,
  params: readonly (string | number | boolean | null)[],
): Promise<Row[]> {
  const session = sessionOf(db);
  return session.run(text, params, () => session.client.unsafe<Row[]>(text, [...params], { prepare: true }));
}

/** Runs an assembled statement as a prepared one. Its parts must produce one of a fixed set of statement texts. */
export async function executePrepared<Row extends object>(db: Db, query: SQL): Promise<Row[]> {
  const { sql: text, params } = dialect.sqlToQuery(query);
  return runPrepared<Row>(db, text, params as string[]);
}

/**
 * The version of the stored form of API keys that a process reads. In this version, a key is found by an HMAC. The version is part of the
 * names of the process's connections. Earlier processes have no version in these names, so `db/queries/merchants/key-hashes.ts` can detect
 * whether an earlier process is still connected.
 */
const KEY_FORM = "v2";

/** Returns the name of a web process's connections for one purpose. */
export const webName = (work: "api" | "pages" | "listener") => `stablegate-${work} ${KEY_FORM}`;

/** Returns a name for a worker that is unique in the database. Its last eight characters name its connections. */
export const newOwner = (host: string, pid: number) => `${host}:${pid}:${KEY_FORM}${randomBytes(3).toString("hex")}`;

/** Returns the name of a worker's connections, by which other processes detect that the worker is connected. */
export const workerName = (owner: string) => `stablegate-worker ${owner.slice(-8)}`;

/**
 * Ends connections of this service whose process stopped between sending a statement's text and its values. No timeout of PostgreSQL
 * before 17 ends them, so their transactions would keep their locks.
 * @returns the number of ended connections
 */
export async function endSilentSessions(db: Db, silentMs: number): Promise<number> {
  const rows = await db.execute(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and usename = current_user and application_name like 'stablegate-%'
      and state = 'active' and wait_event_type = 'Client' and wait_event = 'ClientRead' and pid <> pg_backend_pid()
      and state_change < clock_timestamp() - make_interval(secs => ${silentMs / 1_000})`);
  return rows.length;
}
