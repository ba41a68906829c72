import postgres from "postgres";
import { type EmbeddedServer, startEmbedded } from "@/db/embedded";
import { migrate } from "@/db/migrate";

const NAME = "stablegate";

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

async function createIfMissing(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    const found = await sql`select from pg_database where datname = ${NAME}`;
    if (found.length === 0) await sql`create database ${sql(NAME)}`;
  } finally {
    await sql.end();
  }
}
