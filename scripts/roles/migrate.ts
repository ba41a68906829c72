import { migrate } from "@/db/migrate";
import { readDatabaseUrl, readEnv } from "@/lib/env";

/**
 * `npm run migrate`: brings the database's schema up to date and ends. It needs the database alone; before a whole
 * start (--all-settings) every problem of the settings is named first.
 */
async function run(): Promise<void> {
  const isWholeStart = process.argv.includes("--all-settings");
  if (isWholeStart) readEnv(process.env);
  const isOurs = await migrate(readDatabaseUrl(process.env));
  console.log(isOurs ? "The database is up to date." : "The database is of a newer version; nothing was changed.");
}

run().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
