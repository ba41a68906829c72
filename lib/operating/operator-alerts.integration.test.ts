import { sql } from "drizzle-orm";
import pino from "pino";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { cursors, operatorAlerts, operatorMessages } from "@/db/schema";
import type { MachineReport } from "@/lib/domain/operating/conditions";
import { openPostOffice } from "@/lib/notifications/mail-transport";
import { type OperatorAlertContext, type OperatorTargets, tickOperatorAlerts } from "@/lib/operating/operator-alerts";
import { type Post, startPost } from "@/sandbox/post/server";
import { seedCallbacks } from "@/testing/callbacks/seed";
import { useTestDb } from "@/testing/database/clone";
import { seedCursor, seedMerchant } from "@/testing/database/seed";

const testDb = useTestDb();
const db = () => testDb.pool.db;
const START = new Date("2026-03-10T12:00:30Z");
const TELEGRAM = { way: "telegram", token: "123456:ABCDEFGHIJKLMN", chatId: "-1001" } as const;
const TARGETS: OperatorTargets = [{ way: "email", email: "operator@example.com" }, TELEGRAM];
const GB = 1_000_000_000;
const unixOf = (at: Date) => at.getTime() / 1_000;
let now = START;
let post: Post;
let report: MachineReport;

beforeAll(async () => {
  post = await startPost(() => now);
});
afterAll(() => post.close());

beforeEach(async () => {
  now = START;
  await db().execute(sql`truncate merchants, cursors, outcome_counts, machine_reports, operator_alerts, operator_messages,
    operator_rounds, callback_origins cascade`);
  (post.arrived as unknown[]).length = 0;
  post.refuseMail(false);
  report = healthy();
  await seedCursor(db(), "tron", now);
  await setNetwork({});
});

const healthy = (): MachineReport => ({
  disks: [{ folder: "data", freeBytes: 50 * GB, sizeBytes: 100 * GB }],
  lastDumpAt: unixOf(now),
  certificateEndsAt: unixOf(now) + 60 * 86_400,
});

/** Sets the reading state of the only network, with a lease without end. */
async function setNetwork({ behind = 0, isLeased = true }: { behind?: number; isLeased?: boolean }) {
  const leaseUntil = isLeased ? new Date("2030-01-01") : null;
  await db()
    .update(cursors)
    .set({ height: 1_000, headHeight: 1_000 + behind, blockMs: 3_000, leaseOwner: "w", leaseUntil, respondedAt: null });
}

function context(change: Partial<OperatorAlertContext> = {}): OperatorAlertContext {
  const ways = { smtpUrl: post.smtpUrl, mailFrom: "Pay <pay@example.com>", telegramUrl: post.telegramUrl };
  const office = openPostOffice({ ...ways, allowCidrs: ["127.0.0.0/8"], version: "1.2.3" });
  const machine = { name: "host-one", read: async () => report };
  const rest = { networks: ["tron"], targets: TARGETS, office, log: pino({ level: "silent" }), machine };
  return { publicUrl: "https://pay.example.com", ...rest, ...change };
}

/** Runs the ticks of the given number of minutes, one every 30 seconds. */
async function pass(minutes: number, change: Partial<OperatorAlertContext> = {}) {
  for (let step = 0; step < minutes * 2; step++) {
    now = new Date(now.getTime() + 30_000);
    report = { ...report, ...(report.lastDumpAt === START.getTime() / 1_000 && { lastDumpAt: unixOf(now) }) };
    await tickOperatorAlerts(db(), context(change), now);
  }
}

const mails = () => post.arrived.flatMap((one) => (one.way === "mail" ? [one.mail.subject] : []));
const chats = () => post.arrived.filter((one) => one.way !== "mail").length;

/** Adds orders of one hour to the counters. */
async function count(hour: Date, outcome: string, amount: number) {
  await db().execute(sql`insert into outcome_counts (hour, network, currency, outcome, count)
    values (date_trunc('hour', ${hour.toISOString()}::timestamptz, 'UTC'), 'tron', 'USDT', ${outcome}, ${amount})`);
}

test("each condition alerts the operator once when it has lasted, and once when it is over, by mail and in Telegram", async () => {
  const merchantId = (await seedMerchant(db(), now)).id;
  await seedCallbacks(db(), { merchantId, url: "http://127.0.0.1:9/", count: 3 }, now);
  const week = Array.from({ length: 100 }, (_, index) => new Date(now.getTime() - (index + 3) * 3_600_000));
  for (const hour of week) {
    await count(hour, "created", 10);
    await count(hour, "paid", 6);
  }
  await pass(20);
  expect(post.arrived).toEqual([]);

  await count(now, "created", 20);
  await setNetwork({ behind: 400, isLeased: false });
  await db().execute(sql`update callbacks set series_attempts = 5`);
  report = {
    disks: [{ folder: "data", freeBytes: 5 * GB, sizeBytes: 100 * GB }],
    lastDumpAt: unixOf(now) - 2 * 86_400,
    certificateEndsAt: unixOf(now) + 5 * 86_400,
  };
  await pass(30);
  expect(mails().toSorted()).toEqual([
    "Alert: 20 orders on tron in two hours, none of them paid",
    `Alert: 3 callbacks of merchant ${merchantId} fail repeatedly`,
    "Alert: No worker reads tron",
    "Alert: Reads of tron are 400 blocks behind its head (about 20 minutes)",
    "Alert: The certificate of pay.example.com expires in 4 days",
    "Alert: The disk of the data folder on host-one has 5000 MB left",
    "Alert: The newest dump on host-one is 48 hours old",
  ]);
  expect(chats()).toBe(7);

  await pass(30);
  expect(mails()).toHaveLength(7);
  (post.arrived as unknown[]).length = 0;
  await count(now, "paid", 1);
  await setNetwork({});
  await db().execute(sql`update callbacks set series_attempts = 0`);
  report = healthy();
  await pass(2);
  expect(mails()).toHaveLength(7);
  expect(mails().every((subject) => subject.startsWith("Resolved: "))).toBe(true);
  expect(chats()).toBe(7);
  expect(await db().$count(operatorAlerts)).toBe(0);
  expect(await db().$count(operatorMessages)).toBe(0);
}, 60_000);

test("a network whose endpoints have all failed counts as behind by the blocks mined since", async () => {
  const last = {
    at: new Date(now.getTime() + 1_000).toISOString(),
    kind: "timeout" as const,
    message: "No answer in 10 s",
  };
  await db()
    .update(cursors)
    .set({ respondedAt: now, endpoints: [{ name: "node.example.com", errors: 5, last }] });
  await pass(15);
  expect(mails()).toEqual([]);
  await pass(10);
  expect(mails()).toEqual([expect.stringMatching(/^Alert: Reads of tron are 4\d\d blocks behind its head/)]);
});

test("a condition that ends early sends no alert, and one that lasts is repeated once a day", async () => {
  await setNetwork({ behind: 400 });
  await pass(3);
  await setNetwork({});
  await pass(5);
  expect(mails()).toEqual([]);
  await setNetwork({ behind: 400 });
  await pass(6);
  expect(mails()).toHaveLength(1);
  now = new Date(now.getTime() + 86_400_000 - 120_000);
  report = healthy();
  await pass(1);
  expect(mails()).toHaveLength(1);
  await pass(2);
  expect(mails()).toHaveLength(2);
  expect(mails()[1]).toMatch(/^Still: Reads of tron are/);
}, 60_000);

test("while the mail server is away nothing is lost or reordered, and Telegram does not wait for it", async () => {
  post.refuseMail(true);
  await setNetwork({ isLeased: false });
  await pass(3);
  await setNetwork({});
  await pass(1);
  expect(mails()).toEqual([]);
  expect(chats()).toBe(2);
  expect(await db().$count(operatorMessages)).toBe(2);
  post.refuseMail(false);
  await pass(20);
  expect(mails()).toEqual(["Alert: No worker reads tron", "Resolved: Network without a worker tron"]);
  expect(await db().$count(operatorMessages)).toBe(0);
}, 60_000);

test("of many processes that look at the same time one sends, and one that dies after claiming loses nothing", async () => {
  await setNetwork({ isLeased: false });
  const together = async () => {
    now = new Date(now.getTime() + 31_000);
    await Promise.all(Array.from({ length: 6 }, () => tickOperatorAlerts(db(), context(), now)));
  };
  for (let round = 0; round < 8; round++) await together();
  expect(mails()).toEqual(["Alert: No worker reads tron"]);
  expect(chats()).toBe(1);

  await setNetwork({});
  const office = { isOpen: () => true, send: () => Promise.reject(new Error("the process died")) };
  now = new Date(now.getTime() + 31_000);
  await expect(tickOperatorAlerts(db(), context({ office }), now)).rejects.toThrow("the process died");
  await pass(3);
  expect(mails()).toEqual(["Alert: No worker reads tron", "Resolved: Network without a worker tron"]);
}, 60_000);
