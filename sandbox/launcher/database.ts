import postgres from "postgres";
import type { DbPool } from "@/db/client";
import { type EmbeddedServer, startEmbedded } from "@/db/embedded";
import { ForeignSchema, migrate } from "@/db/migrate";

const NAME = "stablegate";
const ASK_MS = 2_000;
const MAX_MISSES = 5;

/**
 * Starts the sandbox's PostgreSQL on its data, with the database in it and the schema up to date. Data of an earlier,
 * unreleased schema are nobody's money: their database is made anew.
 * @param folder db/ of the project
 */
export async function startDatabase(
  dataDir: string,
  password: string,
  folder: string,
  say: (text: string) => void,
): Promise<{ url: string; server: EmbeddedServer }> {
  const server = await startEmbedded({ dataDir, password, port: 0, isPersistent: true });
  try {
    await createIfMissing(server);
    const url = server.databaseUrl(NAME);
    await migrate(url, folder).catch(async (error) => {
      if (!(error instanceof ForeignSchema)) throw error;
      say("The sandbox's database is of an earlier schema; it begins anew.");
      await onServer(server, (sql) => sql`drop database ${sql(NAME)} with (force)`);
      await createIfMissing(server);
      await migrate(url, folder);
    });
    return { url, server };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Calls `onLost` once when the database has not answered for about ten seconds; it may restart itself in less. */
export function watchDatabase({ sql }: DbPool, signal: AbortSignal, onLost: () => void): void {
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

async function createIfMissing(server: EmbeddedServer): Promise<void> {
  await onServer(server, async (sql) => {
    const found = await sql`select from pg_database where datname = ${NAME}`;
    if (found.length === 0) await sql`create database ${sql(NAME)}`;
  });
}

async function onServer(server: EmbeddedServer, run: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres(server.databaseUrl("postgres"), { max: 1, onnotice: () => {} });
  try {
    await run(sql);
  } finally {
    await sql.end();
  }
}
