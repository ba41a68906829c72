import { Connection, measureFor, type Work } from "@/bench/load";
import { MANY_CONNECTIONS, OrderBench, SIDE_BY_SIDE, TOGETHER } from "@/bench/orders";
import type { Line, Row } from "@/bench/table/line";
import { type BareProcess, startBareProcess, startWebProcess } from "@/bench/web-process";
import { CONNECTIONS, startWorld } from "@/bench/world";

const WARM_UP_SECONDS = 2;
const SECONDS = 5;
const BODY = '{"currency":"USDT","network":"ethereum","amount":12.34,"mch_order_id":"echo-1"}';

/**
 * Runs work for a few seconds and measures its rate.
 * @param each the number of items that one call of `work` processes
 * @returns items per second
 */
async function rate(work: Work, workers: number, each = 1): Promise<number> {
  await measureFor(WARM_UP_SECONDS, workers, work);
  return (await measureFor(SECONDS, workers, work)).perSecond * each;
}

/** Measures orders created and queried over HTTP, compared with their SQL statements alone and with an echo server. */
export async function measureCreates(): Promise<Line[]> {
  const world = await startWorld();
  const [web, bare] = await Promise.all([startWebProcess(world.databaseUrl), startBareProcess()]);
  const bench = new OrderBench(world, web);
  try {
    const row = (what: string, ours: number, limit: Row["limit"]): Row => ({
      part: "creates",
      what,
      unit: "/s",
      ours,
      limit,
      better: "more",
    });
    const echo = await rateOfEcho(bare);
    const plainRow = await rate(await bench.plainRows(), CONNECTIONS);
    const statements = await rate(bench.createTogether, SIDE_BY_SIDE, TOGETHER);
    const creates = await rate(bench.create, MANY_CONNECTIONS);
    const few = await rate(bench.create, CONNECTIONS);
    const lookUps = await rate(bench.queryBySql, CONNECTIONS);
    const queries = await rate(bench.query, MANY_CONNECTIONS);
    const same = `the same INSERTs alone, ${TOGETHER} orders per statement`;
    const bareRow = { what: "one plain row per commit, with the same unique keys", value: plainRow };
    return [
      row(`orders created, ${MANY_CONNECTIONS} connections`, creates, { what: same, value: statements }),
      row(`orders created, ${CONNECTIONS} connections`, few, bareRow),
      row(`orders created, ${MANY_CONNECTIONS} connections`, creates, {
        what: "JSON echo with Node alone",
        value: echo,
      }),
      row(`orders queried, ${MANY_CONNECTIONS} connections`, queries, {
        what: "the same SELECT alone, 16 connections",
        value: lookUps,
      }),
      row(`orders queried, ${MANY_CONNECTIONS} connections`, queries, {
        what: "JSON echo with Node alone",
        value: echo,
      }),
    ];
  } finally {
    bench.close();
    await Promise.all([web.stop(), bare.stop()]);
    await world.close();
  }
}

/** Measures a process that only parses and serializes JSON. */
async function rateOfEcho({ port }: BareProcess): Promise<number> {
  const connections = Array.from({ length: MANY_CONNECTIONS }, () => new Connection(port, "unknown"));
  const work: Work = async (_index, worker) => void (await connections[worker]?.post("/echo", BODY));
  const perSecond = await rate(work, MANY_CONNECTIONS);
  for (const connection of connections) connection.close();
  return perSecond;
}
