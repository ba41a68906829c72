import type postgres from "postgres";
import { type Measured, measureFor } from "@/bench/load";
import { CONNECTIONS, type World } from "@/bench/world";
import { insertOrders } from "@/db/queries/orders/order-creation";
import { newId } from "@/lib/domain/id";

const USDT = "0xdac17f958d2ee523a2206206994597c13d831ec7";
const TOGETHER = [1, 8, 32];
const WARM_UP_SECONDS = 2;
const SECONDS = 5;

/**
 * What the database does of creates at most: one row with the same unique keys as an order and its quote have, one statement
 * and one commit each; beside orders made with `insertOrders`, alone and together.
 */
export async function measureCreateSql(world: World): Promise<void> {
  const { sql } = world.pool;
  await sql`create table one_row (id text, merchant_id text, mch_order_id text, address text, micro_units bigint,
    currency text, family text, body text, primary key (id, merchant_id), unique (merchant_id, mch_order_id),
    unique (merchant_id, address, micro_units, currency, family))`;
  const limit = await measureOf(1, (index) => insertRow(sql, index));
  say("one row, same unique keys", limit, 1, limit.perSecond);
  for (const together of TOGETHER) {
    const orders = await measureOf(together, (index) => createOrders(world, index, together));
    say(`orders, ${together} in a statement`, orders, together, limit.perSecond);
  }
  await sql`drop table one_row`;
}

async function measureOf(together: number, work: (index: number) => Promise<unknown>): Promise<Measured> {
  // Fewer statements at once where each is many orders, as a process has that collects them.
  const workers = together === 1 ? CONNECTIONS : 2;
  const run = async (index: number) => void (await work(index));
  await measureFor(WARM_UP_SECONDS, workers, run);
  return measureFor(SECONDS, workers, run);
}

function insertRow(sql: postgres.Sql, index: number) {
  const id = newId(new Date());
  return sql.unsafe(
    "insert into one_row values ($1, 'm', $2, '0xabababababababababababababababababababab', $3::bigint, 'USDT', 'evm', $4)",
    [id, `row-${index}`, `${index}`, `{"id":"${id}","status":"pending","amount":"1.23"}`],
    { prepare: true },
  );
}

async function createOrders({ pool, merchantId, apiKeyId }: World, index: number, together: number) {
  const now = new Date();
  const wanted = Array.from({ length: together }, (_, place) => ({
    ...{
      id: newId(now),
      quoteId: newId(now),
      merchantId,
      apiKeyId,
      mchOrderId: `together-${together}-${index}-${place}`,
    },
    ...{ network: "ethereum", currency: "USDT" as const, token: USDT },
    ...{ amountUnits: priceOf(index * together + place, together), unitsPerStep: 1n, expiresInSeconds: null },
    ...{ notifyUrl: null, redirectUrl: null, locale: null },
  }));
  for (const made of await insertOrders(pool.db, wanted, now))
    if (made === null || "refused" in made) throw new Error("an order was not made");
}

/** Each a price of its own: the free price is the normal case. */
const priceOf = (number: number, together: number) => (BigInt(together) * 100_000_000n + BigInt(number)) * 10_000n;

function say(name: string, { perSecond, p50Ms, p99Ms }: Measured, together: number, limit: number): void {
  const each = perSecond * together;
  const share = `${((each / limit) * 100).toFixed(0)} %`.padStart(6);
  const latency = `p50 ${p50Ms.toFixed(2)} ms   p99 ${p99Ms.toFixed(2)} ms`;
  console.log(`${name.padEnd(28)} ${each.toFixed(0).padStart(7)}/s ${share}   ${latency}`);
}
