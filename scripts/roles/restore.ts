import path from "node:path";
import { driverOf, openDb } from "@/db/client";
import { guardLostOrders, type RestoreGuard } from "@/db/dump/guard-lost-orders";
import { checkDump } from "@/db/dump/read-dump";
import { restoreDump } from "@/db/dump/restore-dump";
import { migrate } from "@/db/migrate";
import { readOwnerUrl } from "@/lib/config/env";
import { namesDatabase } from "@/lib/config/secret-files";
import { readAppSecret, startOwnDatabase } from "@/scripts/installation/own-database";
import { ownFiles, ownFolder } from "@/scripts/installation/own-folder";
import { DB_FOLDER } from "@/scripts/root";

const GUARD_ONLY = "--guard-only";

/**
 * `npm run restore -- FILE`: restores a dump to the empty database of DATABASE_URL, or to a new embedded database. With --guard-only
 * instead of FILE, it only reserves the amounts of lost orders in a database that was restored by other means.
 */
async function run(): Promise<void> {
  const typed = process.argv[2];
  if (typed === GUARD_ONLY) return guardOnly();
  if (!typed)
    throw new Error(
      `Specify a dump, for example: npm run restore -- stablegate-2026-03-01T020000Z.dump.gz. After a restore by other means: npm run restore -- ${GUARD_ONLY}`,
    );
  const file = path.resolve(process.env["INIT_CWD"] ?? "", typed);
  await checkDump(file);
  const own = ownFiles(ownFolder(process.env)).postgres;
  const database = await openDatabase();
  try {
    const { tables, guard } = await restoreDump(database.url, file, DB_FOLDER).catch((error: unknown) => {
      if (!namesDatabase(process.env))
        console.error(
          `The data of the built-in database is in ${own}: stop Stablegate and move that folder away, and the next run creates an empty one.`,
        );
      throw error;
    });
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    console.log(`Restored: ${tables.length} tables with ${rows} rows, all with the checksums of the dump.`);
    if (guard) report(guard);
    console.log(
      "Start with the APP_SECRET of that time; the worker automatically reads the networks from that time on.",
    );
  } finally {
    await database.stop();
  }
}

/** Reserves the amounts of lost orders in a database that was restored to a point in time, or from a copy of its disk. */
async function guardOnly(): Promise<void> {
  const database = await openDatabase();
  const pool = openDb(database.url, { work: "none", max: 1, applicationName: "stablegate-restore" });
  try {
    await migrate(database.url, DB_FOLDER);
    report(await pool.db.transaction((tx) => guardLostOrders(driverOf(tx))));
  } finally {
    await pool.close();
    await database.stop();
  }
}

async function openDatabase() {
  if (namesDatabase(process.env)) return { url: readOwnerUrl(process.env), stop: async () => {} };
  return openOwn(ownFolder(process.env));
}

function report({ until, shared, dedicated, removed, sources }: RestoreGuard): void {
  const time = `${until.toISOString().slice(0, 16).replace("T", " ")} UTC`;
  console.log(`Orders created since then are lost, but their payers can still pay. Until ${time}:`);
  console.log(`- shared addresses limited to amounts with 9 as the sixth decimal: ${shared}`);
  console.log(`- dedicated addresses that get no orders (add new ones to accept orders earlier): ${dedicated}`);
  console.log("From now on:");
  console.log(`- extended public keys and treasuries that continue 1,000 indexes later: ${sources}`);
  console.log(`- dedicated addresses removed because they may have become deposit addresses: ${removed}`);
  console.log("Addresses and keys added since then are lost too: add others, or add them again after that time.");
}

/** Opens the embedded database. The secret of the dump must exist: a new one could not decrypt its data. */
async function openOwn(folder: string) {
  await readAppSecret(process.env, folder, { mustExist: true });
  return startOwnDatabase(folder);
}

run().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
