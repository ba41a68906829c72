import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import postgres from "postgres";
import type { TestProject } from "vitest/node";
import { openDb } from "@/db/client";
import { startEmbedded } from "@/db/embedded";
import { migrate } from "@/db/migrate";
import { requireAppSecret } from "@/lib/merchants/check-app-secret";
import { TEST_APP_SECRET } from "@/testing/database/seed";

export const TEMPLATE = "stablegate_template";

/** The role of the code under test; it has the rights of web and worker. */
export const TEST_APP_ROLE = { user: "stablegate_test_app", password: "test" };

/** The grants that tests need on the connection of the code under test, to empty and fill tables and to count their rows. */
const GRANTS_OF_TESTS = [
  "grant set on parameter session_replication_role",
  "grant truncate, maintain on all tables in schema public",
];

declare module "vitest" {
  interface ProvidedContext {
    /** The URL of the maintenance database of the test server. */
    testServerUrl: string;
  }
}

/** Starts one real PostgreSQL for a test run and migrates the template that test files are cloned from. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(tmpdir(), "stablegate test-"));
  const server = await startEmbedded({
    dataDir: path.join(folder, "data"),
    port: 0,
    password: "test",
    isPersistent: false,
    settings: { fsync: "off", synchronous_commit: "off", full_page_writes: "off" },
  }).catch(async (error) => {
    await rm(folder, { recursive: true, force: true });
    throw error;
  });
  const sql = postgres(server.databaseUrl("postgres"), { max: 1, onnotice: () => {} });
  await sql`create database ${sql(TEMPLATE)}`;
  await sql.end();
  await migrate(server.databaseUrl(TEMPLATE), undefined, TEST_APP_ROLE);
  const template = openDb(server.databaseUrl(TEMPLATE), { work: "none", max: 1 });
  for (const more of GRANTS_OF_TESTS) await template.sql.unsafe(`${more} to ${TEST_APP_ROLE.user}`);
  await requireAppSecret(template.db, TEST_APP_SECRET);
  await template.close();
  // Hundreds of local nodes and workers are started from the same programs, so their compiled code is cached.
  process.env["NODE_COMPILE_CACHE"] ??= path.join(folder, "compiled");
  project.provide("testServerUrl", server.databaseUrl("postgres"));
  return async () => {
    await server.stop();
    // A program that a test stopped may still be writing its compile cache.
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  };
}
