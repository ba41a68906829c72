import { eq, inArray, sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Db } from "@/db/client";
import { claimDueCallbacks, lockDueOrigins, recordAndClaimNext } from "@/db/queries/callbacks/callbacks";
import { callbackAttempts, callbackOrigins, callbacks } from "@/db/schema";
import { type CallbackSender, createCallbackSender, type SenderContext } from "@/lib/callbacks/callback-sender";
import type { Log } from "@/lib/log";
import { answerWith, startReceiver } from "@/testing/callbacks/receiver";
import { seedCallbacks, senderContext } from "@/testing/callbacks/seed";
import { useTestDb } from "@/testing/database/clone";
import { empty } from "@/testing/database/empty";
import { explain } from "@/testing/database/explain";
import { recordStatements } from "@/testing/database/record-statements";
import { seedMerchant } from "@/testing/database/seed";

const testDb = useTestDb();
const db = () => testDb.pool.db;
const begin = new Date();
const later = (seconds: number) => new Date(begin.getTime() + seconds * 1_000);
let now = begin;
let merchantId = "";
const stops: (() => Promise<unknown>)[] = [];

const receiver = async (...args: Parameters<typeof startReceiver>) => {
  const started = await startReceiver(...args);
  stops.push(started.close);
  return started;
};
const sender = (change: Partial<SenderContext> = {}): CallbackSender =>
  createCallbackSender(
    db(),
    senderContext(db(), () => now, change),
  );
const seed = (url: string, count: number, at = now) => seedCallbacks(db(), { merchantId, url, count }, at);
const countWith = async (status: "pending" | "delivered" | "failed") =>
  db().$count(callbacks, eq(callbacks.status, status));
const countLeased = () => db().$count(callbacks, sql`${callbacks.leaseOwner} is not null`);
const health = async (origin: string) =>
  (await db().select().from(callbackOrigins).where(eq(callbackOrigins.origin, origin)))[0];

/** Returns a response that is sent when `release` is called. Later requests get an immediate response. */
function gate(status: number) {
  const { promise, resolve: release } = Promise.withResolvers<void>();
  return {
    release,
    answer: (response: Parameters<ReturnType<typeof answerWith>>[0]) =>
      promise.then(() => answerWith(status)(response)),
  };
}

beforeEach(async () => {
  now = begin;
  await empty(db(), "merchants", "orders", "quotes", "audit_events", "callback_origins");
  merchantId = (await seedMerchant(db(), later(-60))).id;
});

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

describe("several senders", () => {
  test("a hundred callbacks and three concurrent senders: each is sent exactly once", async () => {
    const shop = await receiver(answerWith(200));
    const ids = await seed(shop.origin, 100);
    const senders = ["a", "b", "c"].map((owner) => sender({ owner }));
    const tickAll = () => Promise.all(senders.map((one) => one.tick()));
    await vi.waitFor(async () => {
      await tickAll();
      expect(await countWith("delivered")).toBe(100);
    }, 30_000);
    await Promise.all(senders.map((one) => one.drain()));
    expect(shop.received.map(({ headers }) => headers["webhook-id"]).toSorted()).toEqual(ids.toSorted());
  });

  test("at most eight are in flight to one origin, over all senders", async () => {
    const { answer, release } = gate(200);
    const shop = await receiver(answer);
    await seed(shop.origin, 30);
    const senders = ["a", "b", "c"].map((owner) => sender({ owner }));
    for (let round = 0; round < 5; round++) await Promise.all(senders.map((one) => one.tick()));
    await vi.waitFor(() => expect(shop.received).toHaveLength(8));
    expect((await Promise.all(senders.map((one) => one.tick()))).every((started) => started === 0)).toBe(true);
    release();
    await vi.waitFor(async () => expect(await countWith("delivered")).toBe(30), 30_000);
    await Promise.all(senders.map((one) => one.drain()));
    expect(shop.peak).toBeLessThanOrEqual(8);
  });
});

describe("one sender", () => {
  test("every completed delivery frees capacity at once: one tick delivers a whole backlog", async () => {
    const shop = await receiver(answerWith(200));
    await seed(shop.origin, 50);
    const one = sender();
    expect(await one.tick()).toBe(8);
    await vi.waitFor(async () => expect(await countWith("delivered")).toBe(50), 30_000);
    await one.drain();
  });

  test("a full sender claims nothing; an emptied one continues", async () => {
    const { answer, release } = gate(200);
    const shop = await receiver(answer);
    const other = await receiver(answerWith(200));
    await seed(shop.origin, 4);
    const one = sender({ capacity: 4 });
    expect(await one.tick()).toBe(4);
    await seed(other.origin, 1);
    expect(await one.tick()).toBe(0);
    release();
    await vi.waitFor(async () => expect(await countWith("delivered")).toBe(5), 30_000);
    await one.drain();
  });

  test("a drained sender has written every outcome and starts nothing more", async () => {
    const { answer, release } = gate(200);
    const shop = await receiver(answer);
    await seed(shop.origin, 20);
    const one = sender();
    await one.tick();
    const drained = one.drain();
    release();
    await drained;
    expect(await countWith("delivered")).toBe(8);
    expect(await one.tick()).toBe(0);
    expect(shop.received).toHaveLength(8);
  });
});

describe("callbacks that are claimed ahead", () => {
  test("are sent at most eight at a time, each once", async () => {
    const shop = await receiver(answerWith(200));
    const ids = await seed(shop.origin, 200);
    const senders = ["a", "b"].map((owner) => sender({ owner }));
    await Promise.all(senders.map((one) => one.tick()));
    await vi.waitFor(async () => expect(await countWith("delivered")).toBe(200), 30_000);
    await Promise.all(senders.map((one) => one.drain()));
    expect(shop.peak).toBeLessThanOrEqual(8);
    expect(shop.received.map(({ headers }) => headers["webhook-id"]).toSorted()).toEqual(ids.toSorted());
  });

  test("are released, without an attempt, when their origin fails", async () => {
    let count = 0;
    const shop = await receiver((response) => answerWith(++count <= 40 ? 200 : 503)(response));
    await seed(shop.origin, 200);
    const one = sender();
    await one.tick();
    await vi.waitFor(async () => expect((await health(shop.origin))?.failures).toBeGreaterThan(0), 30_000);
    await one.drain();
    expect(await countLeased()).toBe(0);
    expect(await db().$count(callbackAttempts, eq(callbackAttempts.merchantId, merchantId))).toBe(shop.received.length);
    expect(shop.received.length).toBeLessThan(80);
    const waiting = await db().select().from(callbacks).where(eq(callbacks.attempts, 0));
    expect(waiting.every(({ nextAttemptAt }) => nextAttemptAt?.getTime() === begin.getTime())).toBe(true);
  });

  test("are released, without an attempt, when attempts cannot be recorded", async () => {
    const shop = await receiver(answerWith(200));
    await seed(shop.origin, 2_000);
    const errors: string[] = [];
    const log = { error: (_: object, text: string) => errors.push(text), warn() {} } as unknown as Log;
    const one = sender({ log });
    await one.tick();
    await vi.waitFor(async () => expect(await countWith("delivered")).toBeGreaterThan(100), 30_000);
    const owner = testDb.owner.db;
    await owner.execute(sql`alter table callback_attempts add constraint refused check (false) not valid`);
    try {
      await vi.waitFor(() => expect(errors.length).toBeGreaterThan(0), 30_000);
      await one.drain();
    } finally {
      await owner.execute(sql`alter table callback_attempts drop constraint refused`);
    }
    expect(new Set(errors)).toEqual(new Set(["callback attempt was not recorded"]));
    expect(await countLeased()).toBe(shop.received.length - (await countWith("delivered")));
    const sent = new Set(shop.received.map(({ headers }) => headers["webhook-id"]));
    expect(sent.size).toBe(shop.received.length);
  });

  test("are released when the sender stops", async () => {
    const shop = await receiver(answerWith(200));
    await seed(shop.origin, 2_000);
    const one = sender();
    await one.tick();
    await vi.waitFor(async () => expect(await countWith("delivered")).toBeGreaterThan(20), 30_000);
    await one.drain();
    expect(await countLeased()).toBe(0);
    expect(await countWith("delivered")).toBe(shop.received.length);
  });

  test("are as many in addition as the sender may hold, and none while another sender holds one", async () => {
    const origin = "http://127.0.0.1:4000";
    await seed(`${origin}/`, 60);
    const claimAs = (owner: string, { share = 8, ahead = 0 } = {}) =>
      db().transaction(async (tx) => {
        await lockDueOrigins(tx, 10, now);
        const leaseUntil = new Date(now.getTime() + 30_000);
        const claim = { origins: [origin], share, ahead: { [origin]: ahead }, owner, leaseUntil };
        return (await claimDueCallbacks(tx, claim, now)).length;
      });
    expect(await claimAs("a", { share: 5 })).toBe(5);
    expect(await claimAs("b", { share: 1 })).toBe(1);
    expect(await claimAs("a", { ahead: 20 })).toBe(2);
    expect(await claimAs("a", { ahead: 20 })).toBe(0);
    now = later(30);
    expect(await claimAs("a", { ahead: 20 })).toBe(28);
    expect(await claimAs("a", { ahead: 20 })).toBe(0);
    expect(await claimAs("a", { ahead: 24 })).toBe(4);
    expect(await claimAs("b", { ahead: 20 })).toBe(0);
  });

  test("never bring senders over eight attempts, however often the queue empties and fills", async () => {
    const shop = await receiver(answerWith(200));
    const senders = ["a", "b"].map((owner) => sender({ owner }));
    let count = 0;
    for (let burst = 0; burst < 20; burst++) {
      count += (await seed(shop.origin, 15 + (burst % 20))).length;
      await Promise.all(senders.map((one) => one.tick()));
      await vi.waitFor(async () => expect(await countWith("pending")).toBeLessThan(10), 30_000);
    }
    await vi.waitFor(async () => {
      await Promise.all(senders.map((one) => one.tick()));
      expect(await countWith("delivered")).toBe(count);
    }, 30_000);
    await Promise.all(senders.map((one) => one.drain()));
    expect(shop.peak).toBeLessThanOrEqual(8);
    expect(shop.received).toHaveLength(count);
  });
});

describe("a callback whose lease could end before its attempt", () => {
  test("is not sent, but released with its time, and the next sender sends it", async () => {
    const shop = await receiver(answerWith(200));
    const [id = ""] = await seed(shop.origin, 1, later(-60));
    const { sign } = senderContext(db(), () => now);
    const slow = sender({
      sign: async (...given) => {
        now = later(20);
        return sign(...given);
      },
    });
    await slow.tick();
    await slow.drain();
    expect(shop.received).toEqual([]);
    const [row] = await db().select().from(callbacks).where(eq(callbacks.id, id));
    expect(row).toMatchObject({ status: "pending", attempts: 0, leaseOwner: null, nextAttemptAt: later(-60) });
    const next = sender();
    expect(await next.tick()).toBe(1);
    await next.drain();
    expect(shop.received).toHaveLength(1);
    expect(await countWith("delivered")).toBe(1);
  });
});

describe("origins take turns", () => {
  test("twenty thousand callbacks for one unresponsive host delay no other host, and the claim touches few of them", async () => {
    const { answer, release } = gate(200);
    const hanging = await receiver(answer);
    const shop = await receiver(answerWith(200));
    await seed(`${hanging.origin}/never`, 20_000, later(-3_600));
    const [id] = await seed(`${shop.origin}/paid`, 1);
    expect(await touchedRows()).toBeLessThan(300);
    // Updates the statistics while the table contains only the backlog, as autovacuum may do.
    await db().execute(sql`analyze callbacks`);
    const touched = await touchedRows();
    expect(touched).toBeGreaterThan(0);
    expect(touched).toBeLessThan(300);
    const one = sender();
    expect(await one.tick()).toBe(9);
    const reported = () => expect(shop.received).toMatchObject([{ headers: { "webhook-id": id } }]);
    await vi.waitFor(reported, { timeout: 30_000 });
    await db().execute(sql`analyze callbacks`);
    expect(await touchedRows()).toBeLessThan(300);
    expect(hanging.peak).toBe(8);
    release();
    await one.drain();
  });

  test("every statement of a claim is served by an index", async () => {
    await seed("http://127.0.0.1:4000/", 10);
    const facts = await explain(testDb.pool.sql, async (tx) => {
      const origins = await lockDueOrigins(tx, 10, now);
      await claimDueCallbacks(tx, { origins, share: 8, owner: "x", leaseUntil: later(60) }, now);
    });
    expect(facts.scanned).toEqual([]);
    expect(facts.indexes).toEqual(expect.arrayContaining(["callbacks_due_idx", "callbacks_in_flight_idx"]));
  });

  test("with little room each origin gets its share, and the next time it is the others' turn", async () => {
    const { answer, release } = gate(200);
    const shops = await Promise.all([1, 2, 3, 4].map(() => receiver(answer)));
    for (const shop of shops) await seed(shop.origin, 10);
    const first = sender({ capacity: 2, owner: "first" });
    expect(await first.tick()).toBe(2);
    now = later(1);
    const second = sender({ capacity: 2, owner: "second" });
    expect(await second.tick()).toBe(2);
    await vi.waitFor(() => expect(shops.map((shop) => shop.received.length)).toEqual([1, 1, 1, 1]));
    const drained = Promise.all([first.drain(), second.drain()]);
    release();
    await drained;
  });
});

describe("the next in the place of one that ended", () => {
  test("is claimed in the statement that records it, through indexes alone, and never more than ended", async () => {
    await seed("http://127.0.0.1:4000/", 30);
    const other = await seed("http://127.0.0.1:5000/", 5);
    const leaseUntil = later(60);
    const first = await db().transaction(async (tx) => {
      await lockDueOrigins(tx, 10, now);
      return claimDueCallbacks(tx, { origins: ["http://127.0.0.1:4000"], share: 3, owner: "x", leaseUntil }, now);
    });
    const ended = first.map((claim) => ({ claim, attempt: ANSWERED, move: DELIVERED }));
    const stolen = { ...first[0], leaseOwner: "y" } as (typeof first)[0];
    const results: Awaited<ReturnType<typeof recordAndClaimNext>>[] = [];
    const taker = { owner: "x", leaseUntil };
    const facts = await explain(testDb.pool.sql, async (tx) => {
      const lost = { claim: stolen, attempt: ANSWERED, move: DELIVERED };
      results.push(await recordAndClaimNext(tx, [lost, ...ended.slice(1)], taker, now));
    });
    const [{ written, claimed } = { written: new Set(), claimed: [] }] = results;
    expect([...written]).toEqual(first.slice(1).map(({ id }) => id));
    expect(claimed).toHaveLength(2);
    expect(claimed.every(({ origin }) => origin === first[0]?.origin)).toBe(true);
    expect([...other, ...first.map(({ id }) => id)]).not.toContain(claimed[0]?.id);
    expect(facts.scanned.filter((table) => table.startsWith("callbacks"))).toEqual([]);
    expect(facts.indexes).toEqual(expect.arrayContaining(["callbacks_due_idx"]));
  });

  test("is not claimed in place of one that its sender held beyond the limit", async () => {
    await seed("http://127.0.0.1:4000/", 30);
    const taker = { owner: "x", leaseUntil: later(60) };
    const { written, claimed } = await db().transaction(async (tx) => {
      const origins = await lockDueOrigins(tx, 10, now);
      const first = await claimDueCallbacks(tx, { origins, share: 3, ...taker }, now);
      const ended = first.map((claim, index) => ({
        claim,
        attempt: ANSWERED,
        move: DELIVERED,
        isReplaced: index === 1,
      }));
      return recordAndClaimNext(tx, ended, taker, now);
    });
    expect([written.size, claimed.length]).toEqual([3, 1]);
  });

  test("waits its turn where more origins wait than there is room for", async () => {
    const order: string[] = [];
    const shops = await Promise.all(
      ["a", "b", "c"].map((name) =>
        receiver((response) => {
          order.push(name);
          response.writeHead(200).end();
        }),
      ),
    );
    for (const shop of shops) await seed(shop.origin, 4);
    const one = sender({ capacity: 1, now: () => new Date() });
    await one.tick();
    await vi.waitFor(async () => expect(await countWith("delivered")).toBe(12), 30_000);
    await one.drain();
    for (let turn = 0; turn < 12; turn += 3) expect(new Set(order.slice(turn, turn + 3)).size, order.join("")).toBe(3);
  });

  test("goes over the connection that is there", async () => {
    const shop = await receiver(answerWith(200));
    const ids = await seed(shop.origin, 2);
    const one = sender({ capacity: 1 });
    await one.tick();
    await vi.waitFor(async () => expect(await countWith("delivered")).toBe(2), 30_000);
    await one.drain();
    const attempts = await db().select().from(callbackAttempts).where(inArray(callbackAttempts.callbackId, ids));
    const kept = attempts.filter(({ connectMs }) => connectMs === null);
    expect(kept).toMatchObject([{ peer: "127.0.0.1", httpStatus: 200 }]);
  });
});

const DELIVERED = { status: "delivered", nextAttemptAt: null, deliveredAt: begin } as const;
const ANSWERED = {
  startedAt: begin,
  durationMs: 1,
  dnsMs: 0,
  connectMs: 0,
  tlsMs: null,
  firstByteMs: 1,
  httpStatus: 200,
  error: null,
  answer: "",
  peer: "127.0.0.1",
};

describe("origins that fail", () => {
  test("failures side by side count once; then one at a time probes the origin; the third in a row pauses it", async () => {
    let status = 503;
    const shop = await receiver((response) => answerWith(status)(response));
    await seed(shop.origin, 40);
    for (const [seconds, sent, failures] of [
      [0, 8, 1],
      [20, 9, 2],
      [40, 10, 3],
    ] as const) {
      now = later(seconds);
      const one = sender();
      await one.tick();
      await one.drain();
      expect(shop.received).toHaveLength(sent);
      expect(await health(shop.origin)).toMatchObject({ failures });
    }
    const paused = sender();
    expect(await paused.tick()).toBe(0);
    now = later(60);
    expect(await paused.tick()).toBe(1);
    await paused.drain();
    expect(await health(shop.origin)).toMatchObject({ failures: 4 });
    status = 200;
    now = later(600);
    const probing = sender();
    expect(await probing.tick()).toBe(1);
    await vi.waitFor(async () => expect(await countWith("delivered")).toBe(40), 30_000);
    await probing.drain();
    expect(await health(shop.origin)).toMatchObject({ failures: 0, pausedUntil: null });
  });

  test("an origin that refuses in good health is not paused", async () => {
    const shop = await receiver(answerWith(404));
    await seed(shop.origin, 20);
    const one = sender();
    await one.tick();
    await vi.waitFor(() => expect(shop.received).toHaveLength(20), 30_000);
    await one.drain();
    expect(await health(shop.origin)).toMatchObject({ failures: 0, pausedUntil: null });
  });
});

interface PlanNode {
  "Relation Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  Plans?: PlanNode[];
}

/** Returns the number of rows of callbacks that a claim reads, as PostgreSQL counts them. Rolls the claim back. */
async function touchedRows(): Promise<number> {
  const { db, sent } = recordStatements(testDb.pool.sql);
  const takeBack = new Error("taken back");
  const claim = async (tx: Db) => {
    const origins = await lockDueOrigins(tx, 10, now);
    await claimDueCallbacks(tx, { origins, share: 8, owner: "x", leaseUntil: later(60) }, now);
    throw takeBack;
  };
  await expect(db.transaction(claim)).rejects.toBe(takeBack);
  let rows = 0;
  const measured = testDb.pool.sql.begin(async (tx) => {
    for (const { query, params } of sent.filter((one) => /callbacks|set local/.test(one.query))) {
      if (query.includes("set local")) {
        await tx.unsafe(query);
        continue;
      }
      const explained = await tx.unsafe(`explain (analyze, format json) ${query}`, params as never[]);
      for (const row of explained)
        for (const { Plan } of row["QUERY PLAN"] as { Plan: PlanNode }[]) rows += rowsOf(Plan);
    }
    throw takeBack;
  });
  await expect(measured).rejects.toBe(takeBack);
  expect(sent.length).toBeGreaterThanOrEqual(2);
  return rows;
}

function rowsOf(node: PlanNode): number {
  const below = (node.Plans ?? []).reduce((sum, child) => sum + rowsOf(child), 0);
  if (node["Relation Name"] !== "callbacks") return below;
  return below + (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"];
}
