import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { benchEnv } from "@/bench/world";
import { startWeb } from "@/server";

interface Usage {
  cpuMs: number;
  rssBytes: number;
}

/** A web process on a database. */
export interface WebProcess {
  port: number;
  /** What it has used so far. */
  usage(): Promise<Usage>;
  stop(): Promise<void>;
}

const FLAG = "--web";

/** Starts this very program once more, as a web process. It ends with this one, also when this one is killed. */
export async function startWebProcess(databaseUrl: string): Promise<WebProcess> {
  const stdio = ["ignore", "ignore", "inherit", "ipc"] as const;
  const child = fork(process.argv[1] ?? "", [FLAG, databaseUrl], { stdio: [...stdio] });
  const [port] = (await once(child, "message")) as [number];
  return {
    port,
    async usage() {
      child.send("usage");
      const [usage] = (await once(child, "message")) as [Usage];
      return usage;
    },
    stop: () => stop(child),
  };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, "exit");
}

/** The database that this program is to serve as a web process; null when it was started as the benchmark. */
export function readWebArguments([flag, databaseUrl]: readonly string[]): string | null {
  return flag === FLAG && databaseUrl ? databaseUrl : null;
}

/** Serves until the benchmark ends: tells its port once it listens, and what it uses when it is asked. */
export async function runWebProcess(databaseUrl: string): Promise<void> {
  process.once("disconnect", () => process.exit(1));
  const web = await startWeb({ env: benchEnv(databaseUrl), hasPages: false });
  process.send?.(web.port);
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    const usage: Usage = { cpuMs: (user + system) / 1_000, rssBytes: process.memoryUsage.rss() };
    process.send?.(usage);
  });
  process.once("SIGTERM", () => void web.close().then(() => process.exit(0)));
}
