import { type Db, openDb } from "@/db/client";
import { createDbClock } from "@/lib/clock";
import { EnvError, readNetworks } from "@/lib/config/env";
import { givenSettings } from "@/lib/config/secret-files";
import { installNetworks } from "@/lib/domain/networks";
import { openInstallation } from "@/scripts/installation/own-database";

/** The database of the installation, with its clock. */
interface OpenInstallation {
  db: Db;
  now: Date;
  /** The origin of the back office; empty if no setting specifies it. */
  origin: string;
}

/**
 * Runs a command in the database of the installation, with the networks of the installation.
 * @throws EnvError if a setting is missing or malformed
 */
export async function runCommand(
  command: string,
  run: (installation: OpenInstallation) => Promise<void>,
): Promise<void> {
  installNetworks(readNetworks(process.env).networks);
  const installation = await openInstallation(process.env);
  try {
    const problems: string[] = [];
    const given = givenSettings(process.env, problems);
    if (problems.length > 0) throw new EnvError(problems);
    const origin = (given["PUBLIC_URL"] ?? "").replace(/\/+$/, "");
    const pool = openDb(installation.url, { work: "pages", max: 1, applicationName: `stablegate-${command}` });
    try {
      const clock = createDbClock(pool.db, Date.now);
      await clock.sync();
      await run({ db: pool.db, now: clock.now(), origin });
    } finally {
      await pool.close();
    }
  } finally {
    await installation.close();
  }
}
