import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { afterAll, beforeAll, inject } from "vitest";
import { type DbPool, openDb } from "@/db/client";
import { withCredentials } from "@/lib/domain/database-url";
import { TEMPLATE, TEST_APP_ROLE } from "@/testing/database/server";

export interface TestDb {
  /** A pool on this file's database as web and worker have it: it reads and writes rows. Usable inside tests and hooks. */
  readonly pool: DbPool;
  /** URL of this file's database for child processes, as web and worker have it. */
  readonly url: string;
  /** A pool as the owner of the tables, for tests that change them. */
  readonly owner: DbPool;
  /** URL of the owner of the tables. */
  readonly ownerUrl: string;
}

/**
 * Gives the calling test file a database of its own, cloned from the migrated template of a real server.
 * Call it once at the top of an `*.integration.test.ts` file; read `pool` and `url` inside tests.
 */
export function useTestDb(): TestDb {
  const name = `test_${randomBytes(8).toString("hex")}`;
  let open: TestDb | undefined;

  beforeAll(async () => {
    await onServer(async (sql) => {
      await sql`create database ${sql(name)} template ${sql(TEMPLATE)}`;
      // A clone gets the grants of the template on everything but the database itself.
      await sql`revoke temporary on database ${sql(name)} from public`;
    });
    const server = new URL(inject("testServerUrl"));
    server.pathname = `/${name}`;
    const ownerUrl = server.href;
    const url = withCredentials(server.href, TEST_APP_ROLE);
    const named = { work: "none", applicationName: "stablegate-test" } as const;
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
