import { expect, test } from "vitest";
import { openDb, workerName } from "@/db/client";
import { listLeases, renewLeases, takeLeases } from "@/db/queries/networks/leases";
import { useTestDb } from "@/testing/database/clone";

const testDb = useTestDb();
const ONE = "host:1:aaaaaaaa";
const TWO = "host:2:bbbbbbbb";

test("a lease is renewed by its holder, taken over only from the holder that was read, and free after its worker ends", async () => {
  const { db } = testDb.pool;
  const unknown = ["bsc", "tron"].map((network) => ({ network, owner: null, isFree: true }));
  const alive = openDb(testDb.url, { work: "none", max: 1, applicationName: workerName(ONE) });
  expect((await takeLeases(alive.db, ONE, unknown, 60_000)).toSorted()).toEqual(["bsc", "tron"]);
  expect(await listLeases(db)).toEqual(expect.arrayContaining([{ network: "bsc", owner: ONE, isFree: false }]));

  expect(await takeLeases(db, TWO, unknown, 60_000)).toEqual([]);
  expect(await takeLeases(db, TWO, [{ network: "tron", owner: ONE, isFree: false }], 60_000)).toEqual(["tron"]);
  expect(await renewLeases(db, ONE, 60_000)).toEqual(["bsc"]);
  await alive.close();
  expect(await listLeases(db)).toEqual(expect.arrayContaining([{ network: "bsc", owner: ONE, isFree: true }]));
});

test("a lease that ran out is not renewed", async () => {
  const { db } = testDb.pool;
  await takeLeases(db, ONE, [{ network: "base", owner: null, isFree: true }], -1);
  expect(await renewLeases(db, ONE, 60_000)).not.toContain("base");
});
