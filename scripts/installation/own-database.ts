import { randomBytes } from "node:crypto";
import { access, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { type EmbeddedOptions, type EmbeddedServer, startEmbedded } from "@/db/embedded";
import { namesDatabase } from "@/lib/config/secret-files";
import { ownFiles, ownFolder } from "@/scripts/installation/own-folder";
import { openDataFolder } from "@/scripts/supervisor/data-folder";
import { createIfMissing } from "@/scripts/supervisor/database";
import { findHolder, takeLock } from "@/scripts/supervisor/lock";
import { readJson, shapeOf, writePrivateJson } from "@/scripts/supervisor/private-file";
import { StartProblem } from "@/scripts/supervisor/problem";

type Source = Readonly<Record<string, string | undefined>>;

const NAME = "stablegate";
const MIN_SECRET = 32;
const Running = shapeOf({ databaseUrl: "" });
const Moved = shapeOf({ to: "", at: "" });

interface Move {
  /** The location of the new database, without its password. */
  to: string;
  at: string;
}

export interface OwnDatabase {
  url: string;
  folder: string;
  stop(): Promise<void>;
}

/**
 * Locks the folder for this process and starts its PostgreSQL with its default durability settings.
 * @throws StartProblem if another process uses the folder, a file in it is missing, or this user cannot write to it.
 */
export async function startOwnDatabase(
  folder: string,
  options: Pick<EmbeddedOptions, "binaries" | "settings"> = {},
): Promise<OwnDatabase> {
  const files = ownFiles(folder);
  await openDataFolder(folder);
  const lock = await takeLock(files.lock, (pid) => inUse(folder, pid));
  let server: EmbeddedServer | null = null;
  const stop = async () => {
    await rm(files.running, { force: true });
    await server?.stop();
    await lock.release();
  };
  try {
    await rm(files.running, { force: true });
    const moved = await readJson(files.moved, Moved);
    if (moved) throw new StartProblem(hasMoved(moved, files.moved));
    const password = await readSecretFile(files.password, { hasData: await hasData(folder), length: 16 });
    server = await startEmbedded({
      dataDir: files.postgres,
      password: password.text,
      port: 0,
      isPersistent: true,
      ...options,
    });
    await createIfMissing(server, NAME);
    return { url: server.databaseUrl(NAME), folder, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const inUse = (folder: string, pid: number) =>
  `Stablegate is already running on the data in ${folder} (process ${pid}). Stop it first; nothing was changed.`;

const hasMoved = ({ to, at }: Move, file: string) =>
  `The data was moved to the database at ${to} (${at}); the data in this folder is outdated. Set DATABASE_URL in .env to that database. Only if that database was never used, delete ${file} to continue with the data in this folder.`;

/** Marks the data as moved, so that no process starts on them any more. */
export async function markMoved(folder: string, moved: Move): Promise<void> {
  await writePrivateJson(ownFiles(folder).moved, moved);
}

/** Lets other programs (npm run dump, doctor, reset-password …) find the database while it runs. */
export async function announceOwnDatabase({ folder, url }: OwnDatabase): Promise<void> {
  await writePrivateJson(ownFiles(folder).running, { databaseUrl: url });
}

/** Returns true if a directory contains a database; the default is the directory of the embedded database in the folder. */
export async function hasData(folder: string, directory = ownFiles(folder).postgres): Promise<boolean> {
  return access(path.join(directory, "PG_VERSION")).then(
    () => true,
    () => false,
  );
}

/**
 * Returns the secret of an installation on the embedded database: from the settings, otherwise from its file. The first start creates the
 * file; it is never recreated while there are data that are encrypted under it.
 * @param options mustExist: earlier data will be restored, so no secret is created
 * @throws StartProblem if there are data and no secret, or two different secrets, or if this user cannot write to the folder
 */
export async function readAppSecret(
  source: Source,
  folder: string,
  options: { mustExist?: boolean } = {},
): Promise<{ text: string; isNew: boolean }> {
  await openDataFolder(folder);
  const file = ownFiles(folder).appSecret;
  const given = source["APP_SECRET"]?.trim();
  const kept = await readIfThere(file);
  if (given && kept !== null && kept !== given)
    throw new StartProblem(
      `APP_SECRET in the settings differs from the one in ${file}. Remove APP_SECRET from the settings to use the file; or, if the data was encrypted with the one in the settings, move the file away.`,
    );
  if (given) return { text: given, isNew: false };
  return readSecretFile(file, { hasData: options.mustExist || (await hasData(folder)), length: MIN_SECRET });
}

async function readSecretFile(
  file: string,
  { hasData, length }: { hasData: boolean; length: number },
): Promise<{ text: string; isNew: boolean }> {
  const kept = await readIfThere(file);
  if (kept === null && hasData)
    throw new StartProblem(
      `${file} is missing, and there is data that cannot be decrypted without it. Restore it from your backup${path.basename(file) === "app-secret" ? ", or set APP_SECRET to its content" : ""}; a new one is never created for existing data.`,
    );
  if (kept !== null) {
    if (((await stat(file)).mode & 0o077) !== 0)
      throw new StartProblem(`${file} is readable by other users of this machine. Run: chmod 600 ${file}`);
    if (kept.length < length) throw new StartProblem(`${file} is truncated or damaged; restore it from your backup.`);
    return { text: kept, isNew: false };
  }
  const made = randomBytes(length).toString("base64url");
  const draft = `${file}.${process.pid}.new`;
  await writeFile(draft, `${made}\n`, { mode: 0o600, flush: true });
  await rename(draft, file);
  return { text: made, isNew: true };
}

async function readIfThere(file: string): Promise<string | null> {
  return readFile(file, "utf8").then(
    (text) => text.trim(),
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw new StartProblem(
        `${file} cannot be read (${error.code}); it must belong to the user who starts Stablegate`,
      );
    },
  );
}

export interface Installation {
  url: string;
  /** The folder of the embedded server; null if DATABASE_URL names a different server. */
  folder: string | null;
  close(): Promise<void>;
}

/**
 * Opens the database of the installation that these settings describe: the database in DATABASE_URL, or that of the running `npm start`.
 * If there is neither, starts the embedded server until `close`.
 * @throws EnvError if DATABASE_URL is missing and there is no embedded database
 */
export async function openInstallation(source: Source): Promise<Installation> {
  const close = async () => {};
  // A supervisor imports this file, and does not need the settings of other processes.
  const { EnvError, readDatabaseUrl } = await import("@/lib/config/env");
  if (namesDatabase(source)) return { url: readDatabaseUrl(source), folder: null, close };
  const folder = ownFolder(source);
  const files = ownFiles(folder);
  if ((await findHolder(files.lock)) !== null) {
    const running = await readJson(files.running, Running);
    if (!running)
      throw new StartProblem(`Stablegate is starting or stopping on ${folder}; try again when that is complete.`);
    return { url: running.databaseUrl, folder, close };
  }
  if (!(await hasData(folder)))
    throw new EnvError([`DATABASE_URL is missing, and ${folder} contains no data of a built-in database`]);
  const own = await startOwnDatabase(folder);
  return { url: own.url, folder, close: own.stop };
}
