import { openDb } from "@/db/client";
import { replaceSigningKeys, rotateSigningKey } from "@/lib/callbacks/signing-keys";
import { createDbClock } from "@/lib/clock";
import { readDatabaseAndSecret } from "@/lib/config/env";
import { inEnglish } from "@/lib/domain/problems/in-english";
import { openInstallation } from "@/scripts/installation/own-database";
import { readOwnSecrets } from "@/scripts/installation/own-secret";

/**
 * `npm run rotate-signing-key`: signs callbacks with the next key, and publishes a new next key. `-- --replace-all` replaces all keys
 * immediately; use it if the keys are compromised or APP_SECRET was replaced. It needs only the database and APP_SECRET.
 */
async function run(): Promise<void> {
  const installation = await openInstallation(process.env);
  const secrets = installation.folder && (await readOwnSecrets(process.env, installation.folder));
  const env = readDatabaseAndSecret({
    ...process.env,
    DATABASE_URL: installation.url,
    ...(secrets && { APP_SECRET: secrets.APP_SECRET, APP_SECRET_ALSO: secrets.APP_SECRET_ALSO }),
  });
  const pool = openDb(env.databaseUrl, { work: "pages", max: 1, applicationName: "stablegate-rotate-signing-key" });
  try {
    const clock = createDbClock(pool.db, Date.now);
    await clock.sync();
    const isWhole = process.argv.includes("--replace-all");
    const done = await (isWhole ? replaceSigningKeys : rotateSigningKey)(pool.db, env.appSecret, clock.now());
    if ("problem" in done) throw new Error(`Nothing was changed. ${inEnglish(done.problem)}.`);
    console.log(
      `Within a minute, callbacks are signed with the key ${done.current}; the key after it is already published.`,
    );
  } finally {
    await pool.close();
    await installation.close();
  }
}

run().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
