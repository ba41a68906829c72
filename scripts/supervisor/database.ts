import postgres from "postgres";
import type { DbPool } from "@/db/client";
import type { EmbeddedServer } from "@/db/embedded";

const ASK_MS = 2_000;
const MAX_MISSES = 5;

/** Calls `onLost` once if the database has not responded for about ten seconds. A restart of the database takes less time. */
export function watchDatabase({ sql }: Pick<DbPool, "sql">, signal: AbortSignal, onLost: () => void): void {
  let misses = 0;
  const timer = setInterval(async () => {
    misses = await sql`select 1`.then(
      () => 0,
      () => misses + 1,
    );
    if (misses < MAX_MISSES || signal.aborted) return;
    clearInterval(timer);
    onLost();
  }, ASK_MS);
  signal.addEventListener("abort", () => clearInterval(timer));
}

/** Opens one connection for `watchDatabase`, without the ORM. */
export function openWatch(url: string): Pick<DbPool, "sql" | "close"> {
  const sql = postgres(url, { max: 1, connect_timeout: 10, connection: { application_name: "stablegate-start" } });
  return { sql, close: () => sql.end({ timeout: 5 }) };
}

/** Creates the database `name` on an embedded server if it does not exist. */
export async function createIfMissing(server: EmbeddedServer, name: string): Promise<void> {
  await onServer(server, async (sql) => {
    const found = await sql`select from pg_database where datname = ${name}`;
    if (found.length === 0) await sql`create database ${sql(name)}`;
  });
}

/** Runs a function on the maintenance database of an embedded server. */
export async function onServer(server: EmbeddedServer, run: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres(server.databaseUrl("postgres"), { max: 1, onnotice: () => {} });
  try {
    await run(sql);
  } finally {
    await sql.end();
  }
}
