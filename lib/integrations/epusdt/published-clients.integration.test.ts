import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { eq } from "drizzle-orm";
import pino from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeMerchantPrice } from "@/db/queries/rates/rates";
import { orders } from "@/db/schema";
import { createCallbackSender } from "@/lib/callbacks/callback-sender";
import { parseRate } from "@/lib/domain/rates/price";
import { type Receiver, startReceiver } from "@/testing/callbacks/receiver";
import { senderContext } from "@/testing/callbacks/seed";
import { seedAddress, seedCursor } from "@/testing/database/seed";
import { payQuote } from "@/testing/integrations/pay-quote";
import { seedPlugin } from "@/testing/integrations/seed";
import { pythonWith } from "@/testing/published-client";
import { useTestApi } from "@/testing/web";

const api = useTestApi({ isSandbox: true, callbackAllowCidrs: ["127.0.0.0/8"] });
const db = () => api.pool.db;
const run = promisify(execFile);
const log = pino({ level: "silent" });
const SCRIPTS = "testing/integrations/epusdt-clients";
/** The time for a test, which may first install its client. */
const INSTALL_MS = 300_000;
const TX_ID = `0x${"cd".repeat(32)}`;
let plugin: Awaited<ReturnType<typeof seedPlugin>>;
let shop: Receiver;

beforeAll(async () => {
  const now = new Date();
  const merchantId = api.merchant.id;
  for (const network of ["ethereum", "bsc"]) {
    await seedCursor(db(), network, now);
    await seedAddress(db(), { merchantId, network }, now);
  }
  plugin = await seedPlugin(db(), { merchantId, integration: "epusdt" }, now);
  const fixedRate = parseRate("7.2");
  await writeMerchantPrice(db(), { merchantId, fiat: "CNY", mode: "fixed", markUpBasisPoints: 0, fixedRate }, now);
  shop = await startReceiver((outgoing) => void outgoing.writeHead(200).end("ok"));
});
afterAll(() => shop?.close());

type Values = Record<string, string | number | boolean | null>;

/** Returns a function that runs a step of a script with an installed client, and returns the values that it prints. */
function stepsOf(python: string, script: string) {
  return async <Result = Record<string, Values>>(step: string, more: object = {}): Promise<Result> => {
    const known = { url: `${api.origin}/epusdt`, pid: plugin.publicId, key: plugin.key, shop: shop.origin, ...more };
    const { stdout } = await run(python, [`${SCRIPTS}/${script}`, step, JSON.stringify(known)]);
    return JSON.parse(stdout) as Result;
  };
}

/** Pays an order and delivers its callback. @returns the callback as the shop received it */
async function payAndDeliver(tradeId: unknown) {
  await payQuote(db(), String(tradeId), log);
  const sender = createCallbackSender(
    db(),
    senderContext(db(), () => new Date()),
  );
  await sender.tick();
  await sender.drain();
  const sent = shop.received.at(-1);
  if (!sent) throw new Error("No callback arrived");
  return sent;
}

test.each(["0.3.1", "0.4.0"])(
  "PyPI's epusdt %s creates, chooses, queries and submits an order, and parses its callbacks",
  async (version) => {
    const python = await pythonWith([`epusdt==${version}`, "requests==2.34.2"]);
    if (python === null) return;
    const step = stepsOf(python, "gmpay-client.py");
    const number = `P-${version}`;
    const { config, created, fixed, checkout, chosen, status, submitted, errors } = await step("create", {
      number,
      tx: TX_ID,
    });
    expect(config).toEqual({ networks: "ethereum,binance", tokens: "USDC,USDT", currency: "cny" });
    expect(created).toMatchObject({ order_id: number, amount: 28.8, actual_amount: 0, status: "WAITING_SELECTION" });
    expect(fixed).toMatchObject({ token: "USDT", status: "WAITING_PAYMENT", actual_amount: expect.closeTo(4, 2) });
    expect(checkout).toMatchObject({ status: "WAITING_SELECTION", payment_type: "GMPAY", is_selected: false });
    expect(chosen).toMatchObject({ network: "binance", token: "USDT", status: "WAITING_PAYMENT", is_selected: true });
    expect(Number(chosen?.["expires"])).toBeGreaterThan(Date.now() / 1_000);
    expect(Number(chosen?.["expires"])).toBeLessThan(Date.now() / 1_000 + 3_600);
    expect(status).toEqual({ trade_id: created?.["trade_id"], status: "WAITING_PAYMENT" });
    expect(submitted).toEqual({ trade_id: created?.["trade_id"], status: "WAITING_PAYMENT", id: TX_ID });
    expect(errors).toEqual({
      unknown: "OrderNotFoundError",
      network: "SupportedAssetNotFoundError",
      method: "NoAvailableWalletError",
      hash: "ManualPaymentVerifyError",
      notify: "InvalidNotifyURLError",
      key: "401",
      epay_type: "SupportedAssetNotFoundError",
    });

    for (const order of [created, fixed]) {
      const { body } = await payAndDeliver(order?.["trade_id"]);
      const { callback, paid } = await step("callback", { body, trade_id: order?.["trade_id"] });
      const expected = order === created ? chosen : fixed;
      expect(callback).toMatchObject({ pid: plugin.publicId, trade_id: order?.["trade_id"], amount: 28.8 });
      expect(callback).toMatchObject({ token: "USDT", status: "PAID", actual_amount: expected?.["actual_amount"] });
      expect(callback?.["receive_address"]).toBe(expected?.["receive_address"]);
      expect(paid).toEqual({ status: "PAID" });
    }
  },
  INSTALL_MS,
);

test.each(["0.3.1", "0.4.0"])(
  "PyPI's epusdt %s creates EPay orders and parses their callbacks",
  async (version) => {
    const python = await pythonWith([`epusdt==${version}`, "requests==2.34.2"]);
    if (python === null) return;
    const step = stepsOf(python, "gmpay-client.py");
    const { get, post } = await step("epay", { number: `E-${version}` });
    for (const order of [get, post]) {
      const tradeId = String(order?.["checkout_url"]).split("/pay/")[1];
      expect(order?.["status_code"]).toBe(302);
      const { method, path } = await payAndDeliver(tradeId);
      expect(method).toBe("GET");
      const { callback } = await step("epay-callback", { path });
      expect(callback).toEqual({
        trade_no: tradeId,
        out_trade_no: order?.["number"],
        type: "usdt.binance",
        name: "会员 & VIP",
        money: "28.8",
        trade_status: "TRADE_SUCCESS",
      });
    }
  },
  INSTALL_MS,
);

test(
  "PyPI's bepusdt 0.3.15 creates, repeats, queries and cancels orders, and verifies the callback",
  async () => {
    const python = await pythonWith(["bepusdt==0.3.15", "requests==2.34.2"]);
    if (python === null) return;
    const step = stepsOf(python, "bepusdt-client.py");
    const { created, repeated, cancelled, waiting, error } = await step("create", { number: "B" });
    expect(created).toMatchObject({ order_id: "B-1", amount: 28.8, status: "WAITING", fiat: "CNY" });
    expect(created?.["actual_amount"]).toBeCloseTo(4, 2);
    expect(repeated).toEqual({ ...created, expiration_time: repeated?.["expiration_time"] });
    expect(waiting).toEqual({ status: "WAITING" });
    expect(cancelled).toEqual({ status: "CANCELED" });
    expect(error).toEqual({ code: 400 });
    // The client demands an https address, which the local shop does not have.
    const tradeId = String(created?.["trade_id"]);
    await db()
      .update(orders)
      .set({ notifyUrl: `${shop.origin}/notify` })
      .where(eq(orders.id, tradeId));
    const { body } = await payAndDeliver(tradeId);
    const { callback, paid } = await step("callback", { body, trade_id: tradeId });
    expect(callback).toEqual({ isValid: true, isForgedValid: false });
    expect(paid).toEqual({ status: "SUCCESS" });
  },
  INSTALL_MS,
);
