import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { auditEvents, depositAddresses, receivingAddresses } from "@/db/schema";
import type { Finality, FinalityChecker } from "@/lib/chains/endpoints/source";
import type { DepositStatusData } from "@/lib/domain/deposits/deposit-view";
import { getNetwork } from "@/lib/domain/networks";
import { confirmTransfers } from "@/lib/ledger/confirm-transfers";
import { matchTransfers } from "@/lib/ledger/match-transfers";
import { createLog } from "@/lib/log";
import { empty } from "@/testing/database/empty";
import { seedAddress, seedCursor, seedTransfer, tamperAddress } from "@/testing/database/seed";
import { TEST_ENV, useTestApi } from "@/testing/web";

const api = useTestApi();
const ctx = { publicUrl: TEST_ENV.publicUrl, log: createLog("test", "fatal") };
const db = () => api.pool.db;
const ADDRESS = "0x52908400098527886e0f7030069857d2e4169ee7";
const THIEF = `0x${"ee".repeat(20)}`;
const CUSTOMER = "customer-of-mine-7781";
const HEAD = { height: 1_000, hash: `0x${"0".repeat(64)}`, parentHash: "0x", time: new Date(), finalizedHeight: 1_000 };

let address: Awaited<ReturnType<typeof seedAddress>>;
let id = "";

beforeEach(async () => {
  await empty(db(), "deposit_addresses", "transfers", "events", "receiving_addresses", "audit_events", "cursors");
  address = await seedAddress(
    db(),
    { merchantId: api.merchant.id, network: "bsc", address: ADDRESS, kind: "dedicated" },
    new Date(),
  );
  await seedCursor(db(), "bsc", new Date());
  const { body } = await api.post("/deposit-address", { customer_ref: CUSTOMER, network: "bsc" });
  id = String(body.data?.["deposit_address_id"]);
  expect(body.data?.["deposit_url"]).toBe(`${TEST_ENV.publicUrl}/deposit/${id}`);
});

async function open(path = `/deposit/${id}`, headers: Record<string, string> = {}) {
  const answer = await fetch(api.origin + path, { headers });
  return { status: answer.status, headers: answer.headers, html: await answer.text() };
}
async function status(): Promise<{ tag: string; data: DepositStatusData }> {
  const answer = await fetch(`${api.origin}/api/deposit/${id}/status`);
  expect(answer.status).toBe(200);
  return { tag: answer.headers.get("etag") ?? "", data: (await answer.json()) as DepositStatusData };
}
const checker = (finality: Finality): FinalityChecker => {
  const rest = { problem: async () => null, warning: () => null, quorumMiss: () => null, mistrust: () => {} };
  return { ...rest, heads: () => [], checkFinality: async () => finality };
};
const match = () => matchTransfers(db(), ctx, "bsc", new Date());
const confirm = (finality: Finality = { kind: "final" }) =>
  confirmTransfers(db(), ctx, checker(finality), getNetwork("bsc"), HEAD, new Date());
const send = (baseUnits: bigint, at = new Date()) => seedTransfer(db(), { address, baseUnits }, at);

/** Returns a function that reads the events of the address's stream one by one. */
async function follow() {
  const stop = new AbortController();
  const answer = await fetch(`${api.origin}/api/deposit/${id}/events`, { signal: stop.signal });
  expect(answer.headers.get("content-type")).toContain("text/event-stream");
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  return {
    async until(version: number) {
      while (!text.includes(`data: ${version}\n`)) {
        const { value, done } = (await reader?.read()) ?? { done: true };
        if (done) throw new Error(`The stream ended before version ${version}: ${text}`);
        text += value;
      }
    },
    close: () => stop.abort(),
  };
}

test("200: the page shows where to send, never the merchant's name for the customer, and has no amount and no countdown", async () => {
  const { status: code, headers, html } = await open();
  expect([code, headers.get("cache-control")]).toEqual([200, "no-store"]);
  expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'; script-src 'sha256-[^ ]+'; style-src/);
  expect(html).toContain('data-copy="0x52908400098527886E0F7030069857D2E4169EE7"');
  expect(html).toContain("Send USDT or USDC on");
  expect(html).toContain("BNB Smart Chain (BEP20)");
  expect(html).toContain('http-equiv="refresh" content="15"');
  expect(html).not.toContain(CUSTOMER);
  expect(html).not.toMatch(/data-expires|id="copy-amount"/);
  expect((await open(`/deposit/${id}`, { "accept-language": "de-AT" })).html).toContain('<html lang="de"');
  expect((await open(`/deposit/${id}?lang=ar&fragment=1`)).html).toMatch(/^<main id="pay"/);
});

test("404 in the visitor's language for an id that is not a deposit address, such as an order's", async () => {
  await seedAddress(db(), { merchantId: api.merchant.id, network: "bsc", address: `0x${"a1".repeat(20)}` }, new Date());
  const order = { currency: "USDT", network: "bsc", amount: 5, mch_order_id: "an-order" };
  const made = await api.post("/order/add", order);
  for (const other of [String(made.body.data?.["trade_id"]), "nonsense", "'; drop table orders; --"]) {
    const { status: code, html } = await open(`/deposit/${encodeURIComponent(other)}?lang=fr`);
    expect([code, html.includes("aucune adresse derrière ce lien")]).toEqual([404, true]);
    for (const part of ["status", "events"])
      expect((await fetch(`${api.origin}/api/deposit/${encodeURIComponent(other)}/${part}`)).status).toBe(404);
  }
  expect((await fetch(`${api.origin}/pay/${id}`)).status).toBe(404);
});

describe("an address that differs from the assigned one", () => {
  const cases: [string, () => Promise<unknown>][] = [
    ["rewritten among the receiving addresses", () => tamperAddress(db(), address.id, THIEF)],
    [
      "rewritten in every table",
      async () => {
        await tamperAddress(db(), address.id, THIEF);
        await db().update(depositAddresses).set({ address: THIEF });
      },
    ],
    ["rewritten where it was given", () => db().update(depositAddresses).set({ address: THIEF })],
    ["with another seal", () => db().update(receivingAddresses).set({ mac: "x" })],
  ];
  test.each(cases)("is never shown: %s", async (_how, rewrite) => {
    await send(5n);
    await match();
    await rewrite();
    for (const _again of [1, 2]) {
      const { status: code, html } = await open();
      expect([code, html.includes("failed an integrity check")]).toEqual([200, true]);
      expect(html.toLowerCase()).not.toMatch(/0x[0-9a-f]{40}\b|class="qr-code"/);
    }
    const { data } = await status();
    expect([data.state, data.transfers]).toEqual(["broken", []]);
    const paused = await db().select().from(receivingAddresses).where(eq(receivingAddresses.id, address.id));
    expect(paused.map(({ pausedAt }) => pausedAt !== null)).toEqual([true]);
    expect((await db().select().from(auditEvents)).map(({ action }) => action)).toEqual(["address.tampered"]);
  });

  test("is not shown while it is paused; earlier deposits still are", async () => {
    await send(5n * 10n ** 18n);
    await match();
    await db().update(receivingAddresses).set({ pausedAt: new Date() });
    const { html } = await open();
    expect(html).toContain("has paused it");
    expect(html).toContain("<b>5.00</b> USDT");
    expect(html.toLowerCase()).not.toContain(ADDRESS);
  });
});

test("deposits are shown as seen, confirmed and reversed, and followers are notified each time", async () => {
  const events = await follow();
  await events.until(1);
  const before = await status();
  expect(before.data).toMatchObject({ deposit_address_id: id, version: 1, state: "open", transfers: [] });
  await send(5n * 10n ** 18n);
  await match();
  await events.until(2);
  const seen = await status();
  expect(seen.data.transfers).toMatchObject([{ network: "bsc", currency: "USDT", amount: "5.00" }]);
  expect(seen.data.transfers[0]?.state).not.toBe("confirmed");
  expect(seen.tag).not.toBe(before.tag);
  const known = await fetch(`${api.origin}/api/deposit/${id}/status`, { headers: { "if-none-match": seen.tag } });
  expect(known.status).toBe(304);
  expect((await open()).html).toContain('class="confirmations"');
  await confirm();
  await events.until(3);
  expect((await status()).data.transfers.map(({ state }) => state)).toEqual(["confirmed"]);
  await send(7n * 10n ** 18n);
  await match();
  await events.until(4);
  expect((await status()).data.transfers.map(({ amount }) => amount)).toEqual(["7.00", "5.00"]);
  await confirm({ kind: "gone" });
  await match();
  await events.until(5);
  expect((await status()).data.transfers.map(({ amount }) => amount)).toEqual(["5.00"]);
  events.close();
});

test("twenty-five transfers are shown by the newest twenty, and none of another customer's", async () => {
  const other = await seedAddress(
    db(),
    { merchantId: api.merchant.id, network: "bsc", address: `0x${"b2".repeat(20)}`, kind: "dedicated" },
    new Date(),
  );
  expect((await api.post("/deposit-address", { customer_ref: "other", network: "bsc" })).body.code).toBe(0);
  await seedTransfer(db(), { address: other, baseUnits: 999n * 10n ** 18n }, new Date());
  const startedAt = Date.now();
  for (let index = 1; index <= 25; index++) await send(BigInt(index) * 10n ** 18n, new Date(startedAt + index));
  await match();
  const { data } = await status();
  expect(data.transfers.map(({ amount }) => Number(amount)).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 20 }, (_, index) => index + 6),
  );
  expect((await open()).html).toContain("The latest 20 are shown");
});
