import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { quotes } from "@/db/schema";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { startTestChain, type TestChain } from "@/testing/chains/evm";
import { seedAddress, seedCursor } from "@/testing/database/seed";
import { findFreePort } from "@/testing/sdk/free-port";
import { INSTALL_TIMEOUT_MS, installPythonSdk, installSdk, readBlock } from "@/testing/sdk/packages";
import { useWorkers } from "@/testing/watch/worker";
import { useTestApi } from "@/testing/web";

/** The shop of a README, in an empty folder in which its SDK is installed. */
interface Shop {
  folder: string;
  code: string;
  program: string;
  file: string;
  remove(): Promise<void>;
}

const PATIENCE = { timeout: 40_000, interval: 50 };
const MAX_LINES = 40;
const ethereum = getNetwork("ethereum");
const api = useTestApi({ callbackAllowCidrs: ["127.0.0.0/8"] });
const db = () => api.pool.db;
const workers = useWorkers();
let chain: TestChain;
let address: Awaited<ReturnType<typeof seedAddress>>;
const running: ChildProcess[] = [];

beforeAll(async () => {
  chain = await startTestChain(ethereum);
  await chain.mine(5);
  await seedCursor(db(), "ethereum", new Date(), await chain.height());
  address = await seedAddress(db(), { merchantId: api.merchant.id }, new Date());
});
afterEach(async () => {
  await Promise.all(running.splice(0).map(stopProgram));
});
afterAll(() => chain?.stop());

async function stopProgram(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return;
  const exited = once(program, "exit");
  program.kill();
  await exited;
}

const SHOPS: readonly { name: string; prepare: () => Promise<Shop | null> }[] = [
  {
    name: "JavaScript",
    prepare: async () => {
      const { folder, remove } = await installSdk();
      const code = await readBlock("sdk/README.md", "js shop");
      return { folder, remove, code, program: process.execPath, file: "shop.mjs" };
    },
  },
  {
    name: "Python",
    prepare: async () => {
      const installed = await installPythonSdk();
      const code = await readBlock("sdk/python/README.md", "python shop");
      return installed && { ...installed, code, program: installed.python, file: "shop.py" };
    },
  },
];

/** Starts a shop and waits until it responds. Returns its output so far. */
async function startShop({ folder, code, program, file }: Shop, origin: string): Promise<() => string> {
  await writeFile(path.join(folder, file), code);
  const env = {
    NODE_ENV: "production" as const,
    STABLEGATE_URL: api.origin,
    STABLEGATE_KEY: api.merchant.apiKey,
    STABLEGATE_SECRET: api.merchant.secret,
    SHOP_URL: origin,
  };
  const shop = spawn(program, [file], { cwd: folder, env });
  running.push(shop);
  const output: string[] = [];
  shop.stdout.setEncoding("utf8").on("data", (text) => output.push(text));
  const isOpen = () =>
    fetch(origin).then(
      ({ ok }) => ok,
      () => false,
    );
  await vi.waitUntil(isOpen, PATIENCE);
  return () => output.join("");
}

test.each(SHOPS)(
  "$name: an order of the shop of forty lines is paid on a local chain",
  { timeout: INSTALL_TIMEOUT_MS },
  async ({ prepare }) => {
    const shop = await prepare();
    if (shop === null) return;
    try {
      expect(shop.code.trimEnd().split("\n").length).toBeLessThanOrEqual(MAX_LINES);
      const origin = `http://127.0.0.1:${await findFreePort()}`;
      const output = await startShop(shop, origin);
      const bought = await fetch(`${origin}/buy`, { method: "POST", redirect: "manual" });
      expect(bought.status).toBe(303);
      const tradeId = new URL(bought.headers.get("location") ?? "").pathname.split("/").at(-1) ?? "";
      const [quote] = await db().select().from(quotes).where(eq(quotes.orderId, tradeId));

      const nodes = { ETHEREUM_RPC_URLS: chain.node.url };
      const worker = workers.start({ DATABASE_URL: api.url, CALLBACK_ALLOW_CIDRS: "127.0.0.0/8", ...nodes });
      await chain.pay(getToken(ethereum, "USDT").contract, address.address, quote?.baseUnits ?? 0n);
      await chain.mine(13);
      await vi.waitUntil(() => output().includes("is paid"), PATIENCE).catch(() => expect(worker.output()).toBe(""));
      expect(output()).toMatch(/^A-\d+ is paid with 12\.5\d* USDT\n$/);

      const forged = await fetch(`${origin}/callback`, { method: "POST", body: '{"type":"payment.confirmed"}' });
      expect([forged.status, output().split("\n")]).toEqual([401, [expect.any(String), ""]]);
    } finally {
      await shop.remove();
    }
  },
);
