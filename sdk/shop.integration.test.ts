import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { quotes } from "@/db/schema";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { startTestChain, type TestChain } from "@/testing/chains/evm";
import { seedAddress, seedCursor } from "@/testing/database/seed";
import { findFreePort } from "@/testing/sdk/free-port";
import { type InstalledSdk, installSdk, readBlock } from "@/testing/sdk/packages";
import { useWorkers } from "@/testing/watch/worker";
import { useTestApi } from "@/testing/web";

const PATIENCE = { timeout: 40_000, interval: 50 };
const MAX_LINES = 40;
const ethereum = getNetwork("ethereum");
const api = useTestApi({ callbackAllowCidrs: ["127.0.0.0/8"] });
const workers = useWorkers();
let chain: TestChain;
let installed: InstalledSdk;
let shop: ChildProcess | undefined;

beforeAll(async () => {
  [chain, installed] = await Promise.all([startTestChain(ethereum), installSdk()]);
  await chain.mine(5);
});
afterAll(async () => {
  shop?.kill();
  await Promise.all([chain?.stop(), installed?.remove()]);
});

/** Starts the shop of the README in the empty folder. Returns its output so far. */
async function startShop(origin: string): Promise<() => string> {
  const code = await readBlock("sdk/README.md", "js shop");
  expect(code.trimEnd().split("\n").length).toBeLessThanOrEqual(MAX_LINES);
  await writeFile(path.join(installed.folder, "shop.mjs"), code);
  const env = {
    STABLEGATE_URL: api.origin,
    STABLEGATE_KEY: api.merchant.apiKey,
    STABLEGATE_SECRET: api.merchant.secret,
    SHOP_URL: origin,
  };
  shop = spawn(process.execPath, ["shop.mjs"], { cwd: installed.folder, env: { ...env, NODE_ENV: "production" } });
  const output: string[] = [];
  for (const stream of [shop.stdout, shop.stderr]) stream?.setEncoding("utf8").on("data", (text) => output.push(text));
  const isOpen = () =>
    fetch(origin).then(
      ({ ok }) => ok,
      () => false,
    );
  await vi.waitUntil(isOpen, PATIENCE);
  return () => output.join("");
}

test("the shop of forty lines: an order is paid on a local chain, and the shop prints it once", async () => {
  const { db } = api.pool;
  const now = new Date();
  await seedCursor(db, "ethereum", now, await chain.height());
  const address = await seedAddress(db, { merchantId: api.merchant.id }, now);
  const origin = `http://127.0.0.1:${await findFreePort()}`;
  const output = await startShop(origin);

  const bought = await fetch(`${origin}/buy`, { method: "POST", redirect: "manual" });
  expect([bought.status, output()]).toEqual([303, ""]);
  const tradeId = new URL(bought.headers.get("location") ?? "").pathname.split("/").at(-1) ?? "";
  const [quote] = await db.select().from(quotes).where(eq(quotes.orderId, tradeId));

  const settings = { DATABASE_URL: api.url, ETHEREUM_RPC_URLS: chain.node.url, CALLBACK_ALLOW_CIDRS: "127.0.0.0/8" };
  const worker = workers.start(settings);
  await chain.pay(getToken(ethereum, "USDT").contract, address.address, quote?.baseUnits ?? 0n);
  await chain.mine(13);
  await vi.waitUntil(() => output().includes("is paid"), PATIENCE).catch(() => expect(worker.output()).toBe(""));
  expect(output()).toMatch(/^A-\d+ is paid with 12\.5\d* USDT\n$/);

  const forged = await fetch(`${origin}/callback`, { method: "POST", body: '{"type":"payment.confirmed"}' });
  expect(forged.status).toBe(401);
  await worker.end("SIGTERM");
  const ended = once(shop as ChildProcess, "exit");
  shop?.kill();
  await ended;
  expect(output()).toContain("The header webhook-id is missing.");
});
