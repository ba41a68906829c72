import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer } from "node:net";
import { z } from "zod";
import { readJson } from "@/sandbox/launcher/private-file";
import { SandboxProblem } from "@/sandbox/launcher/problem";

const Holder = z.object({ pid: z.number(), port: z.number(), token: z.string() });
const ANSWER_MS = 1_000;

/**
 * Takes the lock of a data folder until `release`, or until this process ends in any way: the holder proves itself by
 * answering with its token, so neither a killed one nor a reused process id keeps the folder locked.
 * @throws SandboxProblem when another sandbox runs on it.
 */
export async function takeLock(file: string, folder: string): Promise<{ release(): Promise<void> }> {
  const token = randomBytes(16).toString("hex");
  const server = createServer((socket) => socket.on("error", () => {}).end(token)).listen(0, "127.0.0.1");
  await once(server, "listening");
  server.unref();
  const holder = { pid: process.pid, port: (server.address() as AddressInfo).port, token };
  while (!(await writeNew(file, JSON.stringify(holder)))) {
    const other = await readJson(file, Holder);
    if (other && (await answers(other))) {
      server.close();
      throw new SandboxProblem(
        `A sandbox already runs on ${folder} (process ${other.pid}). Stop it first, or give this one a folder of its own: STABLEGATE_DATA_DIR=/some/folder npm start`,
      );
    }
    await rm(file, { force: true });
  }
  return {
    release: async () => {
      server.close();
      await rm(file, { force: true });
    },
  };
}

async function writeNew(file: string, text: string): Promise<boolean> {
  try {
    await writeFile(file, text, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function answers({ port, token }: z.infer<typeof Holder>): Promise<boolean> {
  const socket = connect({ port, host: "127.0.0.1" }).setEncoding("utf8").setTimeout(ANSWER_MS);
  let heard = "";
  return new Promise((resolve) => {
    socket.on("data", (text: string) => {
      heard += text;
    });
    socket.on("timeout", () => socket.destroy());
    socket.on("error", () => {});
    socket.on("close", () => resolve(heard === token));
  });
}
