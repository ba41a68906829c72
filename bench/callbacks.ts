import { createServer, type Server } from "node:net";
import { cpus, loadavg } from "node:os";
import { sql } from "drizzle-orm";
import pino from "pino";
import { type ServiceProcess, startWorkerProcess } from "@/bench/web-process";
import { addMerchant, type World } from "@/bench/world";
import { claimDueCallbacks, lockDueOrigins, recordAttempts } from "@/db/queries/callbacks/callbacks";
import { orders } from "@/db/schema";
import { CALLBACK_DUE } from "@/lib/domain/channels";
import { newId } from "@/lib/domain/id";
import { moveOrder } from "@/lib/orders/move-order";

const COUNT = 20_000;
const WARM_UP = 3_000;
const ORIGINS = 16;
const BLACK_HOLE = 100_000;
const SETTLED = 400;
const SETTLE_EVERY_MS = 50;
const KILL_EVERY_MS = 2_000;
const USDT = "0xdac17f958d2ee523a2206206994597c13d831ec7";
const ADDRESS = `0x${"cd".repeat(20)}`;
const ctx = { publicUrl: "http://127.0.0.1", log: pino({ level: "silent" }) };
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Measures signed deliveries to receivers on loopback, compared with the same SQL alone. Also measures the delay that an unresponsive host
 * causes for a different merchant, and the state that a worker leaves if it is killed every two seconds.
 * @returns true if nothing was lost, only deliveries in flight were sent twice, and the other merchant waited less than a second
 */
export async function measureCallbacks(world: World): Promise<boolean> {
  const load = loadavg().map((one) => one.toFixed(1));
  print(
    `${cpus().length} cores shared by worker, database and receiver; load of this machine before: ${load.join(" ")}\n`,
  );
  const receiver = await startReceiver(ORIGINS);
  await bySql(world);
  let worker = await startWorkerProcess(world.databaseUrl);
  try {
    await deliver(world, worker, receiver, 1);
    await deliver(world, worker, receiver, ORIGINS);
    const isFast = await besideBlackHole(world, receiver);
    await worker.stop();
    await world.pool.db.execute(sql`truncate callbacks, callback_attempts, callback_origins`);
    const kills = await whileKilled(world, receiver);
    worker = kills.worker;
    return isFast && kills.isWell;
  } finally {
    await worker.stop();
    receiver.close();
  }
}

export interface Receiver {
  origins: string[];
  /** The number of deliveries of each event, and the time of the first delivery. */
  arrived: Map<string, { times: number; at: number }>;
  close(): void;
}

/**
 * Starts receivers that respond with 200 to every request, each on its own address, with as little work as possible. Connections stay
 * open, as in HTTP/1.1.
 */
export async function startReceiver(count: number): Promise<Receiver> {
  const arrived: Receiver["arrived"] = new Map();
  const servers: Server[] = [];
  const origins: string[] = [];
  for (let index = 1; index <= count; index++) {
    const server = createServer((socket) => {
      let text = "";
      socket.setEncoding("latin1").on("error", () => {});
      socket.on("data", (chunk: string) => {
        text += chunk;
        const head = text.indexOf("\r\n\r\n");
        if (head < 0 || text.length < head + 4 + Number(/content-length: (\d+)/i.exec(text)?.[1])) return;
        const id = /webhook-id: (\S+)/i.exec(text)?.[1] ?? "";
        const known = arrived.get(id);
        if (known) known.times += 1;
        else arrived.set(id, { times: 1, at: performance.now() });
        text = "";
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
      });
    });
    await new Promise<void>((resolve) => server.listen(0, `127.0.0.${index}`, resolve));
    const address = server.address();
    if (typeof address === "object" && address) origins.push(`http://127.0.0.${index}:${address.port}`);
    servers.push(server);
  }
  return { origins, arrived, close: () => void servers.map((server) => server.close()) };
}

export interface Batch {
  merchantId: string;
  count: number;
  origins: readonly string[];
}

/**
 * Inserts due callbacks, each for its own order, with bodies about as long as real ones.
 * @returns the prefix of their ids
 */
export async function insertCallbacks({ pool }: World, { merchantId, count, origins }: Batch): Promise<string> {
  const series = newId(new Date());
  const body = JSON.stringify({ id: series, type: "payment.confirmed", data: { text: "x".repeat(900) } });
  await pool.db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`
      insert into orders (id, merchant_id, mch_order_id, network, currency, amount_units, quote_id, status, expires_at,
        created_at, changed_at, paid_at)
      select ${series} || n, ${merchantId}, ${series} || n, 'ethereum', 'USDT', 1, '', 'paid', now(), now(), now(), now()
      from generate_series(1, ${count}::int) n`);
    await tx.execute(sql`
      insert into callbacks (id, merchant_id, order_id, type, url, origin, body, status, next_attempt_at, created_at)
      select 'evt_' || ${series} || n, ${merchantId}, ${series} || n, 'payment.confirmed', origin || '/paid', origin, ${body},
        'pending', now(), now()
      from generate_series(1, ${count}::int) n cross join lateral (
        select ${JSON.stringify(origins)}::text::jsonb ->> (n % ${origins.length}::int) as origin) o`);
    await tx.execute(sql`select pg_notify(${CALLBACK_DUE}, '')`);
  });
  return `evt_${series}`;
}

/** Measures the SQL statements of deliveries without any other work. */
async function bySql(world: World): Promise<void> {
  const { db } = world.pool;
  const origins = Array.from({ length: ORIGINS }, (_, index) => `http://sql-${index}.example.com`);
  await insertCallbacks(world, { merchantId: world.merchantId, count: COUNT, origins });
  const before = await world.databaseCpuMs();
  const begin = performance.now();
  let done = 0;
  while (done < COUNT) {
    const now = new Date();
    const claims = await db.transaction(async (tx) => {
      const due = await lockDueOrigins(tx, ORIGINS * 8, now);
      return claimDueCallbacks(
        tx,
        { origins: due, share: 8, owner: "sql", leaseUntil: new Date(now.getTime() + 30_000) },
        now,
      );
    });
    const attempt = { startedAt: now, durationMs: 1, dnsMs: 0, connectMs: 0, tlsMs: null, firstByteMs: 1 };
    const answered = { httpStatus: 200, error: null, answer: "", peer: "127.0.0.1" };
    const move = { status: "delivered" as const, nextAttemptAt: null, deliveredAt: now };
    await recordAttempts(
      db,
      claims.map((claim) => ({ claim, attempt: { ...attempt, ...answered }, move })),
      [],
    );
    done += claims.length;
  }
  const seconds = (performance.now() - begin) / 1_000;
  const cpu = ((await world.databaseCpuMs()) ?? Number.NaN) - (before ?? Number.NaN);
  print(
    `${"the same SQL alone, sequentially".padEnd(44)} ${perSecond(COUNT, seconds)}   CPU µs: database ${each(cpu, COUNT)}`,
  );
}

async function deliver(world: World, worker: ServiceProcess, receiver: Receiver, originCount: number): Promise<void> {
  const origins = receiver.origins.slice(0, originCount);
  const run = async (count: number) => {
    await insertCallbacks(world, { merchantId: world.merchantId, count, origins });
    await isDone(world);
  };
  await run(WARM_UP);
  const usage = async () => [(await worker.usage()).cpuMs, await world.databaseCpuMs(), cpuMs()];
  const before = await usage();
  const begin = performance.now();
  await run(COUNT);
  const seconds = (performance.now() - begin) / 1_000;
  const spent = (await usage()).map((ms, index) => each((ms ?? Number.NaN) - (before[index] ?? Number.NaN), COUNT));
  const name = `signed deliveries to ${originCount === 1 ? "one origin" : `${originCount} origins`}`;
  print(
    `${name.padEnd(44)} ${perSecond(COUNT, seconds)}   CPU µs: worker ${spent[0]} + database ${spent[1]} + receiver ${spent[2]}`,
  );
}

/** Resolves when all pending callbacks are recorded as delivered. */
export async function isDone({ pool }: World): Promise<void> {
  const isLeft = () => pool.db.execute(sql`select 1 from callbacks where status = 'pending' limit 1`);
  while ((await isLeft()).length > 0) await sleep(20);
}

/**
 * Settles a different merchant's payments while a hundred thousand callbacks are pending for a host that accepts connections but never
 * responds.
 */
async function besideBlackHole(world: World, receiver: Receiver): Promise<boolean> {
  const hole = createServer((socket) => void socket.on("error", () => {}).resume());
  await new Promise<void>((resolve) => hole.listen(0, "127.0.0.1", resolve));
  const address = hole.address();
  const origin = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  await insertCallbacks(world, { merchantId: world.merchantId, count: BLACK_HOLE, origins: [origin] });
  const { merchantId } = await addMerchant(world.pool, ADDRESS);
  const ids = await insertOrders(world, merchantId, `${receiver.origins[0]}/paid`);
  const waits: number[] = [];
  for (const id of ids) {
    await moveOrder(world.pool.db, ctx, id, { type: "markedPaid", userId: "bench", reason: "bench" }, new Date());
    const settledAt = performance.now();
    const [row] = await world.pool.db.execute<{ id: string }>(sql`select id from callbacks where order_id = ${id}`);
    while (!receiver.arrived.has(row?.id ?? "")) await sleep(1);
    waits.push((receiver.arrived.get(row?.id ?? "")?.at ?? Number.NaN) - settledAt);
    await sleep(SETTLE_EVERY_MS);
  }
  hole.close();
  const sorted = waits.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
  print(
    `\n${BLACK_HOLE} due for a host that never responds; another merchant, from settlement to delivery, for ${waits.length}:`,
  );
  print(
    `p50 ${at(0.5).toFixed(0)} ms   p99 ${at(0.99).toFixed(0)} ms   longest ${at(1).toFixed(0)} ms   (target: p99 under 1000 ms)`,
  );
  return at(0.99) < 1_000;
}

async function insertOrders({ pool }: World, merchantId: string, notifyUrl: string): Promise<string[]> {
  const now = new Date();
  const expiresAt = new Date(now.getTime() + 3_600_000);
  const ids = Array.from({ length: SETTLED }, () => newId(now));
  const common = { merchantId, network: "ethereum", currency: "USDT" as const, amountUnits: 1_000_000n, notifyUrl };
  const rows = ids.map((id) => ({ ...common, id, mchOrderId: id, quoteId: id, status: "pending" as const }));
  await pool.db.insert(orders).values(rows.map((row) => ({ ...row, expiresAt, createdAt: now, changedAt: now })));
  await pool.db.execute(sql`
    insert into quotes (id, merchant_id, order_id, receiving_address_id, network, currency, token, address, kind, base_units,
      family, micro_units, created_at, reserved_until)
    select o.id, o.merchant_id, o.id, a.id, 'ethereum', 'USDT', ${USDT}, a.address, 'shared', 1000000 + row_number() over (),
      'evm', 1000000 + row_number() over (), o.created_at, o.expires_at
    from orders o join receiving_addresses a on a.merchant_id = o.merchant_id where o.merchant_id = ${merchantId}`);
  return ids;
}

/** Kills the worker repeatedly while it delivers. A new worker replaces it immediately. */
async function whileKilled(world: World, receiver: Receiver): Promise<{ worker: ServiceProcess; isWell: boolean }> {
  let worker = await startWorkerProcess(world.databaseUrl);
  const { db } = world.pool;
  const series = await insertCallbacks(world, {
    merchantId: world.merchantId,
    count: COUNT,
    origins: receiver.origins,
  });
  const isOf = sql`id like ${`${series}%`}`;
  const left = async () =>
    (
      await db.execute<{ n: number }>(
        sql`select count(*)::int as n from callbacks where status = 'pending' and lease_until is null and ${isOf}`,
      )
    )[0]?.n ?? 0;
  let kills = 0;
  let inFlight = 0;
  while ((await left()) > 0) {
    await sleep(KILL_EVERY_MS);
    await worker.stop("SIGKILL");
    kills += 1;
    const [held] = await db.execute<{ n: number }>(
      sql`select count(*)::int as n from callbacks where lease_until > now() and ${isOf}`,
    );
    inFlight += held?.n ?? 0;
    worker = await startWorkerProcess(world.databaseUrl);
  }
  await isDone(world);
  const arrived = [...receiver.arrived].filter(([id]) => id.startsWith(series));
  const duplicates = arrived.reduce((sum, [, { times }]) => sum + times - 1, 0);
  const lost = COUNT - arrived.length;
  print(`\n${COUNT} deliveries, the worker killed (-9) ${kills} times, every ${KILL_EVERY_MS / 1_000} s:`);
  print(
    `lost ${lost}   sent again ${duplicates}   claimed by a killed worker ${inFlight}, including those claimed again after an earlier kill`,
  );
  return { worker, isWell: lost === 0 && duplicates <= inFlight };
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

const perSecond = (count: number, seconds: number) => `${(count / seconds).toFixed(0).padStart(6)}/s`;
const each = (ms: number, count: number) => ((ms * 1_000) / count).toFixed(0);

function print(line: string): void {
  console.log(line);
}
