import { migrate } from "@/db/migrate";
import { isCellName } from "@/lib/domain/cells";
import { CELL } from "@/lib/domain/id";
import { EnvError, readDatabaseUrl, readEnv } from "@/lib/env";
import { type CellPlace, readCells } from "@/lib/env-cells";
import { givenSettings } from "@/lib/secret-files";

/**
 * `npm run migrate [-- --cell NAME]`: brings the schema of the database, or of one of its cells, up to date and ends; a cell's is
 * made where it is missing. It needs the database alone; before a whole start (--all-settings) every problem of the settings is
 * named first, and all cells of the list are brought up to date.
 */
async function run(): Promise<void> {
  const isWholeStart = process.argv.includes("--all-settings");
  const cell = readCell();
  const places = isWholeStart ? readEnv(process.env).cells : [placeOf(cell)];
  let isOurs = true;
  for (const { databaseUrl, databaseDirectUrl } of places)
    isOurs = (await migrate(databaseDirectUrl ?? databaseUrl)) && isOurs;
  const what = cell === CELL ? "The database" : `The cell ${cell}`;
  console.log(isOurs ? `${what} is up to date.` : `${what} is of a newer version; nothing was changed.`);
}

/** The cell that is named behind `--cell`. */
function readCell(): string {
  const at = process.argv.indexOf("--cell");
  if (at < 0) return CELL;
  const name = process.argv[at + 1] ?? "";
  if (isCellName(name)) return name;
  throw new Error(
    `Name the cell by two characters of 0-9 and a-z without i, l, o and u, for example: npm run migrate -- --cell 01${name ? ` ("${name}" does not fit)` : ""}`,
  );
}

/** Past a pooler where there is one. */
function placeOf(cell: string): CellPlace {
  const problems: string[] = [];
  const given = { ...givenSettings(process.env, problems), CELLS: cell };
  const first = { DATABASE_URL: readDatabaseUrl(process.env), DATABASE_DIRECT_URL: null, DATABASE_REPLICA_URL: null };
  const [place] = readCells(given, first, problems);
  if (problems.length > 0) throw new EnvError(problems);
  return place;
}

run().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
