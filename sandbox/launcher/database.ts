import { type EmbeddedServer, startEmbedded } from "@/db/embedded";
import { ForeignSchema, migrate } from "@/db/migrate";
import { createIfMissing, onServer } from "@/scripts/supervisor/database";

const NAME = "stablegate";

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
    await createIfMissing(server, NAME);
    const url = server.databaseUrl(NAME);
    await migrate(url, folder).catch(async (error) => {
      if (!(error instanceof ForeignSchema)) throw error;
      say("The sandbox's database is of an earlier schema; it begins anew.");
      await onServer(server, (sql) => sql`drop database ${sql(NAME)} with (force)`);
      await createIfMissing(server, NAME);
      await migrate(url, folder);
    });
    return { url, server };
  } catch (error) {
    await server.stop();
    throw error;
  }
}
