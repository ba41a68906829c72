import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { createServer as createTcpServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { afterEach, expect, test, vi } from "vitest";
import { createMachineReader, readCertificateEnd } from "@/lib/operating/read-machine";
import { LEAF_KEY, LEAVES, TEST_CERTIFICATE, TEST_CERTIFICATE_KEY } from "@/testing/outbound/certificate";

const open: Server[] = [];
const folders: string[] = [];
const now = new Date("2026-03-10T12:00:00Z");
const NOWHERE = { dataFolder: null, dumpFolder: null };
afterEach(async () => {
  for (const server of open.splice(0)) server.close();
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

async function listen(server: Server): Promise<URL> {
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return new URL(`https://127.0.0.1:${typeof address === "object" ? address?.port : 0}`);
}
const endOf = (time: string) => Date.parse(time) / 1_000;

test("the end of a certificate comes from a real handshake, also where it has expired", async () => {
  const good = await listen(createTlsServer({ cert: TEST_CERTIFICATE, key: TEST_CERTIFICATE_KEY }));
  expect(await readCertificateEnd(good)).toBe(endOf("2126-10-27T16:42:37Z"));
  const expired = await listen(createTlsServer({ cert: LEAVES.expired, key: LEAF_KEY }));
  expect(await readCertificateEnd(expired)).toBe(endOf("2021-01-01T00:00:00Z"));
});

test("a server that never responds, or has no TLS, is abandoned, and a scrape waits for neither", async () => {
  const silent = await listen(createTcpServer(() => {}));
  expect(await readCertificateEnd(silent, 50)).toBeNull();
  const plain = await listen(createTcpServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")));
  expect(await readCertificateEnd(plain)).toBeNull();
  expect(await createMachineReader(silent.href, NOWHERE)(now)).toEqual({ disks: [], certificateEndsAt: null });
  expect(await createMachineReader("http://127.0.0.1", NOWHERE)(now)).toEqual({ disks: [] });
});

test("a certificate is asked for once an hour, and after five minutes where that failed", async () => {
  let handshakes = 0;
  const server = createTlsServer({ cert: TEST_CERTIFICATE, key: TEST_CERTIFICATE_KEY });
  server.on("connection", () => {
    handshakes += 1;
  });
  const read = createMachineReader((await listen(server)).href, NOWHERE);
  const at = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
  await vi.waitUntil(async () => (await read(at(0))).certificateEndsAt !== null, { timeout: 10_000 });
  for (const minutes of [1, 6, 30, 59]) await read(at(minutes));
  expect(handshakes).toBe(1);
  await read(at(61));
  await vi.waitUntil(() => handshakes === 2, { timeout: 10_000 });
});

test("the newest dump that is finished counts, and the disks of both folders are measured", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "stablegate-dumps-"));
  folders.push(folder);
  const read = createMachineReader("http://127.0.0.1", { dataFolder: folder, dumpFolder: folder });
  expect((await read(now)).lastDumpAt).toBeNull();
  const put = async (name: string, text: string, time: string) => {
    await writeFile(path.join(folder, name), text);
    await utimes(path.join(folder, name), new Date(time), new Date(time));
  };
  await put("stablegate-1.dump.gz", "x", "2026-03-08T02:00:00Z");
  await put("nightly.sql", "x", "2026-03-09T02:00:00Z");
  await put("empty.sql", "", "2026-03-10T02:00:00Z");
  await put("stablegate-2.dump.gz.partial", "x", "2026-03-10T02:00:00Z");
  await put(".hidden", "x", "2026-03-10T02:00:00Z");
  await mkdir(path.join(folder, "folder"));
  const report = await read(now);
  expect(report.lastDumpAt).toBe(endOf("2026-03-09T02:00:00Z"));
  expect(report.disks.map((disk) => disk.folder)).toEqual(["data", "dumps"]);
  for (const { freeBytes, sizeBytes } of report.disks) {
    expect(freeBytes).toBeGreaterThan(0);
    expect(sizeBytes).toBeGreaterThanOrEqual(freeBytes);
  }
  const missing = createMachineReader("http://127.0.0.1", { dataFolder: null, dumpFolder: path.join(folder, "none") });
  expect(await missing(now)).toEqual({ disks: [], lastDumpAt: null });
});
