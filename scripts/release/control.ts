import { randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import path from "node:path";
import { readJson, shapeOf, writePrivateJson } from "@/scripts/supervisor/private-file";
import { StartProblem } from "@/scripts/supervisor/problem";

/** A request to a running installation: continue with another release. */
export interface ReplaceRequest {
  release: string;
  /** The time within which the release must be healthy. */
  limitMs: number;
}

/** The result of a replacement. */
export type Replaced =
  | { isHealthy: true }
  /** `isRestored`: the previous release is healthy again. */
  | { isHealthy: false; reason: string; isRestored: boolean };

type Replace = (request: ReplaceRequest) => Promise<Replaced>;

/**
 * The content of the file that names a running process. The process sends `name` to each connection, so that the token is never sent to
 * another program that uses the port by now.
 */
const EXAMPLE = { port: 1, token: "", name: "" };
const Holder = shapeOf(EXAMPLE);

const MAX_REQUEST = 4_096;
/** A result contains the last errors of a release. */
const MAX_RESULT = 1_000_000;
/** The time within which a process must send its name, and an upgrade its request. */
const GREETING_MS = 5_000;
const fileIn = (folder: string) => path.join(folder, "control.json");

/**
 * Lets `stablegate upgrade` reach this process until `close`: on a port of the loopback interface, with a token in a file that only this
 * user can read.
 * @throws StartProblem if another running process is reachable there already
 */
export async function listenForControl(folder: string, replace: Replace): Promise<{ close(): Promise<void> }> {
  const file = fileIn(folder);
  const other = await reach(folder);
  other?.socket.destroy();
  if (other) throw new StartProblem(`${file} belongs to another process that runs already.`);
  const token = randomBytes(16).toString("hex");
  const name = randomBytes(16).toString("hex");
  const server = createServer((socket) => void answer(socket, { token, name, replace })).listen(0, "127.0.0.1");
  await once(server, "listening");
  server.unref();
  await writePrivateJson(file, { port: (server.address() as AddressInfo).port, token, name });
  return {
    close: async () => {
      server.close();
      const holder = await readJson(file, Holder);
      if (holder?.token === token) await rm(file, { force: true });
    },
  };
}

interface Access {
  token: string;
  name: string;
  replace: Replace;
}

async function answer(socket: Socket, { token, name, replace }: Access): Promise<void> {
  socket.on("error", () => {});
  socket.write(`${name}\n`);
  const late = setTimeout(() => socket.destroy(), GREETING_MS);
  const request = parse<ReplaceRequest & { token: string }>(await readLine(socket, MAX_REQUEST));
  clearTimeout(late);
  if (!request || !isSame(String(request.token), token)) return void socket.destroy();
  const replaced = await replace({ release: String(request.release), limitMs: Number(request.limitMs) });
  socket.end(`${JSON.stringify(replaced)}\n`);
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

/**
 * Connects to the running installation.
 * @returns null if none is running
 * @throws StartProblem if this user may not read the file that names it
 */
export async function connectToRunning(
  folder: string,
): Promise<{ replace(request: ReplaceRequest): Promise<Replaced | null> } | null> {
  const running = await reach(folder);
  if (!running) return null;
  const { socket, token } = running;
  return {
    /** Returns null if the installation was stopped meanwhile. */
    async replace(request) {
      socket.write(`${JSON.stringify({ ...request, token })}\n`);
      return parse<Replaced>(await readLine(socket, MAX_RESULT));
    },
  };
}

/** Connects to the process that the file names, if it sends its name. */
async function reach(folder: string): Promise<{ socket: Socket; token: string } | null> {
  await requireReadable(fileIn(folder));
  const holder = await readJson(fileIn(folder), Holder);
  if (!holder) return null;
  const socket = connect({ port: holder.port, host: "127.0.0.1" });
  socket.on("error", () => {});
  const late = setTimeout(() => socket.destroy(), GREETING_MS);
  const name = await readLine(socket, MAX_REQUEST);
  clearTimeout(late);
  if (isSame(name, holder.name)) return { socket, token: holder.token };
  socket.destroy();
  return null;
}

async function requireReadable(file: string): Promise<void> {
  await readFile(file).catch(({ code }: NodeJS.ErrnoException) => {
    if (code !== "ENOENT")
      throw new StartProblem(`${file} cannot be read (${code}); use the user who runs Stablegate for this command.`);
  });
}

/** Returns the first line that arrives from now on; "" if the connection closes before. */
async function readLine(socket: Socket, maxLength: number): Promise<string> {
  if (socket.destroyed) return "";
  let text = "";
  return new Promise((resolve) => {
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      if (text.includes("\n")) resolve(text.slice(0, text.indexOf("\n")));
      else if (text.length > maxLength) socket.destroy();
    });
    socket.once("close", () => resolve(""));
  });
}

function parse<T>(text: string): T | null {
  try {
    return JSON.parse(text) as T;
  } catch {
    return null;
  }
}
