import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { useTestDb } from "@/testing/database/clone";

const testDb = useTestDb();

interface Key {
  table: string;
  key: string;
  columns: string[];
}

/** Tables that docs/scaling.md lists as global: `| \`name\` | reason |` under "What is global". */
async function globals(): Promise<string[]> {
  const text = await readFile("docs/scaling.md", "utf8");
  const section = /## What is global\n([\s\S]*?)\n## /.exec(text)?.[1] ?? "";
  return [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name ?? "");
}

/** Primary keys and unique indexes with their columns; partitions have those of their table. */
async function listKeys(): Promise<Key[]> {
  return testDb.pool.sql<Key[]>`
    select t.relname as table, i.relname as key,
      array(select a.attname::text from pg_attribute a where a.attrelid = t.oid and a.attnum = any(x.indkey)) as columns
    from pg_index x join pg_class t on t.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
    where x.indisunique and t.relnamespace = current_schema()::regnamespace and not t.relispartition order by 1, 2`;
}

async function listTables(): Promise<string[]> {
  const rows = await testDb.pool.sql`
    select relname from pg_class where relkind in ('r', 'p') and not relispartition
      and relnamespace = current_schema()::regnamespace order by 1`;
  return rows.map((row) => String(row["relname"]));
}

describe("the schema can be sharded by merchant", () => {
  test("every table that is not listed as global has the merchant in its primary key and in every unique index", async () => {
    const global = await globals();
    const keys = (await listKeys()).filter(({ table }) => !global.includes(table));
    expect(keys.filter(({ columns }) => !columns.includes("merchant_id"))).toEqual([]);
    const keyed = new Set((await listKeys()).map(({ table }) => table));
    expect((await listTables()).filter((table) => !keyed.has(table))).toEqual([]);
  });

  test("every foreign key between such tables names the merchant on both sides", async () => {
    const global = await globals();
    const rows = await testDb.pool.sql<{ name: string; table: string; there: string; isNamed: boolean }[]>`
      select c.conname as name, t.relname as table, f.relname as there,
        exists (select from unnest(c.conkey, c.confkey) as pair (own, other)
          join pg_attribute a on a.attrelid = c.conrelid and a.attnum = pair.own
          join pg_attribute b on b.attrelid = c.confrelid and b.attnum = pair.other
          where a.attname = 'merchant_id' and b.attname in ('merchant_id', 'id')) as "isNamed"
      from pg_constraint c join pg_class t on t.oid = c.conrelid join pg_class f on f.oid = c.confrelid
      where c.contype = 'f' and c.connamespace = current_schema()::regnamespace and c.conparentid = 0`;
    expect(rows.length).toBeGreaterThan(5);
    const own = rows.filter(({ table, there }) => !global.includes(table) && !global.includes(there));
    expect(own.filter(({ isNamed }) => !isNamed)).toEqual([]);
  });

  test("the list of what is global names tables that there are", async () => {
    const tables = await listTables();
    expect((await globals()).filter((name) => !tables.includes(name))).toEqual([]);
    expect((await globals()).length).toBeGreaterThan(5);
  });
});
