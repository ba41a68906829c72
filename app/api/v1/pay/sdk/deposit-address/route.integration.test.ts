import { and, eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { listCallbackKeys } from "@/db/queries/callbacks/callback-keys";
import { apiKeys, callbacks, depositAddresses, receivingAddresses, transfers } from "@/db/schema";
import type { Finality, FinalityChecker } from "@/lib/chains/endpoints/source";
import { getNetwork } from "@/lib/domain/networks";
import { assignTransfer } from "@/lib/ledger/assign-transfer";
import { confirmTransfers } from "@/lib/ledger/confirm-transfers";
import { matchTransfers } from "@/lib/ledger/match-transfers";
import { createLog } from "@/lib/log";
import { empty } from "@/testing/database/empty";
import { seedAddress, seedMerchant, seedTransfer, tamperAddress } from "@/testing/database/seed";
import { useTestApi } from "@/testing/web";

const api = useTestApi();
const ctx = { publicUrl: "https://pay.example.com", log: createLog("test", "fatal") };
const db = () => api.pool.db;
const ADDRESS = `0x${"a1".repeat(20)}`;
const OTHER = `0x${"b2".repeat(20)}`;
const SHARED = `0x${"c3".repeat(20)}`;
const HEAD = { height: 1_000, hash: `0x${"0".repeat(64)}`, parentHash: "0x", time: new Date(), finalizedHeight: 1_000 };

type Assigned = { deposit_address_id: string; address: string; network: string; customer_ref: string };
type Listed = {
  deposits: { deposit_id: string; amount: number; network: string; currency: string }[];
  next_cursor: string | null;
};

beforeEach(async () => {
  await empty(db(), "deposit_addresses", "transfers", "callbacks", "events", "quotes", "orders", "receiving_addresses");
  await db().execute(sql`update api_keys set opt_ins = '{deposit.confirmed}'`);
});

const add = (network: string, address = ADDRESS, kind: "dedicated" | "shared" = "dedicated") =>
  seedAddress(db(), { merchantId: api.merchant.id, network, address, kind }, new Date());
const ask = (customer: string, network = "bsc", more: object = {}) =>
  api.post("/deposit-address", { customer_ref: customer, network, ...more });
async function given(customer: string, network = "bsc", more: object = {}): Promise<Assigned> {
  const { status, body } = await ask(customer, network, more);
  expect([status, body.message]).toEqual([200, "success"]);
  return body.data as unknown as Assigned;
}
async function list(search: object = {}): Promise<Listed> {
  const { status, body } = await api.post("/deposit/list", search);
  expect([status, body.message]).toEqual([200, "success"]);
  return body.data as unknown as Listed;
}
const events = async () => {
  const { body } = await api.post("/event/list", {});
  return body.data?.["events"] as { id: string; type: string; data: Record<string, unknown> }[];
};
const fixedFinality = (finality: Finality): FinalityChecker => {
  const rest = { problem: async () => null, warning: () => null, quorumMiss: () => null, mistrust: () => {} };
  return { ...rest, heads: () => [], checkFinality: async () => finality };
};
const match = (network = "bsc") => matchTransfers(db(), ctx, network, new Date());
const confirm = (network = "bsc", finality: Finality = { kind: "final" }) =>
  confirmTransfers(db(), ctx, fixedFinality(finality), getNetwork(network), HEAD, new Date());
const order = (network = "bsc") =>
  api.post("/order/add", { currency: "USDT", network, amount: 5, mch_order_id: crypto.randomUUID().slice(0, 30) });
const readTransfer = async (id: string) => (await db().select().from(transfers).where(eq(transfers.id, id)))[0];

describe("an address of a customer's own", () => {
  test("200: the address is permanent, also for two hundred concurrent requests, and unique to the customer", async () => {
    await add("bsc");
    await add("bsc", OTHER);
    const answers = await Promise.all(Array.from({ length: 200 }, () => given("anna")));
    expect(new Set(answers.map(({ deposit_address_id: id, address }) => `${id} ${address.toLowerCase()}`)).size).toBe(
      1,
    );
    expect(await db().$count(depositAddresses)).toBe(1);
    const again = await ask("anna");
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.body.data).toMatchObject({ customer_ref: "anna", network: "bsc", currencies: ["USDT", "USDC"] });
    expect((await given("ben")).address).not.toBe(answers[0]?.address);
  });

  test("is the customer's on all networks of the family that the merchant has it on, and serves no order on any", async () => {
    await add("bsc");
    await add("ethereum");
    const one = await given("anna");
    expect((await order("ethereum")).body.code).toBe(10006);
    const two = await given("anna", "ethereum");
    expect(two.address).toBe(one.address);
    expect(two.deposit_address_id).not.toBe(one.deposit_address_id);
    expect((await order()).body.code).toBe(10006);
    expect((await ask("ben")).body.code).toBe(10006);
  });

  test("serves no order on a network of the family to which it is added afterwards", async () => {
    await add("bsc");
    await given("anna");
    await add("ethereum");
    expect((await order("ethereum")).body.code).toBe(10006);
  });

  test("never served an order, on no network of the family, and shared ones are not given away", async () => {
    await add("bsc");
    await add("ethereum");
    expect((await order("ethereum")).body.code).toBe(0);
    await add("bsc", SHARED, "shared");
    const { status, body, headers } = await ask("anna");
    expect([status, body.code, headers.get("retry-after")]).toEqual([503, 10006, "60"]);
    expect(body.message).toContain("has never served an order");
    await db().execute(sql`update quotes set released_at = reserved_until + interval '3 minutes'`);
    expect((await ask("anna")).body.code).toBe(10006);
  });

  test("10006 and paused where it was changed behind the application's back, new or given before", async () => {
    const fresh = await add("bsc");
    await tamperAddress(db(), fresh.id, OTHER);
    expect((await ask("anna")).body.message).toContain("The integrity check");
    expect(await db().$count(depositAddresses)).toBe(0);
    const own = await add("bsc", SHARED);
    await given("anna");
    await tamperAddress(db(), own.id, ADDRESS);
    expect((await ask("anna")).body.message).toContain("The integrity check");
    const paused = and(eq(receivingAddresses.id, own.id), sql`paused_at is not null`);
    expect(await db().$count(receivingAddresses, paused)).toBe(1);
    expect((await ask("anna")).body.code).toBe(10006);
  });

  test("10001 names every bad field; 10002 without the scope", async () => {
    const { status, body } = await api.post("/deposit-address", {
      customer_ref: "a\u0000",
      network: "doge",
      notify_url: "ftp://x",
    });
    expect([status, body.code]).toEqual([400, 10001]);
    expect(body.errors?.map(({ field }) => field)).toEqual(["customer_ref", "network", "notify_url"]);
    expect((await ask("x".repeat(65))).body.code).toBe(10001);
    expect((await api.post("/deposit/list", { cursor: "x" })).body.code).toBe(10001);
    const reader = await seedMerchant(db(), new Date());
    await db()
      .update(apiKeys)
      .set({ scopes: ["events:read"] })
      .where(eq(apiKeys.merchantId, reader.id));
    const key = { "x-api-key": reader.apiKey };
    const answers = [await api.post("/deposit-address", {}, key), await api.post("/deposit/list", {}, key)];
    expect(answers.map(({ body: { code, message } }) => [code, message.split(";")[0]])).toEqual([
      [10002, "This API key lacks the scope orders:create"],
      [10002, "This API key lacks the scope orders:read"],
    ]);
  });
});

describe("transfers to the address", () => {
  test("count once they are final: in the list, as an event and as a callback, each once, with any repeats", async () => {
    const address = await add("bsc");
    const { deposit_address_id } = await given("anna", "bsc", { notify_url: "https://shop.example.com/deposited" });
    const units = [3n * 10n ** 18n, 7n * 10n ** 17n];
    for (const baseUnits of units) await seedTransfer(db(), { address, baseUnits }, new Date());
    await match();
    expect([(await list()).deposits, await events()]).toEqual([[], []]);
    expect(await confirm()).toBe(2);
    await db().execute(sql`update transfers set matched_at = null`);
    await match();
    const page = await list({ customer_ref: "anna", network: "bsc", currency: "USDT", limit: 1 });
    const rest = await list({ limit: 1, cursor: page.next_cursor });
    expect(rest.next_cursor).toBeNull();
    expect([...page.deposits, ...rest.deposits].map(({ amount }) => amount).toSorted()).toEqual([0.7, 3]);
    const reported = await events();
    expect(reported.map(({ type, data }) => [type, data["deposit_address_id"]])).toEqual(
      Array.from({ length: 2 }, () => ["deposit.confirmed", deposit_address_id]),
    );
    const listed = new Map((await list()).deposits.map((one) => [one.deposit_id, one]));
    for (const { data } of reported) expect(data).toEqual(listed.get(String(data["deposit_id"])));
    const sent = await db().select().from(callbacks);
    expect(sent.map(({ id, depositId, orderId, url }) => ({ id, depositId, orderId, url }))).toEqual(
      reported.map(({ id }) => ({
        id,
        depositId: deposit_address_id,
        orderId: null,
        url: "https://shop.example.com/deposited",
      })),
    );
    expect((await list({ customer_ref: "ben" })).deposits).toEqual([]);
    const keys = await listCallbackKeys(db(), [deposit_address_id], new Date());
    expect(keys.get(deposit_address_id)?.map(({ prefix }) => prefix)).toEqual([api.merchant.apiKey.slice(0, 12)]);
  });

  test("are reported when they were final before matching, and only to keys that subscribe", async () => {
    const address = await add("bsc");
    await given("anna");
    const { id } = await seedTransfer(db(), { address, baseUnits: 5n }, new Date());
    const confirmed = { status: "confirmed", confirmedAt: new Date(), confirmations: 3 } as const;
    await db().update(transfers).set(confirmed).where(eq(transfers.id, id));
    await match();
    expect(await events()).toHaveLength(1);
    await db().execute(sql`update api_keys set opt_ins = '{}'`);
    await seedTransfer(db(), { address, baseUnits: 6n }, new Date());
    await match();
    await confirm();
    expect([(await events()).length, (await list()).deposits.length]).toEqual([1, 2]);
  });

  test("on another network of the family belong to the customer too, with that network", async () => {
    await add("bsc");
    const elsewhere = await add("ethereum");
    await given("anna");
    await seedTransfer(db(), { address: elsewhere, baseUnits: 2_000_000n, currency: "USDC" }, new Date());
    await match("ethereum");
    await confirm("ethereum");
    expect((await list()).deposits).toMatchObject([{ network: "ethereum", currency: "USDC", amount: 2 }]);
  });

  test("is taken back by a reorg before it was final, and counts when the chain has it again", async () => {
    const address = await add("bsc");
    await given("anna");
    const { id } = await seedTransfer(db(), { address, baseUnits: 5n }, new Date());
    await match();
    await confirm("bsc", { kind: "gone" });
    await match();
    expect(await readTransfer(id)).toMatchObject({ status: "dropped", unmatchedReason: null });
    expect([(await list()).deposits, await events()]).toEqual([[], []]);
    await db().execute(sql`update transfers set status = 'seen', matched_at = null`);
    await match();
    await confirm();
    expect([(await list()).deposits.length, (await events()).length]).toEqual([1, 1]);
  });

  test("from before the address was assigned, and look-alikes, stay unmatched; a deposit cannot be assigned to an order manually", async () => {
    const address = await add("bsc");
    const early = await seedTransfer(db(), { address, baseUnits: 5n }, new Date(Date.now() - 600_000));
    await given("anna");
    const own = await seedTransfer(db(), { address, baseUnits: 6n }, new Date());
    await match();
    expect(await readTransfer(early.id)).toMatchObject({ depositId: null, unmatchedReason: "no_such_amount" });
    await add("bsc", SHARED, "shared");
    const made = await order();
    const owner = { merchantId: api.merchant.id, userId: "u", role: "owner" as const };
    const orderId = String(made.body.data?.["trade_id"]);
    expect(await assignTransfer(db(), ctx, owner, { transferId: own.id, orderId }, new Date())).toHaveProperty(
      "problem",
    );
    expect(await readTransfer(own.id)).toMatchObject({ orderId: null });
  });
});
