import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { afterAll, beforeAll, inject } from "vitest";
import { type DbPool, openDb } from "@/db/client";
import { withCredentials } from "@/lib/domain/database-url";
import { TEMPLATE, TEST_APP_ROLE } from "@/testing/database/server";

export interface TestDb {
  /** A pool on this file's database with the rights of web and worker: it reads and writes rows. It can be used inside tests and hooks. */
  readonly pool: DbPool;
  /** The URL of this file's database for child processes, with the role of web and worker. */
  readonly url: string;
  /** A pool with the role of the table owner, for tests that change tables. */
  readonly owner: DbPool;
  /** The URL of this file's database, with the role of the table owner. */
  readonly ownerUrl: string;
}

/**
 * Provides the calling test file with its own database, cloned from the migrated template of a real server. Call it once at the top of an
 * `*.integration.test.ts` file; read `pool` and `url` inside tests.
 */
export function useTestDb(): TestDb {
  const name = `test_${randomBytes(8).toString("hex")}`;
  let open: TestDb | undefined;

  beforeAll(async () => {
    await onServer(async (sql) => {
      await sql`create database ${sql(name)} template ${sql(TEMPLATE)}`;
      // A clone inherits the template's grants, except those on the database itself.
      await sql`revoke temporary on database ${sql(name)} from public`;
    });
    const server = new URL(inject("testServerUrl"));
    server.pathname = `/${name}`;
    const ownerUrl = server.href;
    const url = withCredentials(server.href, TEST_APP_ROLE);
    const named = { work: "none", applicationName: "stablegate-test", preparesRepeated: true } as const;
    open = { url, ownerUrl, pool: openDb(url, named), owner: openDb(ownerUrl, { ...named, max: 1 }) };
  });

  afterAll(async () => {
    await Promise.all([open?.pool.close(), open?.owner.close()]);
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
    get owner() {
      return get().owner;
    },
    get ownerUrl() {
      return get().ownerUrl;
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
