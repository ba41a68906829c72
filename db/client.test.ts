import { expect, test, vi } from "vitest";
import { cellOf, directoryOf, openDb } from "@/db/client";
import { urlOfCell } from "@/lib/domain/cells";

const URL = "postgres://u:p@127.0.0.1:1/pay";

test("every copy of this file in a process knows the cell and the directory of a pool that another one opened", async () => {
  const pool = openDb(urlOfCell(URL, "01"), { work: "none", directoryUrl: URL });
  vi.resetModules();
  const copy = await import("@/db/client");
  expect(copy.cellOf).not.toBe(cellOf);
  expect([cellOf(pool.db), copy.cellOf(pool.db)]).toEqual(["01", "01"]);
  expect(copy.directoryOf(pool.db)).toBe(directoryOf(pool.db));
  expect(copy.directoryOf(pool.db)).not.toBe(pool.db);
  await pool.close();
});
