import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { setGlobalProxyFromEnv } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { hostOf, validateCallbackUrl } from "@/lib/domain/callbacks/address-rule";
import { inEnglish } from "@/lib/domain/problems/in-english";
import { keepConnections } from "@/lib/outbound/connection";
import { connectToVetted, resolveBy, vetHost } from "@/lib/outbound/guarded-connect";
import { guardedGet } from "@/lib/outbound/guarded-get";
import { guardedPost, type OutboundOptions } from "@/lib/outbound/guarded-post";
import {
  LEAF_KEY,
  LEAVES,
  TEST_AUTHORITY,
  TEST_CERTIFICATE,
  TEST_CERTIFICATE_KEY,
} from "@/testing/outbound/certificate";
import { type DnsAnswer, startDns } from "@/testing/outbound/dns";
import { CLOSED_HOSTS, HOSTILE_NAMES, type HostRow, LOOPBACK_HOSTS } from "@/testing/outbound/hostile-hosts";
import { HOSTILE_SERVERS, type ServerRow } from "@/testing/outbound/hostile-servers";
import { withErrorSentence } from "@/testing/problem-sentences";

const now = new Date("2026-01-01T12:00:00Z");
const CLOSED: OutboundOptions = { allowCidrs: [] };
/** The allowed address of the shop. The address of the canary beside it is not allowed. */
const SHOP = "127.0.0.2";
const SHOP_ONLY: OutboundOptions = { allowCidrs: [`${SHOP}/32`] };
const NAME = "shop.example.com";

const post = (url: string, options: OutboundOptions) =>
  guardedPost({ url, headers: { "content-type": "application/json" }, body: "{}" }, options, now).then(
    withErrorSentence,
  );
const get = (url: string, options: OutboundOptions) =>
  guardedGet(url, "Stablegate/test", options).then(withErrorSentence);
const bothWays = (url: string, options: OutboundOptions) => Promise.all([post(url, options), get(url, options)]);

/** A server that counts every connection to its port of this machine, by IPv4 and IPv6. */
const canary = { port: 0, received: 0, server: createServer() };
const canaryUrl = () => `http://127.0.0.1:${canary.port}/`;
let resolveName: (name: string, family: 4 | 6) => DnsAnswer = () => "NXDOMAIN";
let dns: Awaited<ReturnType<typeof startDns>>;
const byDns = (options: OutboundOptions): OutboundOptions => ({
  ...options,
  resolve: resolveBy({ servers: [dns.server], hostsFile: "/dev/null" }),
});
/** The number of TCP connections that this process started. A connection that was never started sent no packet. */
let started = 0;
const countStarted = () => {
  started += 1;
};
const servers: Server[] = [];

async function listen(server: Server, host: string): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  servers.push(server);
  return (server.address() as AddressInfo).port;
}

/** Starts a server with the behavior of a test row, and closes its connections at the end. Returns its port. */
async function listenRaw(onRequest: (socket: Socket) => void) {
  let connections = 0;
  let requests = 0;
  const server = createServer((socket) => {
    connections += 1;
    afterTest.push(() => socket.destroy());
    socket.on("error", () => {}).once("data", () => onRequest(socket));
    socket.on("data", () => {
      requests += 1;
    });
  });
  return { port: await listen(server, SHOP), connections: () => connections, requests: () => requests };
}
const afterTest: (() => void)[] = [];

beforeAll(async () => {
  canary.server.on("connection", (socket) => {
    canary.received += 1;
    socket.destroy();
  });
  canary.port = await listen(canary.server, "::");
  dns = await startDns((name, family) => resolveName(name, family));
  subscribe("net.client.socket", countStarted);
});

beforeEach(() => {
  started = 0;
  dns.asked.length = 0;
});

afterAll(async () => {
  unsubscribe("net.client.socket", countStarted);
  for (const end of afterTest) end();
  await Promise.all([dns.close(), ...servers.map((server) => new Promise((resolve) => server.close(resolve)))]);
  expect(canary.received).toBe(0);
});

test("the matrix stays as large as it is", () => {
  const cases = LOOPBACK_HOSTS.length + CLOSED_HOSTS.length + HOSTILE_NAMES.length + HOSTILE_SERVERS.length;
  expect(cases).toBeGreaterThanOrEqual(200);
});

describe("a URL that leads inside is refused when an order is created and at delivery, and nothing is sent", () => {
  const withPort = (url: string) => url.replace("{port}", String(canary.port));

  test.each([...LOOPBACK_HOSTS, ...CLOSED_HOSTS])("%s: %s", async (...[, url, reason]: HostRow) => {
    const text = withPort(url);
    const invalid = validateCallbackUrl(text, CLOSED);
    const atCreation = invalid && inEnglish(invalid);
    const [posted, got] = await bothWays(text, byDns(CLOSED));
    expect(posted).toMatchObject({ kind: "failed", error: `notify_url ${atCreation}`, peer: null });
    expect(got).toEqual({ kind: "failed", error: `the address ${atCreation}` });
    expect(`notify_url ${atCreation}`).toMatch(reason);
    expect([started, dns.asked, canary.received]).toEqual([0, [], 0]);
  });

  test("the canary works: where loopback is permitted, it receives the requests", async () => {
    const opened: OutboundOptions = { allowCidrs: ["127.0.0.0/8", "0.0.0.0/8", "::/96", "::ffff:0:0/96"] };
    for (const [what, url] of LOOPBACK_HOSTS) {
      await post(withPort(url), opened);
      expect(canary.received, what).toBe(1);
      canary.received = 0;
    }
    expect(started).toBeGreaterThanOrEqual(LOOPBACK_HOSTS.length);
  });

  test("a literal host gets the same verdict at creation and at delivery, however it is written", async () => {
    const octets = fc.oneof(
      fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)),
      fc.tuple(fc.constantFrom(0, 10, 100, 127, 169, 172, 192, 198, 203, 224), fc.nat(255), fc.nat(255), fc.nat(255)),
    );
    const hex = (parts: readonly number[]) => parts.map((part) => part.toString(16).padStart(2, "0")).join("");
    const notation = fc.constantFrom(
      (parts: readonly number[]) => parts.join("."),
      (parts: readonly number[]) => `${parts.join(".")}.`,
      (parts: readonly number[]) => `0x${hex(parts)}`,
      (parts: readonly number[]) => String(Number.parseInt(hex(parts), 16)),
      (parts: readonly number[]) => parts.map((part) => `0${part.toString(8)}`).join("."),
      (parts: readonly number[]) => parts.join("。"),
      (parts: readonly number[]) => `[::ffff:${parts.join(".")}]`,
      (parts: readonly number[]) => `[2002:${hex(parts).slice(0, 4)}:${hex(parts).slice(4)}::]`,
    );
    const host = fc.oneof(
      fc.tuple(octets, notation).map(([parts, write]) => write(parts)),
      fc.ipV6().map((ip) => `[${ip}]`),
      fc.constantFrom("localhost", "a.localhost.", "[::1]"),
    );
    const policy = fc.constantFrom([], ["127.0.0.0/8"], ["::1/128"], ["10.0.0.0/8", "fd00::/8"], ["0.0.0.0/0", "::/0"]);
    const never = () => Promise.reject(new Error("looked up"));
    await fc.assert(
      fc.asyncProperty(host, policy, async (text, allowCidrs) => {
        const url = `http://${text}:8080/x`;
        const problem = validateCallbackUrl(url, { allowCidrs });
        const atDelivery = await vetHost(
          hostOf(new URL(url)),
          { allowCidrs },
          never,
          new AbortController().signal,
        ).then(
          () => null,
          (error: Error) => error.message,
        );
        expect(atDelivery === null, `${url}: ${problem?.code} / ${atDelivery}`).toBe(problem === null);
        if (atDelivery) expect(atDelivery).not.toBe("looked up");
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("a public name that leads inside is refused as a whole, and nothing is sent", () => {
  test.each(HOSTILE_NAMES)("it %s", async (_what, v4, v6, reason) => {
    resolveName = (_name, family) => (family === 4 ? v4 : v6);
    const url = `http://${NAME}:${canary.port}/`;
    expect(validateCallbackUrl(url, CLOSED)).toBeNull();
    const results = await bothWays(url, { ...byDns(CLOSED), limits: { dnsMs: v4 === "silence" ? 200 : 2_000 } });
    for (const result of results)
      expect(result).toMatchObject({ kind: "failed", error: expect.stringContaining(reason) });
    expect([started, canary.received]).toEqual([0, 0]);
  });
});

describe("a name that moves", () => {
  const text = "HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\n{}";
  const answer = (socket: Socket) => {
    socket.write(text);
    socket.on("data", () => socket.write(text));
  };
  const shops = async () => {
    const shop = await listenRaw(answer);
    return { ...shop, url: `http://${NAME}:${shop.port}/` };
  };

  test("between the check and the connection gains nothing: it is looked up once, and that answer is connected to", async () => {
    const shop = await shops();
    let asked = 0;
    resolveName = (_name, family) => (family === 6 ? [] : asked++ === 0 ? [SHOP] : ["127.0.0.1"]);
    expect(await post(shop.url, byDns(SHOP_ONLY))).toMatchObject({ kind: "answered", httpStatus: 200, peer: SHOP });
    expect(dns.asked).toEqual([`${NAME} 4`, `${NAME} 6`]);
  });

  test.each([
    ["a callback", post],
    ["a question for rates", get],
  ])(
    "between two attempts of %s is refused at the second, though the connection of the first is kept and still open",
    async (_what, ask) => {
      const shop = await shops();
      const options = { ...byDns(SHOP_ONLY), kept: keepConnections() };
      resolveName = (_name, family) => (family === 6 ? [] : [SHOP]);
      for (let nth = 1; nth <= 2; nth++) expect(await ask(shop.url, options)).toMatchObject({ kind: "answered" });
      expect([shop.connections(), started]).toEqual([1, 1]);
      resolveName = (_name, family) => (family === 6 ? [] : ["127.0.0.1"]);
      expect(await ask(shop.url, options)).toMatchObject({
        kind: "failed",
        error: `${NAME} resolves to a loopback address; requests go to public addresses only`,
      });
      expect([shop.connections(), shop.requests(), started]).toEqual([1, 2, 1]);
      options.kept.close();
    },
  );

  test("to a mixture of the shop and the inside reaches neither", async () => {
    const shop = await shops();
    resolveName = (_name, family) => (family === 6 ? [] : [SHOP, "127.0.0.1"]);
    for (const result of await bothWays(shop.url, byDns(SHOP_ONLY))) expect(result).toMatchObject({ kind: "failed" });
    expect([shop.connections(), started]).toEqual([0, 0]);
  });

  test("to a thousand addresses costs eight connections", async () => {
    const resolve = async () => Array.from({ length: 1_000 }, () => SHOP);
    const port = await listen(createServer(), SHOP);
    await new Promise((done) => servers.pop()?.close(done));
    expect(await post(`http://${NAME}:${port}/`, { ...SHOP_ONLY, resolve })).toMatchObject({
      kind: "failed",
      error: "the connection was refused",
    });
    expect(started).toBe(8);
  });

  test("behind our back is found at the socket's other end, before a byte is written", async () => {
    const target = { host: NAME, port: canary.port, isTls: false };
    const bytes: Buffer[] = [];
    canary.server.once("connection", (socket: Socket) => socket.on("data", (chunk) => bytes.push(chunk)));
    const connecting = connectToVetted(target, ["127.0.0.1"], CLOSED, new AbortController().signal);
    await expect(connecting).rejects.toThrow("the connection was made to a loopback address");
    expect(Buffer.concat(bytes).toString()).toBe("");
    canary.received = 0;
  });
});

describe("a hostile server's request ends in time with a message, and is not redirected", () => {
  test.concurrent.each(HOSTILE_SERVERS.map((row) => [row.what, row] as const))("%s", async (_what, row: ServerRow) => {
    const server = await listenRaw((socket) => row.serve(socket, canaryUrl()));
    const options = { ...SHOP_ONLY, limits: row.limits ?? {} };
    const [posted, got] = await bothWays(`http://${SHOP}:${server.port}/`, options);
    if (typeof row.post === "number") expect(posted).toMatchObject({ kind: "answered", httpStatus: row.post });
    else expect(posted).toMatchObject({ kind: "failed", error: expect.stringContaining(row.post) });
    if (posted.kind === "answered") expect(Buffer.byteLength(posted.answer)).toBeLessThanOrEqual(1_024);
    if (typeof row.get === "object") expect(got).toEqual({ kind: "answered", text: row.get.text });
    else expect(got).toMatchObject({ kind: "failed", error: expect.stringContaining(row.get) });
    expect([server.connections(), canary.received]).toEqual([2, 0]);
  });
});

test("proxies of the environment receive nothing, by http and by https", async () => {
  const shop = await listenRaw((socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];
  for (const name of names) process.env[name] = canaryUrl();
  const restore = setGlobalProxyFromEnv();
  try {
    for (const result of await bothWays(`http://${SHOP}:${shop.port}/`, SHOP_ONLY))
      expect(result).toMatchObject({ kind: "answered" });
    for (const result of await bothWays(`https://${SHOP}:${shop.port}/`, SHOP_ONLY))
      expect(result).toMatchObject({ kind: "failed" });
  } finally {
    restore();
    for (const name of names) delete process.env[name];
  }
  expect([shop.connections(), canary.received]).toEqual([4, 0]);
});

describe("an invalid certificate is refused with a message, and nothing is sent", () => {
  const leaf = (cert: string) => ({ cert, key: LEAF_KEY });
  const self = { cert: TEST_CERTIFICATE, key: TEST_CERTIFICATE_KEY };

  test.each([
    ["expired", leaf(LEAVES.expired), NAME, TEST_AUTHORITY, "the certificate has expired"],
    ["of the future", leaf(LEAVES.notYetValid), NAME, TEST_AUTHORITY, "the certificate is not valid yet"],
    ["self-signed", self, NAME, TEST_AUTHORITY, "the certificate is self-signed"],
    ["of another name", leaf(LEAVES.good), "other.example.com", TEST_AUTHORITY, "the certificate is for another name"],
    ["of another address", leaf(LEAVES.good), SHOP, TEST_AUTHORITY, "the certificate is for another name"],
    ["of an untrusted authority", leaf(LEAVES.good), NAME, undefined, "its authority is not trusted"],
    [
      "without its intermediate",
      leaf(LEAVES.withoutItsIntermediate),
      NAME,
      TEST_AUTHORITY,
      "its intermediate is missing",
    ],
  ])("%s", async (_what, certificate, host, ca, reason) => {
    let requests = 0;
    const server = createTlsServer(certificate, (_request, response) => {
      requests += 1;
      response.end();
    });
    const port = await listen(server, SHOP);
    const options = { ...SHOP_ONLY, resolve: async () => [SHOP], ...(ca === undefined ? {} : { ca }) };
    for (const result of await bothWays(`https://${host}:${port}/`, options))
      expect(result).toMatchObject({ kind: "failed", error: expect.stringContaining(reason) });
    expect(requests).toBe(0);
  });

  test("and one that is right is taken", async () => {
    const server = createTlsServer(leaf(LEAVES.good), (_request, response) => response.end("{}"));
    const port = await listen(server, SHOP);
    const options = { ...SHOP_ONLY, resolve: async () => [SHOP], ca: TEST_AUTHORITY };
    for (const result of await bothWays(`https://${NAME}:${port}/`, options))
      expect(result).toMatchObject({ kind: "answered" });
  });
});
