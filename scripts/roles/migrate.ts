import { appRoleOf } from "@/db/app-role";
import { type Db, directoryOf, openDb } from "@/db/client";
import { migrate } from "@/db/migrate";
import { hasClaims } from "@/db/queries/merchants/address-claims";
import { hasUnencryptedHashes } from "@/db/queries/merchants/key-hashes";
import { hasEmailClaims } from "@/db/queries/users/email-claims";
import { waitForDatabase } from "@/db/wait";
import { type CellPlace, readCells } from "@/lib/config/cells";
import {
  EnvError,
  readDatabaseAndSecret,
  readDatabaseUrl,
  readDatabaseWaitMs,
  readEnv,
  readOwnerUrl,
} from "@/lib/config/env";
import { givenSettings } from "@/lib/config/secret-files";
import { isCellName } from "@/lib/domain/cells";
import { CELL } from "@/lib/domain/id";
import { openOutput } from "@/lib/log";
import { requireAppSecret } from "@/lib/merchants/check-app-secret";
import { enterCells, type SharedAddress } from "@/lib/merchants/claims";
import { encryptKeyHashes } from "@/lib/merchants/key-hashes";
import { enterPeople, type SharedEmail } from "@/lib/users/cells/claims";

openOutput("migrate", process.env, Date.now);

const SHOWN = 20;

/**
 * `npm run migrate [-- --cell NAME]`: brings the schema of the database, or of one of its cells, up to date and ends; a cell's is
 * made where it is missing. A database that cannot be reached yet is waited for. It needs the database alone; before a whole start (--all-settings) every problem of the settings is
 * named first, and all cells of the list are brought up to date. Then the addresses and the people's e-mail addresses that are there are
 * entered into the directory of all cells, those of the first cell before those of another. Where APP_SECRET is set it must be the
 * installation's; it must be set while the database holds API keys in the form of an earlier version, whose hashes are encrypted here.
 */
async function run(): Promise<void> {
  const isWholeStart = process.argv.includes("--all-settings");
  const cell = readCell();
  const places = isWholeStart ? readEnv(process.env).cells : [...new Set([CELL, cell])].map(placeOf);
  const maxMs = readDatabaseWaitMs(process.env);
  for (const place of places) await waitForDatabase(urlOf(place), { maxMs, say: (text) => console.log(text) });
  const answers: boolean[] = [];
  for (const place of places)
    answers.push(await migrate(urlOf(place), undefined, appRoleOf(place.databaseUrl, urlOf(place))));
  if (answers.every(Boolean)) await checkSecret(places);
  // One of a newer version enters its addresses itself.
  if (answers.every(Boolean)) await enter(places);
  const what = cell === CELL ? "The database" : `The cell ${cell}`;
  console.log(
    answers.every(Boolean) ? `${what} is up to date.` : `${what} is of a newer version; nothing was changed.`,
  );
}

/** @throws AppSecretError */
async function checkSecret(places: readonly CellPlace[]): Promise<void> {
  const isGiven = Boolean(givenSettings(process.env, [])["APP_SECRET"]);
  for (const place of places) {
    const pool = openDb(urlOf(place), { work: "migrate", max: 1, applicationName: "stablegate-migrate" });
    await verifySecret(pool.db, isGiven).finally(pool.close);
  }
}

async function verifySecret(db: Db, isGiven: boolean): Promise<void> {
  if (!isGiven && (await hasUnencryptedHashes(db))) throw new Error(NEEDS_SECRET);
  if (!isGiven) return;
  const { appSecret } = readDatabaseAndSecret(process.env);
  await requireAppSecret(db, appSecret);
  await encryptKeyHashes(db, appSecret);
}

const NEEDS_SECRET =
  "APP_SECRET is missing: the database holds API keys in the form of an earlier version, whose hashes migrate encrypts under it. Set APP_SECRET (or APP_SECRET_FILE) to the secret of this installation, and run npm run migrate again. The tables are up to date; nothing else was changed.";

async function enter(places: readonly CellPlace[]): Promise<void> {
  const named = { work: "migrate", max: 1, applicationName: "stablegate-migrate" } as const;
  const pools = places.map((place) => openDb(urlOf(place), { ...named, directoryUrl: place.directoryUrl }));
  try {
    for (const { db } of pools) await requireDirectory(db);
    const cells = pools.map(({ db }) => db);
    const now = new Date();
    tellShared(await enterPeople(cells, now));
    const shared = await enterCells(cells, now);
    const [first] = shared;
    if (first) throw new Error(sharedWords(first, shared));
  } finally {
    await Promise.all(pools.map((pool) => pool.close()));
  }
}

/** They stay as they are; nobody makes another. */
function tellShared(shared: readonly SharedEmail[]): void {
  if (shared.length === 0) return;
  const lines = shared
    .slice(0, SHOWN)
    .map(({ email, claimedBy, usedBy }) => `  - ${email}: cells ${claimedBy} and ${usedBy}`);
  const rest = shared.length > SHOWN ? [`  - and ${shared.length - SHOWN} more`] : [];
  const words = [
    "These e-mail addresses have an account in two cells, from before there was one over all:",
    ...[...lines, ...rest],
    "Each signs in to the one whose cell is named first in CELLS. To use the other, invite another e-mail address there as an owner.",
  ];
  console.warn(words.join("\n"));
}

/** What to do about addresses whose transfers two cells would take for theirs. */
function sharedWords(first: SharedAddress, shared: readonly SharedAddress[]): string {
  const lines = shared
    .slice(0, SHOWN)
    .map(({ address, claimedBy, usedBy }) => `  - ${address}: cells ${claimedBy} and ${usedBy}`);
  const rest = shared.length > SHOWN ? [`  - and ${shared.length - SHOWN} more`] : [];
  const what = shared.length === 1 ? "A receiving address is" : `${shared.length} receiving addresses are`;
  return [
    `${what} used in two cells, and both would take its payments for theirs:`,
    ...[...lines, ...rest],
    "Each may be in use in one cell only. Remove it in one of the two shops (Settings, Receiving addresses), and start again once the amounts that are held at it have ended.",
    `Until then the version that ran before still starts with all cells, and this one with CELLS=${first.claimedBy} alone.`,
  ].join("\n");
}

/** The first cell need not be one of those that this process serves. */
async function requireDirectory(db: Db): Promise<void> {
  const directory = directoryOf(db);
  if ((await hasClaims(directory)) && (await hasEmailClaims(directory))) return;
  throw new Error(
    "The database of the first cell (DATABASE_URL) is of an older version, which does not say yet whose each address and account is; run npm run migrate for it, then start again",
  );
}

/** Returns the URL of the owner of the tables, past a pooler where there is one. */
const urlOf = (place: CellPlace) => place.databaseOwnerUrl ?? place.databaseDirectUrl ?? place.databaseUrl;

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

function placeOf(cell: string): CellPlace {
  const problems: string[] = [];
  const given = { ...givenSettings(process.env, problems), CELLS: cell };
  const first = {
    DATABASE_URL: readDatabaseUrl(process.env),
    DATABASE_OWNER_URL: readOwnerUrl(process.env),
    DATABASE_DIRECT_URL: null,
    DATABASE_REPLICA_URL: null,
  };
  const [place] = readCells(given, first, problems);
  if (problems.length > 0) throw new EnvError(problems);
  return place;
}

run().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
