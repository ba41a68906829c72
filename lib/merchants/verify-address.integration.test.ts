import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { writeMerchantPrice } from "@/db/queries/rates/rates";
import { auditEvents } from "@/db/schema";
import { displayAddress } from "@/lib/domain/addresses/address";
import { parseRate } from "@/lib/domain/rates/price";
import { seedAddress, seedCursor, seedMerchant } from "@/testing/database/seed";
import { goSign } from "@/testing/integrations/epusdt-client";
import { seedPlugin } from "@/testing/integrations/seed";
import { useTestApi } from "@/testing/web";

const api = useTestApi({ isSandbox: true });
const db = () => api.pool.db;
const THIEF = `0x${"e1".repeat(20)}`;

/** The columns that determine the destination of payments. All of them are rewritten below. */
const REWRITTEN = [
  "deposit_addresses.address",
  "family_addresses.address",
  "quotes.address",
  "receiving_addresses.address",
];
/** The column with the destination of refunds; lib/refunds/changed-claims.integration.test.ts rewrites it. */
const REFUNDED = ["refund_requests.address"];
/** The columns that do not affect the destination of payments. */
const OTHERS = [
  ...["deposit_addresses.receiving_address_id", "quotes.receiving_address_id", "transfers.receiving_address_id"],
  ...["refund_transfers.from_address", "refund_transfers.to_address", "merchant_refunds.address"],
  ...["address_claims.address", "transfers.from_address", "transfers.to_address", "account_cursors.address"],
  ...[
    "amount_bitmaps.address",
    "amount_windows.address",
    "refunds.to_address",
    "unreadable_transactions.receiving_address_id",
    "address_balances.address",
  ],
];

interface Shop {
  id: string;
  apiKey: string;
  greenfield: Awaited<ReturnType<typeof seedPlugin>>;
  epusdt: Awaited<ReturnType<typeof seedPlugin>>;
  ids: { added: string; chosen: string; bought: string; invoice: string };
}

let [shop, other]: Shop[] = [];
let count = 0;

async function open(): Promise<Shop> {
  const now = new Date();
  const { id, apiKey } = await seedMerchant(db(), now);
  for (const network of ["bsc", "ethereum"]) {
    await seedCursor(db(), network, now);
    for (const kind of ["shared", "dedicated"] as const)
      await seedAddress(db(), { merchantId: id, network, kind }, now);
  }
  const rate = { mode: "fixed", markUpBasisPoints: 0, fixedRate: parseRate("7.2") } as const;
  await writeMerchantPrice(db(), { merchantId: id, fiat: "CNY", ...rate }, now);
  const greenfield = await seedPlugin(db(), { merchantId: id, integration: "greenfield" }, now);
  const epusdt = await seedPlugin(db(), { merchantId: id, integration: "epusdt" }, now);
  const made = { id, apiKey, greenfield, epusdt, ids: { added: "", chosen: "", bought: "", invoice: "" } };
  made.ids = await buy(made);
  return made;
}

const post = async ({ apiKey }: Pick<Shop, "apiKey">, path: string, body: object) =>
  (await api.post(path, body, { "x-api-key": apiKey })).text;
const idIn = (text: string) => /"(?:trade_id|id)":\s*"([0-9a-z]{28})"/.exec(text)?.[1] ?? "";
const TERMS = {
  added: { mch_order_id: "A", currency: "USDT", network: "bsc", amount: 10 },
  chosen: { mch_order_id: "B", amount: 11 },
};

async function buyByEpusdt({ epusdt }: Pick<Shop, "epusdt">): Promise<string> {
  const fields = {
    order_id: "C",
    amount: 28.8,
    trade_type: "usdt.bep20",
    notify_url: "https://shop.example.com/notify",
    redirect_url: "https://shop.example.com/done",
  };
  const body = JSON.stringify({ ...fields, signature: goSign(fields, epusdt.key) });
  const headers = { "content-type": "application/json" };
  return (
    await fetch(`${api.origin}/epusdt/api/v1/order/create-transaction`, { method: "POST", headers, body })
  ).text();
}

async function greenfield(
  { greenfield: store }: Pick<Shop, "greenfield">,
  path: string,
  body?: object,
): Promise<string> {
  const url = `${api.origin}/greenfield/api/v1/stores/${store.publicId}/invoices${path}`;
  const headers = { authorization: `token ${store.key}`, "content-type": "application/json" };
  return (
    await fetch(url, { method: body ? "POST" : "GET", headers, ...(body && { body: JSON.stringify(body) }) })
  ).text();
}

async function choose(id: string): Promise<void> {
  const body = new URLSearchParams({ method: "bsc:USDT" });
  await fetch(`${api.origin}/pay/${id}`, { method: "POST", body, redirect: "manual" });
}

async function buy(made: Shop): Promise<Shop["ids"]> {
  await post(made, "/deposit-address", { customer_ref: "known", network: "bsc" });
  const added = idIn(await post(made, "/order/add", TERMS.added));
  const chosen = idIn(await post(made, "/order/checkout", TERMS.chosen));
  await choose(chosen);
  const bought = idIn(await buyByEpusdt(made));
  const wanted = { amount: "13", currency: "USDT", checkout: { paymentMethods: ["USDT-BSC"] } };
  const invoice = idIn(await greenfield(made, "", wanted));
  return { added, chosen, bought, invoice };
}

/** Returns every response that a payer can request, or that a shop can request and show to a payer. */
async function everyAnswer(made: Shop): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  const note = async (name: string, text: Promise<string>) => void answers.set(name, await text);
  const get = async (path: string) => (await fetch(api.origin + path)).text();
  await note("order/add again", post(made, "/order/add", TERMS.added));
  await note("order/add new", post(made, "/order/add", { ...TERMS.added, mch_order_id: `new-${++count}` }));
  await note("order/checkout again", post(made, "/order/checkout", TERMS.chosen));
  await note("order/list", post(made, "/order/list", {}));
  await note("deposit-address again", post(made, "/deposit-address", { customer_ref: "known", network: "bsc" }));
  await note(
    "deposit-address new",
    post(made, "/deposit-address", { customer_ref: `new-${++count}`, network: "ethereum" }),
  );
  await note("epusdt again", buyByEpusdt(made));
  await note("epusdt order", get(`/epusdt/pay/check-status/${made.ids.bought}`));
  await note("invoice", greenfield(made, `/${made.ids.invoice}`));
  await note("invoice's ways to pay", greenfield(made, `/${made.ids.invoice}/payment-methods`));
  for (const [name, id] of Object.entries(made.ids)) {
    await note(`order/detail of ${name}`, post(made, "/order/detail", { trade_id: id }));
    await note(`page of ${name}`, get(`/pay/${id}`));
    await note(`fragment of ${name}`, get(`/pay/${id}?fragment=1`));
    await note(`status of ${name}`, get(`/api/pay/${id}/status`));
    await note(`wallet of ${name}`, get(`/api/pay/${id}/wallet?account=0x${"11".repeat(20)}`));
  }
  return answers;
}

/** Returns the addresses of a merchant in every form, as stored. */
async function addressesOf(merchantId: string): Promise<string[]> {
  const rows = await db().execute<{ address: string }>(
    sql`select address from receiving_addresses where merchant_id = ${merchantId}`,
  );
  return rows.flatMap(({ address }) => [address, displayAddress("evm", address)]);
}

/** Changes the database as an attacker with full access would: without triggers and constraints. */
async function attack(...statements: ReturnType<typeof sql>[]): Promise<void> {
  await db().transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    for (const statement of statements) await tx.execute(statement);
  });
}

function expectNone(answers: ReadonlyMap<string, string>, addresses: readonly string[]): void {
  const led = [...answers].filter(([, text]) =>
    addresses.some((address) => text.toLowerCase().includes(address.toLowerCase().slice(2))),
  );
  expect(led.map(([name]) => name)).toEqual([]);
}

beforeEach(async () => {
  [shop, other] = [await open(), await open()];
});

const shops = () => {
  if (!shop || !other) throw new Error("Shops are open before each test");
  return { shop, other };
};

test("every column with an address is rewritten here, or never shown for payment", async () => {
  const rows = await db().execute<{ name: string }>(sql`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = current_schema() and data_type in ('text', 'character varying')
      and column_name like '%address%'`);
  const unknown = rows.map(({ name }) => name).filter((name) => ![...REWRITTEN, ...REFUNDED, ...OTHERS].includes(name));
  expect(unknown).toEqual([]);
});

test("the address is shown everywhere while it is unchanged", async () => {
  const { shop: made } = shops();
  const own = await addressesOf(made.id);
  const answers = await everyAnswer(made);
  const showing = [...answers].filter(([, text]) => own.some((address) => text.includes(address)));
  expect(
    showing
      .map(([name]) => name)
      .filter((name) => !name.startsWith("fragment"))
      .toSorted(),
  ).toEqual(
    [
      ...["deposit-address again", "deposit-address new", "epusdt again", "invoice's ways to pay"],
      ...["order/add again", "order/add new", "order/list"],
      ...["added", "bought", "chosen", "invoice"].flatMap((name) => [
        ...[`order/detail of ${name}`, `page of ${name}`, `wallet of ${name}`],
      ]),
    ].toSorted(),
  );
});

test("a database in which every address was rewritten misdirects no payer, and is reported once per order", async () => {
  const { shop: made } = shops();
  await attack(
    ...REWRITTEN.map((name) => {
      const table = sql.identifier(name.split(".")[0] ?? "");
      // Unique keys require different addresses in the rows of a table.
      return sql`update ${table} t set address = ${THIEF.slice(0, 38)} || lpad(to_hex(n), 4, '0')
        from (select ctid, row_number() over () as n from ${table}) r where r.ctid = t.ctid`;
    }),
  );
  const written = await addressesOf(made.id);
  for (let looks = 0; looks < 2; looks++) expectNone(await everyAnswer(made), [...written, THIEF.slice(0, 38)]);
  const page = await fetch(`${api.origin}/pay/${made.ids.added}`);
  expect(page.status).toBe(503);
  expect(await page.text()).toContain("Do not send any money");
  expect((await api.post("/order/add", TERMS.added, { "x-api-key": made.apiKey })).body).toMatchObject({
    code: 10006,
    message: expect.stringContaining("The integrity check"),
  });
  const reported = await db().select().from(auditEvents).where(eq(auditEvents.merchantId, made.id));
  const ofOrders = reported.flatMap(({ action, detail }) => {
    const { tradeId } = detail as Record<string, unknown>;
    return action === "address.tampered" && tradeId !== undefined ? [String(tradeId)] : [];
  });
  expect(ofOrders.toSorted()).toEqual(Object.values(made.ids).toSorted());
});

test.each([
  [
    "quotes alone",
    (made: Shop, mine: string) => [sql`update quotes set address = ${mine} where merchant_id = ${made.id}`],
  ],
  [
    "quotes and addresses, with the seal of another merchant's own address",
    (made: Shop, mine: string, thief: Shop) => [
      sql`update quotes set address = ${mine} where merchant_id = ${made.id}`,
      sql`update deposit_addresses set address = ${mine} where merchant_id = ${made.id}`,
      sql`with t as (delete from receiving_addresses where merchant_id = ${thief.id} and address = ${mine} returning *)
        update receiving_addresses r set address = t.address, mac = t.mac from t
        where r.merchant_id = ${made.id} and r.network = t.network and r.kind = t.kind`,
    ],
  ],
  [
    "quotes, to the row of another merchant's own address",
    (made: Shop, mine: string, thief: Shop) => [
      sql`update quotes q set address = t.address, receiving_address_id = t.id
        from receiving_addresses t where q.merchant_id = ${made.id} and t.merchant_id = ${thief.id} and t.address = ${mine}`,
    ],
  ],
] as const)("nor does one with %s rewritten; another shop is not affected", async (_what, statements) => {
  const { shop: made, other: thief } = shops();
  const bystander = await open();
  const [mine = ""] = await addressesOf(thief.id);
  await attack(...statements(made, mine, thief));
  expectNone(await everyAnswer(made), [mine]);
  const own = await addressesOf(bystander.id);
  const answers = await everyAnswer(bystander);
  for (const name of ["order/add again", "order/add new", "page of chosen", "epusdt again", "invoice's ways to pay"])
    expect([name, own.some((address) => answers.get(name)?.includes(address))]).toEqual([name, true]);
});
