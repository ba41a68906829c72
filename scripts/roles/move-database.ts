import path from "node:path";
import { readDatabaseUrl } from "@/lib/config/env";
import { namesDatabase } from "@/lib/config/secret-files";
import { moveDatabase } from "@/scripts/installation/move-database";
import { hasData } from "@/scripts/installation/own-database";
import { ownFiles, ownFolder } from "@/scripts/installation/own-folder";
import { readOwnSecrets } from "@/scripts/installation/own-secret";
import { ROOT } from "@/scripts/root";

/** `npm run move-database -- URL`: copies every row of the embedded database to a different PostgreSQL server. */
async function run(): Promise<void> {
  const target = process.argv[2];
  if (!target)
    throw new Error(
      "The URL of the new database is missing. For example: npm run move-database -- postgres://user:password@host/stablegate",
    );
  if (namesDatabase(process.env))
    throw new Error(
      "Nothing was moved: DATABASE_URL is set, so this installation does not use the built-in database. Remove the setting if it was added too early.",
    );
  const url = readDatabaseUrl({ DATABASE_URL: target });
  const own = ownFolder(process.env);
  if (!(await hasData(own))) throw new Error(`Nothing was moved: there is no data in ${own}.`);
  const secrets = await readOwnSecrets(process.env, own);
  if (secrets.APP_SECRET_ALSO)
    throw new Error(
      "Nothing was moved: an APP_SECRET rotation is in progress. Finish it first: npm run rotate-app-secret",
    );
  const tables = await moveDatabase({ own, db: path.join(ROOT, "db") }, url, new Date());
  for (const { table, rows, checksum } of tables) console.log(`  ${table}: ${rows} rows, checksum ${checksum}`);
  console.log(
    `Moved, and every table is identical in both databases. Put these lines into .env, then npm start:\n  DATABASE_URL=${url}\n  APP_SECRET=${process.env["APP_SECRET"]?.trim() ? "(its current value)" : `(the content of ${ownFiles(own).appSecret})`}\nThe old data stays in ${ownFiles(own).postgres}; delete it after checking. Back up the new database from now on:\nnightly dumps are made only of the built-in database.`,
  );
}

run().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
