import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { cursors } from "@/db/schema";
import type { BlockSource } from "@/lib/chains/endpoints/source";
import { scanNetwork } from "@/lib/watch/blocks/scan-network";
import { leaseNetwork } from "@/lib/watch/network-reader";
import { FAKE_TOKEN } from "@/sandbox/token/install";
import { seedAddress } from "@/testing/database/seed";
import { useScanner } from "@/testing/watch/scanner";

const { world, network, usdt, usdc, db, now, step, catchUp, newScanner, ledger, cursor } = useScanner();

describe("what counts", () => {
  test("a transfer of a known token to a receiving address is in the ledger with its block", async () => {
    const txId = await world.chain.pay(usdt, world.shop.address, 1_500_000n);
    await world.chain.mine();
    await catchUp();
    const [row, ...more] = await ledger();
    expect(more).toEqual([]);
    expect(row).toMatchObject({
      txId,
      position: `${usdt.toLowerCase()}:0`,
      currency: "USDT",
      baseUnits: 1_500_000n,
      status: "seen",
    });
    expect(row).toMatchObject({
      toAddress: world.shop.address,
      receivingAddressId: world.shop.id,
      blockHeight: 21,
      matchedAt: null,
    });
    const block = await world.source.block({ height: 21 });
    expect(row).toMatchObject({ blockHash: block?.hash, blockTime: block?.time });
  });

  test("a fake token, a zero value, a failed transaction and a stranger's transfer are no payments", async () => {
    await world.chain.pay(FAKE_TOKEN, world.shop.address, 1_500_000n);
    await world.chain.pay(usdt, world.shop.address, 0n);
    await world.chain.pay(usdt, `0x${"99".repeat(20)}`, 1_500_000n);
    const transfer = `0xa9059cbb${world.shop.address.slice(2).padStart(64, "0")}${(2n ** 256n - 1n).toString(16).padStart(64, "0")}`;
    const failed = await world.chain.send({ to: usdt, data: transfer });
    await world.chain.mine();
    await catchUp();
    expect(await world.chain.node.call("eth_getTransactionReceipt", [failed])).toMatchObject({ status: "0x0" });
    expect(await ledger()).toEqual([]);
  });

  test("an event with four topics is an NFT's, even when the token's own contract emits it", async () => {
    const emitLog4 = "0x60003560005260803560603560403560203560206000a400";
    await world.chain.node.call("anvil_setCode", [usdc, emitLog4]);
    const word = (hex: string) => hex.padStart(64, "0");
    const event = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
    const txId = await world.chain.send({
      to: usdc,
      data: `0x${word("64")}${event}${word("1")}${word(world.shop.address.slice(2))}${word("7")}`,
    });
    await world.chain.mine();
    await catchUp();
    const receipt = (await world.chain.node.call("eth_getTransactionReceipt", [txId])) as {
      logs: { topics: string[] }[];
    };
    expect(receipt.logs[0]?.topics).toHaveLength(4);
    expect(await ledger()).toEqual([]);
  });

  test("two transfers in one transaction are two payments", async () => {
    const txId = await world.chain.payAll(usdt, [
      [world.shop.address, 5n],
      [`0x${"99".repeat(20)}`, 6n],
      [world.shop.address, 5n],
    ]);
    await world.chain.mine();
    await catchUp();
    expect(await ledger()).toMatchObject([
      { txId, position: `${usdt.toLowerCase()}:0`, baseUnits: 5n },
      { txId, position: `${usdt.toLowerCase()}:2`, baseUnits: 5n },
    ]);
  });

  test("an address that was added while the scanner ran is watched from then on", async () => {
    const added = await seedAddress(db(), { merchantId: world.shop.merchantId }, now());
    await world.chain.pay(usdt, added.address, 7n);
    await world.chain.mine();
    await catchUp();
    expect(await ledger()).toMatchObject([{ receivingAddressId: added.id, baseUnits: 7n }]);
  });
});

describe("several scanners", () => {
  test("reading the same blocks twice changes nothing", async () => {
    await world.chain.pay(usdt, world.shop.address, 11n);
    await world.chain.mine(30);
    await catchUp();
    const before = await ledger();
    await db()
      .update(cursors)
      .set({ height: 20, hash: (await world.source.block({ height: 20 }))?.hash ?? "" });
    await catchUp();
    expect(await ledger()).toEqual(before);
  });

  test("a scanner that lost its lease in the middle writes nothing", async () => {
    await world.chain.pay(usdt, world.shop.address, 11n);
    await world.chain.mine();
    const slow: BlockSource = {
      ...world.source,
      transfers: async (span, addresses) => {
        const found = await world.source.transfers(span, addresses);
        await db().update(cursors).set({ leaseOwner: "two" });
        return found;
      },
    };
    const before = await cursor();
    const done = await scanNetwork(db(), slow, network, world.scanner, now());
    expect(done).toMatchObject({ kind: "lostLease", found: 0 });
    expect(await ledger()).toEqual([]);
    expect(await cursor()).toEqual({ ...before, leaseOwner: "two" });
  });

  test("two scanners that both believe to hold the lease write every payment once", async () => {
    for (let block = 0; block < 10; block++) {
      await world.chain.pay(usdt, world.shop.address, BigInt(100 + block));
      await world.chain.mine();
    }
    const race = async () => {
      const mine = newScanner();
      for (let steps = 0; steps < 30; steps++) await step(mine);
    };
    await Promise.all([race(), race()]);
    expect((await ledger()).map(({ baseUnits }) => baseUnits)).toEqual([
      100n,
      101n,
      102n,
      103n,
      104n,
      105n,
      106n,
      107n,
      108n,
      109n,
    ]);
  });

  test("only one of two workers gets a lease; the other gets it once it runs out", async () => {
    expect(await leaseNetwork(db(), network.id, "two")).toBe(false);
    expect(await leaseNetwork(db(), network.id, "one")).toBe(true);
    await db().update(cursors).set({ leaseUntil: sql`clock_timestamp() - interval '1 millisecond'` });
    expect(await leaseNetwork(db(), network.id, "two")).toBe(true);
    expect(await leaseNetwork(db(), network.id, "one")).toBe(false);
  });
});
