import { migrate } from "@/db/migrate";
import { readDatabaseUrl } from "@/lib/env";

/** `npm run migrate`: brings the database's schema up to date and ends. */
async function run(): Promise<void> {
  await migrate(readDatabaseUrl(process.env));
  console.log("The database is up to date.");
}

run().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
