import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import postgres from "postgres";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startEmbedded } from "@/db/embedded";
import { keepAside, openDataDir, readSecrets } from "@/sandbox/launcher/data-dir";
import { startDatabase } from "@/sandbox/launcher/database";

const NOW = new Date("2026-03-01T02:00:00.000Z");
let home: string;
let kept: string;
beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), "stablegate sandbox-"));
  kept = path.join(home, "kept-2026-03-01T02-00-00.000Z");
});
afterEach(() => rm(home, { recursive: true, force: true }));

/** Starts the database of a data folder as the sandbox does, and stops it when `run` is done. */
async function start<T>(run: (sql: postgres.Sql) => Promise<T>, { folder = home, db = path.resolve("db") } = {}) {
  const printed: string[] = [];
  const dir = await openDataDir(folder);
  const { databasePassword: password } = await readSecrets(dir.secrets);
  const { url, server } = await startDatabase({
    dataDir: dir.postgres,
    password,
    folder: db,
    print: (text) => void printed.push(text),
    keepAside: () => keepAside(dir, NOW),
  });
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return { printed, answer: await run(sql) };
  } finally {
    await sql.end();
    await server.stop();
  }
}

const names = (sql: postgres.Sql) => sql`select name from merchants`.then((rows) => rows.map((row) => row["name"]));
const addTea = (sql: postgres.Sql) => sql`insert into merchants (id, name, created_at) values ('m', 'Tea', now())`;

/** Creates the db/ folder of the next version, with one more migration. */
async function nextVersion(statement: string): Promise<string> {
  const db = path.join(home, "next-db");
  for (const part of ["migrations", "functions"])
    await cp(path.resolve("db", part), path.join(db, part), { recursive: true });
  const file = path.join(db, "migrations", "meta", "_journal.json");
  const journal = JSON.parse(await readFile(file, "utf8")) as { entries: { tag: string; when: number; idx: number }[] };
  const last = journal.entries.at(-1);
  if (!last) throw new Error("There are no migrations");
  journal.entries.push({ ...last, idx: last.idx + 1, when: last.when + 1, tag: "9999_next" });
  await writeFile(path.join(db, "migrations", "9999_next.sql"), statement);
  await writeFile(file, JSON.stringify(journal));
  return db;
}

test("the data outlive a start, the next version migrates them, and the version before still shows them", async () => {
  await start(addTea);
  expect(await start(names)).toEqual({ printed: [], answer: ["Tea"] });
  const db = await nextVersion("create table added (id text primary key);");
  const both = async (sql: postgres.Sql) => [...(await names(sql)), (await sql`select from added`).length];
  expect(await start(both, { db })).toEqual({ printed: [], answer: ["Tea", 0] });
  expect(await start(names)).toEqual({
    printed: ["A newer version of Stablegate migrated the sandbox's data; it is used unchanged."],
    answer: ["Tea"],
  });
});

test("data of an unreleased schema is kept in the folder that the message names, and can be opened there", async () => {
  await start(addTea);
  await writeFile(path.join(home, "merchant.json"), "{}");
  await start((sql) => sql`alter table schema_migrations rename to elsewhere`);
  const { printed, answer } = await start(names);
  expect(answer).toEqual([]);
  expect(printed).toEqual([expect.stringContaining(`unreleased schema. It is kept in ${kept},`)]);
  expect((await readdir(kept)).sort()).toEqual(["merchant.json", "postgres", "secrets.json"]);
  const { databasePassword: password } = await readSecrets(path.join(kept, "secrets.json"));
  const server = await startEmbedded({ dataDir: path.join(kept, "postgres"), password, port: 0, isPersistent: true });
  const sql = postgres(server.databaseUrl("stablegate"), { max: 1 });
  await sql`alter table elsewhere rename to schema_migrations`;
  await sql.end();
  await server.stop();
  expect(await start(names, { folder: kept })).toEqual({ printed: [], answer: ["Tea"] });
});

test("data that a migration does not fit, and those of another major version of PostgreSQL, are kept", async () => {
  await start(addTea);
  const db = await nextVersion("alter table merchants add constraint no_tea check (name <> 'Tea');");
  const { printed, answer } = await start(names, { db });
  expect(answer).toEqual([]);
  expect(printed).toEqual([expect.stringMatching(/a migration failed: .*no_tea.* It is kept in .*npm start$/)]);
  await rm(kept, { recursive: true });
  await writeFile(path.join(home, "postgres", "PG_VERSION"), "12\n");
  const again = await start(names, { db });
  expect(again.printed).toEqual([expect.stringMatching(/contains data of PostgreSQL 12.* It is kept in /)]);
  expect(await readFile(path.join(kept, "postgres", "PG_VERSION"), "utf8")).toBe("12\n");
});
