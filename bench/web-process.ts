import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { BareDeliveries } from "@/bench/bare/main";
import type { Usage } from "@/bench/bare/usage";
import { APP_SECRET } from "@/bench/world";

/** A process of the service that is connected to a database. */
export interface ServiceProcess {
  /** Returns the resources that the process has used so far. */
  usage(): Promise<Usage>;
  /** Returns the resources that the process has used so far and the memory in use, measured after a garbage collection. */
  memory(): Promise<Usage>;
  stop(signal?: "SIGTERM" | "SIGKILL"): Promise<void>;
}

export interface WebProcess extends ServiceProcess {
  port: number;
}

/**
 * Starts the program `bench-web`, which is built beside this one. It ends when this process ends, even if this process is killed.
 * @param hasPages true to serve the pages of the back office too
 */
export async function startWebProcess(databaseUrl: string, { hasPages = false } = {}): Promise<WebProcess> {
  const { url, service } = await start("bench-web", databaseUrl, [hasPages ? "pages" : ""]);
  return { port: Number(url), ...service };
}

/**
 * Starts the program `bench-worker` in the same way as `startWebProcess` starts `bench-web`.
 * @param networks the networks that it reads, each as id=URL or id=URL,WEBSOCKET_URL
 */
export async function startWorkerProcess(
  databaseUrl: string,
  networks: readonly string[] = [],
): Promise<ServiceProcess> {
  return (await start("bench-worker", databaseUrl, networks)).service;
}

/** A bare Node process, the limit for other measurements; see bench/bare/main.ts. */
export interface BareProcess extends WebProcess {
  /**
   * Sends plain deliveries.
   * @returns deliveries per second
   */
  deliver(what: BareDeliveries): Promise<number>;
}

export async function startBareProcess(): Promise<BareProcess> {
  const { url, service, ask } = await start("bench-bare", "");
  return { port: Number(url), ...service, deliver: (what) => ask<number>(what) };
}

async function start(name: string, databaseUrl: string, options: readonly string[] = []) {
  const program = path.join(path.dirname(process.argv[1] ?? ""), `${name}.js`);
  const stdio = ["ignore", "ignore", "inherit", "ipc"] as const;
  const child = fork(program, [databaseUrl, APP_SECRET, ...options], { stdio: [...stdio] });
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`${name} ended with ${code} before it responded`);
  });
  ended.catch(() => {});
  const answer = async () => (await Promise.race([once(child, "message"), ended]))[0];
  const url: unknown = await answer();
  let before: Promise<unknown> = Promise.resolve();
  // Responses do not identify their requests, so requests are sent one after another.
  const ask = <T>(what: "usage" | "memory" | BareDeliveries): Promise<T> => {
    const mine = before.then(() => {
      child.send(what);
      return answer();
    });
    before = mine.catch(() => {});
    return mine;
  };
  const service: ServiceProcess = {
    usage: () => ask<Usage>("usage"),
    memory: () => ask<Usage>("memory"),
    stop: (signal = "SIGTERM") => stop(child, signal),
  };
  return { url, service, ask };
}

async function stop(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, "exit");
}
