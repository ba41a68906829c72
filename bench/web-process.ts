import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { Usage } from "@/bench/web";
import { APP_SECRET } from "@/bench/world";

/** A process of the service on a database. */
export interface ServiceProcess {
  /** What it has used so far. */
  usage(): Promise<Usage>;
  /** The same with the memory in use, collected before. */
  memory(): Promise<Usage>;
  stop(signal?: "SIGTERM" | "SIGKILL"): Promise<void>;
}

export interface WebProcess extends ServiceProcess {
  port: number;
}

/**
 * Starts the program `bench-web`, which is built beside this one. It ends with this one, also when this one is killed.
 * @param hasPages the pages of the back office too
 */
export async function startWebProcess(databaseUrl: string, { hasPages = false } = {}): Promise<WebProcess> {
  const { said, service } = await start("bench-web", databaseUrl, hasPages ? ["pages"] : []);
  return { port: Number(said), ...service };
}

/** The same with `bench-worker`. */
export async function startWorkerProcess(databaseUrl: string): Promise<ServiceProcess> {
  return (await start("bench-worker", databaseUrl)).service;
}

async function start(
  name: string,
  databaseUrl: string,
  options: readonly string[] = [],
): Promise<{ said: unknown; service: ServiceProcess }> {
  const program = path.join(path.dirname(process.argv[1] ?? ""), `${name}.js`);
  const stdio = ["ignore", "ignore", "inherit", "ipc"] as const;
  const child = fork(program, [databaseUrl, APP_SECRET, ...options], { stdio: [...stdio] });
  const [said] = await once(child, "message");
  const ask = async (what: "usage" | "memory") => {
    child.send(what);
    const [usage] = (await once(child, "message")) as [Usage];
    return usage;
  };
  const service = { usage: () => ask("usage"), memory: () => ask("memory") };
  return { said, service: { ...service, stop: (signal = "SIGTERM") => stop(child, signal) } };
}

async function stop(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, "exit");
}
