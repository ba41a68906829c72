import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import postgres from "postgres";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  announceOwnDatabase,
  openInstallation,
  readAppSecret,
  startOwnDatabase,
} from "@/scripts/installation/own-database";
import { ownFiles, ownFolder } from "@/scripts/installation/own-folder";

let home: string;
let folder: string;

beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), "stablegate live-"));
  folder = ownFolder({ STABLEGATE_DATA_DIR: home });
});
afterEach(() => rm(home, { recursive: true, force: true }));

/** Creates the files that a previous run of the server leaves behind. */
async function pretendData(): Promise<void> {
  await mkdir(ownFiles(folder).postgres, { recursive: true });
  await writeFile(path.join(ownFiles(folder).postgres, "PG_VERSION"), "18\n");
}

test("a secret is made once, in a file that only its owner reads, and is the same ever after", async () => {
  const made = await readAppSecret({}, folder);
  expect(made).toMatchObject({ isNew: true });
  expect(made.text.length).toBeGreaterThanOrEqual(43);
  const file = ownFiles(folder).appSecret;
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await pretendData();
  expect(await readAppSecret({}, folder)).toEqual({ text: made.text, isNew: false });
  await chmod(file, 0o644);
  await expect(readAppSecret({}, folder)).rejects.toThrow(`Run: chmod 600 ${file}`);
});

test("a missing secret beside data is reported, and none is created", async () => {
  await pretendData();
  await expect(readAppSecret({}, folder)).rejects.toThrow(
    /app-secret is missing, and there is data that cannot be decrypted without it\. Restore it from your backup, or set APP_SECRET/,
  );
  await expect(stat(ownFiles(folder).appSecret)).rejects.toThrow("ENOENT");
  await expect(startOwnDatabase(folder)).rejects.toThrow(/database-password is missing/);
});

test("a secret of the settings holds without a file, and one that differs from the file's is an error", async () => {
  const given = "a secret of thirty-two characters or more";
  expect(await readAppSecret({ APP_SECRET: given }, folder)).toEqual({ text: given, isNew: false });
  await readAppSecret({}, folder);
  await expect(readAppSecret({ APP_SECRET: given }, folder)).rejects.toThrow(/differs from the one in .*app-secret\./);
});

test("without DATABASE_URL and without data, the missing setting is reported", async () => {
  await expect(openInstallation({ STABLEGATE_DATA_DIR: home })).rejects.toThrow(
    /DATABASE_URL is missing, and .*live contains no data/,
  );
});

test("one process has the data, writes are flushed, others find the database, and it is there after a stop", async () => {
  const first = await startOwnDatabase(folder);
  try {
    const text = `Stablegate is already running on the data in ${folder} (process ${process.pid}). Stop it first`;
    await expect(startOwnDatabase(folder)).rejects.toThrow(text);
    await expect(openInstallation({ STABLEGATE_DATA_DIR: home })).rejects.toThrow(/is starting or stopping/);
    await announceOwnDatabase(first);
    const beside = await openInstallation({ STABLEGATE_DATA_DIR: home });
    expect(beside).toMatchObject({ url: first.url, folder });
    const sql = postgres(beside.url, { max: 1 });
    expect(
      await sql`select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit`,
    ).toEqual([{ fsync: "on", commit: "on" }]);
    await sql`create table kept as select 7 as n`;
    await sql.end();
  } finally {
    await first.stop();
  }
  const single = await openInstallation({ STABLEGATE_DATA_DIR: home });
  const sql = postgres(single.url, { max: 1 });
  expect(await sql`select n from kept`).toEqual([{ n: 7 }]);
  await sql.end();
  await single.close();
  await writeFile(path.join(ownFiles(folder).postgres, "PG_VERSION"), "17\n");
  await expect(startOwnDatabase(folder)).rejects.toThrow(
    /contains data of PostgreSQL 17, but the installed programs are/,
  );
  expect(await readFile(path.join(ownFiles(folder).postgres, "PG_VERSION"), "utf8")).toBe("17\n");
});
