import { cpus } from "node:os";
import { Connection, type Measured, measureFor, measureTimes, type Work } from "@/bench/load";
import type { WebProcess } from "@/bench/web-process";
import { CONNECTIONS, type World } from "@/bench/world";
import { insertOrder } from "@/db/queries/orders/order-creation";
import { findOrderDetailRow } from "@/db/queries/orders/orders";
import { newId } from "@/lib/domain/id";

const BASE = "/api/v1/pay/sdk/order";
const USDT = "0xdac17f958d2ee523a2206206994597c13d831ec7";
const WARM_UP_SECONDS = 3;
const SECONDS = 6;
const SAME_PRICE = 5_000;
const WARM_UP_TIMES = 300;

/** Prices of their own: the free price is the normal case. In steps of 0.000001. */
const priceAt = (index: number) => 1_000_000 + index * 10_000;

/** Measures creating and querying orders over HTTP, beside the same SQL alone. */
export async function measureOrders(world: World, web: WebProcess): Promise<void> {
  const tradeIds: string[] = [];
  const connections = Array.from({ length: CONNECTIONS }, () => new Connection(web.port, world.apiKey));
  const create = async (index: number, worker: number) => {
    const amount = (priceAt(index) / 1_000_000).toFixed(2);
    const json = `{"currency":"USDT","network":"ethereum","amount":${amount},"mch_order_id":"http-${index}"}`;
    const answer = await connections[worker]?.post(`${BASE}/add`, json);
    tradeIds.push(/"trade_id":"(\w+)"/.exec(answer ?? "")?.[1] ?? "");
  };
  const someId = () => tradeIds[Math.floor(Math.random() * tradeIds.length)] ?? "";
  const query = async (_index: number, worker: number) => {
    await connections[worker]?.post(`${BASE}/detail`, `{"trade_id":"${someId()}"}`);
  };
  const createBySql = async (index: number) =>
    void (await insertOrder(world.pool.db, orderAt(world, index), new Date()));
  const queryBySql = async () => {
    await findOrderDetailRow(
      world.pool.db,
      { merchantId: world.merchantId, tradeId: someId() },
      { id: world.apiKeyId, now: new Date() },
    );
  };

  say(
    `${CONNECTIONS} connections, ${cpus().length} cores for database, web process and load together, ${SECONDS} s each\n`,
  );
  await samePrice(connections[0]);
  const creates = await run(web, "create over HTTP", create);
  const createsBySql = await run(web, "create, SQL alone", createBySql);
  compare(creates, createsBySql);
  const queries = await run(web, "query over HTTP", query);
  const queriesBySql = await run(web, "query, SQL alone", queryBySql);
  compare(queries, queriesBySql);
  for (const connection of connections) connection.close();
}

async function run(web: WebProcess, name: string, work: Work): Promise<Measured> {
  await measureFor(WARM_UP_SECONDS, CONNECTIONS, work);
  const cpuBefore = await web.cpuMs();
  const row = await measureFor(SECONDS, CONNECTIONS, work);
  const cpuUs = (((await web.cpuMs()) - cpuBefore) * 1_000) / row.durationsMs.length;
  const latency = `p50 ${row.p50Ms.toFixed(2)} ms   p99 ${row.p99Ms.toFixed(2)} ms`;
  const cpu = cpuUs > 5 ? `   web CPU ${cpuUs.toFixed(0)} µs each` : "";
  say(`${name.padEnd(20)} ${row.perSecond.toFixed(0).padStart(7)}/s   ${latency}${cpu}`);
  return row;
}

function compare(http: Measured, sql: Measured): void {
  say(`${"".padEnd(20)} ${((http.perSecond / sql.perSecond) * 100).toFixed(0).padStart(6)} % of the SQL alone\n`);
}

/** A popular fixed price: what the order after thousands of live ones costs, beside the first. */
async function samePrice(connection: Connection | undefined): Promise<void> {
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
  const [first, last] = [median(durationsMs.slice(0, 100)), median(durationsMs.slice(-100))];
  say(`${SAME_PRICE} live orders of one price on one address, one after another (median):`);
  say(
    `${"".padEnd(20)} first hundred ${first.toFixed(2)} ms, last hundred ${last.toFixed(2)} ms: ${(last / first).toFixed(2)} times`,
  );
}

function orderAt({ merchantId, apiKeyId }: World, index: number) {
  const now = new Date();
  return {
    ...{ id: newId(now), quoteId: newId(now), merchantId, apiKeyId, mchOrderId: `sql-${index}` },
    ...{ network: "ethereum", currency: "USDT" as const, token: USDT },
    ...{ amountUnits: BigInt(priceAt(index)), unitsPerStep: 1n, expiresInSeconds: null },
    ...{ notifyUrl: null, redirectUrl: null, locale: null },
  };
}

function say(line: string): void {
  console.log(line);
}
