import { chmod, copyFile, lchown, mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import postgres from "postgres";
import { type EmbeddedServer, startEmbedded } from "@/db/embedded";

interface Primary {
  server: EmbeddedServer;
  dataDir: string;
  password: string;
}

/**
 * The files that a copy must not contain, or that the standby creates itself (PostgreSQL documentation, "Backing Up the Data Directory").
 */
const LEFT_OUT = new Set([
  "postmaster.pid",
  "postmaster.opts",
  "pg_replslot",
  "pg_dynshmem",
  "pg_notify",
  "pg_stat_tmp",
]);
const EMPTY = ["pg_replslot", "pg_dynshmem", "pg_notify", "pg_stat_tmp"];

/**
 * Starts a streaming standby of a primary from a low-level backup of its files: it has the same databases, read-only, and is up to date
 * with the stream.
 * @param dataDir its data directory, which must not exist
 * @param settings of the standby, such as { recovery_min_apply_delay: "1min" }
 */
export async function startStandby(
  primary: Primary,
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<EmbeddedServer> {
  const url = primary.server.databaseUrl("postgres");
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await sql`select pg_backup_start('standby', true)`;
    await copyFolder(primary.dataDir, dataDir);
    const [label] = await sql`select labelfile from pg_backup_stop(false)`;
    await write(primary.dataDir, path.join(dataDir, "backup_label"), String(label?.["labelfile"]));
    await write(primary.dataDir, path.join(dataDir, "standby.signal"), "");
  } catch (error) {
    await rm(dataDir, { recursive: true, force: true });
    throw error;
  } finally {
    await sql.end();
  }
  const { hostname, port, username } = new URL(url);
  return startEmbedded({
    dataDir,
    port: 0,
    password: primary.password,
    isPersistent: false,
    settings: {
      primary_conninfo: `host=${hostname} port=${port} user=${username} password=${primary.password}`,
      ...settings,
    },
  });
}

/**
 * Copies a folder while files in it are created and deleted. Deleted files are covered by the WAL, which the standby replays from the
 * start of the backup.
 */
async function copyFolder(from: string, to: string): Promise<void> {
  const { uid, gid, mode } = await stat(from);
  await mkdir(to);
  await chmod(to, mode & 0o777);
  await lchown(to, uid, gid);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (LEFT_OUT.has(entry.name)) continue;
    const source = path.join(from, entry.name);
    const target = path.join(to, entry.name);
    if (entry.isDirectory()) await copyFolder(source, target);
    else await copyFile(source, target).then(() => lchown(target, uid, gid), ignoreGone);
  }
  for (const name of EMPTY)
    if ((await readdir(from)).includes(name)) {
      await mkdir(path.join(to, name), { mode: 0o700 });
      await lchown(path.join(to, name), uid, gid);
    }
}

function ignoreGone(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}

async function write(owner: string, file: string, text: string): Promise<void> {
  const { uid, gid } = await stat(owner);
  await writeFile(file, text, { mode: 0o600 });
  await lchown(file, uid, gid);
}
