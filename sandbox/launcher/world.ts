import { rm } from "node:fs/promises";
import path from "node:path";
import { type DbPool, openDb } from "@/db/client";
import { getNetwork } from "@/lib/domain/networks";
import type { Announcement } from "@/sandbox/announcement";
import { announcementOf } from "@/sandbox/launcher/announce";
import { sandboxNetworks, startChain } from "@/sandbox/launcher/chains";
import { type DataDir, keepAside, openDataDir, readSecrets } from "@/sandbox/launcher/data-dir";
import { startDatabase } from "@/sandbox/launcher/database";
import { freeLeases, repairLedger } from "@/sandbox/launcher/ledger-repair";
import type { LocalNode } from "@/sandbox/launcher/local-node";
import { letShopFrame, seedMerchant } from "@/sandbox/launcher/merchant";
import { childEnv } from "@/sandbox/launcher/programs/child-env";
import { waitForWeb, waitForWorker } from "@/sandbox/launcher/programs/readiness";
import { startPost } from "@/sandbox/post/server";
import { startRateServer } from "@/sandbox/rate-server";
import { startShop } from "@/sandbox/shop/server";
import { ROOT } from "@/scripts/root";
import { watchDatabase } from "@/scripts/supervisor/database";
import { takeLock } from "@/scripts/supervisor/lock";
import { openLogFile } from "@/scripts/supervisor/log-file";
import { writePrivateJson } from "@/scripts/supervisor/private-file";
import { runProgram } from "@/scripts/supervisor/program";
import type { Shutdown } from "@/scripts/supervisor/shutdown";

export interface WorldOptions {
  folder: string;
  port: number;
  host: string;
  blockMs: number;
  env: NodeJS.ProcessEnv;
  print(text: string): void;
  /** Called when a required part of the sandbox has ended. */
  release(why: string): void;
}

/**
 * Starts all parts of the sandbox and returns its announcement when all of them work. Started parts are registered in `shutdown`, even if
 * a later part fails to start.
 */
export async function startWorld(options: WorldOptions, shutdown: Shutdown): Promise<Announcement> {
  const dir = await openDataDir(options.folder);
  const inUse = (pid: number) =>
    `A sandbox is already running on ${options.folder} (process ${pid}). Stop it first, or use another folder: STABLEGATE_DATA_DIR=/some/folder npm start`;
  shutdown.add("lock", (await takeLock(dir.lock, inUse)).release);
  await rm(dir.announcement, { force: true });
  const { appSecret, databasePassword } = await readSecrets(dir.secrets);
  const [database, nodes] = await Promise.all([
    openDatabase(dir, databasePassword, options, shutdown),
    startChains(dir, options, shutdown),
  ]);
  const { db } = database.pool;
  await freeLeases(db);
  for (const node of nodes) {
    if (await repairLedger(db, node))
      options.print(
        `The local chain of ${getNetwork(node.networkId).name} lost blocks; the ledger was adjusted to match.`,
      );
  }
  const context = { appSecret, file: dir.merchant, networks: sandboxNetworks() };
  const merchant = await seedMerchant(db, context, new Date());
  const since = await databaseNow(database.pool);
  const baseUrl = `http://localhost:${options.port}`;
  const rates = await startRateServer(Date.now);
  shutdown.add("machines", rates.close);
  await writePrivateJson(dir.rates, rates.sources);
  const post = await startPost(() => new Date());
  shutdown.add("machines", post.close);
  const positions = { databaseUrl: database.url, baseUrl, nodes, ratesFile: dir.rates, post };
  const env = childEnv(options.env, { ...options, ...positions, databaseUrl: database.appUrl, appSecret });
  startPrograms(dir, env, options, shutdown);
  const shop = await startShop({
    baseUrl,
    apiKey: merchant.apiKey,
    apiSecret: merchant.apiSecret,
    plugins: merchant.plugins,
    networks: sandboxNetworks(),
    journalFile: dir.shop,
    dashboardUrl: `${baseUrl}/dashboard`,
  });
  shutdown.add("shop", shop.close);
  await letShopFrame(db, dir.merchant, shop.url, new Date());
  await waitForWeb(baseUrl, shutdown.signal);
  await waitForWorker(
    db,
    sandboxNetworks().map(({ id }) => id),
    since,
    shutdown.signal,
  );
  const parts = {
    ...positions,
    shopUrl: shop.url,
    ratesControlUrl: rates.controlUrl,
    merchant,
    networks: sandboxNetworks(),
  };
  const announcement = announcementOf(parts);
  await writePrivateJson(dir.announcement, announcement);
  shutdown.add("announcement", () => rm(dir.announcement, { force: true }));
  return announcement;
}

async function openDatabase(
  dir: DataDir,
  password: string,
  { release, print }: WorldOptions,
  shutdown: Shutdown,
): Promise<{ url: string; appUrl: string; pool: DbPool }> {
  const { url, appUrl, server } = await startDatabase({
    dataDir: dir.postgres,
    password,
    folder: path.join(ROOT, "db"),
    print,
    keepAside: () => keepAside(dir, new Date()),
  });
  shutdown.add("machines", server.stop);
  const pool = openDb(url, { work: "none", max: 2, applicationName: "stablegate-sandbox" });
  shutdown.add("connections", pool.close);
  watchDatabase(pool, shutdown.signal, () => release("PostgreSQL no longer responds."));
  return { url, appUrl, pool };
}

async function startChains(
  dir: DataDir,
  { blockMs, print, release }: WorldOptions,
  shutdown: Shutdown,
): Promise<LocalNode[]> {
  return Promise.all(
    sandboxNetworks().map(async (network) => {
      const node = await startChain(network, { folder: dir.chains, blockMs, print });
      shutdown.add("machines", node.stop);
      void node.ended.then(
        () => shutdown.signal.aborted || release(`The local chain of ${network.name} ended unexpectedly.`),
      );
      return node;
    }),
  );
}

function startPrograms(
  dir: DataDir,
  env: NodeJS.ProcessEnv,
  { print, release }: WorldOptions,
  shutdown: Shutdown,
): void {
  for (const [name, entry] of [
    ["web", "sandbox-web"],
    ["worker", "worker"],
  ] as const) {
    const program = runProgram({ name, entry, env, print, release, log: openLogFile(dir.logs, name, print) });
    shutdown.add("programs", program.stop, program.kill);
  }
}

async function databaseNow({ sql }: DbPool): Promise<Date> {
  const [row] = await sql<{ ms: number }[]>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`;
  if (!row) throw new Error("The database returned no time");
  return new Date(row.ms);
}
