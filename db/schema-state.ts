import path from "node:path";
import { sql } from "drizzle-orm";
import { type MigrationMeta, readMigrationFiles } from "drizzle-orm/migrator";
import type { Db } from "@/db/client";

/** A row of the schema's migration history. */
interface AppliedMigration {
  made_ms: number;
  hash: string;
}

/**
 * The state of a database's schema compared to the migrations of this version. `foreign`: other migrations created its
 * tables; `newer`: a newer version migrated it; `empty`: it has no tables of Stablegate.
 */
export type SchemaState =
  | { kind: "current" | "foreign" | "empty" }
  | { kind: "older"; pending: number }
  | { kind: "newer"; unknown: number };

/**
 * Compares the schema of a database to the migrations of this version. Changes nothing.
 * @param folder the folder of `migrations`
 */
export async function findSchemaState(db: Db, folder: string): Promise<SchemaState> {
  const migrations = readMigrationFiles({ migrationsFolder: path.join(folder, "migrations") });
  const applied = await listApplied(db);
  if (applied === null || isForeign(applied, migrations)) return { kind: "foreign" };
  if (applied.length === 0) return { kind: "empty" };
  const last = applied.at(-1)?.made_ms ?? 0;
  const newest = migrations.at(-1)?.folderMillis ?? 0;
  const unknown = applied.filter(({ made_ms }) => made_ms > newest).length;
  if (unknown > 0) return { kind: "newer", unknown };
  const pending = migrations.filter(({ folderMillis }) => folderMillis > last).length;
  return pending > 0 ? { kind: "older", pending } : { kind: "current" };
}

/**
 * Returns true if migrations that are not part of this version created the tables. Migrations that are newer than all migrations of this
 * version do not count, because they may belong to a newer version.
 */
export function isForeign(applied: readonly AppliedMigration[], migrations: readonly MigrationMeta[]): boolean {
  const hashes = new Map(migrations.map(({ folderMillis, hash }) => [folderMillis, hash]));
  const isOtherStart = applied.length > 0 && applied[0]?.hash !== migrations[0]?.hash;
  return isOtherStart || applied.some(({ made_ms, hash }) => (hashes.get(made_ms) ?? hash) !== hash);
}

/** Returns the applied migrations, oldest first; null if there are tables without a history. */
export async function listApplied(db: Db): Promise<AppliedMigration[] | null> {
  const [found] = await db.execute<{ tables: boolean; history: boolean }>(
    sql`select to_regclass('merchants') is not null as tables, to_regclass('schema_migrations') is not null as history`,
  );
  if (!found?.history) return found?.tables ? null : [];
  return db.execute<{ hash: string; made_ms: number }>(
    sql`select hash, made_ms::float8 as made_ms from schema_migrations order by made_ms`,
  );
}
