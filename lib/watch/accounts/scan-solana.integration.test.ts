import { Keypair } from "@solana/web3.js";
import { describe, expect, test } from "vitest";
import { orders } from "@/db/schema";
import { PAYER } from "@/sandbox/solana/accounts/mints";
import { startRpcProxy } from "@/testing/chains/evm";
import { accountOf, moving, opening, ownerNamed } from "@/testing/chains/solana";
import { seedOrder } from "@/testing/database/seed";
import { BY_ACCOUNTS, BY_SLOTS, useSolanaChain, useSolanaLedger } from "@/testing/watch/solana-scanner";

const world = useSolanaChain();
const shop = ownerNamed("shop").publicKey;
const stranger = ownerNamed("stranger").publicKey;

describe.each([
  { name: "by accounts", maxAccounts: BY_ACCOUNTS },
  { name: "by slots", maxAccounts: BY_SLOTS },
])("read $name", ({ maxAccounts }) => {
  const { state, db, now, sourceOf, catchUp, settle, ledger, cursor } = useSolanaLedger(world, maxAccounts);

  test("a payment is in the ledger with its block, and confirmed when its slot is final", async () => {
    await catchUp();
    const txId = await world.chain.pay([{ to: shop, currency: "USDC", baseUnits: 1_500_000n }]);
    await world.chain.advance();
    await settle();
    const [row, ...more] = await ledger();
    expect(more).toEqual([]);
    expect(row).toMatchObject({ txId, currency: "USDC", baseUnits: 1_500_000n, status: "seen" });
    expect(row).toMatchObject({ toAddress: shop.toBase58(), receivingAddressId: state.shop.id });
    const block = await state.source.block(row?.blockHeight ?? 0);
    expect(row).toMatchObject({ blockHash: block?.hash, blockTime: block?.time });
    await world.chain.advance(31);
    await settle();
    expect(await ledger()).toMatchObject([{ status: "seen" }]);
    await world.chain.advance();
    await settle();
    expect(await ledger()).toMatchObject([{ status: "confirmed" }]);
    const head = await state.source.head();
    expect(await cursor()).toMatchObject({ height: head.height, hash: head.hash, headHeight: head.height });
    expect(await cursor()).toMatchObject({
      blockTime: head.time,
      caughtUpAt: expect.any(Date),
      respondedAt: expect.any(Date),
    });
  });

  test("a failed transaction, a stranger's payment and money that the shop sends are no payments", async () => {
    await catchUp();
    const owner = ownerNamed("shop");
    const paid = await world.chain.pay([{ to: shop, currency: "USDT", baseUnits: 500n }]);
    await world.chain.pay([{ to: stranger, currency: "USDT", baseUnits: 500n }]);
    const failed = await world.chain.pay([{ to: shop, currency: "USDT", baseUnits: 10n ** 19n }]);
    await world.chain.advance();
    const sent = await world.chain.send([moving(shop, accountOf(stranger, "USDT"), "USDT", 100n)], {
      signers: [owner],
    });
    await world.chain.advance();
    await catchUp();
    const { value } = await world.chain.connection.getSignatureStatuses([failed, sent]);
    expect(value.map((status) => status?.err === null)).toEqual([false, true]);
    expect(await ledger()).toMatchObject([{ txId: paid, baseUnits: 500n }]);
  });

  test("a payment on a fork that was abandoned is taken back, and paid once when it comes again", async () => {
    await catchUp();
    const { id } = await seedOrder(
      db(),
      { address: state.shop, baseUnits: 700n, notifyUrl: "https://a.example/b" },
      now(),
    );
    const txId = await world.chain.pay([{ to: shop, currency: "USDT", baseUnits: 700n }]);
    await world.chain.advance(3);
    await settle();
    const statusOf = async () => (await db().select().from(orders)).find((order) => order.id === id)?.status;
    expect(await statusOf()).toBe("confirming");
    const raw = await world.chain.rawOf(txId);
    await world.chain.node.call("solana_fork", [4, { reinclude: false }]);
    for (let slots = 0; slots < 40; slots += 5) {
      await world.chain.advance(5);
      await settle();
    }
    expect(await ledger()).toMatchObject([{ txId, status: "dropped" }]);
    expect(await statusOf()).toBe("pending");
    await world.chain.connection.sendRawTransaction(raw, { skipPreflight: true });
    await world.chain.advance(2);
    await settle();
    expect(await ledger()).toMatchObject([{ txId, status: "seen" }]);
    expect(await statusOf()).toBe("confirming");
    await world.chain.advance(40);
    await settle();
    expect(await ledger()).toMatchObject([{ txId, status: "confirmed", baseUnits: 700n }]);
    expect(await statusOf()).toBe("paid");
  });

  test("a payment that a fork moved to another slot is one payment in the new block", async () => {
    await catchUp();
    const txId = await world.chain.pay([{ to: shop, currency: "USDT", baseUnits: 700n }]);
    await world.chain.advance(3);
    await settle();
    const [before] = await ledger();
    await world.chain.node.call("solana_fork", [4, { reinclude: true, skip: true }]);
    await world.chain.advance(1);
    await settle();
    await world.chain.advance(40);
    await settle();
    await settle();
    const [after, ...more] = await ledger();
    expect(more).toEqual([]);
    expect(after).toMatchObject({ txId, status: "confirmed" });
    expect(after?.blockHeight).toBeGreaterThan(before?.blockHeight ?? 0);
    expect(after?.blockHash).toBe((await state.source.block(after?.blockHeight ?? 0))?.hash);
  });

  test("a worker that was away for hours reads the histories, not the slots", async () => {
    await catchUp();
    const txIds = [];
    for (let hour = 0; hour < 3; hour++) {
      await world.chain.advance(9_000);
      txIds.push(await world.chain.pay([{ to: shop, currency: "USDC", baseUnits: 5n }]));
    }
    const account = Keypair.generate();
    const opened = opening(account.publicKey, shop, "USDC");
    const move = moving(PAYER.publicKey, account.publicKey, "USDC", 6n);
    txIds.push(await world.chain.send([...opened, move], { signers: [account] }));
    await world.chain.advance(9_000);
    const proxy = await startRpcProxy(world.chain.node.url);
    state.source = sourceOf(proxy.url);
    await catchUp();
    await proxy.stop();
    expect((await ledger()).map(({ txId }) => txId).toSorted()).toEqual(txIds.toSorted());
    const calls = [...proxy.calls.values()].reduce((sum, count) => sum + count, 0);
    expect(calls).toBeLessThan(30);
  });
});

describe("read by slots only", () => {
  const { catchUp, ledger, cursor } = useSolanaLedger(world, BY_SLOTS);

  test("a token account that is not the associated one is a receiver's too", async () => {
    await catchUp();
    const account = Keypair.generate();
    const paid = [...opening(account.publicKey, shop, "USDC"), moving(PAYER.publicKey, account.publicKey, "USDC", 42n)];
    const txId = await world.chain.send(paid, { signers: [account] });
    await world.chain.advance();
    await catchUp();
    expect(await ledger()).toMatchObject([{ txId, position: account.publicKey.toBase58(), baseUnits: 42n }]);
  });

  test("slots without blocks are passed over, any number of them", async () => {
    await catchUp();
    await world.chain.node.call("solana_skip", [100]);
    await world.chain.advance(100);
    const txId = await world.chain.pay([{ to: shop, currency: "USDC", baseUnits: 42n }]);
    await world.chain.advance();
    await catchUp();
    expect(await ledger()).toMatchObject([{ txId }]);
    expect(await cursor()).toMatchObject({ height: await world.chain.slot() });
  });
});
