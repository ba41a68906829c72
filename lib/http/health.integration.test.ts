import pino from "pino";
import { beforeEach, expect, test } from "vitest";
import { addCalls } from "@/db/queries/networks/calls";
import { cursors, rateSources } from "@/db/schema";
import { problem } from "@/lib/domain/problems/problem";
import { readHealth } from "@/lib/http/health";
import { useTestDb } from "@/testing/database/clone";

const testDb = useTestDb();
const log = pino({ level: "silent" });
const now = new Date("2026-03-01T10:00:00Z");
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
const unix = (at: Date) => at.getTime() / 1_000;
const live = {
  network: "tron",
  height: 98,
  headHeight: 100,
  blockTime: ago(6),
  respondedAt: ago(1),
  problem: null,
  endpoints: [],
  leaseOwner: "vm:1:worker",
  leaseUntil: ago(-4),
};

const URLS = ["https://rpc.example/v2/key-4711", "http://10.1.2.3:8545"];

beforeEach(async () => {
  await testDb.pool.db.delete(cursors);
});

async function healthOf(changes: Partial<typeof cursors.$inferInsert>, at = now) {
  await testDb.pool.db.delete(cursors);
  await testDb.pool.db.insert(cursors).values({ ...live, ...changes });
  const { status, networks } = await readHealth(testDb.pool.db, new Map([["tron", URLS]]), at, log);
  return { status, ...networks["tron"] };
}

test("a network that was never read has no numbers, and is not healthy", async () => {
  const unread = { behind_blocks: null, last_block_at: null, last_heard_at: null, endpoints: [] };
  const nothing = {
    block_ms: null,
    closed_at: null,
    problem: "No worker reads Solana. Start one that has an RPC URL for this network.",
    warning: null,
    unreadable_transactions: 0,
    lost_transfers: 0,
    failing_rows: 0,
  };
  const health = await readHealth(testDb.pool.db, new Map([["solana", []]]), now, log);
  expect(health).toEqual({
    status: "degraded",
    database: "ok",
    networks: { solana: { ...unread, ...nothing } },
    rates: {},
  });
});

test("used rate sources are reported without host names, and one healthy source is enough", async () => {
  const db = testDb.pool.db;
  const row = { askedFor: "EUR", nextAt: ago(0), answeredAt: ago(60) };
  const failure = problem("outbound_name_without_address", { host: "rates.intranet.example" });
  await db.insert(rateSources).values([
    { source: "a", ...row, failure, answeredAt: null },
    { source: "b", ...row, warning: "EUR deviates by more than a tenth" },
    { source: "unused", ...row, nextAt: ago(3 * 3_600) },
  ]);
  expect(await healthOf({})).toMatchObject({ status: "degraded" });
  const { rates } = await readHealth(db, new Map(), now, log);
  expect(rates).toEqual({
    a: { last_read_at: null, problem: expect.stringMatching(/^The last reading returned no usable rate/) },
    b: { last_read_at: unix(ago(60)), problem: "EUR deviates by more than a tenth" },
  });
  await db.insert(rateSources).values({ source: "c", ...row });
  expect(await healthOf({})).toMatchObject({ status: "ok" });
  await db.delete(rateSources);
});

test("a closed network is reported as closed and does not make the installation degraded", async () => {
  const silent = { problem: "No endpoint answers", respondedAt: ago(7_200) };
  expect(await healthOf(silent)).toMatchObject({ status: "degraded", closed_at: null, problem: "No endpoint answers" });
  const closed = { closedAt: ago(3_600), closedBy: "ops@example.com", closeReason: "" };
  const health = await healthOf({ ...silent, ...closed });
  expect(health).toMatchObject({ status: "ok", closed_at: unix(ago(3_600)), problem: null });
});

test("a network whose start position is still unknown has no number of blocks behind", async () => {
  const found = await healthOf({ height: null, blockTime: null });
  expect(found).toMatchObject({ behind_blocks: null, last_block_at: null, last_heard_at: unix(ago(1)) });
});

test("a network that is read reports its lag and the time of its last block", async () => {
  expect(await healthOf({})).toMatchObject({ status: "ok", behind_blocks: 2, last_block_at: unix(ago(6)) });
  expect(await healthOf({ height: 10 })).toMatchObject({ behind_blocks: 90 });
  expect(await healthOf({ height: 101 })).toMatchObject({ behind_blocks: 0 });
});

test("a network with a problem, or without a response for two minutes, is not healthy", async () => {
  expect(await healthOf({ problem: "far behind" })).toMatchObject({ status: "degraded", problem: "far behind" });
  expect(await healthOf({ respondedAt: ago(119) })).toMatchObject({ status: "ok" });
  expect(await healthOf({ respondedAt: ago(120) })).toMatchObject({ status: "degraded" });
});

test("a network that no worker has read for some seconds is degraded, with the blocks that came since, unless it is closed", async () => {
  const read = { blockMs: 3_000, respondedAt: ago(60) };
  expect(await healthOf({ ...read, leaseUntil: ago(6) })).toMatchObject({ status: "ok", behind_blocks: 2 });
  const unread = await healthOf({ ...read, leaseUntil: ago(7) });
  expect(unread).toMatchObject({ status: "degraded", behind_blocks: 22 });
  expect(unread.problem).toMatch(/^No worker has read TRON since 2026-03-01 09:59 UTC\./);
  const closed = { closedAt: ago(3_600), closedBy: "ops@example.com", closeReason: "" };
  expect(await healthOf({ ...closed, leaseUntil: ago(7) })).toMatchObject({ status: "ok", problem: null });
});

test("a network whose endpoints all failed since the last response is degraded after ten seconds", async () => {
  const failed = (seconds: number) => ({
    name: `rpc-${seconds}.example`,
    errors: 1,
    last: { kind: "unavailable", message: "-", at: ago(seconds).toISOString() },
  });
  const silent = { respondedAt: ago(10), blockMs: 1_000 };
  expect(await healthOf({ ...silent, endpoints: [failed(3), failed(11)] })).toMatchObject({ status: "ok" });
  expect(await healthOf({ respondedAt: ago(9), endpoints: [failed(3), failed(4)] })).toMatchObject({ status: "ok" });
  const away = await healthOf({ ...silent, endpoints: [failed(3), failed(4)] });
  expect(away).toMatchObject({ status: "degraded", behind_blocks: 12 });
  expect(away.problem).toContain("No endpoint of TRON has responded since");
});

test("unwatched tokens of a network are reported, and the network is healthy", async () => {
  const text = "bridged USDC on TRON: transfers of this look-alike are not watched meanwhile.";
  expect(await healthOf({ warning: text, blockMs: 2_900 })).toMatchObject({
    status: "ok",
    warning: text,
    block_ms: 2_900,
  });
});

test("errors of endpoints are reported without names, and no longer an hour after the last one, even without a worker", async () => {
  const last = { kind: "rateLimited", message: "HTTP 429 of https://rpc.example", at: ago(60).toISOString() };
  const endpoints = [
    { name: "rpc.example", errors: 12, last },
    { name: "other.example", errors: 0, last: null },
  ];
  const calls = { network: "tron", endpoint: "rpc.example", day: "2026-03-01", calls: 21, errors: 12 };
  await addCalls(testDb.pool.db, [calls]);
  const reported = await healthOf({ endpoints });
  expect(reported.endpoints).toEqual([
    { calls_today: 21, errors_last_hour: 12, last_error: "rateLimited", last_error_at: unix(ago(60)) },
    { calls_today: 0, errors_last_hour: 0, last_error: null, last_error_at: null },
  ]);
  expect(JSON.stringify(reported)).not.toContain("example");
  const later = await healthOf({ endpoints }, new Date(ago(60).getTime() + 3_600_000));
  expect(later.endpoints?.[0]).toMatchObject({ errors_last_hour: 0, last_error: "rateLimited" });
});

test("problems are reported without naming endpoints", async () => {
  const problem = "rpc.example says that it is chain 56; 10.1.2.3:8545 and third.example (2) do not answer";
  const warning = "https://old.example/v3/other-key was asked: rpc.example is behind";
  const endpoints = [{ name: "third.example (2)", errors: 0, last: null }];
  const reported = await healthOf({ problem, warning, endpoints });
  expect(reported).toMatchObject({
    status: "degraded",
    problem: "an endpoint says that it is chain 56; an endpoint and an endpoint do not answer",
    warning: "an endpoint was asked: an endpoint is behind",
  });
  expect(JSON.stringify(reported)).not.toMatch(/example|10\.1\.2|key/);
});
