import { newAppRole } from "@/db/app-role";
import { type EmbeddedServer, OtherMajorVersion, startEmbedded } from "@/db/embedded";
import { withoutRow } from "@/db/failure";
import { ForeignSchema, migrate } from "@/db/migrate";
import { withCredentials } from "@/lib/domain/database-url";
import { createIfMissing } from "@/scripts/supervisor/database";

const NAME = "stablegate";
/** The SQLSTATE classes of migration errors that existing rows or tables cause: data, constraint, or syntax, but not access. */
const DOES_NOT_FIT = /^(?:22|23|42(?!501))/;

interface Options {
  dataDir: string;
  password: string;
  /** The db/ folder of the project. */
  folder: string;
  print(text: string): void;
  /**
   * Moves the data to a different folder.
   * @returns the data folder that now contains them
   */
  keepAside(): Promise<string>;
}

interface Database {
  /** The database URL for the owner of the database. */
  url: string;
  /** The database URL for the web and worker processes. */
  appUrl: string;
  server: EmbeddedServer;
}

/**
 * Starts the sandbox's PostgreSQL on its data, with the database created and the schema up to date. Data that cannot be migrated to this
 * version is moved elsewhere, and the database starts empty.
 */
export async function startDatabase(options: Options): Promise<Database> {
  try {
    return await openDatabase(options);
  } catch (error) {
    const reason = whyNotMigrated(error);
    if (reason === null) throw error;
    const kept = await options.keepAside();
    options.print(
      `The sandbox's data cannot be migrated to this version: ${reason}. It is kept in ${kept}, and the sandbox starts with an empty database. The version that ran last can use it: STABLEGATE_DATA_DIR=${kept} npm start`,
    );
    return openDatabase(options);
  }
}

async function openDatabase({ dataDir, password, folder, print }: Options): Promise<Database> {
  const server = await startEmbedded({ dataDir, password, port: 0, isPersistent: true });
  try {
    await createIfMissing(server, NAME);
    const url = server.databaseUrl(NAME);
    const appRole = newAppRole();
    if (!(await migrate(url, folder, appRole)))
      print("A newer version of Stablegate migrated the sandbox's data; it is used unchanged.");
    return { url, appUrl: withCredentials(url, appRole), server };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Returns the reason why data cannot be migrated; null for an error that is not about the data. */
function whyNotMigrated(error: unknown): string | null {
  if (error instanceof ForeignSchema) return "it has an earlier, unreleased schema";
  if (error instanceof OtherMajorVersion) return error.message;
  for (let at = withoutRow(error), depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++)
    if ("code" in at && DOES_NOT_FIT.test(String(at.code))) return `a migration failed: ${at.message}`;
  return null;
}
