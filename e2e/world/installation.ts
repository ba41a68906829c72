import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { pathToFileURL } from "node:url";
import { expect } from "@playwright/test";
import { LEASH } from "@/scripts/root";

/** The programs of an installation that is not the sandbox, with all their output. */
export class Installation {
  readonly #running = new Map<string, ChildProcess>();
  #output = "";

  /** Runs one of `.build/` with these settings and nothing else of this process but where programs are. */
  start(program: string, settings: Readonly<Record<string, string>>, text: readonly string[] = []): ChildProcess {
    const { PATH, HOME, TMPDIR } = process.env;
    const args = ["--enable-source-maps", "--import", pathToFileURL(LEASH).href, `.build/${program}.js`, ...text];
    const child = spawn(process.execPath, args, {
      env: { PATH, HOME, TMPDIR, NODE_ENV: "production", ...settings },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk: Buffer) => {
        this.#output += chunk.toString();
      });
    this.#running.set(program, child);
    return child;
  }

  /** Everything since the first program began. */
  output(): string {
    return this.#output;
  }

  /** Waits for new output that matches. */
  async waitForOutput(pattern: RegExp): Promise<RegExpExecArray> {
    await expect.poll(() => pattern.test(this.#output), { timeout: 120_000, message: String(pattern) }).toBe(true);
    return pattern.exec(this.#output) as RegExpExecArray;
  }

  /** Ends a program as an operator does, or all. */
  async stop(program?: string): Promise<void> {
    for (const [name, child] of this.#running) {
      if (program !== undefined && name !== program) continue;
      this.#running.delete(name);
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    }
  }
}

/** Returns a free port on loopback. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("No port");
  return address.port;
}
