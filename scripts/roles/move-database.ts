import path from "node:path";
import { readDatabaseUrl } from "@/lib/config/env";
import { namesDatabase } from "@/lib/config/secret-files";
import { moveDatabase } from "@/scripts/installation/move-database";
import { hasData, ownFiles, ownFolder } from "@/scripts/installation/own-database";
import { readOwnSecrets } from "@/scripts/installation/own-secret";
import { ROOT } from "@/scripts/root";

/** `npm run move-database -- URL`: from the own database to another PostgreSQL, row for row. */
async function run(): Promise<void> {
  const target = process.argv[2];
  if (!target)
    throw new Error("Where to? For example: npm run move-database -- postgres://user:password@host/stablegate");
  if (namesDatabase(process.env))
    throw new Error(
      "Nothing was moved: DATABASE_URL is set, so this installation is not on a database of its own. Take it out of the settings if it was put there too early.",
    );
  const url = readDatabaseUrl({ DATABASE_URL: target });
  const own = ownFolder(process.env);
  if (!(await hasData(own))) throw new Error(`Nothing was moved: there are no data in ${own}.`);
  const secrets = await readOwnSecrets(process.env, own);
  if (secrets.APP_SECRET_ALSO)
    throw new Error("Nothing was moved: APP_SECRET is being changed. End that first: npm run rotate-app-secret");
  const tables = await moveDatabase({ own, db: path.join(ROOT, "db") }, url, new Date());
  for (const { table, rows, checksum } of tables) console.log(`  ${table}: ${rows} rows, checksum ${checksum}`);
  console.log(`Moved, and every table is equal on both sides. Put these lines into .env, then npm start:
  DATABASE_URL=${url}
  APP_SECRET=${process.env["APP_SECRET"]?.trim() ? "(as it stands there)" : `(what stands in ${ownFiles(own).appSecret})`}
The old data stay in ${ownFiles(own).postgres}; delete them when all is well. Back up the new database from now on:
nightly dumps are made of the own database only.`);
}

run().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
