import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { type Db, openDb } from "@/db/client";
import { ForeignSchema } from "@/db/migrate";
import { findSchemaState } from "@/db/schema-state";
import { reasonOf } from "@/db/wait";

interface WaitOptions {
  /** The folder of `migrations` and `functions`. */
  folder: string;
  /** The longest time to wait in milliseconds; 0 tries once. */
  maxMs: number;
  /** Called with a message when the wait begins, every half a minute, and when it ends. */
  print(text: string): void;
}

const RETRY_MS = 1_000;
const PRINT_EVERY_MS = 30_000;

/**
 * Waits until `migrate` of this version, or of a newer one, has updated the schema. Changes nothing. Retries also while the server is
 * unreachable or refuses the role, because the first migration creates that role.
 * @param url the database, as the role of web and worker processes
 * @throws ForeignSchema if other migrations created the tables
 * @throws Error after `maxMs`, with the last reason
 */
export async function waitForSchema(url: string, { folder, maxMs, print }: WaitOptions): Promise<void> {
  const startedAt = performance.now();
  let printedAt = Number.NEGATIVE_INFINITY;
  for (;;) {
    const reason = await findReasonToWait(url, folder);
    const waitedMs = performance.now() - startedAt;
    const seconds = Math.round(waitedMs / 1_000);
    if (reason === null) return print(`The schema is ready for this version (waited ${seconds} s).`);
    if (waitedMs >= maxMs)
      throw new Error(`The schema is not ready for this version after ${seconds} s: ${reason}. Run npm run migrate.`);
    if (performance.now() - printedAt >= PRINT_EVERY_MS) {
      print(`Waiting for npm run migrate of this version (${reason}).`);
      printedAt = performance.now();
    }
    await setTimeout(Math.min(RETRY_MS, maxMs - waitedMs));
  }
}

/** Returns the reason why a process of this version cannot use the database yet, or null. @throws ForeignSchema */
async function findReasonToWait(url: string, folder: string): Promise<string | null> {
  const pool = openDb(url, { work: "migrate", max: 1, applicationName: "stablegate-migrate" });
  try {
    const state = await findSchemaState(pool.db, folder);
    if (state.kind === "foreign") throw new ForeignSchema();
    if (state.kind === "newer") return null;
    if (state.kind === "empty") return "the database has no tables yet";
    if (state.kind === "older") return `pending migrations: ${state.pending}`;
    const outdated = await listOutdatedFunctions(pool.db, path.join(folder, "functions"));
    return outdated.length === 0 ? null : `outdated functions: ${outdated.join(", ")}`;
  } catch (error) {
    if (error instanceof ForeignSchema) throw error;
    return reasonOf(error);
  } finally {
    await pool.close();
  }
}

/** Returns the names of the functions whose text differs between the database and this version. */
async function listOutdatedFunctions(db: Db, folder: string): Promise<string[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".sql"));
  const texts = await Promise.all(files.map((file) => readFile(path.join(folder, file), "utf8")));
  const rows = await db.execute<{ name: string; body: string }>(
    sql`select proname as name, prosrc as body from pg_proc where pronamespace = current_schema()::regnamespace`,
  );
  const present = new Set(rows.map(({ name, body }) => `${name} ${body}`));
  return texts
    .flatMap((text) => [...text.matchAll(/CREATE OR REPLACE FUNCTION (\w+)\([\s\S]*?\sAS \$\$([\s\S]*?)\$\$;/g)])
    .filter(([, name, body]) => !present.has(`${name} ${body}`))
    .map(([, name = ""]) => name);
}
