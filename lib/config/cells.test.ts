import { expect, test } from "vitest";
import { readCells, readNewMerchantsCell } from "@/lib/config/cells";
import { isSetting } from "@/lib/config/env";
import { cellOfSecret, cellOfUrl, schemaOfUrl, secretIn, urlOfCell } from "@/lib/domain/cells";
import { cellOfId, newId } from "@/lib/domain/id";

const first = {
  DATABASE_URL: "postgres://u:p@pooler:6432/pay",
  DATABASE_DIRECT_URL: "postgres://u:p@db:5432/pay",
  DATABASE_REPLICA_URL: "postgres://u:p@replica:5432/pay",
};
const read = (given: Record<string, string>) => {
  const problems: string[] = [];
  return { cells: readCells(given, first, problems), problems };
};

test("without a setting there is one cell, which is the database as it always was", () => {
  const { cells, problems } = read({});
  expect(problems).toEqual([]);
  expect(cells).toEqual([
    {
      cell: "00",
      databaseUrl: first.DATABASE_URL,
      databaseDirectUrl: first.DATABASE_DIRECT_URL,
      databaseOwnerUrl: null,
      databaseReplicaUrl: first.DATABASE_REPLICA_URL,
      directoryUrl: null,
    },
  ]);
  expect(schemaOfUrl(first.DATABASE_URL)).toBeNull();
});

test("another cell is a schema of the same database, past the pooler, or of a database of its own", () => {
  const elsewhere = "postgres://u:p@far,near:5432/pay?sslmode=require";
  const { cells, problems } = read({ CELLS: "01, 00,zz", CELL_ZZ_DATABASE_URL: elsewhere });
  expect(problems).toEqual([]);
  expect(cells.map(({ cell }) => cell)).toEqual(["01", "00", "zz"]);
  expect(cells[0]).toEqual({
    cell: "01",
    databaseUrl: "postgres://u:p@db:5432/pay?search_path=cell_01",
    databaseDirectUrl: null,
    databaseOwnerUrl: null,
    databaseReplicaUrl: "postgres://u:p@replica:5432/pay?search_path=cell_01",
    directoryUrl: first.DATABASE_DIRECT_URL,
  });
  expect(cells[2]).toMatchObject({
    databaseUrl: `${elsewhere}&search_path=cell_zz`,
    databaseReplicaUrl: null,
    directoryUrl: first.DATABASE_DIRECT_URL,
  });
});

test("the owner of a cell's tables is that of its database", () => {
  const owner = "postgres://owner:p@db:5432/pay";
  const given = {
    CELLS: "00,01,02,03",
    CELL_02_DATABASE_URL: "postgres://u:p@far/pay",
    CELL_03_DATABASE_URL: "postgres://u:p@far/pay",
  };
  const withOwner = { ...given, CELL_03_DATABASE_OWNER_URL: "postgres://owner:p@far/pay" };
  const cells = readCells(withOwner, { ...first, DATABASE_OWNER_URL: owner }, []);
  expect(cells.map(({ databaseOwnerUrl }) => databaseOwnerUrl)).toEqual([
    owner,
    `${owner}?search_path=cell_01`,
    null,
    "postgres://owner:p@far/pay?search_path=cell_03",
  ]);
});

test.each(["0", "000", "0l", "0O", "00,00", "", "00,"])("CELLS=%j is told as what it is", (list) => {
  expect(read({ CELLS: list }).problems).toEqual([expect.stringMatching(/^CELLS is a list of cells.*does not fit$/)]);
});

test("a place that is no database is told with the name of its setting", () => {
  const { problems } = read({ CELLS: "00,01", CELL_01_DATABASE_URL: "https://db" });
  expect(problems).toEqual([expect.stringMatching(/^CELL_01_DATABASE_URL is not a PostgreSQL URL/)]);
});

test("what cells are set by counts as a setting, and what looks like it does not", () => {
  for (const name of [
    "CELLS",
    "NEW_MERCHANTS_CELL",
    "CELL_01_DATABASE_URL",
    "CELL_01_DATABASE_OWNER_URL",
    "CELL_ZZ_DATABASE_URL",
  ])
    expect(isSetting(name, [])).toBe(true);
  for (const name of ["CELL_00_DATABASE_URL", "CELL_1_DATABASE_URL", "CELL_OO_DATABASE_URL", "CELL_01_URL"])
    expect(isSetting(name, [])).toBe(false);
});

test("new merchants are made in the first cell of the list, or in the one that is set, which must be served", () => {
  const ask = (given: Record<string, string>) => {
    const problems: string[] = [];
    return { cell: readNewMerchantsCell(given, readCells(given, first, problems), problems), problems };
  };
  expect(ask({})).toEqual({ cell: "00", problems: [] });
  expect(ask({ CELLS: "01,00" })).toEqual({ cell: "01", problems: [] });
  expect(ask({ CELLS: "00,01", NEW_MERCHANTS_CELL: "01" })).toEqual({ cell: "01", problems: [] });
  expect(ask({ CELLS: "00,01", NEW_MERCHANTS_CELL: "02" }).problems).toEqual([
    'NEW_MERCHANTS_CELL must be one of CELLS (00, 01); "02" is not',
  ]);
});

test("the secret of a link names its cell, and one of the first is as it always was", () => {
  expect(secretIn("00", "abc")).toBe("abc");
  expect(cellOfSecret(secretIn("01", "abc"))).toBe("01");
  for (const text of ["abc", "", "01", "oo.abc", "001.abc"]) expect(cellOfSecret(text)).toBe("00");
});

test.each(["00", "01", "zz"])("the cell %s is found in the URLs and the ids that were made for it", (cell) => {
  expect(cellOfUrl(urlOfCell(first.DATABASE_URL, cell))).toBe(cell);
  expect(cellOfId(newId(new Date(), cell))).toBe(cell);
  expect(cellOfId("nonsense")).toBe("");
});
