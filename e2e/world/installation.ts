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

  /** Starts a program of `.build/` with these settings. From this process it inherits only the variables that locate programs. */
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

  /** Returns all output since the first program started. */
  output(): string {
    return this.#output;
  }

  /** Waits until the output matches a pattern. */
  async waitForOutput(pattern: RegExp): Promise<RegExpExecArray> {
    await expect.poll(() => pattern.test(this.#output), { timeout: 120_000, message: String(pattern) }).toBe(true);
    return pattern.exec(this.#output) as RegExpExecArray;
  }

  /** Stops one program, or all of them, as an operator does. */
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
