import { cpus, loadavg } from "node:os";
import { sql } from "drizzle-orm";
import { Listeners, OPEN_CONCURRENCY } from "@/bench/listeners";
import { Connection, type Measured, measureFor, measureTimes, type Work } from "@/bench/load";
import { measureVitals } from "@/bench/vitals";
import { startWebProcess, type WebProcess } from "@/bench/web-process";
import { CONNECTIONS, type World } from "@/bench/world";
import { LANGUAGES } from "@/components/pay/messages/languages";
import { announceOrders } from "@/db/queries/orders/order-moves";
import { cursors } from "@/db/schema";

const WARM_UP_SECONDS = 3;
const SECONDS = 6;
/** The numbers of orders whose pages are viewed repeatedly, and viewed for the first time. */
const SEEN = 500;
const COLD = 500;
const STREAMS = 10_000;
const MANY_CONNECTIONS = 64;
const WIDTH = 34;
const UPDATES = 3;
const MAX_STREAM_BYTES = 20 * 1_024;
const MAX_UPDATE_MS = 2_000;
export const BROWSER = [
  "User-Agent: Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36",
  "Accept-Language: en-US,en;q=0.9",
  "Accept-Encoding: gzip, deflate, br, zstd",
  "Cache-Control: no-cache",
  "Sec-Fetch-Site: same-origin",
].join("\r\n");

/**
 * Runs Lighthouse on the page of one order, in these languages or in all.
 * @returns true if it reports no problem
 */
export async function measureLighthouse(world: World, languages: readonly string[]): Promise<boolean> {
  await seedHead(world);
  return on(world, [], async (bench) => {
    await bench.createOrders(1);
    return bench.vitals(chosen(languages));
  });
}

/**
 * Measures views of the payment page, polls of its status and open event streams, compared with plain responses of the same size from the
 * same process, which are the limit.
 * @param languages the languages in which a phone loads the page; empty: all
 * @returns true if a stream uses little enough memory, all streams receive a change in time, and Lighthouse reports no problem
 */
export async function measurePage(world: World, languages: readonly string[]): Promise<boolean> {
  const load = loadavg().map((one) => one.toFixed(1));
  print(
    `${cpus().length} cores for database, web process and load together, ${SECONDS} s each; load of this machine before: ${load.join(" ")}\n`,
  );
  await seedHead(world);
  const ids: string[] = [];
  await on(world, ids, async (bench) => {
    await bench.createOrders(SEEN + COLD + STREAMS);
    await bench.views();
  });
  const isRight = await on(world, ids, (bench) => bench.vitals(chosen(languages)));
  return (await on(world, ids, (bench) => bench.streams())) && isRight;
}

export async function seedHead(world: World): Promise<void> {
  const headAt = new Date(Date.now() + 3_600_000);
  const read = { headHeight: 1_000, finalizedHeight: 990, caughtUpAt: headAt, respondedAt: headAt, blockMs: 12_000 };
  await world.pool.db.insert(cursors).values({ network: "ethereum", ...read });
}

/**
 * Returns the given languages, or all languages if none is given.
 * @throws Error if the page does not support one of them
 */
function chosen(languages: readonly string[]): readonly string[] {
  const all = LANGUAGES.map(({ lang }) => lang);
  const unknown = languages.filter((one) => !all.includes(one));
  if (unknown.length > 0) throw new Error(`Unknown language: ${unknown.join(", ")}. Available: ${all.join(", ")}`);
  return languages.length > 0 ? languages : all;
}

const ms = (time: number) => `${time.toFixed(0).padStart(5)} ms`;

/** Runs a measurement with its own web process, so that its memory usage is separate. */
async function on<T>(world: World, ids: string[], measure: (bench: PageBench) => Promise<T>): Promise<T> {
  const web = await startWebProcess(world.databaseUrl);
  const bench = new PageBench(world, web, ids);
  try {
    return await measure(bench);
  } finally {
    bench.close();
    await web.stop();
  }
}

class PageBench {
  readonly #world: World;
  readonly #web: WebProcess;
  readonly #connections: Connection[];
  readonly #ids: string[];

  constructor(world: World, web: WebProcess, ids: string[]) {
    this.#ids = ids;
    this.#world = world;
    this.#web = web;
    this.#connections = Array.from({ length: MANY_CONNECTIONS }, () => new Connection(web.port, world.apiKey));
  }

  async createOrders(count: number): Promise<void> {
    await measureTimes(count, MANY_CONNECTIONS, async (index, worker) => {
      const json = `{"currency":"USDT","network":"ethereum","amount":${index + 1},"mch_order_id":"page-${index}"}`;
      const answer = await this.#connections[worker]?.post("/api/v1/pay/sdk/order/add", json);
      this.#ids.push(/"trade_id":"(\w+)"/.exec(answer ?? "")?.[1] ?? "");
    });
  }

  /** Measures all operations that consist of one request and one response. */
  async views(): Promise<void> {
    const seen = this.#ids.slice(0, SEEN);
    const some = () => seen[Math.floor(Math.random() * SEEN)] ?? "";
    const pageAt = (id: string) => `/pay/${id}`;
    const pageSize = sizeOf(await this.#get(pageAt(seen[0] ?? ""), 0));
    const statusAt = (id: string) => `/api/pay/${id}/status`;
    const status = await this.#get(statusAt(seen[0] ?? ""), 0);
    print(`the page of a pending order is ${pageSize} bytes compressed, its status ${sizeOf(status)}\n`);
    const tags = new Map<string, string>();
    for (const id of seen) tags.set(id, /etag: (\S+)/i.exec(await this.#get(statusAt(id), 0))?.[1] ?? "");

    const limit = await this.#run("plain response of the size of a page", `/plain/${pageSize}`);
    for (const id of seen) await Promise.all([this.#get(pageAt(id), 0), this.#get(`${pageAt(id)}?fragment=1`, 1)]);
    await this.#once("page, first view", this.#ids.slice(SEEN, SEEN + COLD).map(pageAt));
    for (const connections of [CONNECTIONS, MANY_CONNECTIONS]) {
      compare(
        await this.#run(`page, ${connections}`, () => pageAt(some()), connections),
        limit,
        "of the plain response",
      );
    }
    const part = () => `${pageAt(some())}?fragment=1`;
    compare(await this.#run(`part of the page, ${CONNECTIONS}`, part), limit, "of the plain response");
    const small = await this.#run("plain response of the size of a status", `/plain/${sizeOf(status)}`);
    for (const connections of [CONNECTIONS, MANY_CONNECTIONS]) {
      const rate = await this.#run(`status, ${connections}`, () => statusAt(some()), connections);
      compare(rate, small, "of the plain response");
      const known = await this.#run(
        `unchanged status, ${connections}`,
        () => {
          const id = some();
          return `${statusAt(id)} HTTP/1.1\r\nIf-None-Match: ${tags.get(id)}`;
        },
        connections,
      );
      compare(known, small, "of the plain response");
    }
  }

  /**
   * Measures the page on a cheap phone without other load.
   * @returns true if Lighthouse reports no problem
   */
  async vitals(languages: readonly string[]): Promise<boolean> {
    const vitals = await measureVitals(`http://127.0.0.1:${this.#web.port}/pay/${this.#ids[0]}`, languages);
    if (vitals === null) {
      print("\nChromium was not found, so the rendering on a phone is not measured");
      return true;
    }
    print("\nLighthouse, mobile (a cheap phone on slow 4G, simulated), medians of 3:");
    for (const [language, { performance, accessibility, bestPractices, ...seen }] of vitals) {
      const scores = [performance, accessibility, bestPractices].map((score) => String(score).padStart(3)).join(" / ");
      const paints = `first paint ${ms(seen.fcpMs)}   largest ${ms(seen.lcpMs)}   blocked ${ms(seen.tbtMs)}`;
      const faults = seen.faults.length > 0 ? `   not right: ${seen.faults.join(", ")}` : "";
      print(`${language.padEnd(8)} ${scores}   ${paints}   moved ${seen.cls.toFixed(3)}${faults}`);
    }
    return [...vitals.values()].every(({ faults }) => faults.length === 0);
  }

  /** Measures the cost of an open stream, and the time until all of them receive a change. */
  async streams(): Promise<boolean> {
    const ids = this.#ids.slice(SEEN + COLD);
    const warm = new Listeners(this.#web.port);
    await warm.open(ids.slice(0, OPEN_CONCURRENCY));
    warm.close();
    const before = await this.#web.memory();
    const listeners = new Listeners(this.#web.port);
    const beganAt = performance.now();
    await listeners.open(ids);
    const openedMs = performance.now() - beganAt;
    const after = await this.#web.memory();
    const each = (key: "rssBytes" | "heapBytes") => ((after[key] ?? 0) - (before[key] ?? 0)) / ids.length;
    print(
      `\n${ids.length} streams, opened at ${((ids.length / openedMs) * 1_000).toFixed(0)}/s: ${kb(each("rssBytes"))} of resident memory each, ${kb(each("heapBytes"))} of it objects; the process has ${(after.rssBytes / 2 ** 20).toFixed(0)} MB`,
    );
    let slowest = 0;
    for (let update = 2; update < 2 + UPDATES; update++) {
      const cpu = (await this.#web.usage()).cpuMs;
      const ms = await this.#update(listeners, ids, update);
      const cpuMs = (await this.#web.usage()).cpuMs - cpu;
      print(
        `a change of all their orders reached all of them after ${ms.toFixed(0)} ms (web ${cpuMs.toFixed(0)} ms of CPU)`,
      );
      slowest = Math.max(slowest, ms);
    }
    listeners.close();
    return each("rssBytes") <= MAX_STREAM_BYTES && slowest <= MAX_UPDATE_MS;
  }

  /**
   * Updates the version of all orders and waits until every stream has received it.
   * @returns milliseconds from the commit to the last stream
   */
  async #update(listeners: Listeners, ids: readonly string[], version: number): Promise<number> {
    const received = listeners.listen(version);
    const rows = ids.map((id) => ({ id, version }));
    await this.#world.pool.db.transaction(async (tx) => {
      await tx.execute(
        sql`update orders set version = ${version} where id = any(string_to_array(${ids.join(" ")}, ' '))`,
      );
      await announceOrders(tx, rows);
    });
    const committedAt = performance.now();
    await received;
    return performance.now() - committedAt;
  }

  close(): void {
    for (const connection of this.#connections) connection.close();
  }

  async #once(name: string, paths: string[]): Promise<void> {
    const work: Work = async (_index, worker) => void (await this.#get(paths.pop() ?? "", worker));
    const usage = await this.#usage();
    const measured = await measureTimes(paths.length, CONNECTIONS, work);
    await this.#report(name, measured, usage);
  }

  async #run(name: string, path: string | (() => string), workers = CONNECTIONS): Promise<Rate> {
    const work: Work = async (_index, worker) =>
      void (await this.#get(typeof path === "string" ? path : path(), worker));
    await measureFor(WARM_UP_SECONDS, workers, work);
    const usage = await this.#usage();
    return this.#report(name, await measureFor(SECONDS, workers, work), usage);
  }

  /**
   * Sends a GET request and returns the complete response.
   * @param path the path, optionally followed by more headers
   */
  async #get(path: string, worker: number): Promise<string> {
    const line = path.includes(" ") ? path : `${path} HTTP/1.1`;
    const answer = await this.#connections[worker]?.ask(`GET ${line}\r\nHost: 127.0.0.1\r\n${BROWSER}\r\n\r\n`);
    const isKnown = path.includes("If-None-Match");
    if (!answer?.startsWith(isKnown ? "HTTP/1.1 304 " : "HTTP/1.1 200 ")) throw new Error(`${path}: ${answer}`);
    return answer;
  }

  async #report(name: string, { perSecond, p50Ms, p99Ms, durationsMs }: Measured, before: number[]): Promise<Rate> {
    const each = (await this.#usage()).map((ms, index) => ((ms - (before[index] ?? 0)) * 1_000) / durationsMs.length);
    const [webUs = 0, databaseUs = 0, loadUs = 0] = each;
    const cpu = `web ${webUs.toFixed(0)} + database ${databaseUs.toFixed(0)} + load ${loadUs.toFixed(0)} µs`;
    const latency = `p50 ${p50Ms.toFixed(1).padStart(5)} ms   p99 ${p99Ms.toFixed(1).padStart(5)} ms`;
    const core = `${(1e6 / webUs).toFixed(0).padStart(6)} per core and second`;
    print(`${name.padEnd(WIDTH)} ${perSecond.toFixed(0).padStart(6)}/s   ${latency}   CPU: ${cpu}   ${core}`);
    return { webUs };
  }

  /** Returns the CPU time so far, in milliseconds, of the web process, the database and this process. */
  async #usage(): Promise<number[]> {
    const { user, system } = process.cpuUsage();
    const database = (await this.#world.databaseCpuMs()) ?? Number.NaN;
    return [(await this.#web.usage()).cpuMs, database, (user + system) / 1_000];
  }
}

/** The cost of one request for the web process. */
interface Rate {
  webUs: number;
}

export function sizeOf(answer: string): number {
  return answer.length - answer.indexOf("\r\n\r\n") - 4;
}

function compare({ webUs }: Rate, limit: Rate, what: string): void {
  print(
    `${"".padEnd(WIDTH)} ${((limit.webUs / webUs) * 100).toFixed(0).padStart(6)} % ${what}, by the CPU time of the web process`,
  );
}

function kb(bytes: number): string {
  return `${(bytes / 1_024).toFixed(1)} KB`;
}

function print(line: string): void {
  console.log(line);
}
