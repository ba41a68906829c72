import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer } from "node:net";
import { readJson, shapeOf } from "@/scripts/supervisor/private-file";
import { StartProblem } from "@/scripts/supervisor/problem";

const EXAMPLE = { pid: 1, port: 1, token: "" };
const Holder = shapeOf(EXAMPLE);
const ANSWER_MS = 1_000;

/**
 * Acquires the lock of a data folder until `release`, or until this process ends for any reason. The holder responds to connections with
 * its token, so neither a killed process nor a reused process id keeps the folder locked.
 * @param inUse returns the error message if another process holds the lock, given its process id
 * @throws StartProblem with this message
 */
export async function takeLock(file: string, inUse: (pid: number) => string): Promise<{ release(): Promise<void> }> {
  const token = randomBytes(16).toString("hex");
  const server = createServer((socket) => socket.on("error", () => {}).end(token)).listen(0, "127.0.0.1");
  await once(server, "listening");
  server.unref();
  const holder = { pid: process.pid, port: (server.address() as AddressInfo).port, token };
  while (!(await writeNew(file, JSON.stringify(holder)))) {
    const other = await readJson(file, Holder);
    if (other && (await answers(other))) {
      server.close();
      throw new StartProblem(inUse(other.pid));
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

async function answers({ port, token }: typeof EXAMPLE): Promise<boolean> {
  const socket = connect({ port, host: "127.0.0.1" }).setEncoding("utf8").setTimeout(ANSWER_MS);
  let reply = "";
  return new Promise((resolve) => {
    socket.on("data", (text: string) => {
      reply += text;
    });
    socket.on("timeout", () => socket.destroy());
    socket.on("error", () => {});
    socket.on("close", () => resolve(reply === token));
  });
}

/** Returns the id of the process that currently holds the lock, or null. */
export async function findHolder(file: string): Promise<number | null> {
  const holder = await readJson(file, Holder);
  return holder && (await answers(holder)) ? holder.pid : null;
}
