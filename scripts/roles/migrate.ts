import { migrate } from "@/db/migrate";
import { readDatabaseUrl, readEnv } from "@/lib/env";

/**
 * `npm run migrate`: brings the database's schema up to date and ends. It needs the database alone; before a whole
 * start (--all-settings) every problem of the settings is named first.
 */
async function run(): Promise<void> {
  const isWholeStart = process.argv.includes("--all-settings");
  if (isWholeStart) readEnv(process.env);
  await migrate(readDatabaseUrl(process.env));
  console.log("The database is up to date.");
}

run().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
