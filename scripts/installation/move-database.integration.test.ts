import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import postgres from "postgres";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { openDb } from "@/db/client";
import { restoreDump } from "@/db/dump/restore-dump";
import { writeDump } from "@/db/dump/write-dump";
import { migrate } from "@/db/migrate";
import { moveDatabase } from "@/scripts/installation/move-database";
import { startOwnDatabase } from "@/scripts/installation/own-database";
import { ownFiles } from "@/scripts/installation/own-folder";
import { seedAddress, seedMerchant } from "@/testing/database/seed";

const name = `move_${randomBytes(6).toString("hex")}`;
const now = new Date("2026-03-01T02:00:00Z");
let own: string;
let target: string;
let server: postgres.Sql;

beforeEach(async () => {
  own = await mkdtemp(path.join(tmpdir(), "stablegate move-"));
  server = postgres(inject("testServerUrl"), { max: 1, onnotice: () => {} });
  await server`create database ${server(name)}`;
  const url = new URL(inject("testServerUrl"));
  url.pathname = `/${name}`;
  target = url.href;
});
afterEach(async () => {
  await server`drop database ${server(name)} with (force)`;
  await server.end();
  await rm(own, { recursive: true, force: true });
});

test("everything moves once, while nothing runs, and nothing starts on the old data afterwards", async () => {
  const folders = { own, db: "db" };
  const running = await startOwnDatabase(own);
  let merchantId: string;
  try {
    await migrate(running.url);
    const pool = openDb(running.url, { work: "none", max: 1 });
    merchantId = (await seedMerchant(pool.db, now)).id;
    await seedAddress(pool.db, { merchantId }, now);
    await pool.close();
    await expect(moveDatabase(folders, target, now)).rejects.toThrow(/is already running on the data .* Stop it first/);
  } finally {
    await running.stop();
  }
  const there = postgres(target, { max: 1, onnotice: () => {} });
  await there`create table of_another (n int)`;
  await expect(moveDatabase(folders, target, now)).rejects.toThrow(/not empty: it holds 1 tables .*of_another/);
  await there`drop table of_another`;

  const moved = await moveDatabase(folders, target, now);
  expect(moved.find(({ table }) => table === "merchants")).toMatchObject({ rows: 1 });
  expect(await there`select id from merchants`).toEqual([{ id: merchantId }]);
  await there.end();
  expect(await readdir(ownFiles(own).dumps)).toEqual([]);
  await expect(startOwnDatabase(own)).rejects.toThrow(
    /The data was moved to the database at 127\.0\.0\.1:\d+ \(2026-03-01/,
  );
});

test("a move that was cut short after the last row is finished by the next one, and one beside other rows is not", async () => {
  const folders = { own, db: "db" };
  const running = await startOwnDatabase(own);
  const file = path.join(own, "cut.dump.gz");
  await migrate(running.url);
  const pool = openDb(running.url, { work: "none", max: 1 });
  await seedMerchant(pool.db, now);
  await pool.close();
  await writeDump(running.url, file, now);
  await restoreDump(target, file, "db", { isCopy: true });
  await running.stop();

  const there = postgres(target, { max: 1, onnotice: () => {} });
  await there`update merchants set name = 'Another'`;
  await expect(moveDatabase(folders, target, now)).rejects.toThrow(/not empty/);
  await (await startOwnDatabase(own)).stop();
  await there`drop schema public cascade`;
  await there`create schema public`;
  await there.end();
  await restoreDump(target, file, "db", { isCopy: true });
  const moved = await moveDatabase(folders, target, now);
  expect(moved.find(({ table }) => table === "merchants")).toMatchObject({ rows: 1 });
  await expect(startOwnDatabase(own)).rejects.toThrow(/The data was moved/);
});
