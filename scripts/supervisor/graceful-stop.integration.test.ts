import { Agent, type ClientRequest, request } from "node:http";
import net from "node:net";
import { expect, test, vi } from "vitest";
import { callbacks, cursors } from "@/db/schema";
import { startReceiver } from "@/testing/callbacks/receiver";
import { seedCallbacks } from "@/testing/callbacks/seed";
import { useTestDb } from "@/testing/database/clone";
import { seedMerchant } from "@/testing/database/seed";
import { useWebs, useWorkers } from "@/testing/watch/worker";

const PATIENCE = { timeout: 60_000, interval: 50 };
const CLIENTS = 16;
const testDb = useTestDb();
const webs = useWebs();
const workers = useWorkers();
const settings = () => ({
  DATABASE_URL: testDb.url,
  HOST: "127.0.0.1",
  PORT: "0",
  CALLBACK_ALLOW_CIDRS: "127.0.0.0/8",
  ETHEREUM_RPC_URLS: "http://127.0.0.1:9",
  RATE_LIMIT_READS: "off",
  RATE_LIMIT_CREATES: "off",
});

async function startWeb(more: Record<string, string> = {}, socket?: number) {
  const web = webs.start({ ...settings(), ...more }, socket);
  const origin = () => /listening at (http:\/\/[\d.:]+)/.exec(web.output())?.[1];
  await vi.waitUntil(origin, PATIENCE);
  return { ...web, origin: origin() ?? "" };
}

interface Reported {
  status: number;
  isLast: boolean;
}

const isNew = (sent: ClientRequest) => !sent.reusedSocket;

/**
 * Sends a request over a kept-alive connection. A truncated response is an error. A new connection may be refused, or may have been
 * accepted by the system but not by the process.
 */
function ask(origin: string, agent: Agent, apiKey: string): Promise<Reported | "refused"> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "x-api-key": apiKey };
    const sent = request(`${origin}/api/v1/pay/sdk/payment-methods`, { method: "POST", agent, headers }, (answer) => {
      answer.resume();
      answer.once("end", () =>
        resolve({ status: answer.statusCode ?? 0, isLast: answer.headers.connection === "close" }),
      );
      answer.once("error", reject);
    });
    sent.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "ECONNREFUSED" || (isNew(sent) && error.code === "ECONNRESET")
        ? resolve("refused")
        : reject(error),
    );
    sent.end("{}");
  });
}

test("a web process that stops under load finishes requests of open connections and announces their end", async () => {
  const merchant = await seedMerchant(testDb.pool.db, new Date());
  const web = await startWeb();
  const stream = await fetch(`${web.origin}/api/health/ready`);
  expect(stream.status).toBe(200);
  const reported: Reported[] = [];
  const agents = Array.from({ length: CLIENTS }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  const clients = agents.map(async (agent) => {
    for (;;) {
      const answer = await ask(web.origin, agent, merchant.apiKey);
      if (answer === "refused") return;
      reported.push(answer);
    }
  });
  await vi.waitUntil(() => reported.length > 20 * CLIENTS, PATIENCE);
  const ending = web.end("SIGTERM");
  await vi.waitUntil(() => reported.some(({ isLast }) => isLast), PATIENCE);
  expect((await fetch(`${web.origin}/api/health/ready`)).status).toBe(503);
  await Promise.all(clients);
  expect(await ending).toBe(0);
  expect(reported.every(({ status }) => status === 200)).toBe(true);
  expect(reported.at(-1)?.isLast).toBe(true);
  for (const agent of agents) agent.destroy();
});

/** Listens on a port without accepting connections, as a service manager does with a socket. */
function holdPort(): { fd: number; close(): void } {
  const { _createServerHandle: bind } = net as unknown as {
    _createServerHandle(host: string, port: number, family: 4): { fd: number; close(): void };
  };
  return bind("127.0.0.1", 0, 4);
}

test.each(["1", "2"])(
  "with a socket that a service manager holds, a restart of %s refuses no connection and resets none",
  async (WEB_CONCURRENCY) => {
    const merchant = await seedMerchant(testDb.pool.db, new Date());
    const socket = holdPort();
    // The start message must name the address of the socket, not HOST, which has no effect here.
    const given = { WEB_CONCURRENCY, HOST: "192.0.2.77" };
    let web = await startWeb(given, socket.fd);
    const { origin } = web;
    const reported: Reported[] = [];
    let isOver = false;
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (!isOver) {
        const answer = await ask(origin, new Agent({ keepAlive: false }), merchant.apiKey);
        if (answer === "refused") throw new Error("A new connection was refused");
        reported.push(answer);
      }
    });
    const all = Promise.all(clients);
    for (let restarts = 0; restarts < 2; restarts++) {
      const before = reported.length;
      await Promise.race([all, vi.waitUntil(() => reported.length > before + 10 * CLIENTS, PATIENCE)]);
      expect(await web.end("SIGTERM")).toBe(0);
      web = await startWeb(given, socket.fd);
      expect(web.origin).toBe(origin);
    }
    const last = reported.length;
    await Promise.race([all, vi.waitUntil(() => reported.length > last + CLIENTS, PATIENCE)]);
    isOver = true;
    await all;
    expect(reported.every(({ status }) => status === 200)).toBe(true);
    expect(await web.end("SIGTERM")).toBe(0);
    socket.close();
  },
);

test("a frozen or dead web process blocks no request and is replaced", {
  timeout: 90_000,
}, async () => {
  const merchant = await seedMerchant(testDb.pool.db, new Date());
  const web = await startWeb({ WEB_CONCURRENCY: "2" });
  const started = () => [...web.output().matchAll(/\(web process (\d+), one of 2\)/g)].map(([, pid]) => Number(pid));
  const answer = () => ask(web.origin, new Agent({ keepAlive: false }), merchant.apiKey);
  await vi.waitUntil(() => started().length === 2, PATIENCE);
  for (const signal of ["SIGKILL", "SIGSTOP"] as const) {
    const [victim = 0, count] = [started().at(-1), started().length];
    process.kill(victim, signal);
    for (let asked = 0; asked < 20; asked++) expect(await answer()).toMatchObject({ status: 200 });
    await vi.waitUntil(() => started().length === count + 1, PATIENCE);
  }
  expect(web.output()).toContain("has not responded for 8 s");
  expect(await web.end("SIGTERM")).toBe(0);
});

test("a worker that is asked to stop lets its callbacks end, sends none twice, and gives its networks up meanwhile", async () => {
  const { db } = testDb.pool;
  const merchantId = (await seedMerchant(db, new Date())).id;
  let answer = () => {};
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const shop = await startReceiver(async (response) => {
    await asked;
    response.end("success");
  });
  await seedCallbacks(db, { merchantId, url: `${shop.origin}/`, count: 3 }, new Date());
  const worker = workers.start(settings());
  const owner = async () => (await db.select().from(cursors))[0]?.leaseOwner;
  await vi.waitUntil(() => shop.received.length === 3, PATIENCE);
  await vi.waitUntil(owner, PATIENCE);
  const ending = worker.end("SIGTERM");
  await vi.waitUntil(async () => (await owner()) === null, PATIENCE);
  answer();
  expect(await ending).toBe(0);
  expect((await db.select().from(callbacks)).map(({ status, attempts }) => [status, attempts])).toEqual(
    Array.from({ length: 3 }, () => ["delivered", 1]),
  );
  expect(shop.received).toHaveLength(3);
  await shop.close();
});
