import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type KeptConnections, keepConnections } from "@/lib/outbound/connection";
import { guardedPost, type OutboundOptions } from "@/lib/outbound/guarded-post";
import { TEST_CERTIFICATE, TEST_CERTIFICATE_KEY } from "@/testing/outbound/certificate";
import { withErrorSentence } from "@/testing/problem-sentences";

const NAME = "shop.example.com";
const OK = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}";
const now = new Date("2026-01-01T12:00:00Z");
const closers: (() => unknown)[] = [];
let kept: KeptConnections;
let addresses: string[];

const options = (change: Partial<OutboundOptions> = {}): OutboundOptions => ({
  allowCidrs: ["127.0.0.0/8"],
  kept,
  resolve: async () => addresses,
  ...change,
});
const post = (url: string, change: Partial<OutboundOptions> = {}) =>
  guardedPost({ url, headers: { "content-type": "application/json" }, body: "{}" }, options(change), now).then(
    withErrorSentence,
  );

beforeEach(() => {
  kept = keepConnections();
  addresses = ["127.0.0.1"];
});
afterEach(async () => {
  kept.close();
  for (const close of closers.splice(0)) await close();
});

async function listen(server: Server, host: string, port = 0): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  closers.push(() => new Promise((resolve) => server.close(resolve)));
  return (server.address() as AddressInfo).port;
}

/** Starts a server that runs `answer` for each request. `nth` is the number of the request on its connection, from 1. */
async function shop(answer: (socket: Socket, nth: number) => void, host = "127.0.0.1", port = 0) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    let nth = 0;
    sockets.push(socket.on("error", () => {}));
    closers.unshift(() => socket.destroy());
    socket.on("data", () => answer(socket, ++nth));
  });
  const at = await listen(server, host, port);
  return { sockets, port: at, url: `http://${NAME}:${at}/` };
}
const ok = (socket: Socket) => socket.write(OK);

test("the next request uses the existing connection, which its times show", async () => {
  const { sockets, url } = await shop(ok);
  expect(await post(url)).toMatchObject({ kind: "answered", times: { connectMs: expect.any(Number) } });
  for (let nth = 2; nth <= 20; nth++) {
    const result = await post(url);
    expect(result).toMatchObject({ kind: "answered", httpStatus: 200, answer: "{}", peer: "127.0.0.1" });
    expect(result.times).toMatchObject({ dnsMs: expect.any(Number), connectMs: null, tlsMs: null });
  }
  expect(sockets).toHaveLength(1);
});

test("a name that moved resolves to its new address, and the old connection is closed", async () => {
  const old = await shop(ok);
  const young = await shop(ok, "127.0.0.2", old.port);
  await post(old.url);
  addresses = ["127.0.0.2"];
  expect(await post(old.url)).toMatchObject({ kind: "answered", peer: "127.0.0.2" });
  await vi.waitFor(() => expect(old.sockets[0]?.readyState).not.toBe("open"));
  addresses = ["127.0.0.1"];
  expect(await post(old.url)).toMatchObject({ kind: "answered", peer: "127.0.0.1" });
  expect([old.sockets.length, young.sockets.length]).toEqual([2, 1]);
});

test("another name, port or trust never shares a connection, though the address is the same", async () => {
  const { sockets, url, port } = await shop(ok);
  await post(url);
  await post(`http://other.example.com:${port}/`);
  await post(`http://127.0.0.1:${port}/`);
  await post(url, { ca: TEST_CERTIFICATE });
  expect(sockets).toHaveLength(4);
  await post(url);
  expect(sockets).toHaveLength(4);
});

test("TLS is verified once for each connection, and by name: another name at the address has to show its own certificate", async () => {
  const server = createTlsServer({ cert: TEST_CERTIFICATE, key: TEST_CERTIFICATE_KEY }, (_request, response) => {
    response.end("{}");
  });
  closers.push(() => server.closeAllConnections());
  const port = await listen(server, "127.0.0.1");
  const ca = TEST_CERTIFICATE;
  expect(await post(`https://${NAME}:${port}/`, { ca })).toMatchObject({ times: { tlsMs: expect.any(Number) } });
  expect(await post(`https://${NAME}:${port}/`, { ca })).toMatchObject({ kind: "answered", times: { tlsMs: null } });
  expect(await post(`https://other.example.com:${port}/`, { ca })).toMatchObject({
    kind: "failed",
    error: expect.stringContaining("for another name"),
  });
  expect(await post(`https://${NAME}:${port}/`)).toMatchObject({ kind: "failed" });
});

test("a connection that its server closed meanwhile costs no attempt: the question is asked over a new one", async () => {
  const { sockets, url } = await shop((socket, nth) => (nth === 1 ? ok(socket) : socket.destroy()));
  await post(url);
  expect(await post(url)).toMatchObject({ kind: "answered", times: { connectMs: expect.any(Number) } });
  expect(sockets).toHaveLength(2);
});

test("a server that never answers is asked over one connection only, kept or not", async () => {
  const { sockets, url } = await shop((socket, nth) => (nth === 1 ? ok(socket) : undefined));
  await post(url);
  const result = await post(url, { limits: { headersMs: 100 } });
  expect(result).toMatchObject({ kind: "failed", error: "no response within 0.1 seconds", peer: "127.0.0.1" });
  expect(sockets).toHaveLength(1);
});

test.each([
  ["says that it closes", "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}"],
  ["speaks HTTP/1.0", "HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\n{}"],
  ["says more than its length", `${OK}HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n`],
  ["says more than is read", `HTTP/1.1 200 OK\r\ncontent-length: 90000\r\n\r\n${"x".repeat(80_000)}`],
])("a connection whose server %s serves one request", async (_what, text) => {
  const { sockets, url } = await shop((socket) => socket.write(text));
  for (let nth = 1; nth <= 2; nth++) {
    expect(await post(url)).toMatchObject({ kind: "answered", httpStatus: 200 });
    await vi.waitFor(() => expect(sockets.at(-1)?.readyState).not.toBe("open"));
  }
  expect(sockets).toHaveLength(2);
});

test("data that a server sends on an idle connection is not a response to the next request", async () => {
  const { sockets, url } = await shop(ok);
  await post(url);
  sockets[0]?.write("HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nforged");
  await vi.waitFor(() => expect(sockets[0]?.readyState).not.toBe("open"));
  expect(await post(url)).toMatchObject({ kind: "answered", answer: "{}" });
  expect(sockets).toHaveLength(2);
});

test("questions side by side have a connection each, and none waits for longer than two seconds", async () => {
  const { sockets, url } = await shop(ok);
  await Promise.all([post(url), post(url), post(url)]);
  expect(sockets).toHaveLength(3);
  await vi.waitFor(() => expect(sockets.every(({ readyState }) => readyState !== "open")).toBe(true), 20_000);
});

test("where the store is closed nothing waits, and nothing is kept any more", async () => {
  const { sockets, url } = await shop(ok);
  await post(url);
  kept.close();
  await post(url);
  await vi.waitFor(() => expect(sockets.every(({ readyState }) => readyState !== "open")).toBe(true));
  expect(sockets).toHaveLength(2);
});
