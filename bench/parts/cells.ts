import { Connection, measureFor, type Work } from "@/bench/load";
import { MANY_CONNECTIONS } from "@/bench/orders";
import type { Line, Row } from "@/bench/table/line";
import { startWebProcess, type WebProcess } from "@/bench/web-process";
import { addMerchant, startWorld } from "@/bench/world";
import { openDb } from "@/db/client";
import { migrate } from "@/db/migrate";
import { urlOfCell } from "@/lib/domain/cells";

const ADD = "/api/v1/pay/sdk/order/add";
const WARM_UP_SECONDS = 3;
const SECONDS = 5;
/** Each process is measured so often, in turns: what the machine does meanwhile meets all of them. The best of each counts. */
const TURNS = 3;

/** Orders created through a process that serves one cell, beside one that serves two of the same database. */
export async function measureCells(): Promise<Line[]> {
  const world = await startWorld();
  const url = urlOfCell(world.databaseUrl, "01");
  const pool = openDb(url, { work: "none", max: 1, applicationName: "stablegate-bench" });
  const running: WebProcess[] = [];
  try {
    await migrate(url);
    const other = await addMerchant(pool, `0x${"cd".repeat(20)}`);
    const one = await startWebProcess(world.databaseUrl);
    const two = await startWebProcess(world.databaseUrl, { cells: "00,01" });
    running.push(one, two);
    const best = { alone: 0, beside: 0, spread: 0 };
    for (let turn = 0; turn < TURNS; turn++) {
      best.alone = Math.max(best.alone, await rateOf(one, [world.apiKey]));
      best.beside = Math.max(best.beside, await rateOf(two, [world.apiKey]));
      best.spread = Math.max(best.spread, await rateOf(two, [world.apiKey, other.apiKey]));
    }
    const limit = { what: "a process that serves one cell", value: best.alone };
    const row = (what: string, ours: number): Row => ({
      part: "cells",
      what: `orders created, ${MANY_CONNECTIONS} connections: ${what}`,
      unit: "/s",
      ours,
      limit,
      better: "more",
    });
    return [
      row("one cell's, by a process that serves two", best.beside),
      row("two cells' by turns, in one database", best.spread),
    ];
  } finally {
    await Promise.all(running.map((web) => web.stop()));
    await pool.close();
    await world.close();
  }
}

/** @param keys of shops, whose orders are made by turns of the connections */
async function rateOf({ port }: WebProcess, keys: readonly string[]): Promise<number> {
  const keyOf = (index: number) => keys[index % keys.length] ?? "";
  const connections = Array.from({ length: MANY_CONNECTIONS }, (_, index) => new Connection(port, keyOf(index)));
  const create: Work = async (index, worker) => {
    const amount = (1 + index * 0.01).toFixed(2);
    const json = `{"currency":"USDT","network":"ethereum","amount":${amount},"mch_order_id":"cells-${index}"}`;
    await connections[worker]?.post(ADD, json);
  };
  await measureFor(WARM_UP_SECONDS, MANY_CONNECTIONS, create);
  const { perSecond } = await measureFor(SECONDS, MANY_CONNECTIONS, create);
  for (const connection of connections) connection.close();
  return perSecond;
}
