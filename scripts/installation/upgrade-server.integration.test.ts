import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDb } from "@/db/client";
import { migrate } from "@/db/migrate";
import { startOwnDatabase } from "@/scripts/installation/own-database";
import { ownFiles } from "@/scripts/installation/own-folder";
import { fetchPrograms, startUpgraded } from "@/scripts/installation/upgrade-server";
import { seedMerchant } from "@/testing/database/seed";

/**
 * An earlier major version of PostgreSQL, such as 17. Its programs are not a dependency of the project, so this test is skipped by
 * default: OLD_POSTGRES=17 npx vitest --project integration scripts/installation/upgrade-server fetches them from npm.
 */
const OLD = Number(process.env["OLD_POSTGRES"] ?? 0);
const now = new Date("2026-03-01T02:00:00Z");
let folder: string;
let output: string[];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "stablegate upgrade-"));
  output = [];
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const rejectsAll = async () => Promise.reject(new Error("the registry is out of reach"));
const upgrade = (get: typeof fetchPrograms = rejectsAll) =>
  startUpgraded({ folder, db: "db", now, print: (text) => output.push(text), fetchPrograms: get });

test("data of a newer server than the installed one are left as they are, with words", async () => {
  await (await startOwnDatabase(folder)).stop();
  const file = path.join(ownFiles(folder).postgres, "PG_VERSION");
  await writeFile(file, "99\n");
  await expect(upgrade()).rejects.toThrow(/contains data of PostgreSQL 99.*Nothing was changed; install the version/);
  expect(await readFile(file, "utf8")).toBe("99\n");
});

test("data of an earlier server whose programs are missing stay unchanged, and the message has the remedy", async () => {
  await (await startOwnDatabase(folder)).stop();
  const file = path.join(ownFiles(folder).postgres, "PG_VERSION");
  await writeFile(file, "1\n");
  await expect(upgrade()).rejects.toThrow(
    /programs of PostgreSQL 1 could not be downloaded \(the registry is out of reach\)\. Nothing was changed.*run npm run dump there/,
  );
  expect(await readFile(file, "utf8")).toBe("1\n");
});

test("after an upgrade that was cut short nothing starts on data that are not whole", async () => {
  await writeFile(path.join(folder, "upgrading"), "/old/data");
  await expect(upgrade()).rejects.toThrow(/An upgrade was interrupted\. The old data is in \/old\/data/);
});

test.skipIf(OLD === 0)(
  "data of an earlier server come over, and the old ones are kept",
  async () => {
    const binaries = await fetchPrograms(path.join(folder, "before"), OLD);
    const old = await startOwnDatabase(folder, { binaries });
    await migrate(old.url);
    const pool = openDb(old.url, { work: "none", max: 1 });
    const { id } = await seedMerchant(pool.db, now);
    await pool.close();
    await old.stop();

    const upgraded = await upgrade(fetchPrograms);
    const after = openDb(upgraded.url, { work: "none", max: 1 });
    expect(await after.sql`select id from merchants`).toEqual([{ id }]);
    await after.close();
    await upgraded.stop();
    expect((await readFile(`${ownFiles(folder).postgres}-${OLD}/PG_VERSION`, "utf8")).trim()).toBe(String(OLD));
    console.log(output.join("\n"));
    expect(output).toEqual([expect.stringContaining(`data of PostgreSQL ${OLD}`), expect.stringContaining("Upgraded")]);
  },
  300_000,
);
