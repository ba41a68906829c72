import path from "node:path";
import { sql } from "drizzle-orm";
import { migrate as runMigrations } from "drizzle-orm/postgres-js/migrator";
import { openDb } from "@/db/client";

const MIGRATION_LOCK = 7_824_001;

/** Brings the schema up to date; any number of processes may call it at once, one works and the others wait. */
export async function migrate(url: string, folder = path.resolve("db/migrations")): Promise<void> {
  const pool = openDb(url, { work: "migrate", max: 1, applicationName: "stablegate-migrate" });
  try {
    await pool.db.execute(sql`select pg_advisory_lock(${MIGRATION_LOCK})`);
    await runMigrations(pool.db, { migrationsFolder: folder });
  } finally {
    await pool.close();
  }
}
