import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { readAnnouncement } from "@/sandbox/announcement";
import { LEASH } from "@/scripts/root";

const READY_MS = 180_000;
const STOP_MS = 30_000;

/** Starts one real sandbox for all browser tests in its own folder; each worker finds it by STABLEGATE_DATA_DIR. */
export default async function startSandbox(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(tmpdir(), "stablegate browser-"));
  process.env["STABLEGATE_DATA_DIR"] = folder;
  const settings = { PORT: "0", SANDBOX_BLOCK_MS: "250", NODE_ENV: "production", REGISTRATION: "open" } as const;
  const args = ["--enable-source-maps", "--import", pathToFileURL(LEASH).href, ".build/sandbox.js"];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...settings },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
  }
  try {
    await untilReady(child, folder);
  } catch (error) {
    await stop(child);
    throw new Error(`The sandbox did not become ready. It said:\n${text}`, { cause: error });
  }
  return async () => {
    await stop(child);
    await rm(folder, { recursive: true, force: true });
  };
}

async function untilReady(child: ChildProcess, folder: string): Promise<void> {
  const deadline = performance.now() + READY_MS;
  while (!(await readAnnouncement(folder))) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error("it ended");
    if (performance.now() > deadline) throw new Error("it took too long");
    await pause(200);
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  const force = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
  child.kill("SIGINT");
  await ended;
  clearTimeout(force);
}
