import path from "node:path";
import { checkDump } from "@/db/dump/read-dump";
import { restoreDump } from "@/db/dump/restore-dump";
import { readDatabaseUrl } from "@/lib/env";
import { ownFiles, ownFolder, readAppSecret, startOwnDatabase } from "@/scripts/installation/own-database";
import { ROOT } from "@/scripts/root";

/** `npm run restore -- FILE`: a dump into the empty database of DATABASE_URL, or into a new one of its own. */
async function run(): Promise<void> {
  const typed = process.argv[2];
  if (!typed) throw new Error("Which file? For example: npm run restore -- stablegate-2026-03-01T020000Z.dump.gz");
  const file = path.resolve(process.env["INIT_CWD"] ?? "", typed);
  await checkDump(file);
  const own = ownFiles(ownFolder(process.env)).postgres;
  const database = process.env["DATABASE_URL"]?.trim()
    ? { url: readDatabaseUrl(process.env), stop: async () => {} }
    : await makeOwn(ownFolder(process.env));
  try {
    const { tables } = await restoreDump(database.url, file, path.join(ROOT, "db")).catch((error: unknown) => {
      if (!process.env["DATABASE_URL"]?.trim())
        console.error(
          `The own database's data are in ${own}: stop Stablegate and move that folder away, and the next run makes an empty one.`,
        );
      throw error;
    });
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    console.log(`Restored: ${tables.length} tables with ${rows} rows, each as its checksum in the dump says.`);
    console.log("Start with the APP_SECRET of then; the worker reads what the networks did since, by itself.");
  } finally {
    await database.stop();
  }
}

/** The secret of then comes first: one that is made anew would open nothing of what the dump holds. */
async function makeOwn(folder: string) {
  await readAppSecret(process.env, folder, { mustExist: true });
  return startOwnDatabase(folder);
}

run().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
