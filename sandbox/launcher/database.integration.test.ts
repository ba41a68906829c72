import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startDatabase } from "@/sandbox/launcher/database";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "stablegate sandbox-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function start<T>(run: (sql: postgres.Sql) => Promise<T>): Promise<{ said: string[]; answer: T }> {
  const said: string[] = [];
  const { url, server } = await startDatabase(path.join(folder, "data"), "secret", path.resolve("db"), (text) =>
    said.push(text),
  );
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return { said, answer: await run(sql) };
  } finally {
    await sql.end();
    await server.stop();
  }
}

test("the data outlive a start; those of an earlier schema are made anew, and that is said", async () => {
  const name = (sql: postgres.Sql) => sql`select name from merchants`.then((rows) => rows.map((row) => row["name"]));
  await start((sql) => sql`insert into merchants (id, name, created_at) values ('m', 'Tea', now())`);
  expect(await start(name)).toEqual({ said: [], answer: ["Tea"] });
  await start((sql) => sql`drop table schema_migrations`);
  expect(await start(name)).toEqual({ said: [expect.stringMatching(/begins anew/)], answer: [] });
});
