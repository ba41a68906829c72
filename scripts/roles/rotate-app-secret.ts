import { openDb } from "@/db/client";
import { readDatabaseAndSecret } from "@/lib/config/env";
import { namesDatabase } from "@/lib/config/secret-files";
import { toAppSecret } from "@/lib/domain/keys/app-secret";
import { acceptAppSecret, requireAppSecret } from "@/lib/merchants/check-app-secret";
import { type Rotated, rotateAppSecret } from "@/lib/merchants/rotate-app-secret";
import { hasData, openInstallation, startOwnDatabase } from "@/scripts/installation/own-database";
import { ownFolder } from "@/scripts/installation/own-folder";
import { beginOwnRotation, endOwnRotation, readOwnSecrets } from "@/scripts/installation/own-secret";

const NOTHING = "Nothing was changed.";

/**
 * `npm run rotate-app-secret`: re-encrypts under APP_SECRET all data that are encrypted under APP_SECRET_ALSO. It can be killed and rerun
 * at any time, and can run beside processes that have both secrets. On an embedded database whose secret is in its file, it also creates
 * the new secret; no other process may run then. `-- --previous-is-lost` makes APP_SECRET the secret of the installation if the previous
 * one is lost.
 */
async function run(): Promise<void> {
  if (process.argv.includes("--previous-is-lost")) return acceptNew();
  const isOfFile = !namesDatabase(process.env) && !process.env["APP_SECRET"]?.trim();
  const installation = isOfFile ? await takeOwn() : await openInstallation(process.env);
  try {
    const secrets = isOfFile ? await beginInFile(installation.url, ownFolder(process.env)) : null;
    const env = readDatabaseAndSecret({ ...process.env, DATABASE_URL: installation.url, ...secrets });
    if (typeof env.appSecret === "string")
      throw new Error(
        `${NOTHING} Set APP_SECRET to the new secret (openssl rand -base64 32) and APP_SECRET_ALSO to the previous one; docs/running.md describes the order of steps.`,
      );
    const pool = open(env.databaseUrl);
    const done = await rotateAppSecret(pool.db, env.appSecret, { onBatch: notify }).finally(pool.close);
    for (const line of done.flatMap(linesOf)) console.log(line);
    if (isOfFile) await endOwnRotation(ownFolder(process.env));
    console.log(summary(done, isOfFile));
  } finally {
    await installation.close();
  }
}

/**
 * Creates the new secret in the file, only if the file contains the secret of the database.
 * @throws AppSecretError
 */
async function beginInFile(url: string, folder: string) {
  const { APP_SECRET: secret, APP_SECRET_ALSO: also } = await readOwnSecrets(process.env, folder);
  const pool = open(url);
  await requireAppSecret(pool.db, toAppSecret(secret, also)).finally(pool.close);
  return beginOwnRotation(folder);
}

/**
 * Makes APP_SECRET the secret of the installation. Values that were encrypted under the lost secret are not changed and cannot be
 * decrypted.
 */
async function acceptNew(): Promise<void> {
  const installation = await openInstallation(process.env);
  try {
    const secrets = installation.folder && (await readOwnSecrets(process.env, installation.folder));
    const settings = secrets && { APP_SECRET: secrets.APP_SECRET, APP_SECRET_ALSO: secrets.APP_SECRET_ALSO };
    const env = readDatabaseAndSecret({ ...process.env, DATABASE_URL: installation.url, ...settings });
    const pool = open(env.databaseUrl);
    await acceptAppSecret(pool.db, env.appSecret).finally(pool.close);
    console.log(ACCEPTED);
  } finally {
    await installation.close();
  }
}

const open = (url: string) => openDb(url, { work: "pages", max: 1, applicationName: "stablegate-rotate-app-secret" });

const ACCEPTED =
  "APP_SECRET is now the secret of this installation. Values encrypted or signed with the lost secret cannot be decrypted or verified: docs/running.md lists the values to replace.";

/** Opens the embedded database exclusively, because a service running beside this program would not have the new secret. */
async function takeOwn() {
  const folder = ownFolder(process.env);
  if (!(await hasData(folder))) throw new Error(`${NOTHING} There is no data in ${folder}, and no DATABASE_URL.`);
  const own = await startOwnDatabase(folder);
  return { url: own.url, close: own.stop };
}

function notify(table: string, values: number): void {
  if (values > 0) console.log(`  … ${table}: ${values}`);
}

function linesOf({ table, values, renewed, foreign, foreignCount }: Rotated): string[] {
  const line = `${table}: ${values} values, ${renewed} re-encrypted`;
  if (foreignCount === 0) return [line];
  const rest = foreignCount > foreign.length ? " …" : "";
  const what =
    table === "receiving_addresses"
      ? "address MACs that neither secret verifies"
      : "values that neither secret decrypts";
  return [line, `  left unchanged, ${foreignCount} ${what}: ${foreign.join(", ")}${rest}`];
}

function summary(done: readonly Rotated[], isOfFile: boolean): string {
  if (isOfFile)
    return "The new APP_SECRET is in its file. Keep a new copy of that file on another machine, then run npm start.";
  return done.every(({ renewed }) => renewed === 0)
    ? "No values were left to re-encrypt. Once every process uses the new APP_SECRET, you can remove APP_SECRET_ALSO."
    : "Run this command again after every process has been restarted with the new APP_SECRET: once it finds no more values, you can remove APP_SECRET_ALSO.";
}

run().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
