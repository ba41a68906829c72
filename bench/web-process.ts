import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { Usage } from "@/bench/web";
import { APP_SECRET } from "@/bench/world";

/** A web process on a database. */
export interface WebProcess {
  port: number;
  /** What it has used so far. */
  usage(): Promise<Usage>;
  stop(): Promise<void>;
}

/** Starts the program `bench-web`, which is built beside this one. It ends with this one, also when this one is killed. */
export async function startWebProcess(databaseUrl: string): Promise<WebProcess> {
  const program = path.join(path.dirname(process.argv[1] ?? ""), "bench-web.js");
  const stdio = ["ignore", "ignore", "inherit", "ipc"] as const;
  const child = fork(program, [databaseUrl, APP_SECRET], { stdio: [...stdio] });
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
