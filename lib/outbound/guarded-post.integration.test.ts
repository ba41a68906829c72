import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { guardedPost, keptText, type OutboundOptions } from "@/lib/outbound/guarded-post";
import { answerWith, startReceiver } from "@/testing/callbacks/receiver";
import { TEST_CERTIFICATE, TEST_CERTIFICATE_KEY } from "@/testing/outbound/certificate";
import { withErrorSentence } from "@/testing/problem-sentences";

const now = new Date("2026-01-01T12:00:00Z");
const SANDBOX: OutboundOptions = { allowCidrs: ["127.0.0.0/8"] };
const closers: (() => unknown)[] = [];
const post = (url: string, options: OutboundOptions = SANDBOX) =>
  guardedPost({ url, headers: { "content-type": "application/json" }, body: '{"é":1}' }, options, now).then(
    withErrorSentence,
  );
const limits = (change: OutboundOptions["limits"] = {}): OutboundOptions => ({ ...SANDBOX, limits: change });
const resolveTo =
  (...addresses: string[]) =>
  async () =>
    addresses;

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function receiver(...args: Parameters<typeof startReceiver>) {
  const started = await startReceiver(...args);
  closers.push(started.close);
  return started;
}

/** Starts a raw TCP server without HTTP. Returns its origin. */
async function rawServer(onConnection: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    onConnection(socket);
  });
  return listen(server, () => {
    for (const socket of sockets) socket.destroy();
  });
}

async function listen(server: Server, beforeClose = () => {}): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    beforeClose();
    return new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("answers", () => {
  test("the body and headers arrive as they were given, and the answer comes back", async () => {
    const shop = await receiver(answerWith(200, {}, "thanks"));
    const result = await post(`${shop.origin}/a/b?c=d#e`);
    expect(result).toMatchObject({
      kind: "answered",
      httpStatus: 200,
      answer: "thanks",
      peer: "127.0.0.1",
      retryAfterMs: null,
    });
    expect(shop.received).toMatchObject([{ method: "POST", path: "/a/b?c=d", body: '{"é":1}' }]);
    const [headers] = shop.received.map((request) => request.headers);
    expect(headers).toMatchObject({
      host: new URL(shop.origin).host,
      "content-type": "application/json",
      "content-length": "8",
      connection: "close",
    });
    expect(headers).not.toHaveProperty("transfer-encoding");
  });

  test.each([204, 301, 404, 410, 500])("status %i is an answer like any other", async (status) => {
    const shop = await receiver(answerWith(status));
    expect(await post(shop.origin)).toMatchObject({ kind: "answered", httpStatus: status });
  });

  test("redirects are not followed", async () => {
    const shop = await receiver((response, request) => {
      response.writeHead(request.path === "/" ? 302 : 200, { location: "/elsewhere" }).end();
    });
    expect(await post(shop.origin)).toMatchObject({ kind: "answered", httpStatus: 302 });
    expect(shop.received).toHaveLength(1);
  });

  test("Retry-After is read as seconds and as a date", async () => {
    const seconds = await receiver(answerWith(503, { "retry-after": "120" }));
    expect(await post(seconds.origin)).toMatchObject({ retryAfterMs: 120_000 });
    const date = await receiver(answerWith(503, { "retry-after": "Thu, 01 Jan 2026 12:01:00 GMT" }));
    expect(await post(date.origin)).toMatchObject({ retryAfterMs: 60_000 });
  });

  test("an endless answer is read for 64 KiB and kept for 1 KiB", async () => {
    const shop = await receiver((response) => {
      const flood = () => {
        while (response.write("x".repeat(10_000)));
      };
      response.on("drain", flood);
      flood();
    });
    const result = await post(shop.origin);
    expect(result).toMatchObject({ kind: "answered", httpStatus: 200, answer: "x".repeat(1_024) });
  });

  test("a response whose body never ends is complete when the time is over", async () => {
    const shop = await receiver((response) => {
      response.writeHead(200).write("so far");
    });
    const result = await post(shop.origin, limits({ totalMs: 300 }));
    expect(result).toMatchObject({ kind: "answered", httpStatus: 200, answer: "so far" });
  });

  test("a connection broken off in the middle of the body is an answer", async () => {
    const origin = await rawServer((socket) => {
      socket.once("data", () => {
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf");
        socket.end();
      });
    });
    expect(await post(origin)).toMatchObject({ kind: "answered", httpStatus: 200, answer: "half" });
  });

  test("switching protocols is an answer that acknowledges nothing", async () => {
    const origin = await rawServer((socket) => {
      socket.once("data", () => socket.write("HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n"));
    });
    expect(await post(origin)).toMatchObject({ kind: "answered", httpStatus: 101 });
  });

  test("an early hint is no answer yet", async () => {
    const origin = await rawServer((socket) => {
      socket.once("data", () => socket.write("HTTP/1.1 103 Hints\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"));
    });
    expect(await post(origin)).toMatchObject({ kind: "answered", httpStatus: 200 });
  });

  test("the stored part of a response is valid, short and harmless text", () => {
    expect(keptText(Buffer.from("a\u0000b\u001b[31m\u202e\r\nc\td"), 1_024)).toBe("a\uFFFDb\uFFFD[31m\uFFFD\nc\td");
    expect(keptText(Buffer.from("é".repeat(600)), 1_023)).toBe("é".repeat(511));
    expect(keptText(Buffer.from([0xff, 0xfe, 0x41]), 1_024)).toBe("\uFFFD\uFFFDA");
    expect(Buffer.byteLength(keptText(Buffer.alloc(1_024), 1_024))).toBeLessThanOrEqual(1_024);
  });
});

describe("failures", () => {
  test("a refused connection is reported without an address", async () => {
    const shop = await startReceiver(answerWith(200));
    await shop.close();
    expect(await post(shop.origin)).toMatchObject({ kind: "failed", error: "the connection was refused", peer: null });
  });

  test("a silent host is abandoned when the time for headers is over", async () => {
    const shop = await receiver(() => {});
    const result = await post(shop.origin, limits({ headersMs: 200 }));
    expect(result).toMatchObject({ kind: "failed", error: "no response within 0.2 seconds", peer: "127.0.0.1" });
  });

  test("headers that drip are left when the time for headers is over", async () => {
    const origin = await rawServer((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      const timer = setInterval(() => socket.write("a: b\r\n"), 20);
      socket.on("close", () => clearInterval(timer));
    });
    expect(await post(origin, limits({ headersMs: 200 }))).toMatchObject({
      kind: "failed",
      error: expect.stringContaining("no response within"),
    });
  });

  test("the whole attempt has one deadline", async () => {
    const shop = await receiver(() => {});
    const result = await post(shop.origin, limits({ totalMs: 200 }));
    expect(result).toMatchObject({ kind: "failed", error: "no response was complete within 0.2 seconds" });
  });

  test("a slow resolver is left when the time for DNS is over", async () => {
    const resolve = () => new Promise<string[]>(() => {});
    const result = await post("http://shop.example.com/", { ...limits({ dnsMs: 50 }), resolve });
    expect(result).toMatchObject({
      kind: "failed",
      error: "shop.example.com was not resolved within 0.05 seconds",
    });
  });

  test("a TLS handshake that hangs is left when the time for connecting is over", async () => {
    const origin = await rawServer(() => {});
    const result = await post(origin.replace("http:", "https:"), limits({ connectMs: 200 }));
    expect(result).toMatchObject({ kind: "failed", error: "no connection within 0.2 seconds" });
  });

  test.each([
    ["garbage", "SSH-2.0-OpenSSH_9.6\r\n", "the response is not valid HTTP"],
    ["endless headers", `HTTP/1.1 200 OK\r\na: ${"b".repeat(100_000)}`, "the response headers are too long"],
  ])("%s instead of an answer is a failure", async (_what, bytes, error) => {
    const origin = await rawServer((socket) => socket.write(bytes));
    expect(await post(origin)).toMatchObject({ kind: "failed", error });
  });

  test("a connection closed without an answer is a failure", async () => {
    const origin = await rawServer((socket) => socket.once("data", () => socket.destroy()));
    expect(await post(origin)).toMatchObject({
      kind: "failed",
      error: "the connection was closed before a response",
    });
  });
});

describe("where a connection may go", () => {
  test.each([
    ["http://127.0.0.1:4000/", "points to 127.0.0.1"],
    ["http://user@shop.example.com/", "user name"],
    ["http://shop.example.com:25/", "port 25"],
    ["ftp://shop.example.com/", "not an absolute"],
  ])("%s is refused before anything is looked up", async (url, problem) => {
    const resolve = () => Promise.reject(new Error("looked up"));
    const result = await post(url, { allowCidrs: [], resolve });
    expect(result).toMatchObject({ kind: "failed", error: expect.stringContaining(problem), peer: null });
  });

  test.each([
    [["127.0.0.1"]],
    [["10.0.0.1"]],
    [["93.184.215.14", "169.254.169.254"]],
    [["93.184.215.14", "::1"]],
    [["::ffff:93.184.215.14"]],
  ])("a name that resolves to %j is refused entirely, and the address is not shown", async (addresses) => {
    const result = await post("http://shop.example.com/", { allowCidrs: [], resolve: resolveTo(...addresses) });
    expect(result).toMatchObject({
      kind: "failed",
      error: expect.stringMatching(/^shop\.example\.com resolves to an? /),
      peer: null,
    });
    for (const address of addresses) expect(JSON.stringify(result)).not.toContain(address);
  });

  test("a name is looked up once, and the connection goes to the address that was checked", async () => {
    const shop = await receiver(answerWith(200));
    let lookups = 0;
    const resolve = async () => (lookups++ === 0 ? ["127.0.0.1"] : ["127.0.0.2"]);
    const { port } = new URL(shop.origin);
    const result = await post(`http://shop.example.com:${port}/`, { ...SANDBOX, resolve });
    expect(result).toMatchObject({ kind: "answered", httpStatus: 200, peer: "127.0.0.1" });
    expect(lookups).toBe(1);
    expect(shop.received[0]?.headers.host).toBe(`shop.example.com:${port}`);
  });

  test("a name that moves to a private address between two attempts is refused at the second", async () => {
    const shop = await receiver(answerWith(500));
    const answers = [["127.0.0.1"], ["192.168.0.1"]];
    const resolve = async () => answers.shift() ?? [];
    const url = `http://shop.example.com:${new URL(shop.origin).port}/`;
    expect(await post(url, { ...SANDBOX, resolve })).toMatchObject({ kind: "answered" });
    expect(await post(url, { ...SANDBOX, resolve })).toMatchObject({
      kind: "failed",
      error: expect.stringContaining("private"),
    });
    expect(shop.received).toHaveLength(1);
  });

  test("the next address is tried where the first refuses the connection", async () => {
    const shop = await receiver(answerWith(200), "127.0.0.3");
    const url = `http://shop.example.com:${new URL(shop.origin).port}/`;
    const result = await post(url, { ...SANDBOX, resolve: resolveTo("127.0.0.2", "127.0.0.3") });
    expect(result).toMatchObject({ kind: "answered", httpStatus: 200, peer: "127.0.0.3" });
  });

  test("a name without an address is reported as such", async () => {
    const result = await post("http://shop.example.com/", { ...SANDBOX, resolve: resolveTo() });
    expect(result).toMatchObject({ kind: "failed", error: "shop.example.com has no address" });
  });

  test("localhost needs no resolver where loopback is opened", async () => {
    const shop = await receiver(answerWith(200));
    const url = shop.origin.replace("127.0.0.1", "localhost");
    const resolve = () => Promise.reject(new Error("looked up"));
    expect(await post(url, { ...SANDBOX, resolve })).toMatchObject({ kind: "answered", peer: "127.0.0.1" });
  });

  test("proxies of the environment are not used", async () => {
    const proxy = await receiver(answerWith(200));
    const shop = await receiver(answerWith(204));
    process.env["HTTP_PROXY"] = proxy.origin;
    process.env["NODE_USE_ENV_PROXY"] = "1";
    closers.push(() => {
      delete process.env["HTTP_PROXY"];
      delete process.env["NODE_USE_ENV_PROXY"];
    });
    expect(await post(shop.origin)).toMatchObject({ kind: "answered", httpStatus: 204 });
    expect(proxy.received).toEqual([]);
  });
});

describe("TLS", () => {
  async function tlsShop(): Promise<{ port: string; names: (string | false)[] }> {
    const names: (string | false)[] = [];
    const server = createTlsServer({ cert: TEST_CERTIFICATE, key: TEST_CERTIFICATE_KEY }, (request, response) => {
      names.push("servername" in request.socket ? String(request.socket.servername) : false);
      response.end("secret");
    });
    const origin = await listen(server, () => server.closeAllConnections());
    return { port: new URL(origin).port, names };
  }
  const trusting = { ...SANDBOX, ca: TEST_CERTIFICATE };

  test("the name of the URL is asked for and verified at the checked address", async () => {
    const shop = await tlsShop();
    const url = `https://shop.example.com:${shop.port}/`;
    const result = await post(url, { ...trusting, resolve: resolveTo("127.0.0.1") });
    expect(result).toMatchObject({ kind: "answered", httpStatus: 200, answer: "secret", peer: "127.0.0.1" });
    expect(shop.names).toEqual(["shop.example.com"]);
  });

  test("a literal address is verified as such", async () => {
    const shop = await tlsShop();
    expect(await post(`https://127.0.0.1:${shop.port}/`, trusting)).toMatchObject({
      kind: "answered",
      httpStatus: 200,
    });
    const other = await post(`https://127.0.0.2:${shop.port}/`, trusting);
    expect(other).toMatchObject({ kind: "failed" });
  });

  test("a certificate of another name, or of an untrusted issuer, is refused regardless of the environment", async () => {
    const shop = await tlsShop();
    process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
    closers.push(() => {
      delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
    });
    const other = await post(`https://other.example.com:${shop.port}/`, {
      ...trusting,
      resolve: resolveTo("127.0.0.1"),
    });
    expect(other).toMatchObject({ kind: "failed", error: expect.stringContaining("for another name") });
    const unknown = await post(`https://shop.example.com:${shop.port}/`, {
      ...SANDBOX,
      resolve: resolveTo("127.0.0.1"),
    });
    expect(unknown).toMatchObject({ kind: "failed", error: expect.stringContaining("self-signed") });
    expect(shop.names).toEqual([]);
  });

  test("plain HTTP where TLS was expected is a failure with a message", async () => {
    const shop = await receiver(answerWith(200));
    const result = await post(shop.origin.replace("http:", "https:"));
    expect(result).toMatchObject({ kind: "failed", error: "the TLS handshake failed" });
  });
});

describe("a host with more than one address", () => {
  /**
   * Occupies a port of 127.0.0.2 that neither accepts nor refuses connections, like an address whose packets are lost.
   */
  async function blackHole(port: number): Promise<void> {
    const program = `require("net").createServer().listen({ host: "127.0.0.2", port: ${port}, backlog: 1 }, () => console.log("up"))`;
    const child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "inherit"] });
    closers.push(() => child.kill("SIGKILL"));
    await once(child.stdout, "data");
    child.kill("SIGSTOP");
    const fillers = Array.from({ length: 8 }, () => connect({ host: "127.0.0.2", port }).on("error", () => {}));
    closers.push(() => fillers.forEach((socket) => void socket.destroy()));
    await once(fillers[0] as Socket, "connect");
  }

  test("is reached at the second when the first swallows everything, long before the time to connect is over", async () => {
    const shop = await receiver(answerWith(200));
    await blackHole(Number(new URL(shop.origin).port));
    const url = shop.origin.replace("127.0.0.1", "shop.example");
    const options = { ...limits(), resolve: resolveTo("127.0.0.2", "127.0.0.1") };
    expect(await post(url, options)).toMatchObject({ kind: "answered", httpStatus: 200, peer: "127.0.0.1" });
    expect(shop.received).toHaveLength(1);
  });

  test("is reached at the first that answers, and asked once", async () => {
    const shop = await receiver(answerWith(200));
    const url = shop.origin.replace("127.0.0.1", "shop.example");
    const options = { ...limits(), resolve: resolveTo("127.0.0.3", "127.0.0.1", "127.0.0.1", "127.0.0.1") };
    expect(await post(url, options)).toMatchObject({ kind: "answered", httpStatus: 200, peer: "127.0.0.1" });
    expect(shop.received).toHaveLength(1);
  });

  test("is not asked at all when any of them is not allowed", async () => {
    const shop = await receiver(answerWith(200));
    const url = shop.origin.replace("127.0.0.1", "shop.example");
    const answer = await post(url, { ...limits(), resolve: resolveTo("127.0.0.1", "10.0.0.1") });
    expect(answer).toMatchObject({ kind: "failed", error: expect.stringContaining("public addresses only") });
    expect(shop.received).toEqual([]);
  });
});
