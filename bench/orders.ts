import { cpus, loadavg } from "node:os";
import { Connection, type Measured, measureAt, measureFor, measureTimes, type Work } from "@/bench/load";
import type { WebProcess } from "@/bench/web-process";
import { CONNECTIONS, type World } from "@/bench/world";
import { insertOrder, insertOrders, type NewOrder } from "@/db/queries/orders/order-creation";
import { findOrderDetailRow } from "@/db/queries/orders/orders";
import { newId } from "@/lib/domain/id";

const BASE = "/api/v1/pay/sdk/order";
const USDT = "0xdac17f958d2ee523a2206206994597c13d831ec7";
const WARM_UP_SECONDS = 3;
const SECONDS = 6;
const SAME_PRICE = 5_000;
const WARM_UP_TIMES = 300;
/**
 * The number of connections of a busy installation. With 16 connections, throughput is limited by the response time, not by the
 * processors.
 */
export const MANY_CONNECTIONS = 64;
/**
 * The number of orders that the web process sends in one statement (about 8 with 16 connections, about 24 with 64), and the number of
 * statements in parallel.
 */
export const TOGETHER = 24;
export const SIDE_BY_SIDE = 2;
const PACE = 500;
const MANY = 200_000;
const WIDTH = 28;

/** Returns a distinct price, in steps of 0.000001, because an unused price is the normal case. */
const priceAt = (index: number) => 1_000_000 + index * 10_000;

/** Measures creating and querying orders over HTTP, compared with the same SQL alone and with one plain row as the limit. */
export async function measureOrders(world: World, web: WebProcess): Promise<void> {
  const bench = new OrderBench(world, web);
  print(
    `${CONNECTIONS} connections where nothing else is said, ${cpus().length} cores for database, web process and load together, ${SECONDS} s each`,
  );
  print(
    `load of this machine before: ${loadavg()
      .map((load) => load.toFixed(1))
      .join(" ")}\n`,
  );
  await bench.samePrice();
  const plainRow = await bench.plainRows();
  const limit = await bench.run("one row, same unique keys", plainRow);
  const bySql = await bench.run("create, SQL alone", bench.createBySql);
  compare(bySql, limit, "of the plain row");
  const together = await bench.run(`create, SQL, ${TOGETHER} together`, bench.createTogether, SIDE_BY_SIDE, TOGETHER);
  compare(together, limit, "of the plain row");
  for (const connections of [CONNECTIONS, MANY_CONNECTIONS]) {
    const creates = await bench.run(`create over HTTP, ${connections}`, bench.create, connections);
    compare(creates, limit, "of the plain row");
    compare(creates, together, `of the SQL, ${TOGETHER} together`);
  }
  const queriesBySql = await bench.run("query, SQL alone", bench.queryBySql);
  for (const connections of [CONNECTIONS, MANY_CONNECTIONS]) {
    const queries = await bench.run(`query over HTTP, ${connections}`, bench.query, connections);
    compare(queries, queriesBySql, "of the SQL alone");
  }
  await bench.paced("one row", plainRow);
  await bench.paced("create", bench.create);
  await bench.paced("query", bench.query);
  await bench.many();
  bench.close();
}

/** The result of a measurement. */
interface Row {
  perSecond: number;
}

export class OrderBench {
  readonly #world: World;
  readonly #web: WebProcess;
  readonly #tradeIds: string[] = [];
  readonly #connections: Connection[];
  #nextTogether = 10_000_000;

  constructor(world: World, web: WebProcess) {
    this.#world = world;
    this.#web = web;
    this.#connections = Array.from({ length: MANY_CONNECTIONS }, () => new Connection(web.port, world.apiKey));
  }

  readonly create: Work = async (index, worker) => {
    const amount = (priceAt(index) / 1_000_000).toFixed(2);
    const json = `{"currency":"USDT","network":"ethereum","amount":${amount},"mch_order_id":"http-${index}"}`;
    const answer = await this.#connections[worker]?.post(`${BASE}/add`, json);
    this.#tradeIds.push(/"trade_id":"(\w+)"/.exec(answer ?? "")?.[1] ?? "");
  };

  readonly query: Work = async (_index, worker) => {
    await this.#connections[worker]?.post(`${BASE}/detail`, `{"trade_id":"${this.#someId()}"}`);
  };

  readonly createBySql: Work = async (index) => {
    await insertOrder(this.#world.pool.db, orderAt(this.#world, index), new Date());
  };

  readonly createTogether: Work = async () => {
    const orders = Array.from({ length: TOGETHER }, () => orderAt(this.#world, this.#nextTogether++));
    await insertOrders(this.#world.pool.db, orders, new Date());
  };

  readonly queryBySql: Work = async () => {
    const { pool, merchantId, apiKeyId } = this.#world;
    await findOrderDetailRow(pool.db, { merchantId, tradeId: this.#someId() }, { id: apiKeyId, now: new Date() });
  };

  /** Returns work that inserts one row with the same unique keys as an order and its quote, in one statement and one commit. */
  async plainRows(): Promise<Work> {
    const { sql } = this.#world.pool;
    await sql`create table plain_rows (id text, merchant_id text, mch_order_id text, address text, micro_units bigint,
      currency text, family text, body text, primary key (id, merchant_id), unique (merchant_id, mch_order_id),
      unique (address, micro_units, family))`;
    const insert = `insert into plain_rows values ($1, 'm', $2, '0x${"ab".repeat(20)}', $3::bigint, 'USDT', 'evm', $4)`;
    return async (index) => {
      const id = newId(new Date());
      const body = `{"id":"${id}","status":"pending","amount":"1.23"}`;
      await sql.unsafe(insert, [id, `row-${index}`, `${index}`, body], { prepare: true });
    };
  }

  /**
   * Measures `work` after a warm-up, and prints its rate, latency and CPU time.
   * @param each the number of orders that one call of `work` creates
   */
  async run(name: string, work: Work, workers = CONNECTIONS, each = 1): Promise<Row> {
    await measureFor(WARM_UP_SECONDS, workers, work);
    const usage = await this.#usage();
    const measured = await measureFor(SECONDS, workers, work);
    const perSecond = measured.perSecond * each;
    const cpu = await this.#cpuSince(usage, measured.durationsMs.length * each);
    print(`${name.padEnd(WIDTH)} ${perSecond.toFixed(0).padStart(7)}/s   ${latency(measured)}   ${cpu}`);
    return { perSecond };
  }

  async paced(name: string, work: Work): Promise<void> {
    await measureAt(PACE, WARM_UP_SECONDS, CONNECTIONS, work);
    const measured = await measureAt(PACE, SECONDS, CONNECTIONS, work);
    print(
      `${`${name} at ${PACE}/s`.padEnd(WIDTH)} ${measured.perSecond.toFixed(0).padStart(7)}/s   ${latency(measured)}`,
    );
  }

  /** Measures the memory of the web process before and after many orders are created. */
  async many(): Promise<void> {
    const megabytes = async () => `${((await this.#web.usage()).rssBytes / 2 ** 20).toFixed(0)} MB`;
    const before = await megabytes();
    const { perSecond } = await measureTimes(MANY, CONNECTIONS, this.create);
    print(
      `\nmemory of the web process: ${before} before, ${await megabytes()} after ${MANY} more creates (${perSecond.toFixed(0)}/s)`,
    );
  }

  /**
   * Measures a popular fixed price: the cost of creating an order when thousands of orders with this price are live, compared with the
   * first order.
   */
  async samePrice(): Promise<void> {
    const [connection] = this.#connections;
    const create = async (index: number) => {
      const json = `{"currency":"USDC","network":"ethereum","amount":9.99,"mch_order_id":"same-${index}"}`;
      await connection?.post(`${BASE}/add`, json);
    };
    const elsewhere = async (index: number) => {
      const json = `{"currency":"USDC","network":"ethereum","amount":${index + 100},"mch_order_id":"warm-${index}"}`;
      await connection?.post(`${BASE}/add`, json);
    };
    await measureTimes(WARM_UP_TIMES, 1, elsewhere);
    const { durationsMs } = await measureTimes(SAME_PRICE, 1, create);
    const median = (durations: number[]) => durations.toSorted((a, b) => a - b)[durations.length >> 1] ?? Number.NaN;
    const first = median(durationsMs.slice(0, 100));
    const last = median(durationsMs.slice(-100));
    print(`${SAME_PRICE} live orders of one price on one address, sequentially (median):`);
    const times = (last / first).toFixed(2);
    print(`first hundred ${first.toFixed(2)} ms, last hundred ${last.toFixed(2)} ms: ${times} times\n`);
  }

  close(): void {
    for (const connection of this.#connections) connection.close();
  }

  #someId(): string {
    return this.#tradeIds[Math.floor(Math.random() * this.#tradeIds.length)] ?? "";
  }

  /** Returns the CPU time so far, in milliseconds, of the web process, the database and this process. */
  async #usage(): Promise<(number | null)[]> {
    const { user, system } = process.cpuUsage();
    return [(await this.#web.usage()).cpuMs, await this.#world.databaseCpuMs(), (user + system) / 1_000];
  }

  async #cpuSince(before: readonly (number | null)[], count: number): Promise<string> {
    const now = await this.#usage();
    const each = now.map((ms, index) => ((ms ?? Number.NaN) - (before[index] ?? Number.NaN)) * (1_000 / count));
    const [web, database, load] = each.map((us) => us.toFixed(0));
    const sum = each.reduce((a, b) => a + b, 0).toFixed(0);
    return `CPU µs: web ${web} + database ${database} + load ${load} = ${sum}`;
  }
}

function latency({ p50Ms, p99Ms }: Measured): string {
  return `p50 ${p50Ms.toFixed(2).padStart(5)} ms   p99 ${p99Ms.toFixed(2).padStart(6)} ms`;
}

function compare(row: Row, other: Row, what: string): void {
  print(`${"".padEnd(WIDTH)} ${((row.perSecond / other.perSecond) * 100).toFixed(0).padStart(6)} % ${what}`);
}

function orderAt({ merchantId, apiKeyId }: World, number: number): NewOrder {
  const now = new Date();
  return {
    id: newId(now),
    quoteId: newId(now),
    merchantId,
    apiKeyId,
    mchOrderId: `sql-${number}`,
    network: "ethereum",
    currency: "USDT" as const,
    token: USDT,
    amountUnits: BigInt(priceAt(number)),
    unitsPerStep: 1n,
    expiresInSeconds: null,
    notifyUrl: null,
    redirectUrl: null,
    locale: null,
  };
}

function print(line: string): void {
  console.log(line);
}
