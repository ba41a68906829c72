import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { type AppRole, grantToApp } from "@/db/app-role";
import { type Db, openDb } from "@/db/client";
import { isDatabaseBusy, isDenied, refusalIn } from "@/db/failure";
import { isForeign, listApplied } from "@/db/schema-state";
import { requireServerVersion } from "@/db/server-version";
import { credentialsOf } from "@/lib/domain/database-url";

const MIGRATION_LOCK = 7_824_001;

/**
 * The time in milliseconds that a migration waits for each of its locks. In total, these waits are shorter than the second after which
 * PostgreSQL checks for a deadlock and ends a statement, so that no statement of a running web process or worker is ended.
 */
const TABLE_LOCK_MS = 50;
const LOCK_PAUSE_MS = 100;
const MAX_LOCK_TRIES = 1_000;

/** The error for a database whose tables were not created by these migrations. Nothing was changed. */
export class ForeignSchema extends Error {
  override readonly name = "ForeignSchema";
  constructor() {
    super(
      "The database contains tables of an earlier, unreleased schema of Stablegate, which cannot be migrated. Set DATABASE_URL to an empty database, or empty this one",
    );
  }
}

/** The error for a role that may not change tables because it is the role of web and worker processes. Nothing was changed. */
export class NotOwner extends Error {
  override readonly name = "NotOwner";
  constructor(user: string, cause: unknown) {
    super(
      `The database role ${user} may not create or change tables. Set DATABASE_OWNER_URL to the URL of the role that owns them (docs/running.md, "Database roles"), and run npm run migrate again. Nothing was changed.`,
      { cause },
    );
  }
}

/** The error for a migration that rejects the existing data. Nothing was changed. */
export class MigrationRefusal extends Error {
  override readonly name = "MigrationRefusal";
}

/**
 * Updates the schema, all or nothing: applies the new migrations, then every function of db/functions. Any number of processes may call it
 * concurrently: one runs it and the others wait.
 * @param folder the folder of `migrations` and `functions`
 * @param appRole the role of web and worker processes, which gets its grants; null: they sign in as the owner of the tables, too
 * @returns false if the database already has a newer version; nothing was changed then
 * @throws ForeignSchema, ServerVersionError, AppRoleError, NotOwner, MigrationRefusal
 */
export async function migrate(
  url: string,
  folder = path.resolve("db"),
  appRole: AppRole | null = null,
): Promise<boolean> {
  const pool = openDb(url, { work: "migrate", max: 1, applicationName: "stablegate-migrate" });
  try {
    await requireServerVersion(pool.db);
    for (let tries = 1; ; tries++) {
      try {
        return await pool.db.transaction(async (tx) => {
          await tx.execute(sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
          const isOfThisVersion = await migrateWithin(tx, folder);
          if (appRole) await grantToApp(tx, appRole);
          return isOfThisVersion;
        });
      } catch (error) {
        const refusal = refusalIn(error);
        if (refusal !== null) throw new MigrationRefusal(refusal, { cause: error });
        if (isDenied(error)) throw new NotOwner(credentialsOf(url).user, error);
        if (tries === MAX_LOCK_TRIES || !isDatabaseBusy(error)) throw error;
        await setTimeout(LOCK_PAUSE_MS);
      }
    }
  } finally {
    await pool.close();
  }
}

/** Runs `migrate` inside a transaction. */
export async function migrateWithin(tx: Db, folder: string): Promise<boolean> {
  await tx.execute(sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
  // An older version that starts next to newer ones must not replace their functions.
  if (!(await applyMigrations(tx, path.join(folder, "migrations")))) return false;
  await applyFunctions(tx, path.join(folder, "functions"));
  return true;
}

/**
 * Creates the tables as of the migration `until`, without functions, for rows of that time.
 * @param until the migration's time in milliseconds, as in schema_migrations
 */
export async function migrateTables(tx: Db, folder: string, until: number): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
  await applyMigrations(tx, path.join(folder, "migrations"), until);
}

/**
 * Applies the new migrations and records them in the schema itself.
 * @returns false if newer migrations than these were applied
 */
async function applyMigrations(tx: Db, migrationsFolder: string, until = Number.POSITIVE_INFINITY): Promise<boolean> {
  const migrations = readMigrationFiles({ migrationsFolder });
  const applied = await listApplied(tx);
  if (applied === null) throw new ForeignSchema();
  await tx.execute(sql`create table if not exists schema_migrations (made_ms bigint primary key, hash text not null)`);
  if (isForeign(applied, migrations)) throw new ForeignSchema();
  const last = applied.at(-1)?.made_ms ?? 0;
  const pending = migrations.filter(({ folderMillis }) => folderMillis > last && folderMillis <= until);
  if (pending.length > 0) await lockTables(tx, pending.flatMap((migration) => migration.sql).join("\n"));
  for (const { sql: statements, hash, folderMillis } of pending) {
    for (const statement of statements) await tx.execute(sql.raw(statement));
    await tx.execute(sql`insert into schema_migrations (hash, made_ms) values (${hash}, ${folderMillis})`);
  }
  return last <= (migrations.at(-1)?.folderMillis ?? 0);
}

/**
 * Locks every table that the statements name, before the first of them runs. If the statements acquired their locks one by one, they could
 * deadlock with a statement of a running process: each would hold a lock that the other waits for.
 */
async function lockTables(tx: Db, statements: string): Promise<void> {
  const tables = await tx.execute<{ name: string }>(
    sql`select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') order by 1`,
  );
  const named = tables.filter(({ name }) => statements.includes(`"${name}"`));
  if (named.length === 0) return;
  const list = sql.join(
    named.map(({ name }) => sql.identifier(name)),
    sql`, `,
  );
  await tx.execute(sql.raw(`set local lock_timeout = ${TABLE_LOCK_MS}`));
  await tx.execute(sql`lock table ${list} in access exclusive mode`);
  await tx.execute(sql`set local lock_timeout = default`);
}

/**
 * Applies the functions of a folder in the order of their names, in one round trip. Their bodies may refer to each other in any order,
 * because names are resolved when they run.
 */
async function applyFunctions(tx: Db, folder: string): Promise<void> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort();
  const texts = await Promise.all(files.map((file) => readFile(path.join(folder, file), "utf8")));
  await tx.execute(sql.raw(texts.join("\n")));
}
