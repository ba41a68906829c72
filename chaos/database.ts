import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type EmbeddedServer, startEmbedded } from "@/db/embedded";
import { migrate } from "@/db/migrate";
import { createIfMissing, onServer } from "@/scripts/supervisor/database";

const NAME = "stablegate";

/** A real PostgreSQL that can be restarted while processes use it. */
export interface ChaosDatabase {
  url: string;
  /** Stops the server, which cuts all connections, and starts it again with the same data and port. */
  restart(): Promise<void>;
  /** Stops the server, runs `meanwhile`, and starts the server again once `ms` have passed and `meanwhile` is done. */
  outage(ms: number, meanwhile: () => Promise<void>): Promise<void>;
  /** Replaces the database of `url` with an empty one, even while clients are connected. */
  replace(): Promise<void>;
  /** A folder for files of this run. */
  folder: string;
  stop(): Promise<void>;
}

/** Starts an empty database with the schema. Written data survives restarts of the server; the machine itself is not restarted. */
export async function startChaosDatabase(): Promise<ChaosDatabase> {
  const folder = await mkdtemp(path.join(tmpdir(), "stablegate-chaos-"));
  await chmod(folder, 0o755);
  const settings = { fsync: "off", full_page_writes: "off" };
  const start = (port: number): Promise<EmbeddedServer> =>
    startEmbedded({ dataDir: path.join(folder, "data"), port, password: "chaos", isPersistent: true, settings });
  let server = await start(0);
  const url = server.databaseUrl(NAME);
  await createIfMissing(server, NAME);
  await migrate(url);
  async function outage(ms: number, meanwhile: () => Promise<void>): Promise<void> {
    await server.stop();
    await Promise.all([sleep(ms), meanwhile()]);
    server = await start(Number(new URL(url).port));
  }
  return {
    url,
    restart: () => outage(0, async () => {}),
    outage,
    replace: () =>
      onServer(server, async (sql) => {
        await sql`drop database ${sql(NAME)} with (force)`;
        await sql`create database ${sql(NAME)}`;
      }),
    folder,
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
