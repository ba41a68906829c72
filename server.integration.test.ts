import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createContext } from "@/app/context";
import { cursors } from "@/db/schema";
import { startWeb, type WebServer } from "@/server";
import { useTestDb } from "@/testing/database/clone";
import { seedMerchant } from "@/testing/database/seed";
import { API_BASE, TEST_ENV } from "@/testing/web";

const testDb = useTestDb();
let merchant: Awaited<ReturnType<typeof seedMerchant>>;
let web: WebServer;

beforeAll(async () => {
  merchant = await seedMerchant(testDb.pool.db, new Date());
  web = await startWeb({
    env: { ...TEST_ENV, databaseUrl: testDb.url },
    hasPages: false,
    routes: [
      ["POST", "/extra/{name}", (_request, params) => Response.json(params)],
      ["GET", "/extra/forwarded", (request) => new Response(request.headers.get("x-forwarded-for"))],
      ["GET", "/extra/broken", () => Promise.reject(new Error("secret detail"))],
    ],
  });
});
afterAll(() => web.close());

test("every response has its content type and requires HTTPS, unless the service itself uses HTTP", async () => {
  for (const path of ["/pay/none", "/api/health", "/extra/broken", "/api/v1/pay/public/webhook-jwks"]) {
    const { headers } = await fetch(`${web.url}${path}`);
    expect(headers.get("strict-transport-security"), path).toBe("max-age=31536000");
    expect(headers.get("x-content-type-options"), path).toBe("nosniff");
    expect(headers.get("content-security-policy"), path).toMatch(/^default-src 'none';.*frame-ancestors 'none'$/);
    expect(headers.get("content-security-policy"), path).toContain("base-uri 'none'");
    expect(headers.get("referrer-policy"), path).toMatch(/^(no-referrer|same-origin)$/);
    expect(headers.get("content-type"), path).toMatch(/charset=utf-8|json/i);
  }
  const context = globalThis.stablegateContext;
  const plain = await startWeb({
    env: { ...TEST_ENV, databaseUrl: testDb.url, publicUrl: "http://127.0.0.1" },
    hasPages: false,
  });
  try {
    expect((await fetch(`${plain.url}/api/health`)).headers.get("strict-transport-security")).toBeNull();
  } finally {
    await plain.close();
    globalThis.stablegateContext = context;
  }
});

test("a response to an invalid HTTP request has the usual headers", async () => {
  const answer = await sendRaw("NONSENSE\r\n\r\n");
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  for (const header of [
    "X-Content-Type-Options: nosniff",
    "Content-Security-Policy: default-src 'none'",
    "Referrer-Policy: no-referrer",
  ])
    expect(answer).toContain(header);
});

/** Sends bytes unchanged and returns the response. */
function sendRaw(bytes: string): Promise<string> {
  const socket = connect(web.port, "127.0.0.1");
  socket.end(bytes);
  return text(socket);
}

function detail(origin: string): Promise<Response> {
  const headers = { "x-api-key": merchant.apiKey };
  return fetch(`${origin}${API_BASE}/order/detail`, { method: "POST", headers, body: '{"trade_id":"x"}' });
}

describe("routes", () => {
  test("more routes are mounted with the parts of their path", async () => {
    const answer = await fetch(`${web.url}/extra/caf%C3%A9`, { method: "POST" });
    expect(await answer.json()).toEqual({ name: "café" });
  });

  test("405: a wrong method learns the right one", async () => {
    const answer = await fetch(`${web.url}/extra/thing`);
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe("POST");
  });

  test("500: a failing handler discloses no reason", async () => {
    const answer = await fetch(`${web.url}/extra/broken`);
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain("secret");
  });

  test("a client cannot set its own address", async () => {
    for (const headers of [{ "x-forwarded-for": "1.2.3.4" }, {}]) {
      expect(await (await fetch(`${web.url}/extra/forwarded`, { headers })).text()).toBe("127.0.0.1");
    }
  });

  test.each(["/_next/../login", "/_next/%2e%2e/login", "/_next/static/..\\..\\login", "/extra/./broken"])(
    "400: a path that changes when it is normalised is refused: %s",
    async (target) => {
      const answer = await sendRaw(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*"code":10001/);
    },
  );

  test("404: the image optimizer of Next answers nothing", async () => {
    for (const target of ["/_next/image?url=/login", "/_next/%69mage?url=/login"]) {
      expect((await fetch(`${web.url}${target}`)).status).toBe(404);
    }
  });

  test("400: an invalid HTTP request is answered in the envelope", async () => {
    const answer = await sendRaw("HELLO\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(answer.split("\r\n\r\n")[1] ?? "")).toMatchObject({
      code: 10001,
      request_id: expect.any(String),
    });
  });

  test("400: a client that still sends a large body when the header is refused receives the reason", async () => {
    const head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10485760\r\nContent-Length: 1\r\n\r\n";
    expect(await sendRaw(head + "x".repeat(10 * 1024 * 1024))).toMatch(/^HTTP\/1\.1 400 .*"code":10001/s);
  });

  test.each([
    ["400: a request without a Host", "X-None: 1", 400],
    ["417: one that expects what is not done here", "Host: x\r\nExpect: 200-ok", 417],
  ])("%s is refused in the envelope, also while it is still being sent", async (_name, header, status) => {
    for (const length of [0, 10 * 1024 * 1024]) {
      const head = `POST ${API_BASE}/order/detail HTTP/1.1\r\n${header}\r\nContent-Length: ${length}\r\n\r\n`;
      const answer = await sendRaw(head + "x".repeat(length));
      expect(answer.split(" ")[1]).toBe(String(status));
      expect(answer).toContain('"code":10001');
    }
  });

  test("a client that sends more than it announced receives the response to the announced part", async () => {
    const length = 2_000_000;
    const head = `POST ${API_BASE}/order/add HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${merchant.apiKey}\r\nContent-Length: ${length}\r\n\r\n`;
    const socket = connect(web.port, "127.0.0.1").pause();
    socket.write(head + "x".repeat(length));
    await once(socket, "readable");
    await new Promise<void>((resolve, reject) => {
      socket.once("error", reject).write("x".repeat(8 * 1024 * 1024), () => resolve());
    });
    expect(await text(socket.resume())).toMatch(/^HTTP\/1\.1 413 .*"code":10001/s);
  });

  test("431: headers without end are answered in the envelope", async () => {
    const answer = await sendRaw(`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${"x".repeat(20_000)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(answer).toContain('"code":10001');
  });
});

describe("health", () => {
  const health = async () => {
    const answer = await fetch(`${web.url}/api/health`);
    return { status: answer.status, body: await answer.json() };
  };

  test("200: returns the progress of every network; a network without responses is not healthy", async () => {
    expect(await health()).toMatchObject({
      status: 200,
      body: { status: "degraded", database: "ok", networks: { ethereum: { behind_blocks: null }, bsc: {} } },
    });
    const now = new Date();
    const leaseUntil = new Date(now.getTime() + 3_600_000);
    const row = { height: 95, headHeight: 100, blockTime: now, respondedAt: now, leaseOwner: "w", leaseUntil };
    await testDb.pool.db.insert(cursors).values([
      { network: "ethereum", ...row },
      { network: "bsc", ...row, problem: "far behind" },
    ]);
    expect(await health()).toMatchObject({
      body: {
        status: "degraded",
        networks: { ethereum: { behind_blocks: 5, problem: null }, bsc: { problem: "far behind" } },
      },
    });
    await testDb.pool.db.update(cursors).set({ problem: null });
    expect((await health()).body.status).toBe("ok");
  });
});

describe("without a database", () => {
  let away: WebServer;
  let closed: number;

  beforeAll(async () => {
    const probe = await occupy();
    closed = portOf(probe);
    await new Promise((resolve) => probe.close(resolve));
    const databaseUrl = `postgres://stablegate:x@127.0.0.1:${closed}/none`;
    away = await startWeb({ env: { ...TEST_ENV, databaseUrl }, hasPages: false });
  });
  afterAll(async () => {
    await away.close();
    globalThis.stablegateContext = createContext({ ...TEST_ENV, databaseUrl: testDb.url });
  });

  test("503: the API answers in the envelope with Retry-After", async () => {
    const answer = await detail(away.url);
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    const body = await answer.json();
    expect(body).toMatchObject({ code: 10006, request_id: expect.any(String) });
    expect(JSON.stringify(body)).not.toContain(String(closed));
  });

  test("401: a missing key is still reported as such", async () => {
    const answer = await fetch(`${away.url}${API_BASE}/order/detail`, { method: "POST", body: "{}" });
    expect(answer.status).toBe(401);
  });

  test("503: health reports it too", async () => {
    const answer = await fetch(`${away.url}/api/health`);
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ status: "down", database: "away" });
  });
});

test("a port in use is reported", async () => {
  const other = await occupy();
  const env = { ...TEST_ENV, databaseUrl: testDb.url, port: portOf(other) };
  await expect(startWeb({ env, hasPages: false })).rejects.toThrow(`Port ${env.port} is used by another program`);
  other.close();
});

test("closing lets a running request finish and takes no new one", async () => {
  const before = globalThis.stablegateContext;
  const started = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const second = await startWeb({
    env: { ...TEST_ENV, databaseUrl: testDb.url },
    hasPages: false,
    routes: [
      [
        "GET",
        "/slow",
        async () => {
          started.resolve();
          await release.promise;
          return new Response("done");
        },
      ],
    ],
  });
  const running = fetch(`${second.url}/slow`);
  await started.promise;
  const closing = second.close();
  await expect(fetch(`${second.url}/slow`)).rejects.toThrow();
  release.resolve();
  expect(await (await running).text()).toBe("done");
  await closing;
  globalThis.stablegateContext = before;
});

function occupy(): Promise<Server> {
  const server = createServer();
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
