import { spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestApi } from "@/testing/web";

/** A running program of a recipe. */
export interface ShopProcess {
  /** "http://127.0.0.1:<port>" */
  readonly origin: string;
  /** Returns everything that the program has printed. */
  printed(): string;
  /** Ends the program and the processes that it started. */
  close(): Promise<void>;
}

export interface ShopCommand {
  /** The program and its arguments; "PORT" as an argument is replaced by the port. */
  command: readonly [program: string, ...rest: string[]];
  cwd: string;
  /** Added to the settings that all recipes read. */
  env?: Record<string, string>;
  /** Reserved by `freePort`, for programs whose other settings contain the port. */
  port?: number;
}

const START_MS = 120_000;
const POLL_MS = 50;

/** Returns a port of loopback on which no process listens. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Returns the environment variables that a recipe reads, for a shop at a port. */
export function recipeEnv(api: TestApi, port: number): Record<string, string> {
  return {
    STABLEGATE_URL: api.origin,
    STABLEGATE_KEY: api.merchant.apiKey,
    STABLEGATE_SECRET: api.merchant.secret,
    SHOP_URL: `http://127.0.0.1:${port}`,
    PORT: String(port),
  };
}

/** Starts the program of a recipe and waits until it responds to HTTP requests. @throws Error with the output if it ends before */
export async function startShop(api: TestApi, shop: ShopCommand): Promise<ShopProcess> {
  const port = shop.port ?? (await freePort());
  const [program, ...rest] = shop.command.map((part) => part.replace(/\bPORT\b/, String(port)));
  const env = { ...process.env, ...recipeEnv(api, port), ...shop.env };
  // A process group of its own, because `go run` and others start the server as a child.
  const child = spawn(program ?? "", rest, { cwd: shop.cwd, env, detached: true });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
  const ended = new Promise<void>((resolve) => {
    child.once("error", (error) => {
      output += error.message;
      resolve();
    });
    child.once("exit", () => resolve());
  });
  const origin = `http://127.0.0.1:${port}`;
  const started = {
    origin,
    printed: () => output,
    async close() {
      if (child.pid && child.exitCode === null && child.signalCode === null) process.kill(-child.pid, "SIGTERM");
      await ended;
    },
  };
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  const deadline = Date.now() + START_MS;
  while (!(await responds(origin))) {
    if (hasEnded) throw new Error(`${program} ended before it responded:\n${output}`);
    if (Date.now() > deadline) {
      await started.close();
      throw new Error(`${program} did not respond within ${START_MS / 1_000} seconds:\n${output}`);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return started;
}

function responds(origin: string): Promise<boolean> {
  return fetch(origin).then(
    () => true,
    () => false,
  );
}
