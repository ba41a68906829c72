import { newAppRole } from "@/db/app-role";
import { type EmbeddedServer, startEmbedded } from "@/db/embedded";
import { ForeignSchema, migrate } from "@/db/migrate";
import { withCredentials } from "@/lib/domain/database-url";
import { createIfMissing, onServer } from "@/scripts/supervisor/database";

const NAME = "stablegate";

/**
 * Starts the sandbox's PostgreSQL on its data, with the database in it and the schema up to date. Data of an earlier,
 * unreleased schema are nobody's money: their database is made anew.
 * @param folder db/ of the project
 * @returns the URL of the owner, and that of web and worker
 */
export async function startDatabase(
  dataDir: string,
  password: string,
  folder: string,
  say: (text: string) => void,
): Promise<{ url: string; appUrl: string; server: EmbeddedServer }> {
  const server = await startEmbedded({ dataDir, password, port: 0, isPersistent: true });
  try {
    await createIfMissing(server, NAME);
    const url = server.databaseUrl(NAME);
    const appRole = newAppRole();
    await migrate(url, folder, appRole).catch(async (error) => {
      if (!(error instanceof ForeignSchema)) throw error;
      say("The sandbox's database is of an earlier schema; it begins anew.");
      await onServer(server, (sql) => sql`drop database ${sql(NAME)} with (force)`);
      await createIfMissing(server, NAME);
      await migrate(url, folder, appRole);
    });
    return { url, appUrl: withCredentials(url, appRole), server };
  } catch (error) {
    await server.stop();
    throw error;
  }
}
