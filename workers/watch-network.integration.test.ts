import pino from "pino";
import { expect, test, vi } from "vitest";
import { LOOKUP_ASKED } from "@/lib/domain/channels";
import { getNetwork } from "@/lib/domain/networks";
import type { NetworkReader } from "@/lib/watch/network-reader";
import { useTestDb } from "@/testing/database/clone";
import type { HeadWakes } from "@/workers/head-wakes";
import { createNetworkWatcher, listenForLookups, pollMs } from "@/workers/watch-network";

const testDb = useTestDb();
const network = getNetwork("ethereum");
const now = () => new Date("2026-01-01T12:00:00Z");
const head = { height: 100, hash: "0x64", parentHash: "0x63", time: now(), finalizedHeight: 88 };

const ctx = { publicUrl: "https://pay.example.com", log: pino({ level: "silent" }) };

const readerOf = (changes: Partial<NetworkReader>): NetworkReader => ({
  checker: {
    problem: async () => null,
    warning: () => null,
    checkFinality: async () => ({ kind: "unclear" }),
    quorumMiss: () => null,
    mistrust: () => {},
    heads: () => [],
  },
  forget: () => {},
  step: async () => ({ kind: "advanced", head, isCaughtUp: true, found: 0 }),
  lookUp: async () => null,
  head: async () => head,
  receipt: async () => null,
  balances: async () => [],
  freezeState: async () => "unchecked",
  receivers: null,
  verify: async () => 0,
  ...changes,
});

test("a network that is never quite caught up is read a second time all the same", async () => {
  const verify: number[] = [];
  const reader = readerOf({
    step: async () => ({ kind: "advanced", head, isCaughtUp: false, found: 1 }),
    verify: async ({ height }) => verify.push(height),
  });
  const { db } = testDb.pool;
  const watcher = createNetworkWatcher({ db, ctx, reader, network, owner: "one", now, endpoints: () => [] });
  await watcher.keepLease();
  await watcher.watch();
  await watcher.verify();
  expect(verify).toEqual([head.height]);
});

test.each([
  { isLive: false, latestMs: network.blockMs },
  { isLive: true, latestMs: network.blockMs + 2 * pollMs(network) },
])(
  "an active network is read again within a block and, if blocks are announced, two poll intervals: $isLive",
  async ({ isLive, latestMs }) => {
    const calls: string[] = [];
    const openHeads = (): HeadWakes => ({
      follow: (isWanted) => calls.push(`follow ${isWanted}`),
      isLive: () => isLive,
      begin: () => calls.push("begin"),
      end: (height, { apartMs }) => calls.push(`end ${height} ${apartMs}`),
      close: () => calls.push("close"),
    });
    const reader = readerOf({
      step: async () => ({ kind: "advanced", head: { ...head, blockMs: network.blockMs }, isCaughtUp: true, found: 0 }),
    });
    const { db } = testDb.pool;
    const watcher = createNetworkWatcher({
      db,
      ctx,
      reader,
      network,
      owner: "one",
      now,
      endpoints: () => [],
      openHeads,
    });
    await watcher.keepLease();
    const waitMs = await watcher.watch();
    expect(waitMs).toBeLessThanOrEqual(latestMs);
    expect(waitMs).toBeGreaterThan(latestMs - pollMs(network));
    watcher.hold(null, now());
    await watcher.watch();
    expect(calls).toEqual(["follow true", "begin", `end 100 ${pollMs(network) / 4}`, "close"]);
  },
);

test("a lookup on a network wakes that network only; lookups without a listener wake all", async () => {
  const { sql } = testDb.pool;
  const woken: string[] = [];
  const loops = new Map(["bsc", "tron"].map((id) => [id, { wake: () => void woken.push(id) }]));
  await listenForLookups(testDb.pool, loops);
  await vi.waitUntil(() => woken.length === 2);
  for (const asked of ["polygon", "tron", "nonsense", "bsc"]) await sql.notify(LOOKUP_ASKED, asked);
  await vi.waitUntil(() => woken.length === 4);
  expect(woken.slice(2)).toEqual(["tron", "bsc"]);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and query ilike 'listen%'`;
  await vi.waitUntil(() => woken.length === 6, { timeout: 20_000 });
  expect(woken.slice(4)).toEqual(["bsc", "tron"]);
});
