import postgres from "postgres";
import { afterAll, beforeAll, inject } from "vitest";
import { type DbPool, openDb } from "@/db/client";
import { migrate } from "@/db/migrate";
import { urlOfCell } from "@/lib/domain/cells";
import { useTestDb } from "@/testing/database/clone";
import { TEST_APP_ROLE } from "@/testing/database/server";

/** Two cells of one database, and one of another. */
export const CELL_NAMES = ["00", "01", "02"] as const;
export type CellName = (typeof CELL_NAMES)[number];

/** The cells of a test file; usable inside tests and hooks. */
export interface TestCells {
  db(name: CellName): DbPool["db"];
  /** The URL of a cell, which leads into its schema. */
  urlOf(name: CellName): string;
  /** The URL of the first cell's database, and of the one that holds 02 alone. */
  firstUrl(): string;
  otherUrl(): string;
  /** Runs something while the database of 02 takes no connections. */
  withoutOther(run: () => Promise<void>): Promise<void>;
}

/** Gives the calling test file three cells, with the directory of all in the first. */
export function useTestCells(): TestCells {
  const one = useTestDb();
  const other = useTestDb();
  const pools = new Map<string, DbPool>();
  const urlOf = (name: CellName) => urlOfCell(name === "02" ? other.url : one.url, name);
  beforeAll(async () => {
    const ownerUrlOf = (name: "01" | "02") => urlOfCell(name === "02" ? other.ownerUrl : one.ownerUrl, name);
    await Promise.all((["01", "02"] as const).map((name) => migrate(ownerUrlOf(name), undefined, TEST_APP_ROLE)));
    for (const name of CELL_NAMES)
      pools.set(name, openDb(urlOf(name), { work: "none", max: 3, directoryUrl: name === "00" ? null : one.url }));
  });
  afterAll(async () => void (await Promise.all([...pools.values()].map((pool) => pool.close()))));
  return {
    urlOf,
    db(name) {
      const pool = pools.get(name);
      if (!pool) throw new Error(`There is no cell ${name} before the first test`);
      return pool.db;
    },
    firstUrl: () => one.url,
    otherUrl: () => other.url,
    async withoutOther(run) {
      const name = new URL(other.url).pathname.slice(1);
      const server = postgres(inject("testServerUrl"), { max: 1, onnotice: () => {} });
      await server`alter database ${server(name)} allow_connections false`;
      try {
        await server`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`;
        await run();
      } finally {
        await server`alter database ${server(name)} allow_connections true`;
        await server.end();
      }
    },
  };
}
