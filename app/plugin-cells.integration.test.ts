import { afterAll, beforeAll, expect, test } from "vitest";
import { POST } from "@/app/unsubscribe/[token]/route";
import { insertChannel } from "@/db/queries/notifications/channels";
import { writeMerchantPrice } from "@/db/queries/rates/rates";
import { notificationChoices, orders } from "@/db/schema";
import { readCells } from "@/lib/config/cells";
import { cellOfId, newId } from "@/lib/domain/id";
import type { IntegrationId } from "@/lib/domain/integration";
import { parseRate } from "@/lib/domain/rates/price";
import { switchOffPlugin, switchOnPlugin } from "@/lib/integrations/plugin-settings";
import { unsubscribeUrl } from "@/lib/notifications/unsubscribe";
import { createMerchantWithOwner } from "@/lib/users/register";
import { startWeb, type WebServer } from "@/server";
import { CELL_NAMES, type CellName, useTestCells } from "@/testing/database/cells";
import { seedAddress, seedCursor, TEST_APP_SECRET } from "@/testing/database/seed";
import { signed } from "@/testing/integrations/epay-client";
import { goSign } from "@/testing/integrations/epusdt-client";
import { TEST_ENV } from "@/testing/web";

const cells = useTestCells();
type Issued = NonNullable<Awaited<ReturnType<typeof switchOnPlugin>>>;
interface Shop {
  who: { merchantId: string; userId: string };
  plugins: Record<IntegrationId, Issued>;
}
const shops = new Map<CellName, Shop>();
const shopOf = (name: CellName): Shop => {
  const shop = shops.get(name);
  if (!shop) throw new Error(`There is no shop in ${name}`);
  return shop;
};
let web: WebServer;
let count = 0;

beforeAll(async () => {
  const now = new Date();
  for (const [index, name] of CELL_NAMES.entries()) {
    const db = cells.db(name);
    const owner = { name: "Tea House", email: `owner-${name}@example.com`, password: "correct horse battery" };
    const who = await createMerchantWithOwner(db, owner, now);
    await seedCursor(db, "bsc", now);
    await seedAddress(db, { merchantId: who.merchantId, network: "bsc", address: `0x${`b${index}`.repeat(20)}` }, now);
    const fixedRate = parseRate("7.2");
    await writeMerchantPrice(db, { ...who, fiat: "CNY", mode: "fixed", markUpBasisPoints: 0, fixedRate }, now);
    const issue = async (integration: IntegrationId) => {
      const issued = await switchOnPlugin(db, TEST_APP_SECRET, { ...who, integration }, now);
      if (!issued) throw new Error("A plugin that is switched on first comes with a key");
      return issued;
    };
    const plugins = { epay: await issue("epay"), epusdt: await issue("epusdt"), greenfield: await issue("greenfield") };
    shops.set(name, { who, plugins });
  }
  const given = { CELLS: CELL_NAMES.join(","), CELL_02_DATABASE_URL: cells.otherUrl() };
  const first = { DATABASE_URL: cells.firstUrl(), DATABASE_DIRECT_URL: null, DATABASE_REPLICA_URL: null };
  const change = { databaseUrl: cells.firstUrl(), cells: readCells(given, first, []), isSandbox: true };
  web = await startWeb({ env: { ...TEST_ENV, ...change }, hasPages: false });
});
afterAll(() => web?.close());

type Fields = Record<string, string | number>;
async function epay(name: CellName, { key = shopOf(name).plugins.epay.key, money = "72.00" } = {}) {
  const fields = {
    pid: shopOf(name).plugins.epay.publicId,
    type: "usdt.bep20",
    out_trade_no: `E-${++count}`,
    name: "Tea",
    money,
    notify_url: "https://shop.example.com/notify",
    return_url: "https://shop.example.com/done",
  };
  const answer = await fetch(`${web.url}/epay/mapi.php`, { method: "POST", body: signed(fields, key) });
  return (await answer.json()) as { code: number; msg?: string; trade_no?: string };
}
async function epusdt(name: CellName, change: Fields = {}, key = shopOf(name).plugins.epusdt.key) {
  const fields = {
    order_id: `U-${++count}`,
    amount: 28.8,
    trade_type: "usdt.bep20",
    ...change,
    notify_url: "https://shop.example.com/notify",
    redirect_url: "https://shop.example.com/done",
  };
  const body = JSON.stringify({ ...fields, signature: goSign(fields, key) });
  const init = { method: "POST", headers: { "content-type": "application/json" }, body };
  const answer = await fetch(`${web.url}/epusdt/api/v1/order/create-transaction`, init);
  return (await answer.json()) as { status_code: number; message: string; data: { trade_id?: string } | null };
}
const greenfield = (name: CellName) => {
  const { key, publicId } = shopOf(name).plugins.greenfield;
  return fetch(`${web.url}/greenfield/api/v1/stores/${publicId}`, { headers: { authorization: `token ${key}` } });
};

test.each(CELL_NAMES)("the plugins of cell %s make orders there by each protocol, once and again", async (name) => {
  for (let times = 0; times < 2; times++) {
    const ids = [
      (await epay(name)).trade_no,
      (await epusdt(name)).data?.trade_id,
      (await epusdt(name, { pid: shopOf(name).plugins.epusdt.publicId })).data?.trade_id,
    ];
    expect(ids.map((id) => cellOfId(id ?? ""))).toEqual([name, name, name]);
    const made = (await cells.db(name).select().from(orders)).map(({ id }) => id);
    expect(made).toEqual(expect.arrayContaining(ids));
    for (const id of ids) expect((await fetch(`${web.url}/pay/${id}`)).status).toBe(200);
    expect((await greenfield(name)).status).toBe(200);
  }
  const { publicId, key } = shopOf(name).plugins.epay;
  const asked = new URLSearchParams({ act: "orders", pid: publicId, key });
  const list = await fetch(`${web.url}/epay/api.php`, { method: "POST", body: asked });
  const { data } = (await list.json()) as { data?: unknown[] };
  expect(data?.length).toBe(2);
});

test("keys of other cells and of nobody are refused, and what is wrong with an order is said by its own cell", async () => {
  expect(await epay("01", { key: shopOf("02").plugins.epay.key })).toMatchObject({
    msg: expect.stringContaining("not made with its key"),
  });
  expect((await epusdt("01", { pid: shopOf("00").plugins.epusdt.publicId })).status_code).not.toBe(200);
  expect((await epusdt("01", {}, "nobody's")).message).toContain("signature was made with no key");
  expect(await epay("01", { money: "nothing" })).toMatchObject({ msg: expect.stringContaining("money") });
  const stranger = { headers: { authorization: `token ${"x".repeat(32)}` } };
  expect((await fetch(`${web.url}/greenfield/api/v1/server/info`, stranger)).status).toBe(401);
});

test("a public id that two cells gave is told apart by the key", async () => {
  const one = shopOf("00");
  const two = shopOf("02");
  await cells.db("02").execute(`update plugins set public_id = '${one.plugins.epay.publicId}' where dialect = 'epay'`);
  const before = two.plugins.epay;
  two.plugins.epay = { ...before, publicId: one.plugins.epay.publicId };
  for (const name of ["00", "02", "00", "02"] as const) expect(cellOfId((await epay(name)).trade_no ?? "")).toBe(name);
  await cells.db("02").execute(`update plugins set public_id = '${before.publicId}' where dialect = 'epay'`);
  two.plugins.epay = before;
});

test("a protocol that is switched off is told as that, in whatever cell", async () => {
  for (const name of CELL_NAMES) {
    const plugin = { ...shopOf(name).who, integration: "epay" } as const;
    await switchOffPlugin(cells.db(name), plugin, new Date());
    expect(await epay(name)).toMatchObject({ msg: expect.stringContaining("switched off") });
    await switchOnPlugin(cells.db(name), TEST_APP_SECRET, plugin, new Date());
    expect(await epay(name)).toMatchObject({ code: 1 });
  }
});

test("while a cell is away the plugins of others sell, and its own hear that it is", async () => {
  await cells.withoutOther(async () => {
    for (const name of ["00", "01"] as const) {
      expect(await epay(name)).toMatchObject({ code: 1 });
      expect(await epusdt(name)).toMatchObject({ status_code: 200 });
      expect((await greenfield(name)).status).toBe(200);
    }
    expect((await epay("02")).msg).not.toContain("pid");
    expect((await greenfield("02")).status).toBeGreaterThanOrEqual(500);
  });
  expect(await epay("02")).toMatchObject({ code: 1 });
});

test("a mail's link ends a notification of its shop's cell", async () => {
  for (const name of CELL_NAMES) {
    const { merchantId, userId } = shopOf(name).who;
    const channelId = newId(new Date(), name);
    const report = { language: "en", timeZone: "UTC", reportHour: 8, codeHash: null, codeExpiresAt: null };
    const row = { id: channelId, merchantId, userId, way: "email", shown: "a@example.com", targetCipher: "" } as const;
    await insertChannel(cells.db(name), { ...row, ...report }, new Date());
    const choice = { merchantId, channelId, kind: "orderPaid" } as const;
    await cells
      .db(name)
      .insert(notificationChoices)
      .values({ ...choice, since: new Date() });
    const token = unsubscribeUrl(TEST_ENV, choice).split("/").at(-1) ?? "";
    const click = new Request("https://pay.example.com/unsubscribe/x", { method: "POST" });
    expect((await POST(click, { params: Promise.resolve({ token }) })).status).toBe(200);
    expect(await cells.db(name).select().from(notificationChoices)).toEqual([]);
  }
});
