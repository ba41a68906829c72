import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { apiKeys, orders, paymentLinks } from "@/db/schema";
import { SCOPES } from "@/lib/domain/keys/key-rules";
import { createLog } from "@/lib/log";
import { moveOrder } from "@/lib/orders/move-order";
import { seedAddress, seedCursor } from "@/testing/database/seed";
import { INSTALL_TIMEOUT_MS, type InstalledSdk, installSdk } from "@/testing/sdk/packages";
import { TEST_ENV, useTestApi } from "@/testing/web";

type Sdk = typeof import("@/sdk/src/stablegate");

const run = promisify(execFile);
const MAX_BYTES = 20_000;
const api = useTestApi();
const db = () => api.pool.db;
let sdk: Sdk;
let installed: InstalledSdk;
let stablegate: InstanceType<Sdk["Stablegate"]>;

beforeAll(async () => {
  installed = await installSdk();
  // The code under test is the installed package, not the sources.
  sdk = await import(pathToFileURL(path.join(installed.folder, "node_modules/stablegate/dist/stablegate.js")).href);
  const { apiKey, secret } = api.merchant;
  stablegate = new sdk.Stablegate({ baseUrl: api.origin, apiKey, secret });
  await db()
    .update(apiKeys)
    .set({ scopes: [...SCOPES], mustSign: true })
    .where(eq(apiKeys.id, api.merchant.keyId));
  await seedCursor(db(), "ethereum", new Date());
  await seedAddress(db(), { merchantId: api.merchant.id }, new Date());
}, INSTALL_TIMEOUT_MS);
afterAll(() => installed?.remove());

const CREATE = { amount: "12.5", currency: "USDT", network: "ethereum" } as const;
const pay = (tradeId: string) => {
  const ctx = { publicUrl: TEST_ENV.publicUrl, log: createLog("test", "fatal") };
  return moveOrder(db(), ctx, tradeId, { type: "markedPaid", userId: "u", reason: "test" }, new Date());
};

test("the package is one module of at most 20 KB with types, without dependencies", async () => {
  const names = installed.packed.files.map((file) => file.path);
  expect(names).toEqual(expect.arrayContaining(["LICENSE", "README.md", "dist/stablegate.d.ts", "dist/stablegate.js"]));
  expect(names.filter((name) => !name.endsWith(".d.ts"))).toHaveLength(4);
  expect(installed.packed.files.find((file) => file.path === "dist/stablegate.js")?.size).toBeLessThanOrEqual(
    MAX_BYTES,
  );
  const read = async (file: string) => readFile(file, "utf8");
  const manifest = JSON.parse(await read(path.join(installed.folder, "node_modules/stablegate/package.json")));
  expect(manifest.dependencies).toBeUndefined();
  expect(manifest.version).toBe(JSON.parse(await read("package.json")).version);
  const code = await read(path.join(installed.folder, "node_modules/stablegate/dist/stablegate.js"));
  expect(code).not.toMatch(/\b(import |require\(|process\.|Buffer\b|node:)/);
});

test("its types check a program under strict settings", { timeout: INSTALL_TIMEOUT_MS }, async () => {
  const program = `
import { ApiError, Stablegate, verifyCallback, type CallbackEvent, type Order } from "stablegate";
const stablegate = new Stablegate({ baseUrl: "https://pay.example.com", apiKey: "sg_live_x" });
const order = await stablegate.create({ mch_order_id: "A-1", amount: "1", currency: "USDT", network: "tron" });
const address: string = order.address;
const checkout = await stablegate.create({ mch_order_id: "A-2", fiat: "EUR", fiat_amount: 1 });
const selected: string | null = checkout.address;
for await (const one of stablegate.list({ status: "paid" })) one satisfies Order;
const event: CallbackEvent = await verifyCallback("", new Headers(), "whsec_x");
if (event.type === "refund.completed") event.data.refund_id;
else if (event.type === "payment.confirmed") event.data.trade_id;
const refund = await stablegate.call("refund/detail", { refund_id: "x" });
try { await stablegate.cancel(order.trade_id); } catch (error) { if (error instanceof ApiError && error.code === 10004) error.data; }
export { address, refund, selected, stablegate };
`;
  const misuse = `
import { stablegate } from "./program.mjs";
await stablegate.list({ status: "done" });
await stablegate.create({ amount: 1 });
await stablegate.call("order/pay", {});
`;
  await writeFile(path.join(installed.folder, "program.mts"), program);
  await writeFile(path.join(installed.folder, "misuse.mts"), misuse);
  const settings = ["--strict", "--noEmit", "--exactOptionalPropertyTypes", "--target", "es2022"];
  const modules = ["--module", "nodenext", "--moduleResolution", "nodenext", "--lib", "es2023,dom,dom.iterable"];
  const compiler = path.resolve("node_modules/typescript/bin/tsc");
  const checked = run(process.execPath, [compiler, ...settings, ...modules, "misuse.mts"], { cwd: installed.folder });
  const { stdout }: { stdout: string } = await checked.catch((error) => error);
  expect(stdout.match(/^[\w.]+\(\d+/gm)).toEqual(["misuse.mts(3", "misuse.mts(4", "misuse.mts(5"]);
});

test("an order is created once, retrieved by both ids, and cancelled", async () => {
  const order = await stablegate.create({ mch_order_id: "S-1", ...CREATE });
  expect(order).toMatchObject({ amount: 12.5, network: "ethereum", address: expect.stringMatching(/^0x/) });
  expect((await stablegate.create({ mch_order_id: "S-1", ...CREATE })).trade_id).toBe(order.trade_id);
  for (const name of [order.trade_id, { mch_order_id: "S-1" }])
    expect(await stablegate.retrieve(name)).toMatchObject({ trade_id: order.trade_id, status: "pending" });
  const conflict = stablegate.create({ mch_order_id: "S-1", ...CREATE, amount: 13 });
  await expect(conflict).rejects.toMatchObject({ name: "ApiError", code: 10004, data: { trade_id: order.trade_id } });
  expect(await stablegate.cancel({ mch_order_id: "S-1" })).toMatchObject({ status: "cancelled" });
});

test("without a method, the payer selects it on the same kind of page", async () => {
  const order = await stablegate.create({ mch_order_id: "S-2", amount: 5 });
  expect(order).toMatchObject({ currency: null, network: null, address: null, amount: 5 });
  expect(order.payment_url).toBe(`${TEST_ENV.publicUrl}/pay/${order.trade_id}`);
  expect(await stablegate.retrieve(order.trade_id)).toMatchObject({ payment_url: order.payment_url });
});

test("all orders are listed page by page", async () => {
  const created: string[] = [];
  for (const number of ["L-1", "L-2", "L-3"])
    created.unshift((await stablegate.create({ mch_order_id: number, ...CREATE })).trade_id);
  const found: string[] = [];
  for await (const order of stablegate.list({ limit: 2, status: "pending", network: "ethereum" }))
    found.push(order.trade_id);
  expect(found).toEqual(created);
  expect((await stablegate.list({ limit: 2 })).orders).toHaveLength(2);
});

test("methods are listed, and other operations can be called", async () => {
  expect(await stablegate.listMethods()).toContainEqual({ network: "ethereum", currencies: ["USDT", "USDC"] });
  expect(await stablegate.call("merchant/detail", {})).toMatchObject({ merchant_id: api.merchant.id });
});

test("a payment link is created and retrieved, and one call creates one link although its response is lost", async () => {
  const numbered = await stablegate.createLink({ mch_link_id: "SDK-1", amount: 5, subject: "Donation" });
  expect(await stablegate.retrieveLink({ mch_link_id: "SDK-1" })).toEqual(numbered);
  const before = await db().select().from(paymentLinks);
  let count = 0;
  const lossy = new sdk.Stablegate({
    baseUrl: api.origin,
    apiKey: api.merchant.apiKey,
    secret: api.merchant.secret,
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      count += 1;
      if (count === 1) throw new TypeError("the connection was lost");
      return response;
    },
  });
  const link = await lossy.createLink();
  expect(count).toBe(2);
  expect(await stablegate.retrieveLink(link.link_id)).toMatchObject({ status: "open", uses: 0 });
  expect(await db().select().from(paymentLinks)).toHaveLength(before.length + 1);
});

test("waiting for a payment returns the paid order, which can be refunded", async () => {
  const { trade_id } = await stablegate.create({ mch_order_id: "W-1", ...CREATE });
  const waiting = stablegate.waitForPayment(trade_id, { intervalMs: 20 });
  expect(await pay(trade_id)).toBe("paid");
  expect(await waiting).toMatchObject({ status: "paid", exception: "manual" });
  await db().update(orders).set({ paidUnits: 12_500_000n }).where(eq(orders.id, trade_id));
  const refund = await stablegate.refund({ trade_id, amount: "5", reason: "Returned shoes" });
  expect(refund).toMatchObject({ status: "requested", amount: 5, claim_url: expect.stringContaining("/refund/") });
  expect(await stablegate.call("refund/cancel", { refund_id: refund.refund_id })).toMatchObject({
    status: "cancelled",
  });
});

test("a program whose clock is an hour slow is accepted, although its key must sign", async () => {
  const program = `
const now = Date.now;
Date.now = () => now() - 3_600_000;
const { Stablegate } = await import("stablegate");
const [baseUrl, apiKey, secret] = process.argv.slice(2);
console.log(JSON.stringify(await new Stablegate({ baseUrl, apiKey, secret }).listMethods()));
`;
  await writeFile(path.join(installed.folder, "slow-clock.mjs"), program);
  const { apiKey, secret } = api.merchant;
  const { stdout } = await run(process.execPath, ["slow-clock.mjs", api.origin, apiKey, secret], {
    cwd: installed.folder,
  });
  expect(JSON.parse(stdout)).toEqual(await stablegate.listMethods());
});

test("a refusal names its reason", async () => {
  const unsigned = new sdk.Stablegate({ baseUrl: api.origin, apiKey: api.merchant.apiKey });
  const error = await unsigned.listMethods().catch((thrown) => thrown);
  expect(error).toBeInstanceOf(sdk.ApiError);
  expect(error).toMatchObject({ code: 10002, status: 401, requestId: expect.any(String) });
  await expect(stablegate.retrieve("unknown")).rejects.toMatchObject({ code: 10003, status: 404 });
  await expect(stablegate.create({ mch_order_id: "", amount: -1 })).rejects.toMatchObject({
    code: 10001,
    errors: expect.arrayContaining([{ field: "amount", message: expect.any(String) }]),
  });
});
