import { randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { readFile, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import path from "node:path";

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

const MAX_REQUEST = 4_096;
const fileIn = (folder: string) => path.join(folder, "control.json");

interface Holder {
  port: number;
  token: string;
}

/**
 * Lets `stablegate upgrade` reach this process until `close`: on a port of the loopback interface, with a token in a file that only this
 * user can read.
 */
export async function listenForControl(
  folder: string,
  replace: (request: ReplaceRequest) => Promise<Replaced>,
): Promise<{ close(): Promise<void> }> {
  const token = randomBytes(16).toString("hex");
  const server = createServer((socket) => void answer(socket, token, replace)).listen(0, "127.0.0.1");
  await once(server, "listening");
  server.unref();
  const holder: Holder = { port: (server.address() as AddressInfo).port, token };
  const file = fileIn(folder);
  await rm(file, { force: true });
  await writeFile(file, JSON.stringify(holder), { mode: 0o600 });
  return {
    close: async () => {
      server.close();
      await rm(file, { force: true });
    },
  };
}

async function answer(
  socket: Socket,
  token: string,
  replace: (request: ReplaceRequest) => Promise<Replaced>,
): Promise<void> {
  socket.on("error", () => {});
  const request = parse<ReplaceRequest & { token: string }>(await readLine(socket));
  if (!request || !isSame(String(request.token), token)) return void socket.destroy();
  const replaced = await replace({ release: String(request.release), limitMs: Number(request.limitMs) });
  socket.end(`${JSON.stringify(replaced)}\n`);
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

/** Connects to the running installation. @returns null if none is running */
export async function connectToRunning(
  folder: string,
): Promise<{ replace(request: ReplaceRequest): Promise<Replaced | null> } | null> {
  const holder = parse<Holder>(await readFile(fileIn(folder), "utf8").catch(() => ""));
  if (!holder) return null;
  const socket = connect({ port: holder.port, host: "127.0.0.1" });
  const isConnected = await Promise.race([
    once(socket, "connect").then(() => true),
    once(socket, "close").then(() => false),
  ]).catch(() => false);
  socket.on("error", () => {});
  if (!isConnected) return null;
  return {
    /** Returns null if the installation was stopped meanwhile. */
    async replace(request) {
      socket.write(`${JSON.stringify({ ...request, token: holder.token })}\n`);
      return parse<Replaced>(await readLine(socket));
    },
  };
}

/** Returns the first line that arrives; "" if the connection closes before. */
async function readLine(socket: Socket): Promise<string> {
  let text = "";
  return new Promise((resolve) => {
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      if (text.includes("\n")) resolve(text.slice(0, text.indexOf("\n")));
      else if (text.length > MAX_REQUEST) socket.destroy();
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
