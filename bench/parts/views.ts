import { brotliDecompressSync } from "node:zlib";
import { type Browser, chromium } from "@playwright/test";
import { Connection, measureFor, measureTimes, type Work } from "@/bench/load";
import { BROWSER, seedHead, sizeOf } from "@/bench/page";
import type { Line, Row } from "@/bench/table/line";
import { findChromium } from "@/bench/vitals";
import { startBareProcess, startWebProcess, type WebProcess } from "@/bench/web-process";
import { CONNECTIONS, startWorld, type World } from "@/bench/world";

const ORDERS = 300;
const SECONDS = 5;
const WARM_UP_SECONDS = 2;
const PAINTS = 15;
/** The bytes that fit into the first round trip of a connection (RFC 6928: ten segments of 1,460 bytes). */
const FIRST_FLIGHT_BYTES = 14_600;

/**
 * Measures the payment page: its size in bytes, the cost of a view and the first paint in Chromium, compared with plain responses and the
 * same page as a static file.
 */
export async function measurePageViews(): Promise<Line[]> {
  const world = await startWorld();
  await seedHead(world);
  const [web, bare] = await Promise.all([startWebProcess(world.databaseUrl), startBareProcess()]);
  const connections = Array.from({ length: CONNECTIONS }, () => new Connection(web.port, world.apiKey));
  try {
    const ids = await createOrders(connections);
    const get = async (path: string, worker: number): Promise<string> => {
      const answer = await connections[worker]?.ask(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${BROWSER}\r\n\r\n`);
      if (!answer?.startsWith("HTTP/1.1 200 ")) throw new Error(`${path}: ${answer?.slice(0, 200)}`);
      return answer;
    };
    const page = `/pay/${ids[0]}`;
    const bytes = sizeOf(await get(page, 0));
    const limit = await views(
      world,
      web,
      () => get,
      () => `/plain/${bytes}`,
    );
    const ours = await views(
      world,
      web,
      () => get,
      () => `/pay/${ids[Math.floor(Math.random() * ids.length)]}`,
    );
    const row = (
      what: string,
      unit: string,
      value: number,
      other: Row["limit"],
      better: Row["better"] = "less",
    ): Row => ({
      part: "views",
      what,
      unit,
      ours: value,
      limit: other,
      better,
    });
    const plain = "a plain response of its size by the same process";
    return [
      row("bytes of the whole page, compressed", "bytes", bytes, {
        what: "initial congestion window (RFC 6928)",
        value: FIRST_FLIGHT_BYTES,
      }),
      row("views of a page", "/s", ours.perSecond, { what: plain, value: limit.perSecond }, "more"),
      row("server time of a view", "ms", ours.serverMs, { what: plain, value: limit.serverMs }),
      row(`a view with ${CONNECTIONS} at once, median`, "ms", ours.p50Ms, { what: plain, value: limit.p50Ms }),
      ...(await paints(web, bare, page)),
    ];
  } finally {
    for (const connection of connections) connection.close();
    await Promise.all([web.stop(), bare.stop()]);
    await world.close();
  }
}

async function createOrders(connections: readonly Connection[]): Promise<string[]> {
  const ids: string[] = [];
  await measureTimes(ORDERS, connections.length, async (index, worker) => {
    const json = `{"currency":"USDT","network":"ethereum","amount":${index + 1},"mch_order_id":"view-${index}"}`;
    const answer = await connections[worker]?.post("/api/v1/pay/sdk/order/add", json);
    ids.push(/"trade_id":"(\w+)"/.exec(answer ?? "")?.[1] ?? "");
  });
  return ids;
}

/** Measures views, with the CPU time of the web process and the database for each view. */
async function views(
  world: World,
  web: WebProcess,
  get: () => (path: string, worker: number) => Promise<string>,
  path: () => string,
) {
  const work: Work = async (_index, worker) => void (await get()(path(), worker));
  const spent = async () => (await web.usage()).cpuMs + ((await world.databaseCpuMs()) ?? 0);
  await measureFor(WARM_UP_SECONDS, CONNECTIONS, work);
  const before = await spent();
  const measured = await measureFor(SECONDS, CONNECTIONS, work);
  return { ...measured, serverMs: ((await spent()) - before) / measured.durationsMs.length };
}

/** Measures the first contentful paint in a real browser, of the page and of its bytes as a file served by a bare Node process. */
async function paints(web: WebProcess, bare: WebProcess, path: string): Promise<Line[]> {
  const what = "first paint in Chromium, at the width of a phone";
  const executablePath = findChromium();
  if (!executablePath)
    return [{ part: "views", what, why: "Chromium was not found; set CHROMIUM_PATH to the program" }];
  await keepAsFile(web, bare, path);
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const browser = await chromium.launch({ executablePath, args });
  try {
    const [ours, file]: number[][] = [[], []];
    for (let times = 0; times < PAINTS; times++) {
      file?.push(await paint(browser, `http://127.0.0.1:${bare.port}/page`));
      ours?.push(await paint(browser, `http://127.0.0.1:${web.port}${path}`));
    }
    const limit = { what: "the same page as a static file", value: median(file ?? []) };
    return [{ part: "views", what, unit: "ms", ours: median(ours ?? []), limit, better: "less" }];
  } finally {
    await browser.close();
  }
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** Loads the page with an empty cache, as a first visit. */
async function paint(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
  try {
    const page = await context.newPage();
    await page.goto(url, { waitUntil: "load" });
    const at = await page.waitForFunction(
      () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? null,
    );
    return Number(await at.jsonValue());
  } finally {
    await context.close();
  }
}

async function keepAsFile(web: WebProcess, bare: WebProcess, path: string): Promise<void> {
  const { port } = web;
  const connection = new Connection(port, "unknown");
  const answer = await connection.ask(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${BROWSER}\r\n\r\n`);
  connection.close();
  const body = Buffer.from(answer.slice(answer.indexOf("\r\n\r\n") + 4), "latin1");
  const isCompressed = /\r\ncontent-encoding: br/i.test(answer);
  const headers = { "content-type": "text/html; charset=utf-8" };
  const file = isCompressed ? brotliDecompressSync(body) : body;
  const kept = await fetch(`http://127.0.0.1:${bare.port}/page`, {
    method: "PUT",
    headers,
    body: new Uint8Array(file),
  });
  await kept.arrayBuffer();
}
