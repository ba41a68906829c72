import postgres from "postgres";
import type { DbPool } from "@/db/client";
import { type EmbeddedServer, startEmbedded } from "@/db/embedded";
import { migrate } from "@/db/migrate";

const NAME = "stablegate";
const ASK_MS = 2_000;
const MAX_MISSES = 5;

/** Starts the sandbox's PostgreSQL on its data, with the database in it and the schema up to date. */
export async function startDatabase(
  dataDir: string,
  password: string,
  migrations: string,
): Promise<{ url: string; server: EmbeddedServer }> {
  const server = await startEmbedded({ dataDir, password, port: 0, isPersistent: true });
  try {
    await createIfMissing(server.databaseUrl("postgres"));
    const url = server.databaseUrl(NAME);
    await migrate(url, migrations);
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

async function createIfMissing(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    const found = await sql`select from pg_database where datname = ${NAME}`;
    if (found.length === 0) await sql`create database ${sql(NAME)}`;
  } finally {
    await sql.end();
  }
}
