import type postgres from "postgres";
import { openDriver } from "@/db/servers";

/** The connection settings of PostgreSQL. */
export interface DatabaseUrls {
  databaseUrl: string;
  /** The URL of the server itself, if `databaseUrl` is the URL of a pooler; null if there is no pooler. */
  databaseDirectUrl: string | null;
}

const ANSWER_MS = 5_000;
/**
 * The maximum number of tries to detect a pooler. Several tries are needed, because a different client of the same pooler may use a
 * connection between two statements.
 */
const TRIES = 5;

/**
 * Returns true if the URL leads to a pooler that assigns a connection per transaction (PgBouncer's transaction mode). Such a pooler loses
 * the state of a session, for example LISTEN.
 * @returns null if the database does not respond
 */
export async function isPooledByTransaction(url: string): Promise<boolean | null> {
  // The options set no session parameters, because poolers refuse such connections.
  const options = {
    max: 1,
    prepare: false,
    fetch_types: false,
    connect_timeout: ANSWER_MS / 1_000,
    onnotice: () => {},
  };
  const connections = [openDriver(url, options), openDriver(url, options)] as const;
  const timer = new Promise<null>((resolve) => setTimeout(() => resolve(null), 2 * ANSWER_MS).unref());
  try {
    return await Promise.race([compare(...connections), timer]);
  } catch {
    return null;
  } finally {
    await Promise.all(connections.map((sql) => sql.end({ timeout: 0 })));
  }
}

async function compare(one: postgres.Sql, other: postgres.Sql): Promise<boolean> {
  const first = await one`select pg_backend_pid() as pid`;
  // A server sends the process id of its session in the greeting; a pooler sends an id of its own.
  if ((first as unknown as { state: { pid: number } }).state.pid === first[0]?.["pid"]) return false;
  for (let tries = 0; tries < TRIES; tries++) {
    const [before] = await one`select pg_backend_pid() as pid`;
    const moved = await other.begin(async (tx) => {
      const [held] = await tx`select pg_backend_pid() as pid`;
      if (held?.["pid"] === before?.["pid"]) return true;
      const [after] = await one`select pg_backend_pid() as pid`;
      return after?.["pid"] !== before?.["pid"];
    });
    if (moved) return true;
  }
  return false;
}

/**
 * Checks, at the start of a process, that the connection settings fit the database.
 * @returns warnings about missing limits
 * @throws Error with a human-readable message if the settings cannot work
 */
export async function examineDatabaseUrls({ databaseUrl, databaseDirectUrl }: DatabaseUrls): Promise<string[]> {
  if (databaseDirectUrl === null) {
    if ((await isPooledByTransaction(databaseUrl)) === true) throw new Error(NEEDS_DIRECT);
    return [];
  }
  if ((await isPooledByTransaction(databaseDirectUrl)) === true) throw new Error(DIRECT_IS_POOLED);
  const sql = openDriver(databaseUrl, {
    max: 1,
    prepare: false,
    fetch_types: false,
    connect_timeout: ANSWER_MS / 1_000,
  });
  try {
    const [row] = await sql`select current_user as role, current_setting('statement_timeout') as statement,
      current_setting('lock_timeout') as lock, current_setting('idle_in_transaction_session_timeout') as silence`;
    const lacking = [row?.["statement"], row?.["lock"], row?.["silence"]].includes("0");
    return lacking ? [limitsMissing(String(row?.["role"]))] : [];
  } catch {
    return [];
  } finally {
    await sql.end({ timeout: 0 });
  }
}

const NEEDS_DIRECT =
  "DATABASE_URL uses a pooler that gives each transaction a different connection (PgBouncer's transaction mode), which " +
  "loses notifications and worker leases. Set DATABASE_DIRECT_URL to the PostgreSQL server itself, such as " +
  "postgres://user:password@host:5432/stablegate: it is used for notifications and leases (one connection per web process, two per worker, " +
  "one for npm run migrate), and DATABASE_URL for everything else.";
const DIRECT_IS_POOLED =
  "DATABASE_DIRECT_URL also uses a pooler that gives each transaction a different connection. It must point to the " +
  "PostgreSQL server itself: usually the same URL with the server's own port, 5432.";
const limitsMissing = (role: string) =>
  "the pooler does not pass on time limits, so a statement or an idle transaction can hold its locks indefinitely. Set them for the " +
  `role: ALTER ROLE "${role}" SET statement_timeout = '60s'; ALTER ROLE "${role}" SET lock_timeout = '10s'; ` +
  `ALTER ROLE "${role}" SET idle_in_transaction_session_timeout = '5s';`;
