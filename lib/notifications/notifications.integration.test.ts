import { eq, sql } from "drizzle-orm";
import pino from "pino";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { renderNotification } from "@/components/notifications/render-email";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { insertChannel, listChannels } from "@/db/queries/notifications/channels";
import { callbackOrigins, cursors, memberships, notifications, orders, sessions, transfers } from "@/db/schema";
import { newId } from "@/lib/domain/id";
import { NOTIFICATION_KINDS, type NotificationKind } from "@/lib/domain/notifications/notification";
import { problem } from "@/lib/domain/problems/problem";
import { encrypt } from "@/lib/merchants/vault";
import { closeNetwork, reopenNetwork } from "@/lib/networks/close-network";
import {
  addChannel,
  chooseNotifications,
  confirmChannel,
  removeChannel,
  testChannel,
} from "@/lib/notifications/channels";
import { collectNotifications } from "@/lib/notifications/collect-notifications";
import { openPostOffice } from "@/lib/notifications/mail-transport";
import { createNotificationSender, type NotificationContext } from "@/lib/notifications/notification-sender";
import { unsubscribe } from "@/lib/notifications/unsubscribe";
import { type Post, startPost } from "@/sandbox/post/server";
import { seedCallbacks } from "@/testing/callbacks/seed";
import { useTestDb } from "@/testing/database/clone";
import {
  seedAddress,
  seedCursor,
  seedMerchant,
  seedOrder,
  seedPerson,
  seedTransfer,
  TEST_APP_SECRET,
} from "@/testing/database/seed";
import { inSentences } from "@/testing/problem-sentences";

const testDb = useTestDb();
const db = () => testDb.pool.db;
const START = new Date("2026-03-10T12:00:30Z");
const PUBLIC_URL = "https://pay.example.com";
let now = START;
let post: Post;
let owner: { merchantId: string; userId: string; shop: string };
let address: Awaited<ReturnType<typeof seedAddress>>;

beforeAll(async () => {
  post = await startPost(() => now);
});
afterAll(() => post.close());

beforeEach(async () => {
  [now, paid] = [START, 0n];
  await db().execute(
    sql`truncate merchants, users, orders, quotes, audit_events, cursors, callback_origins, notification_cursors, rate_limits cascade`,
  );
  (post.arrived as unknown[]).length = 0;
  post.refuseMail(false);
  const merchant = await seedMerchant(db(), before(60));
  const userId = await seedPerson(db(), { merchantId: merchant.id, email: "ann@example.com" }, before(60));
  owner = { merchantId: merchant.id, userId, shop: "Test shop" };
  address = await seedAddress(db(), { merchantId: merchant.id }, before(60));
});

const before = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
const pass = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1_000);
};

function context(change: Partial<NotificationContext> = {}): NotificationContext & { allowCidrs: string[] } {
  const allowCidrs = ["127.0.0.0/8"];
  const ways = { smtpUrl: post.smtpUrl, mailFrom: "Pay <pay@example.com>", telegramUrl: post.telegramUrl };
  const office = openPostOffice({ ...ways, allowCidrs, version: "1.2.3" });
  const write = renderNotification.bind(null, PUBLIC_URL);
  const log = pino({ level: "silent" });
  const all = { appSecret: TEST_APP_SECRET, publicUrl: PUBLIC_URL, office, write, log, allowCidrs };
  return { ...all, now: () => now, random: () => 0.5, ...change };
}

/** Creates a verified channel. */
async function channelOf(email: string, kinds: readonly NotificationKind[], of = owner): Promise<string> {
  const id = newId(now);
  const target = { way: "email", email };
  const row = { id, merchantId: of.merchantId, userId: of.userId, way: "email", shown: email } as const;
  const targetCipher = encrypt(TEST_APP_SECRET, `notification_channels:${id}`, JSON.stringify(target));
  const when = { language: "en", timeZone: "Europe/Berlin", reportHour: 8, codeHash: null, codeExpiresAt: null };
  await insertChannel(db(), { ...row, ...when, targetCipher }, now);
  await db().execute(
    sql`update notification_channels set verified_at = ${now.toISOString()}::timestamptz where id = ${id}`,
  );
  await choose(id, kinds, of);
  return id;
}

async function choose(id: string, kinds: readonly NotificationKind[], of = owner) {
  const choice = kinds.map((kind) => ({ channelId: id, kind }));
  expect(await chooseNotifications(db(), of, { choice, timeZone: "Europe/Berlin", reportHour: 8 }, now)).toBe(true);
}

/** Runs a worker's round: collects events and sends all that are due. */
async function work(change: Partial<NotificationContext> = {}) {
  await collectNotifications(db(), ["ethereum"], now);
  const sender = createNotificationSender(db(), context(change));
  for (const way of ["email", "telegram", "webhook"] as const) await sender.tick(way);
  await sender.settled();
}

const mails = () => post.arrived.flatMap((one) => (one.way === "mail" ? [one.mail] : []));
const subjects = () => mails().map(({ subject }) => subject.replace("Test shop: ", ""));

let paid = 0n;
/** Pays an order with an amount that no other order has. */
async function pay(): Promise<string> {
  const { id: orderId } = await seedOrder(db(), { address, baseUnits: 10_500_000n + paid++ }, now);
  const { merchantId } = owner;
  await insertAuditEvent(db(), { merchantId, orderId, action: "order.paid" }, now);
  return orderId;
}

/** Causes every kind of event once. */
async function happen() {
  const { merchantId, userId } = owner;
  await pay();
  const transferOf = async (position: string, change: Partial<typeof transfers.$inferInsert>) => {
    const { id } = await seedTransfer(db(), { address, baseUnits: 7_000_000n, position }, now);
    await db().update(transfers).set(change).where(eq(transfers.id, id));
    return id;
  };
  await transferOf("a", { unmatchedReason: "no_such_amount", matchedAt: now });
  const lost = await transferOf("b", { status: "confirmed", matchedAt: now, lostAt: now });
  await insertAuditEvent(db(), { merchantId, action: "transfer.lost", detail: { transferId: lost } }, now);
  await transferOf("c", { matchedAt: now, contradiction: { since: now.toISOString(), said: [] } });
  const [callbackId = ""] = await seedCallbacks(
    db(),
    { merchantId, url: "https://shop.example/a", status: "failed" },
    now,
  );
  const [row] = await db().select().from(orders).where(sql`id like 'order%'`);
  const failed = { merchantId, orderId: row?.id ?? "", action: "callback.failed", detail: { callbackId } } as const;
  await insertAuditEvent(db(), failed, now);
  await seedCursor(db(), "ethereum", now);
  await db().update(cursors).set({ problem: "Ethereum stands still." });
  const session = { userId, browser: "Firefox on Linux", strongAt: now, lastSeenAt: now };
  await db()
    .insert(sessions)
    .values([
      { ...session, id: newId(now), network: "192.0.2.1", createdAt: before(50) },
      { ...session, id: newId(now), network: "198.51.100.7", createdAt: now },
    ]);
  const detail = { network: "ethereum", address: "0xEvil" };
  await insertAuditEvent(db(), { merchantId, action: "address.tampered", detail }, now);
}

test("each kind arrives once, with any number of checks", async () => {
  await channelOf("ann@example.com", NOTIFICATION_KINDS);
  pass(1);
  await happen();
  pass(1);
  await work();
  expect(new Set(subjects().map((subject) => subject.replace(/Order \w+/, "Order")))).toEqual(
    new Set([
      "Order is paid",
      "Unmatched payment",
      "A payment was removed by a reorg",
      "Callbacks to your server are failing",
      "Problem on Ethereum",
      "Contradictory results about a payment",
      "Sign-in from a new location",
      "A receiving address was changed directly in the database",
      "Report for 2026-03-09",
    ]),
  );
  expect(mails()).toHaveLength(9);
  for (let round = 0; round < 3; round++) {
    pass(45);
    await work();
  }
  expect(mails()).toHaveLength(9);
});

test("an outage is not notified while the network is closed", async () => {
  await channelOf("ann@example.com", ["networkTrouble"]);
  pass(1);
  await seedCursor(db(), "ethereum", before(600));
  await closeNetwork(db(), { network: "ethereum", reason: "", by: { userId: null, name: "command line" } }, now);
  await work();
  expect(mails()).toHaveLength(0);
  await reopenNetwork(db(), { network: "ethereum", by: { userId: null, name: "command line" } }, now);
  await work();
  expect(subjects()).toEqual(["Problem on Ethereum"]);
});

test("an email has the event, the shop and the link to unsubscribe, in text and HTML, and contains no secret", async () => {
  await channelOf("ann@example.com", ["orderPaid"]);
  pass(1);
  const orderId = await pay();
  await work();
  const [mail] = mails();
  expect(mail?.to).toBe("ann@example.com");
  expect(mail?.text).toContain(`Order ${orderId}: 10.5 USDT on Ethereum`);
  expect(mail?.text).toContain(`${PUBLIC_URL}/dashboard/orders/${orderId}`);
  expect(mail?.html).toContain(`href="${PUBLIC_URL}/dashboard/orders/${orderId}"`);
  expect(mail?.headers["list-unsubscribe-post"]).toBe("List-Unsubscribe=One-Click");
  const url = /<(.+)>/.exec(mail?.headers["list-unsubscribe"] ?? "")?.[1] ?? "";
  expect(mail?.text).toContain(url);
  const token = url.slice(`${PUBLIC_URL}/unsubscribe/`.length);
  expect(await unsubscribe(db(), TEST_APP_SECRET, `${token}x`)).toBeNull();
  expect(await unsubscribe(db(), TEST_APP_SECRET, token)).toBe("orderPaid");
  pass(1);
  await pay();
  await work();
  expect(mails()).toHaveLength(1);
});

test("removed members receive nothing, not even pending notifications", async () => {
  const id = await channelOf("ann@example.com", ["orderPaid"]);
  pass(1);
  await pay();
  expect(await collectNotifications(db(), [], now)).toBe(1);
  await db().delete(memberships).where(eq(memberships.userId, owner.userId));
  pass(1);
  await pay();
  await work();
  expect(mails()).toEqual([]);
  expect(await db().select().from(notifications)).toEqual([]);
  expect(await listChannels(db(), owner)).toEqual([]);
  expect(id).not.toBe("");
});

test("users of one shop receive nothing of another", async () => {
  const other = await seedMerchant(db(), before(60));
  const userId = await seedPerson(db(), { merchantId: other.id, email: "eve@example.com" }, before(60));
  const eve = { merchantId: other.id, userId, shop: "Other" };
  const own = await channelOf("ann@example.com", []);
  await channelOf("eve@example.com", NOTIFICATION_KINDS.slice(0, -1), eve);
  await choose(own, NOTIFICATION_KINDS, eve);
  pass(1);
  await happen();
  await work();
  expect(mails()).toEqual([]);
});

test("a mail server that is away delays no chat, and gets its mail once it is back", async () => {
  const ctx = context();
  const chat = await addChannel(
    db(),
    ctx,
    owner,
    { ...EMPTY, way: "telegram", token: "123456:abcdefghijkl", chatId: "4711" },
    now,
  );
  if (!("id" in chat)) throw new Error(JSON.stringify(chat.errors));
  const reported = post.arrived.flatMap((one) => (one.way === "telegram" ? [one.text] : []));
  const code = /\d{6}/.exec(reported[0] ?? "")?.[0] ?? "";
  expect(await confirmChannel(db(), owner, { id: chat.id, code: "no" }, now)).toMatchObject({
    errors: [{ code: "channel_code_wrong" }],
  });
  expect(await confirmChannel(db(), owner, { id: chat.id, code }, now)).toBe(true);
  const mail = await channelOf("ann@example.com", []);
  const choice = [mail, chat.id].map((channelId) => ({ channelId, kind: "orderPaid" as const }));
  await chooseNotifications(db(), owner, { timeZone: "UTC", reportHour: 8, choice }, now);
  pass(1);
  await pay();
  post.refuseMail(true);
  await work();
  expect(post.arrived).toHaveLength(2);
  const problem = async () => (await listChannels(db(), owner)).find(({ way }) => way === "email")?.problem ?? null;
  expect(inSentences(await problem())).toMatch(/451 Try again later/);
  post.refuseMail(false);
  pass(9);
  await work();
  expect(mails()).toEqual([]);
  pass(2);
  await work();
  expect(mails()).toHaveLength(1);
  expect(await problem()).toBeNull();
});

test("a sender that dies between sending and noting it repeats the message once, under the same Message-ID", async () => {
  await channelOf("ann@example.com", ["orderPaid"]);
  pass(1);
  await pay();
  await collectNotifications(db(), [], now);
  const { office } = context();
  const dying = createNotificationSender(
    db(),
    context({
      office: {
        ...office,
        async send(...message_) {
          await office.send(...message_);
          // Changes that are recorded from here on are lost, as if the process had crashed.
          await db().execute(sql`update notifications set due_at = due_at + interval '1 millisecond'`);
          return { kind: "sent" };
        },
      },
    }),
  );
  await dying.tick("email");
  await dying.settled();
  await work();
  expect(mails()).toHaveLength(1);
  pass(91);
  await work();
  await work();
  expect(mails()).toHaveLength(2);
  expect(new Set(mails().map(({ messageId }) => messageId)).size).toBe(1);
});

test("a storm becomes one message that counts it", async () => {
  await channelOf("ann@example.com", ["orderPaid"]);
  pass(1);
  for (let count = 0; count < 40; count++) await pay();
  await work();
  expect(subjects()).toEqual(["40 orders are paid"]);
  expect(mails()[0]?.text).toContain("… and 30 more");
  for (let count = 0; count < 4; count++) {
    pass(5);
    await pay();
    await work();
  }
  pass(5);
  await pay();
  await pay();
  await work();
  expect(mails()).toHaveLength(5);
  pass(300);
  await work();
  expect(subjects().at(-1)).toBe("2 orders are paid");
});

test("an origin that fails repeatedly is reported once a day; a webhook gets JSON, and a test reports its result", async () => {
  const ctx = context();
  const hook = await addChannel(db(), ctx, owner, { ...EMPTY, way: "webhook", url: post.webhookUrl }, now);
  if (!("id" in hook)) throw new Error(JSON.stringify(hook.errors));
  await choose(hook.id, ["callbackFailing"]);
  pass(1);
  await seedCallbacks(db(), { merchantId: owner.merchantId, url: "https://down.example/x" }, now);
  await db().insert(callbackOrigins).values({ origin: "https://down.example", failures: 5, pausedUntil: now });
  await work();
  pass(60);
  await work();
  const bodies = post.arrived.flatMap((one) => (one.way === "webhook" ? [one.body] : []));
  expect(bodies).toHaveLength(2);
  expect(bodies[1]).toMatchObject({ kind: "callbackFailing", facts: [{ origin: "https://down.example" }] });
  expect(await testChannel(db(), ctx, owner, hook.id, now)).toBe(true);
  const form = { ...EMPTY, way: "webhook", url: `${post.url}/nowhere` };
  expect(await addChannel(db(), ctx, owner, form, now)).toMatchObject({
    errors: [{ code: "channel_test_failed", params: { reason: problem("delivery_webhook_status", { status: 404 }) } }],
  });
  expect(await removeChannel(db(), owner, hook.id, now)).toBe(true);
  expect(await listChannels(db(), owner)).toEqual([]);
});

const EMPTY = { email: "", token: "", chatId: "", url: "", language: "en", timeZone: "UTC" };
