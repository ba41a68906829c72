import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { examineDatabaseUrls, isPooledByTransaction } from "@/db/pooler";
import { callbacks, cursors, orders } from "@/db/schema";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { answerWith, startReceiver } from "@/testing/callbacks/receiver";
import { startTestChain } from "@/testing/chains/evm";
import { useTestDb } from "@/testing/database/clone";
import { seedAddress, seedMerchant } from "@/testing/database/seed";
import { useWebs, useWorkers } from "@/testing/watch/worker";

/**
 * The path of PgBouncer, which is missing on most machines. If it is missing, the tests that need it are skipped, and their names give the
 * reason.
 */
const PGBOUNCER = [
  "/usr/sbin/pgbouncer",
  "/usr/bin/pgbouncer",
  "/usr/local/bin/pgbouncer",
  "/opt/homebrew/bin/pgbouncer",
].find((file) => spawnSync(file, ["--version"]).status === 0);
const PATIENCE = { timeout: 60_000, interval: 50 };
const UNUSED_ADDRESS = 65_534;

const testDb = useTestDb();
const webs = useWebs();
const workers = useWorkers();
let pooled = "";
let stop = async () => {};

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address ? address.port : 0;
}

beforeAll(async () => {
  if (!PGBOUNCER) return;
  const direct = new URL(testDb.url);
  const port = await freePort();
  const folder = await mkdtemp(path.join(tmpdir(), "stablegate-pooler-"));
  await chmod(folder, 0o755);
  const file = path.join(folder, "pgbouncer.ini");
  const login = `user=${direct.username} password=${decodeURIComponent(direct.password)}`;
  await writeFile(
    file,
    `[databases]\n* = host=127.0.0.1 port=${direct.port} ${login}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}
unix_socket_dir =\nauth_type = any\npool_mode = transaction\ndefault_pool_size = 4\nmax_client_conn = 200\n`,
  );
  const isRoot = process.getuid?.() === 0;
  const child = spawn(PGBOUNCER, [file], { stdio: "ignore", ...(isRoot && { uid: UNUSED_ADDRESS }) });
  stop = async () => {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
    await rm(folder, { recursive: true });
  };
  direct.port = String(port);
  pooled = direct.href;
  await vi.waitUntil(async () => (await isPooledByTransaction(pooled)) !== null, PATIENCE);
});
afterAll(() => stop());

test("PostgreSQL itself is not a pooler, and an unavailable one cannot be examined", async () => {
  expect(await isPooledByTransaction(testDb.url)).toBe(false);
  expect(await isPooledByTransaction("postgres://unknown@127.0.0.1:9/nothing")).toBeNull();
  expect(await examineDatabaseUrls({ databaseUrl: testDb.url, databaseDirectUrl: null })).toEqual([]);
});

const needsPooler = test.skipIf(!PGBOUNCER);

needsPooler("(needs pgbouncer) the settings that a transaction pooler requires are reported at start", async () => {
  expect(await isPooledByTransaction(pooled)).toBe(true);
  const only = examineDatabaseUrls({ databaseUrl: pooled, databaseDirectUrl: null });
  await expect(only).rejects.toThrow(/Set DATABASE_DIRECT_URL to the PostgreSQL server itself/);
  const twice = examineDatabaseUrls({ databaseUrl: pooled, databaseDirectUrl: pooled });
  await expect(twice).rejects.toThrow(/DATABASE_DIRECT_URL also uses a pooler/);
  expect(await examineDatabaseUrls({ databaseUrl: pooled, databaseDirectUrl: testDb.url })).toEqual([
    expect.stringMatching(/ALTER ROLE ".+" SET statement_timeout/),
  ]);
  const web = webs.start({ DATABASE_URL: pooled, PORT: "0", ETHEREUM_RPC_URLS: "http://127.0.0.1:9" });
  await vi.waitUntil(() => web.output().includes("Set DATABASE_DIRECT_URL"), PATIENCE);
});

needsPooler(
  "(needs pgbouncer) an order is created, its page updated, paid and its callback sent through it",
  { timeout: 120_000 },
  async () => {
    const db = testDb.pool.db;
    const shop = await startReceiver(answerWith(200, {}, "success"));
    const network = getNetwork("bsc");
    const chain = await startTestChain(network);
    try {
      await chain.mine(5);
      const env = {
        DATABASE_URL: pooled,
        DATABASE_DIRECT_URL: testDb.url,
        HOST: "127.0.0.1",
        PORT: "0",
        BSC_RPC_URLS: chain.node.url,
        CALLBACK_ALLOW_CIDRS: "127.0.0.0/8",
      };
      const merchant = await seedMerchant(db, new Date());
      const { address } = await seedAddress(db, { merchantId: merchant.id, network: "bsc" }, new Date());
      const [web] = [webs.start(env), workers.start(env)];
      const origin = () => /listening at (http:\/\/[\d.:]+)/.exec(web.output())?.[1];
      await vi.waitUntil(origin, PATIENCE);
      await vi.waitUntil(async () => (await db.select().from(cursors))[0]?.caughtUpAt, PATIENCE);
      const add = (number: number) =>
        fetch(`${origin()}/api/v1/pay/sdk/order/add`, {
          method: "POST",
          headers: { "content-type": "application/json", "x-api-key": merchant.apiKey },
          body: JSON.stringify({
            mch_order_id: `o-${number}`,
            amount: 10 + number,
            network: "bsc",
            currency: "USDT",
            notify_url: shop.origin,
          }),
        });
      const answers = await Promise.all(Array.from({ length: 60 }, (_, number) => add(number)));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      const [row] = await db.select().from(orders);
      const { base_units: units } =
        (await testDb.pool.sql`select base_units::text from quotes where order_id = ${row?.id ?? ""}`)[0] ?? {};
      const events = await fetch(`${origin()}/api/pay/${row?.id}/events`);
      const reading = events.body?.pipeThrough(new TextDecoderStream()).getReader();
      await chain.pay(getToken(network, "USDT").contract, address, BigInt(units));
      await chain.mine(20);
      for (let chunk = ""; !/^data: [2-9]/m.test(chunk); ) chunk += (await reading?.read())?.value ?? "";
      await reading?.cancel();
      await vi.waitUntil(
        async () => (await db.select().from(callbacks).where(eq(callbacks.status, "delivered"))).length === 1,
        PATIENCE,
      );
      expect(shop.received).toHaveLength(1);
    } finally {
      await Promise.all([chain.stop(), shop.close()]);
    }
  },
);
