import { spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import path from "node:path";
import { text } from "node:stream/consumers";
import { eq } from "drizzle-orm";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findClosure } from "@/db/queries/networks/closures";
import { merchants, orders } from "@/db/schema";
import { matchTransfers } from "@/lib/ledger/match-transfers";
import { createLog } from "@/lib/log";
import { seedOrder, seedTransfer } from "@/testing/database/seed";
import { useShop } from "@/testing/database/shop";

const { testDb, db, shop } = useShop();
const programs = ["close-network", "reopen-network"] as const;
const built = (name: string) => path.resolve(".build", `${name}-under-test-${process.pid}.js`);

beforeAll(async () => {
  for (const name of programs) {
    const entryPoints = [path.resolve(`scripts/roles/${name}.ts`)];
    const target = { platform: "node", format: "esm", target: "node24" } as const;
    await build({ entryPoints, outfile: built(name), bundle: true, packages: "external", ...target });
  }
});
afterAll(() => Promise.all(programs.map((name) => rm(built(name), { force: true }))));

/** Runs a program as an operator does beside a running installation. */
async function run(name: (typeof programs)[number], args: string[], settings: Record<string, string> = {}) {
  const env = { NODE_ENV: "production" as const, DATABASE_URL: testDb.url, ...settings };
  const child = spawn(process.execPath, [built(name), ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, output: out + err };
}

test("closes a network by any of its names, prints what is open on it, and reopens it; both can be repeated", async () => {
  const now = new Date();
  await seedOrder(db(), { address: shop.address, baseUnits: 5n }, now);
  const stuck = await seedOrder(db(), { address: shop.address, baseUnits: 6n }, now);
  await db().update(orders).set({ mchOrderId: "A-17" }).where(eq(orders.id, stuck.id));
  await db().update(merchants).set({ name: "Corner shop" });
  await seedTransfer(db(), { address: shop.address, baseUnits: 6n }, now);
  await matchTransfers(
    db(),
    { publicUrl: "https://pay.example.com", log: createLog("test", "fatal") },
    "ethereum",
    now,
  );

  const settings = { PUBLIC_URL: "https://pay.example.com" };
  const closed = await run("close-network", ["ERC20", "--reason", "No node answers"], settings);
  expect(closed.code).toBe(0);
  expect(closed.output.split("\n")).toEqual([
    "Ethereum is closed and takes no orders.",
    "Pending orders that can be paid on it: 1. They expire without waiting for the network to be read.",
    expect.stringMatching(/^Held amounts: 2\. The last hold ends on \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/),
    "Orders with a payment on it that is not final: 1.",
    `  https://pay.example.com/dashboard/orders/${stuck.id} (Corner shop, A-17)`,
    "A user of the merchant can unlink the payment or mark the order as paid.",
    "To reopen the network: npm run reopen-network -- ethereum",
    "",
  ]);
  expect(await findClosure(db(), "ethereum")).toMatchObject({ closedBy: "command line", reason: "No node answers" });

  const again = await run("close-network", ["ethereum"]);
  expect(again).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^Ethereum was already closed on .+ UTC by command line: No node answers\./),
  });
  expect(again.output).toContain(`  /dashboard/orders/${stuck.id} (`);

  expect(await run("reopen-network", ["ethereum"])).toEqual({
    code: 0,
    output: "Ethereum is open again. It takes orders once its worker has read up to the newest block.\n",
  });
  expect(await findClosure(db(), "ethereum")).toBeNull();
  expect(await run("reopen-network", ["ethereum"])).toEqual({
    code: 0,
    output: "Ethereum is not closed; nothing was changed.\n",
  });
}, 240_000);

test("a missing or unknown name changes nothing and is reported without a stack", async () => {
  for (const name of programs) {
    const unnamed = await run(name, []);
    expect(unnamed).toEqual({ code: 1, output: expect.stringMatching(/^Specify one network, for example: npm run /) });
    const unknown = await run(name, ["polygn"]);
    expect(unknown).toEqual({
      code: 1,
      output:
        'Nothing was changed. "polygn" is not a network of this version and was never used by this installation.\n',
    });
  }
}, 240_000);
