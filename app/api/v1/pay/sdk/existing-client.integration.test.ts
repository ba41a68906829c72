import { eq } from "drizzle-orm";
import pino from "pino";
import { beforeAll, expect, test } from "vitest";
import { apiKeys, quotes, transfers } from "@/db/schema";
import { canonicalAddress } from "@/lib/domain/addresses/address";
import { signRequest } from "@/lib/domain/keys/signature";
import { matchTransfers } from "@/lib/ledger/match-transfers";
import { seedAddress, seedCursor, seedTransfer } from "@/testing/database/seed";
import { ShopClient } from "@/testing/shop-client";
import { API_BASE, TEST_ENV, useTestApi } from "@/testing/web";

const LOCATIONS: Record<string, string | undefined> = {
  tron: canonicalAddress("tron", "TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL"),
  solana: "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
  ethereum: undefined,
  bsc: undefined,
  polygon: undefined,
};
const rpcUrls = new Map(Object.keys(LOCATIONS).map((network) => [network, ["http://127.0.0.1:1"]]));
const api = useTestApi({ rpcUrls });
const ctx = { publicUrl: TEST_ENV.publicUrl, log: pino({ level: "silent" }) };
const addresses = new Map<string, Awaited<ReturnType<typeof seedAddress>>>();
let client: ShopClient;

beforeAll(async () => {
  const now = new Date();
  for (const [network, address] of Object.entries(LOCATIONS)) {
    const cursor = { merchantId: api.merchant.id, network, ...(address && { address }) };
    addresses.set(network, await seedAddress(api.pool.db, cursor, now));
    await seedCursor(api.pool.db, network, now);
  }
  await api.pool.db.update(apiKeys).set({ isForPlugin: true }).where(eq(apiKeys.id, api.merchant.keyId));
  client = new ShopClient(api.origin, api.merchant.apiKey);
});

test("200: it connects, as it does before anything else", async () => {
  const { methods, merchant, activated } = await client.connect();
  expect([methods.status, merchant.status, activated.status]).toEqual([200, 200, 200]);
  expect(methods.data["methods"]).toContainEqual({ network: "tron", currencies: ["USDT"] });
  const { id } = api.merchant;
  expect(merchant.data).toEqual({ merchant_id: id, mch_id: id, name: "Test shop", status: 1 });
});

test("200: requests without fields, which PHP encodes as an empty array, signed or not", async () => {
  for (const path of ["payment-methods", "merchant/detail", "plugin/activate", "order/list", "event/list"]) {
    const id = `empty-${path}`;
    const content = { method: "POST", pathAndQuery: `${API_BASE}/${path}`, rawBody: "[]" };
    const { timestamp, signature } = signRequest(api.merchant.secret, id, new Date(), content);
    const signed = { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature };
    for (const headers of [{}, signed])
      expect((await api.post(`/${path}`, "[]", headers)).body).toMatchObject({ code: 0, message: "success" });
  }
});

test.each([
  ...[
    ["tron", "tron"],
    ["Tron", "tron"],
    ["TRC20", "tron"],
    ["ERC20", "ethereum"],
    ["BEP20", "bsc"],
  ],
  ...[
    ["POLYGON", "polygon"],
    ["SOLANA", "solana"],
  ],
])("200: an order on %s is made, shown to its payer, paid and read", async (network, id) => {
  const number = `shop-${network}`;
  const { status, message, data } = await client.buy({ number, amount: 12.5, network, currency: "USDT" });
  expect([status, message]).toEqual([200, "success"]);
  expect(data).toMatchObject({ network: id, currency: "USDT", amount: 12.5, actual_amount: expect.any(Number) });
  expect(data["expires_at"]).toBeGreaterThan(Date.now() / 1_000);

  const page = await fetch(`${api.origin}/pay/${data["trade_id"]}`);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(String(data["address"]))]);

  const [quote] = await api.pool.db
    .select()
    .from(quotes)
    .where(eq(quotes.orderId, String(data["trade_id"])));
  const address = addresses.get(id);
  if (!quote || !address) throw new Error("the order asks for nothing");
  const sent = await seedTransfer(api.pool.db, { address, baseUnits: quote.baseUnits }, new Date());
  const final = { status: "confirmed" as const, confirmedAt: new Date(), confirmations: 20 };
  await api.pool.db.update(transfers).set(final).where(eq(transfers.id, sent.id));
  await matchTransfers(api.pool.db, ctx, id, new Date());

  const { data: paid } = await client.call("order/detail", { mch_order_id: number });
  expect(paid).toMatchObject({ status: "paid", trade_id: data["trade_id"], amount: 12.5, tx_hash: expect.any(String) });
  expect(paid["tx_hash"]).not.toBe("");
});

test("every error has a message", async () => {
  const order = { number: "shop-wrong", amount: 5, network: "TRC20", currency: "USDT" };
  const stranger = new ShopClient(api.origin, api.merchant.apiKey.replace(/.{6}$/, "AAAAAA"));
  const answers = await Promise.all([
    client.buy({ ...order, network: "DOGE" }),
    stranger.buy(order),
    client.call("order/detail", { mch_order_id: "unknown" }),
    client.buy({ ...order, number: "shop-tron", amount: 6 }),
    client.call("order/unknown", {}),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([400, 401, 404, 409, 404]);
  for (const { message } of answers) expect(message).toMatch(/\w+ \w+/);
});
