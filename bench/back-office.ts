import { sql } from "drizzle-orm";
import { insertOrders } from "@/bench/lists";
import { Connection, measureAt } from "@/bench/load";
import { startWebProcess, type WebProcess } from "@/bench/web-process";
import type { World } from "@/bench/world";
import type { Db } from "@/db/client";
import { listCallbacks } from "@/db/queries/callbacks/callback-list";
import { listOrders } from "@/db/queries/orders/order-list";
import { countFailedCallbacks, findFirstSteps, listCursors } from "@/db/queries/orders/overview";
import { listFailed, listTotals } from "@/db/queries/orders/totals";
import { findRecords } from "@/db/queries/search/find-records";
import { countUnmatched, listTransfers } from "@/db/queries/transfers/transfer-list";
import { cursors, memberships, users } from "@/db/schema";
import { newId } from "@/lib/domain/id";
import { PAGE_SIZE } from "@/lib/domain/list-cursor";
import { readSpan } from "@/lib/domain/orders/figures";
import { suggestOrders } from "@/lib/ledger/suggest-orders";
import { countTotals } from "@/lib/reports/count-totals";
import { hashPassword } from "@/lib/users/password";

const ORDERS = 1_000_000;
const ROUNDS = 15;
const MAX_LIST_MS = 50;
const MAX_HOME_MS = 100;
const MAX_PAGE_MS = 300;
const CREATES_PER_SECOND = 50;
const SECONDS_A_PAGE = 12;
const PAGES_PER_SECOND = 2;
const PERSON = { email: "owner@example.com", password: "a password of this run" };
/** The numbers of unmatched transfers: on the page of all transfers, and on their own page. */
const UNMATCHED = [5, 10];
const SENDER = `0x${"5e".repeat(20)}`;

/**
 * Measures the back office of a shop with a million orders, a third of them paid. Reports the database time, on one connection, for the
 * home page's figures and for every list's first page with each filter. Also reports the duration of page requests while orders are
 * created.
 * @returns true if all of them are fast enough
 */
export async function measureBackOffice(world: World): Promise<boolean> {
  await insertOrders(world, 0, ORDERS);
  await insertPayments(world);
  const isFast = await measureQueries(world);
  const web = await startWebProcess(world.databaseUrl, { hasPages: true });
  return (await measurePages(world, web).finally(web.stop)) && isFast;
}

/** Inserts a transfer and a callback for each paid order; one transfer in a thousand is unmatched, one callback in 500 failed. */
async function insertPayments({ pool: { db }, merchantId }: World): Promise<void> {
  const paid = sql`(select o.*, row_number() over (order by o.id) as n from orders o where o.merchant_id = ${merchantId} and o.status = 'paid') p`;
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`
      insert into transfers (id, merchant_id, network, tx_id, position, currency, token, from_address, to_address, base_units,
        block_height, block_hash, block_time, status, receiving_address_id, quote_id, order_id, unmatched_reason, matched_at, seen_at,
        confirmed_at, confirmations)
      select p.id, p.merchant_id, p.network, '0x' || lpad(to_hex(n), 64, '0'), 't:0', p.currency, q.token,
        case when n % 3 = 0 then ${SENDER} else '0x' || lpad(to_hex(n), 40, '0') end, q.address, p.amount_units, n, 'h', p.created_at,
        'confirmed', q.receiving_address_id, case when n % 1000 <> 0 then q.id end, case when n % 1000 <> 0 then p.id end,
        case when n % 1000 = 0 then 'no_such_amount' end, p.created_at, p.created_at, p.created_at, 12
      from ${paid} join quotes q on q.order_id = p.id and q.merchant_id = p.merchant_id`);
    await tx.execute(sql`
      insert into callbacks (id, merchant_id, order_id, type, url, origin, body, status, attempts, last_http_status, delivered_at, created_at)
      select 'evt_' || p.id, p.merchant_id, p.id, 'payment.confirmed', 'https://shop.example/paid', 'https://shop.example', '{}',
        case when n % 500 = 0 then 'failed' else 'delivered' end, 1, 200, case when n % 500 <> 0 then p.created_at end, p.created_at
      from ${paid}`);
    await tx.execute(sql`
      insert into hourly_totals (merchant_id, hour, network, currency, created, converted, paid, paid_units, pay_seconds, callbacks)
      select ${merchantId}, date_trunc('hour', now()) - h * interval '1 hour', network, currency, 40, 30, 30, 30000000, 900, 30
      from generate_series(0, 24 * 31) h, unnest(array['ethereum', 'bsc', 'polygon', 'solana']) network, unnest(array['USDT', 'USDC']) currency`);
  });
  await db.execute(sql`vacuum analyze`);
  while ((await countTotals(db, new Date())) > 0);
}

type Query = (db: Db, merchantId: string) => Promise<unknown>;

const LISTS: readonly [name: string, query: Query][] = [
  ...(
    [
      {},
      { status: "paid" },
      { status: "cancelled" },
      { exception: "underpaid" },
      { network: "tron" },
      { currency: "USDC", network: "bsc" },
      { callback: "failed" },
      { callback: "delivered" },
      { from: "2024-01-01", to: "2024-01-02" },
      { min: "0.9", max: "0.900100" },
      { text: "list-77" },
      { text: SENDER },
      { text: `0x${"ab".repeat(20)}` },
    ] as const
  ).map((filter): [string, Query] => [
    `orders ${JSON.stringify(filter)}`,
    (db, merchantId) => listOrders(db, merchantId, filter, null, PAGE_SIZE),
  ]),
  ...(
    [{}, { status: "failed" }, { status: "pending" }, { type: "order.expired" }, { host: "nowhere.example" }] as const
  ).map((filter): [string, Query] => [
    `callbacks ${JSON.stringify(filter)}`,
    (db, merchantId) => listCallbacks(db, merchantId, filter, null, PAGE_SIZE),
  ]),
  ...(
    [{}, { show: "unmatched" }, { reason: "late" }, { network: "tron" }, { status: "seen" }, { text: SENDER }] as const
  ).map((filter): [string, Query] => [
    `transfers ${JSON.stringify(filter)}`,
    (db, merchantId) => listTransfers(db, merchantId, filter, null, PAGE_SIZE),
  ]),
];

/** Returns the query for the unmatched transfers, with the orders that each was probably meant for. */
const waiting =
  (count: number): Query =>
  async (db, merchantId) => {
    const { rows } = await listTransfers(db, merchantId, { show: "unmatched" }, null, count);
    const likely = await suggestOrders(db, merchantId, rows);
    if (likely.size !== count) throw new Error(`${likely.size} transfers are unmatched instead of ${count}`);
  };

/** Returns the query for the home page's figures, which runs several queries one after another. */
const home =
  (days: string): Query =>
  async (db, merchantId) => {
    const now = new Date();
    const span = readSpan(days, now);
    await findFirstSteps(db, merchantId, now);
    await listTotals(db, merchantId, span);
    await listFailed(db, merchantId, span);
    await listCursors(db);
    await listOrders(db, merchantId, {}, null, 8);
    await countFailedCallbacks(db, merchantId);
    await countUnmatched(db, merchantId);
  };

async function measureQueries({ pool: { db }, merchantId }: World): Promise<boolean> {
  let isFast = true;
  const all: [string, Query, number][] = [
    ...["1", "7", "30"].map((days): [string, Query, number] => [`home, ${days} days`, home(days), MAX_HOME_MS]),
    ...UNMATCHED.map((count): [string, Query, number] => [
      `${count} unmatched transfers with suggested orders`,
      waiting(count),
      MAX_LIST_MS,
    ]),
    ["go to a sender", (db, merchantId) => findRecords(db, merchantId, SENDER), MAX_LIST_MS],
    ["go to an order's number", (db, merchantId) => findRecords(db, merchantId, "list-77777"), MAX_LIST_MS],
    ...LISTS.map(([name, query]): [string, Query, number] => [name, query, MAX_LIST_MS]),
  ];
  for (const [name, query, maximum] of all) {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const begin = performance.now();
      await query(db, merchantId);
      times.push(performance.now() - begin);
    }
    const ms = times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
    isFast &&= ms <= maximum;
    console.log(`${name.padEnd(44)}${ms.toFixed(1).padStart(7)} ms${ms > maximum ? `   more than ${maximum}` : ""}`);
  }
  return isFast;
}

const PAGES = [
  "/dashboard",
  "/dashboard?days=30",
  "/dashboard/orders",
  "/dashboard/orders?callback=failed",
  "/dashboard/callbacks",
  "/dashboard/transfers",
  "/dashboard/transfers?show=unmatched",
  "/dashboard/settings/api-keys",
];

/** Measures each page repeatedly, while the same process creates orders at a constant rate. */
async function measurePages(world: World, web: WebProcess): Promise<boolean> {
  await seedPerson(world);
  const cookie = await signIn(web.port);
  const origin = `http://127.0.0.1:${web.port}`;
  const look = async (page: string) => {
    const answer = await fetch(origin + page, { headers: { cookie }, redirect: "manual" });
    const text = await answer.text();
    if (answer.status !== 200 || !text.includes("</html>")) throw new Error(`${page} answered ${answer.status}`);
  };
  for (const page of PAGES) for (let times = 0; times < 3; times++) await look(page);
  const connections = Array.from({ length: 16 }, () => new Connection(web.port, world.apiKey));
  const create = async (index: number, worker: number) => {
    const json = `{"currency":"USDT","network":"ethereum","amount":${5_000_000 + index},"mch_order_id":"office-${index}"}`;
    await connections[worker]?.post("/api/v1/pay/sdk/order/add", json);
  };
  let isFast = true;
  console.log(
    `\n${CREATES_PER_SECOND} creates and ${PAGES_PER_SECOND} pages a second from one web process, ${SECONDS_A_PAGE} s each`,
  );
  for (const page of PAGES) {
    const [pages, creates] = await Promise.all([
      measureAt(PAGES_PER_SECOND, SECONDS_A_PAGE, 4, () => look(page)),
      measureAt(CREATES_PER_SECOND, SECONDS_A_PAGE, connections.length, create),
    ]);
    const sorted = pages.durationsMs.toSorted((a, b) => a - b);
    const p95 = sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Number.NaN;
    isFast &&= p95 <= MAX_PAGE_MS;
    console.log(
      `${page.padEnd(44)} p50 ${pages.p50Ms.toFixed(0).padStart(4)} ms   p95 ${p95.toFixed(0).padStart(4)} ms${p95 > MAX_PAGE_MS ? `   more than ${MAX_PAGE_MS}` : ""}   creates p99 ${creates.p99Ms.toFixed(0)} ms`,
    );
  }
  for (const connection of connections) connection.close();
  return isFast;
}

export async function seedPerson({ pool: { db }, merchantId }: World): Promise<void> {
  const now = new Date();
  const id = newId(now);
  const headAt = new Date(now.getTime() + 3_600_000);
  const read = { headHeight: 1_000, finalizedHeight: 990, caughtUpAt: headAt, respondedAt: headAt, blockMs: 12_000 };
  await db
    .insert(cursors)
    .values({ network: "ethereum", ...read })
    .onConflictDoUpdate({ target: cursors.network, set: read });
  const inserted = await db
    .insert(users)
    .values({ id, email: PERSON.email, passwordHash: await hashPassword(PERSON.password), createdAt: now })
    .onConflictDoNothing()
    .returning({ id: users.id });
  if (inserted.length > 0) await db.insert(memberships).values({ merchantId, userId: id, role: "owner", since: now });
}

/**
 * Signs in as the form on the sign-in page does.
 * @returns the cookies of the session
 */
export async function signIn(port: number): Promise<string> {
  const url = `http://127.0.0.1:${port}/api/auth`;
  const cookiesOf = (answer: Response) => answer.headers.getSetCookie().map((line) => line.split(";")[0] ?? "");
  const started = await fetch(`${url}/csrf`);
  const { csrfToken } = (await started.json()) as { csrfToken: string };
  const signed = await fetch(`${url}/callback/credentials`, {
    method: "POST",
    redirect: "manual",
    headers: { cookie: cookiesOf(started).join("; "), origin: `http://127.0.0.1:${port}` },
    body: new URLSearchParams({ csrfToken, json: "true", ...PERSON }),
  });
  const cookies = cookiesOf(signed);
  if (!cookies.some((one) => one.includes("session-token="))) throw new Error(`Sign-in failed: ${signed.status}`);
  return cookies.join("; ");
}
