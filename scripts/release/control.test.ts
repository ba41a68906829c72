import { once } from "node:events";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { connectToRunning, listenForControl, type Replaced } from "@/scripts/release/control";

const REQUEST = { release: "/releases/1.1.0", limitMs: 1_000 };
let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "stablegate-control-"));
  file = path.join(folder, "control.json");
});
afterEach(() => rm(folder, { recursive: true }));

const failed = (reason: string): Replaced => ({ isHealthy: false, reason, isRestored: true });

test("a request reaches the running process, and a result of any length comes back", async () => {
  expect(await connectToRunning(folder)).toBeNull();
  const control = await listenForControl(folder, async ({ release }) =>
    failed(`${release} ${"error ".repeat(50_000)}`),
  );
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const replaced = await (await connectToRunning(folder))?.replace(REQUEST);
  expect(replaced).toMatchObject({ isHealthy: false, reason: expect.stringMatching(/^\/releases\/1\.1\.0 error/) });
  await control.close();
  expect(await connectToRunning(folder)).toBeNull();
});

test("a second process neither takes the place of the first nor removes its file", async () => {
  const first = await listenForControl(folder, async () => failed("first"));
  const content = await readFile(file, "utf8");
  await expect(listenForControl(folder, async () => failed("second"))).rejects.toThrow("another process");
  expect(await readFile(file, "utf8")).toBe(content);
  expect(await (await connectToRunning(folder))?.replace(REQUEST)).toEqual(failed("first"));
  await writeFile(file, JSON.stringify({ port: 1, token: "of another", name: "" }));
  await first.close();
  expect(await readFile(file, "utf8")).toContain("of another");
});

test("a wrong token is refused, and another program on the port does not receive the token", async () => {
  const control = await listenForControl(folder, async () => failed("reached"));
  const holder = JSON.parse(await readFile(file, "utf8"));
  await writeFile(file, JSON.stringify({ ...holder, token: "0".repeat(32) }));
  expect(await (await connectToRunning(folder))?.replace(REQUEST)).toBeNull();
  await control.close();

  let received = "";
  const other = createServer((socket) => {
    socket
      .on("error", () => {})
      .on("data", (chunk) => {
        received += chunk;
      });
    socket.write("220 ready\n");
  }).listen(0, "127.0.0.1");
  await once(other, "listening");
  await writeFile(file, JSON.stringify({ ...holder, port: (other.address() as AddressInfo).port }));
  expect(await connectToRunning(folder)).toBeNull();
  other.close();
  await once(other, "close");
  expect(received).toBe("");
});
