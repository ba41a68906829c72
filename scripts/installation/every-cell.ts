import { type Db, openDb } from "@/db/client";
import { createDbClock } from "@/lib/clock";
import { readCells } from "@/lib/config/cells";
import { EnvError, readNetworks } from "@/lib/config/env";
import { givenSettings } from "@/lib/config/secret-files";
import { installNetworks } from "@/lib/domain/networks";
import { openInstallation } from "@/scripts/installation/own-database";

/** One cell's database, with its time. */
interface OpenCell {
  db: Db;
  now: Date;
  /** What the cell is called in output; empty if there is only one. */
  prefix: string;
  /** The origin of the back office; empty if no setting names it. */
  origin: string;
}

/**
 * Runs a command in the database of every cell of an installation, one after the other, with the installation's networks.
 * @throws EnvError if a setting is missing or malformed
 */
export async function inEveryCell(command: string, run: (cell: OpenCell) => Promise<void>): Promise<void> {
  installNetworks(readNetworks(process.env).networks);
  const installation = await openInstallation(process.env);
  try {
    const problems: string[] = [];
    const given = givenSettings(process.env, problems);
    const first = { DATABASE_URL: installation.url, DATABASE_DIRECT_URL: null, DATABASE_REPLICA_URL: null };
    const cells = readCells(given, first, problems);
    if (problems.length > 0) throw new EnvError(problems);
    const origin = (given["PUBLIC_URL"] ?? "").replace(/\/+$/, "");
    for (const { cell, databaseUrl } of cells) {
      const pool = openDb(databaseUrl, { work: "pages", max: 1, applicationName: `stablegate-${command}` });
      try {
        const clock = createDbClock(pool.db, Date.now);
        await clock.sync();
        await run({ db: pool.db, now: clock.now(), prefix: cells.length > 1 ? `Cell ${cell}: ` : "", origin });
      } finally {
        await pool.close();
      }
    }
  } finally {
    await installation.close();
  }
}
