import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { afterAll, beforeAll, inject } from "vitest";
import { type DbPool, openDb } from "@/db/client";
import { TEMPLATE } from "@/testing/database/server";

export interface TestDb {
  /** A pool on this file's database; usable inside tests and hooks. */
  readonly pool: DbPool;
  /** URL of this file's database, for child processes. */
  readonly url: string;
}

/**
 * Gives the calling test file a database of its own, cloned from the migrated template of a real server.
 * Call it once at the top of an `*.integration.test.ts` file; read `pool` and `url` inside tests.
 */
export function useTestDb(): TestDb {
  const name = `test_${randomBytes(8).toString("hex")}`;
  let open: { pool: DbPool; url: string } | undefined;

  beforeAll(async () => {
    await onServer((sql) => sql`create database ${sql(name)} template ${sql(TEMPLATE)}`);
    const url = new URL(inject("testServerUrl"));
    url.pathname = `/${name}`;
    open = { url: url.href, pool: openDb(url.href, { work: "none", applicationName: "stablegate-test" }) };
  });

  afterAll(async () => {
    await open?.pool.close();
    await onServer((sql) => sql`drop database if exists ${sql(name)} with (force)`);
  });

  const get = () => {
    if (!open) throw new Error("The test database opens before the first test; read it inside a test or a hook");
    return open;
  };
  return {
    get pool() {
      return get().pool;
    },
    get url() {
      return get().url;
    },
  };
}

async function onServer(run: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres(inject("testServerUrl"), { max: 1, onnotice: () => {} });
  try {
    await run(sql);
  } finally {
    await sql.end();
  }
}
