import { eq } from "drizzle-orm";
import pino from "pino";
import { describe, expect, test } from "vitest";
import { countLost } from "@/db/queries/transfers/reorgs";
import { auditEvents, transfers } from "@/db/schema";
import { READ_ONLY } from "@/lib/domain/keys/role";
import { readHealth } from "@/lib/http/health";
import { acknowledgeLost } from "@/lib/ledger/acknowledge-lost";
import { seedPerson } from "@/testing/database/seed";
import { useScanner } from "@/testing/watch/scanner";

const { world, usdt, db, now, step, catchUp, verify, ledger, cursor, keptHeights } = useScanner();

describe("reorganisations", () => {
  test("a transfer whose block is replaced is dropped, and seen again where it is included again", async () => {
    const txId = await world.chain.pay(usdt, world.shop.address, 1_500_000n);
    await world.chain.mine(2);
    await catchUp();
    const raw = await world.chain.node.call("eth_getRawTransactionByHash", [txId]);
    await world.chain.node.call("anvil_reorg", [3, []]);
    await world.chain.mine();
    const steps = await catchUp();
    expect(steps.map(({ kind }) => kind)).toContain("rewound");
    expect(await ledger()).toMatchObject([{ txId, status: "dropped", matchedAt: null }]);

    await db().update(transfers).set({ matchedAt: now() });
    await world.chain.node.call("eth_sendRawTransaction", [raw]);
    await world.chain.mine();
    await catchUp();
    const [row, ...more] = await ledger();
    expect(more).toEqual([]);
    expect(row).toMatchObject({ txId, status: "seen", matchedAt: null, blockHeight: await world.chain.height() });
  });

  test("a transfer that moves to another block in one reorg is one payment in the new block", async () => {
    const txId = await world.chain.pay(usdt, world.shop.address, 1_500_000n);
    await world.chain.mine(3);
    await catchUp();
    const [before] = await ledger();
    const raw = await world.chain.node.call("eth_getRawTransactionByHash", [txId]);
    await world.chain.node.call("anvil_reorg", [4, [[raw, 2]]]);
    await world.chain.mine();
    await catchUp();
    const rows = await ledger();
    expect(rows).toMatchObject([{ txId, status: "seen", blockHeight: (before?.blockHeight ?? 0) + 1 }]);
    expect(rows[0]?.blockHash).not.toBe(before?.blockHash);
  });

  test("a transfer in the first new block of a reorg below the kept hashes is found", async () => {
    await world.chain.mine(30);
    await catchUp();
    await verify();
    await world.chain.mine();
    await catchUp();
    const [lowest = 0] = await keptHeights();
    const txId = await world.chain.pay(usdt, world.shop.address, 1_500_000n);
    await world.chain.mine();
    await catchUp();
    const raw = await world.chain.node.call("eth_getRawTransactionByHash", [txId]);
    const depth = (await world.chain.height()) - lowest + 3;
    await world.chain.node.call("anvil_reorg", [depth, [[raw, 0]]]);
    await world.chain.mine();
    await catchUp();
    expect(await ledger()).toMatchObject([{ txId, status: "seen", blockHeight: lowest - 2 }]);
  });

  test("a chain that loses its last blocks and grows again is read from the common ancestor", async () => {
    await world.chain.pay(usdt, world.shop.address, 3n);
    await world.chain.mine(2);
    await catchUp();
    await world.chain.node.call("anvil_rollback", [2]);
    expect((await step()).kind).toBe("idle");
    expect(await ledger()).toMatchObject([{ status: "seen" }]);
    await world.chain.node.call("evm_increaseTime", [5]);
    await world.chain.mine(4);
    await catchUp();
    expect(await ledger()).toMatchObject([{ status: "dropped" }]);
    expect(await cursor()).toMatchObject({ height: 24 });
  });

  test("a confirmed transfer that vanishes stays confirmed, and is recorded for its merchant", async () => {
    await world.chain.pay(usdt, world.shop.address, 3n);
    await world.chain.mine(2);
    await catchUp();
    await db().update(transfers).set({ status: "confirmed", matchedAt: now() });
    await world.chain.node.call("anvil_reorg", [3, []]);
    await world.chain.mine();
    await catchUp();
    expect(await ledger()).toMatchObject([{ status: "confirmed" }]);
    const events = await db().select().from(auditEvents);
    expect(events).toMatchObject([{ action: "transfer.lost", merchantId: world.shop.merchantId }]);
  });

  test("a settled payment that a reorg removed is on the home page and in health until a user acknowledges it", async () => {
    const txId = await world.chain.pay(usdt, world.shop.address, 4n);
    await world.chain.mine(2);
    await catchUp();
    await db().update(transfers).set({ status: "confirmed", matchedAt: now() });
    const raw = await world.chain.node.call("eth_getRawTransactionByHash", [txId]);
    await world.chain.node.call("anvil_reorg", [3, []]);
    await world.chain.mine();
    await catchUp();
    const { merchantId } = world.shop;
    const lost = async () => [
      await countLost(db(), merchantId),
      (await readHealth(db(), new Map([["ethereum", []]]), now(), pino({ level: "silent" }))).networks["ethereum"]
        ?.lost_transfers,
    ];
    expect(await lost()).toEqual([1, 1]);
    const [row] = await ledger();
    if (!row) throw new Error("the transfer was not kept");
    const actor = { merchantId, userId: await seedPerson(db(), { merchantId }, now()) };
    const viewer = { ...actor, role: "viewer" as const };
    expect(await acknowledgeLost(db(), viewer, row.id, now())).toEqual({ problem: READ_ONLY });
    expect(await lost()).toEqual([1, 1]);
    expect(await acknowledgeLost(db(), { ...actor, role: "admin" }, row.id, now())).toBeNull();
    expect(await lost()).toEqual([0, 0]);
    expect(await acknowledgeLost(db(), { ...actor, role: "admin" }, row.id, now())).toHaveProperty("problem");
    const logged = await db().select().from(auditEvents).where(eq(auditEvents.userId, actor.userId));
    expect(logged).toMatchObject([{ action: "transfer.lost_acknowledged", merchantId }]);
    await world.chain.node.call("eth_sendRawTransaction", [raw]);
    await world.chain.mine();
    await catchUp();
    expect(await ledger()).toMatchObject([{ txId, status: "seen", lostAt: expect.any(Date) }]);
  });

  test("hashes are kept until their blocks are final and were read twice, and then forgotten", async () => {
    await world.chain.mine(30);
    await catchUp();
    expect((await keptHeights())[0]).toBe(16);
    await verify();
    await world.chain.mine();
    await catchUp();
    const kept = await keptHeights();
    expect(kept).not.toContain(16);
    expect(kept[0]).toBeLessThanOrEqual(world.scanner.memory.verifiedTo ?? 0);
    expect(kept.slice(-5)).toEqual([47, 48, 49, 50, 51]);
  });
});
