import { isCellName, urlOfCell } from "@/lib/domain/cells";
import { isDatabaseUrl } from "@/lib/domain/database-url";
import { CELL } from "@/lib/domain/id";

/** Where one cell of the installation lies (docs/scaling.md). */
export interface CellPlace {
  /** Two characters, as ids name it. */
  cell: string;
  databaseUrl: string;
  databaseDirectUrl: string | null;
  /** The URL of the owner of the tables, for migrations; null: `databaseUrl` is the owner's. */
  databaseOwnerUrl: string | null;
  databaseReplicaUrl: string | null;
  /** The first cell's database, which knows whose each address is; null: this is the first cell. */
  directoryUrl: string | null;
}

/** Of the first cell. */
interface First {
  DATABASE_URL: string;
  DATABASE_DIRECT_URL: string | null;
  /** Left out where only rows are read and written. */
  DATABASE_OWNER_URL?: string | null;
  DATABASE_REPLICA_URL: string | null;
}

type Given = Readonly<Record<string, string>>;

const settingOf = (cell: string) => `CELL_${cell.toUpperCase()}_DATABASE_URL`;
const ownerSettingOf = (cell: string) => `CELL_${cell.toUpperCase()}_DATABASE_OWNER_URL`;

/** Whether a name is one of a setting of cells. */
export function isCellSetting(name: string): boolean {
  if (name === "CELLS" || name === "NEW_MERCHANTS_CELL") return true;
  const cell = /^CELL_(\w\w)_DATABASE_(?:OWNER_)?URL$/.exec(name)?.[1]?.toLowerCase() ?? "";
  return isCellName(cell) && cell !== CELL;
}

/**
 * Reads which cells a process serves, and where they lie: the first cell in DATABASE_URL, any other in a schema of its own, of the
 * same database or of the one that CELL_NAME_DATABASE_URL names. What is wrong goes to `problems`, in words.
 * @param first the places of the first cell
 * @returns at least one; the first in the list is the one whose first visitor sets the back office up
 */
export function readCells(given: Given, first: First, problems: string[]): [CellPlace, ...CellPlace[]] {
  const names = (given["CELLS"] ?? CELL).split(",").map((name) => name.trim());
  const bad = names.find((name, index) => !isCellName(name) || names.indexOf(name) !== index);
  if (bad !== undefined)
    problems.push(
      `CELLS is a list of cells, each named once by two characters of 0-9 and a-z without i, l, o and u, such as 00,01; "${bad}" does not fit`,
    );
  const [home = CELL, ...others] = names;
  return [placeOf(given, first, home, problems), ...others.map((name) => placeOf(given, first, name, problems))];
}

/** The cell in which new merchants are made, one of those that the process serves: the first of the list unless they say another. */
export function readNewMerchantsCell(
  given: Given,
  cells: readonly [CellPlace, ...CellPlace[]],
  problems: string[],
): string {
  const asked = given["NEW_MERCHANTS_CELL"] ?? cells[0].cell;
  if (!cells.some(({ cell }) => cell === asked))
    problems.push(
      `NEW_MERCHANTS_CELL must be one of CELLS (${cells.map(({ cell }) => cell).join(", ")}); "${asked}" is not`,
    );
  return asked;
}

/** A cell beside the first has a schema of its own, which poolers do not know of: it is reached past them. */
function placeOf(given: Given, first: First, cell: string, problems: string[]): CellPlace {
  const { DATABASE_URL: url, DATABASE_DIRECT_URL: direct, DATABASE_REPLICA_URL: replica } = first;
  const owner = first.DATABASE_OWNER_URL ?? null;
  const shared = { databaseOwnerUrl: owner, databaseDirectUrl: direct, databaseReplicaUrl: replica };
  if (cell === CELL) return { cell, databaseUrl: url, ...shared, directoryUrl: null };
  const own = given[settingOf(cell)];
  for (const name of [settingOf(cell), ownerSettingOf(cell)])
    if (given[name] && !isDatabaseUrl(given[name]))
      problems.push(`${name} is not a PostgreSQL URL; it looks like postgres://user:password@host:5432/stablegate`);
  const ownOwner = given[ownerSettingOf(cell)] ?? (own ? null : owner);
  return {
    cell,
    databaseUrl: urlOfCell(own ?? direct ?? url, cell),
    databaseDirectUrl: null,
    databaseOwnerUrl: ownOwner === null ? null : urlOfCell(ownOwner, cell),
    databaseReplicaUrl: own || replica === null ? null : urlOfCell(replica, cell),
    directoryUrl: direct ?? url,
  };
}
