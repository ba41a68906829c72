import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { callbacks, cursors, orders, transfers } from "@/db/schema";
import { getNetwork, getToken, NETWORKS } from "@/lib/domain/networks";
import { revokeApiKey } from "@/lib/merchants/api-keys";
import { answerWith, type Receiver, startReceiver } from "@/testing/callbacks/receiver";
import { startTestChain, type TestChain } from "@/testing/chains/evm";
import { useTestDb } from "@/testing/database/clone";
import { seedAddress, seedMerchant, seedPerson } from "@/testing/database/seed";
import { useWebs, useWorkers, type WorkerProcess } from "@/testing/watch/worker";

const PATIENCE = { timeout: 60_000, interval: 50 };
const READS = 30;
/** The connection limit that docs/scaling.md states; it is below PostgreSQL's default. */
const MAX_CONNECTIONS = 60;
const NINE = NETWORKS.slice(0, 9);
const READ = ["ethereum", "bsc"].map(getNetwork);

const testDb = useTestDb();
const webs = useWebs();
const workers = useWorkers();
const db = () => testDb.pool.db;
let chains: TestChain[] = [];
let shop: Receiver;

beforeAll(async () => {
  shop = await startReceiver(answerWith(200, {}, "success"));
  chains = await Promise.all(READ.map((network) => startTestChain(network)));
  await Promise.all(chains.map((chain) => chain.mine(5)));
});
afterAll(() => Promise.all([shop, ...chains].map((one) => ("close" in one ? one.close() : one.stop()))));

/** Nine networks are enabled. The nodes of seven networks are unreachable. */
const settings = () => ({
  ...Object.fromEntries(NINE.map(({ id }) => [`${id.toUpperCase()}_RPC_URLS`, "http://127.0.0.1:9"])),
  ...Object.fromEntries(READ.map(({ id }, index) => [`${id.toUpperCase()}_RPC_URLS`, chains[index]?.node.url ?? ""])),
  DATABASE_URL: testDb.url,
  HOST: "127.0.0.1",
  PORT: "0",
  RATE_LIMIT_READS: String(READS),
  CALLBACK_ALLOW_CIDRS: "127.0.0.0/8",
});

async function startWebProcess(): Promise<WorkerProcess & { origin: string }> {
  const web = webs.start(settings());
  const origin = () => /listening at (http:\S+?)[;,\s]/.exec(web.output())?.[1];
  await vi.waitUntil(origin, PATIENCE);
  return { ...web, origin: origin() ?? "" };
}

const holders = async () => {
  const rows = await db().select().from(cursors);
  return new Map(rows.map(({ network, leaseOwner }) => [network, Number(leaseOwner?.split(":")[1] ?? 0)]));
};
const connections = async () => {
  const [row] = await db().execute<{ count: number }>(sql`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and application_name like 'stablegate-%' and application_name <> 'stablegate-test'`);
  return row?.count ?? 0;
};

test("two web processes and two workers on one database are one service", { timeout: 240_000 }, async () => {
  const merchant = await seedMerchant(db(), new Date());
  const userId = await seedPerson(db(), { merchantId: merchant.id }, new Date());
  for (const { id: network } of READ)
    await seedAddress(db(), { merchantId: merchant.id, network, address: `0x${"ab".repeat(20)}` }, new Date());
  const [web1, web2] = await Promise.all([startWebProcess(), startWebProcess()]);
  const worker1 = workers.start(settings());
  const worker2 = workers.start(settings());

  // Every network is read by one worker, and each worker reads half of the networks.
  const expectEqualShares = async (one: WorkerProcess, other: WorkerProcess) => {
    const pids = [...(await holders()).values()];
    const counts = [one, other].map(({ pid }) => pids.filter((holder) => holder === pid).length);
    expect(counts.toSorted()).toEqual([4, 5]);
  };
  await vi.waitFor(() => expectEqualShares(worker1, worker2), PATIENCE);
  const read = async (network: string) => (await db().select().from(cursors).where(eq(cursors.network, network)))[0];
  await vi.waitUntil(
    async () => (await Promise.all(READ.map(({ id }) => read(id)))).every((row) => row?.caughtUpAt),
    PATIENCE,
  );

  const call = (origin: string, path: string, body: object) =>
    fetch(`${origin}/api/v1/pay/sdk/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": merchant.apiKey },
      body: JSON.stringify(body),
    });
  let number = 0;
  let maximum = 0;
  const order = async (origin: string, network: string) => {
    number += 1;
    const asked = {
      mch_order_id: `o-${number}`,
      amount: 10 + number,
      network,
      currency: "USDT",
      notify_url: `${shop.origin}/`,
    };
    const answer = await call(origin, "order/add", asked);
    const { data } = (await answer.json()) as { data: { trade_id: string; payment_amount?: string } };
    maximum = Math.max(maximum, await connections());
    return data.trade_id;
  };
  const pay = async (id: string, network: string) => {
    const chain = chains[READ.findIndex((one) => one.id === network)];
    const [row] = await db().execute<{ address: string; units: string }>(sql`
      select a.address, q.base_units::text as units from quotes q
      join receiving_addresses a on a.id = q.receiving_address_id where q.order_id = ${id}`);
    await chain?.pay(getToken(getNetwork(network), "USDT").contract, row?.address ?? "", BigInt(row?.units ?? 0));
    await chain?.mine(20);
  };
  const isPaid = async (id: string) =>
    (await db().select().from(orders).where(eq(orders.id, id)))[0]?.status === "paid";
  const waitForCallbacks = () =>
    vi.waitUntil(
      async () => (await db().select().from(callbacks)).every(({ status }) => status === "delivered"),
      PATIENCE,
    );

  // A page open on one web process shows an order that the other one created and that a worker marked as paid.
  for (const { id: network } of READ) {
    const id = await order(web2.origin, network);
    const events = await fetch(`${web1.origin}/api/pay/${id}/events`);
    let recordHeartbeat = "";
    const reading = events.body?.pipeThrough(new TextDecoderStream()).getReader();
    const listen = async () => {
      while (!/^data: [2-9]/m.test(recordHeartbeat)) recordHeartbeat += (await reading?.read())?.value ?? "";
    };
    const round = listen();
    await pay(id, network);
    await round;
    await reading?.cancel();
    await vi.waitUntil(() => isPaid(id), PATIENCE);
  }

  // If a worker is killed after a delivery and before recording it, the callback is delivered again.
  await waitForCallbacks();

  // If a worker is killed while payments are pending, the other one takes over its networks immediately.
  const waiting = await Promise.all(READ.map(({ id }) => order(web1.origin, id)));
  const holder = (await holders()).get("bsc");
  const [dead, alive] = holder === worker1.pid ? [worker1, worker2] : [worker2, worker1];
  await dead.end("SIGKILL");
  const killedAt = performance.now();
  await Promise.all(READ.map(({ id }, index) => pay(waiting[index] ?? "", id)));
  await vi.waitFor(async () => expect(new Set((await holders()).values())).toEqual(new Set([alive.pid])), PATIENCE);
  const takeoverMs = performance.now() - killedAt;
  for (const id of waiting) await vi.waitUntil(() => isPaid(id), PATIENCE);

  // A worker that receives a stop signal releases its networks before it exits.
  const heir = workers.start(settings());
  await vi.waitFor(() => expectEqualShares(alive, heir), PATIENCE);
  const askedAt = performance.now();
  const ending = alive.end("SIGTERM");
  await vi.waitFor(async () => expect(new Set((await holders()).values())).toEqual(new Set([heir.pid])), PATIENCE);
  const followedMs = performance.now() - askedAt;
  expect(await ending).toBe(0);

  // Creates orders under load, while all loops of all workers run.
  await Promise.all(
    Array.from({ length: 400 }, (_, index) => order(index % 2 ? web1.origin : web2.origin, READ[index % 2]?.id ?? "")),
  );
  expect(await connections()).toBeLessThan(MAX_CONNECTIONS);
  expect(maximum).toBeLessThan(MAX_CONNECTIONS);
  console.log(
    `takeover after kill ${Math.round(takeoverMs)} ms, after SIGTERM ${Math.round(followedMs)} ms; at most ${maximum} connections`,
  );

  // No order is lost, and no callback is delivered twice.
  await waitForCallbacks();
  const reported = shop.received.map(({ body }) => (JSON.parse(body) as { data: { trade_id: string } }).data.trade_id);
  expect(reported.toSorted()).toEqual([...new Set(reported)].toSorted());
  expect(reported).toHaveLength(2 * READ.length);
  expect(await db().select().from(transfers)).toHaveLength(2 * READ.length);

  // A key's reads are counted across both processes, and both refuse a key that was revoked five seconds ago.
  const one = web1.origin;
  const other = web2.origin;
  const statuses: number[] = [];
  const readingSince = performance.now();
  for (let count = 0; count < 2 * READS + 20; count++)
    statuses.push((await call(count % 2 ? one : other, "order/detail", { trade_id: waiting[0] })).status);
  const allowed = statuses.filter((status) => status === 200).length;
  expect(allowed).toBeGreaterThanOrEqual(2 * READS);
  const refilled = Math.ceil(((performance.now() - readingSince) / 60_000) * READS);
  expect(allowed).toBeLessThanOrEqual(2 * READS + refilled);
  await revokeApiKey(db(), { merchantId: merchant.id, id: merchant.keyId, userId }, new Date());
  const revokedAt = performance.now();
  const acceptedForMs = async (origin: string) => {
    let lastSentAt = revokedAt;
    await vi.waitUntil(async () => {
      const sentAt = performance.now();
      if ((await call(origin, "payment-methods", {})).status === 401) return true;
      lastSentAt = sentAt;
      return false;
    }, PATIENCE);
    return lastSentAt - revokedAt;
  };
  for (const origin of [one, other]) expect(await acceptedForMs(origin)).toBeLessThan(5_000);
});
