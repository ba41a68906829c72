import { execFile } from "node:child_process";
import { appendFile, chmod, chown, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import postgres from "postgres";
import { readCommands, type WrittenCommands } from "@/chaos/failover/written-commands";
import { type EmbeddedServer, startEmbedded } from "@/db/embedded";

/** A primary and its synchronous standby, set up with the commands in docs/scaling.md. The connection URL `url` names both servers. */
export interface ServerPair {
  /** Names both. */
  url: string;
  /** Kills the primary with SIGKILL. */
  killPrimary(): Promise<void>;
  /** Promotes the standby, so that it accepts writes. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

const PASSWORD = "chaos";
/** Only the server processes are killed, not the machine, so written data survives. */
const SETTINGS = { fsync: "off", full_page_writes: "off" };
const PATIENCE_MS = 60_000;
const run = promisify(execFile);

export async function startServerPair(): Promise<ServerPair> {
  const folder = await mkdtemp(path.join(tmpdir(), "stablegate-failover-"));
  await chmod(folder, 0o755);
  const data1 = path.join(folder, "db1");
  const data2 = path.join(folder, "db2");
  const servers: EmbeddedServer[] = [];
  const start = async (dataDir: string) => {
    const server = await startEmbedded({
      dataDir,
      port: 0,
      password: PASSWORD,
      isPersistent: true,
      settings: SETTINGS,
    });
    servers.push(server);
    return server.databaseUrl("postgres");
  };
  const stop = async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const primary = await start(data1);
    const port1 = new URL(primary).port;
    const commands = (port2: string) =>
      readCommands({
        "ssh db1.example.com ": "",
        "host=db1.example.com port=5432": `host=127.0.0.1 port=${port1}`,
        "db1.example.com:5432,db2.example.com:5432/stablegate": `127.0.0.1:${port1},127.0.0.1:${port2}/postgres`,
        "db2.example.com scram": "127.0.0.1/32 scram",
        "stablegate:PASSWORD": `stablegate:${PASSWORD}`,
        "/var/lib/postgresql/db1": data1,
        "/var/lib/postgresql/db2": data2,
      });
    const written = await commands("5432");
    await letIn(primary, data1, written);
    await copy(primary, { data1, data2 }, written);
    const standby = await start(data2);
    const named = await commands(new URL(standby).port);
    await execute(primary, written("synchronous"));
    await isSynchronous(primary, written("look"));
    return {
      url: named("DATABASE_URL").trim().replace("DATABASE_URL=", ""),
      killPrimary: async () => {
        process.kill(Number((await readFile(path.join(data1, "postmaster.pid"), "utf8")).split("\n")[0]), "SIGKILL");
      },
      promote: async () => void (await execute(standby, written("promote"))),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function letIn(primary: string, data1: string, written: WrittenCommands): Promise<void> {
  await execute(primary, written("create-replicator"));
  await appendFile(path.join(data1, "pg_hba.conf"), written("pg_hba.conf"));
  await execute(primary, "select pg_reload_conf()");
}

/** Copies the primary to the standby. The backup begins and ends in one session of the primary. */
async function copy(
  primary: string,
  { data1, data2 }: { data1: string; data2: string },
  written: WrittenCommands,
): Promise<void> {
  const session = postgres(primary, { max: 1, onnotice: () => {} });
  try {
    await session.unsafe(written("begin-copy"));
    await run("/bin/sh", ["-e", "-c", written("copy")]);
    const [row] = await session.unsafe<{ labelfile: string }[]>(written("end-copy"));
    const label = path.join(data2, "backup_label");
    await writeFile(label, row?.labelfile ?? "");
    await appendFile(path.join(data2, "postgresql.auto.conf"), written("postgresql.auto.conf"));
    const { uid, gid } = await stat(data1);
    for (const file of [label, path.join(data2, "standby.signal")]) await chown(file, uid, gid);
  } finally {
    await session.end();
  }
}

async function isSynchronous(primary: string, look: string): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while ((await execute(primary, look))[0]?.["sync_state"] !== "sync") {
    if (performance.now() > deadline) throw new Error("The standby did not become synchronous");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/**
 * Executes statements one after another, like psql.
 * @returns the rows of the last statement
 */
async function execute(url: string, statements: string): Promise<postgres.RowList<postgres.Row[]>> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    let rows: postgres.RowList<postgres.Row[]> | undefined;
    for (const statement of statements.split(";")) if (statement.trim()) rows = await sql.unsafe(statement);
    if (!rows) throw new Error("No statement to send");
    return rows;
  } finally {
    await sql.end();
  }
}
