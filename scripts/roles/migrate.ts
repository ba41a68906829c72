import { appRoleOf } from "@/db/app-role";
import { type Db, openDb } from "@/db/client";
import { migrate } from "@/db/migrate";
import { hasUnencryptedHashes } from "@/db/queries/merchants/key-hashes";
import { waitForDatabase } from "@/db/wait";
import { waitForSchema } from "@/db/wait-for-schema";
import { readDatabaseAndSecret, readDatabaseUrl, readDatabaseWaitMs, readEnv, readOwnerUrl } from "@/lib/config/env";
import { givenSettings } from "@/lib/config/secret-files";
import { openOutput } from "@/lib/log";
import { requireAppSecret } from "@/lib/merchants/check-app-secret";
import { encryptKeyHashes } from "@/lib/merchants/key-hashes";
import { DB_FOLDER } from "@/scripts/root";

openOutput("migrate", process.env, Date.now);

/**
 * `npm run migrate`: migrates the schema of the database to this version and exits. It waits until the database is reachable, and requires
 * no other setting; with --all-settings, every problem with the settings is reported first. If APP_SECRET is set, it must be the
 * installation's. It is required while the database contains API keys in the format of an earlier version, because this command encrypts
 * their hashes.
 *
 * With --wait it changes nothing, and waits as the role of web and worker processes until another migrate process has done this.
 */
async function run(): Promise<void> {
  if (process.argv.includes("--all-settings")) readEnv(process.env);
  if (process.argv.includes("--cell")) throw new Error(CELL_REMOVED);
  const wait = { maxMs: readDatabaseWaitMs(process.env), print: (text: string) => console.log(text) };
  if (process.argv.includes("--wait"))
    return waitForSchema(readDatabaseUrl(process.env), { ...wait, folder: DB_FOLDER });
  const url = readOwnerUrl(process.env);
  await waitForDatabase(url, wait);
  const isOfThisVersion = await migrate(url, DB_FOLDER, appRoleOf(readDatabaseUrl(process.env), url));
  if (isOfThisVersion) await checkSecret(url);
  console.log(
    isOfThisVersion ? "The database is up to date." : "The database has a newer version; nothing was changed.",
  );
}

const CELL_REMOVED =
  '--cell was removed: an installation has one database. Run npm run migrate without it. If your shops are in several cells, do not update until each cell is a separate installation (docs/scaling.md, "From cells to installations").';

/** @throws AppSecretError */
async function checkSecret(url: string): Promise<void> {
  const isGiven = Boolean(givenSettings(process.env, [])["APP_SECRET"]);
  const pool = openDb(url, { work: "migrate", max: 1, applicationName: "stablegate-migrate" });
  await verifySecret(pool.db, isGiven).finally(pool.close);
}

async function verifySecret(db: Db, isGiven: boolean): Promise<void> {
  if (!isGiven && (await hasUnencryptedHashes(db))) throw new Error(NEEDS_SECRET);
  if (!isGiven) return;
  const { appSecret } = readDatabaseAndSecret(process.env);
  await requireAppSecret(db, appSecret);
  await encryptKeyHashes(db, appSecret);
}

const NEEDS_SECRET =
  "APP_SECRET is missing: the database contains API keys in the format of an earlier version, whose hashes are encrypted with it during the migration. Set APP_SECRET (or APP_SECRET_FILE) to the secret of this installation, and run npm run migrate again. The tables are up to date; nothing else was changed.";

run().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
