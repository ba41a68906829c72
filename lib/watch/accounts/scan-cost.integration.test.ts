import { Keypair } from "@solana/web3.js";
import { beforeEach, describe, expect, test } from "vitest";
import { accountCursors, blocks, cursors, transfers } from "@/db/schema";
import { PAYER } from "@/sandbox/solana/accounts/mints";
import { type RpcProxy, startRpcProxy } from "@/testing/chains/evm";
import { accountOf, moving, opening, ownerNamed } from "@/testing/chains/solana";
import { seedAddress, seedOrder } from "@/testing/database/seed";
import { BY_ACCOUNTS, useSolanaChain, useSolanaLedger } from "@/testing/watch/solana-scanner";

const world = useSolanaChain();
const shop = ownerNamed("shop").publicKey;

/** Returns the number of calls of each method, and resets the counts. */
function take(proxy: RpcProxy): Record<string, number> {
  const calls = Object.fromEntries(proxy.calls);
  proxy.calls.clear();
  return calls;
}

describe("read by accounts", () => {
  const { state, db, now, sourceOf, catchUp, verify, newScanner, ledger, accounts, cursor } = useSolanaLedger(
    world,
    BY_ACCOUNTS,
  );
  let proxy: RpcProxy;
  beforeEach(async () => {
    await catchUp();
    proxy = await startRpcProxy(world.chain.node.url);
    state.source = sourceOf(proxy.url);
    return () => proxy.stop();
  });
  const pay = (baseUnits: bigint) => world.chain.pay([{ to: shop, currency: "USDC", baseUnits }]);

  test("cursors of accounts follow the newest final slot, and nothing known is read twice", async () => {
    await pay(5n);
    await world.chain.advance(3);
    await catchUp();
    take(proxy);
    await world.chain.advance(3);
    await catchUp();
    expect(take(proxy)["getTransaction"]).toBeUndefined();
    await world.chain.advance(50);
    const head = await state.source.head();
    await catchUp();
    const names = (["USDT", "USDC"] as const).map((currency) => accountOf(shop, currency).toBase58());
    expect((await accounts()).map(({ account }) => account).sort()).toEqual(names.sort());
    expect((await accounts()).map(({ slot }) => slot)).toEqual([head.finalizedHeight, head.finalizedHeight]);
  });

  test("hundreds of unwatched payments are written in several transactions, none twice, none lost", async () => {
    for (let payment = 1; payment <= 430; payment++) {
      await pay(BigInt(payment));
      if (payment % 40 === 0) await world.chain.advance();
    }
    await world.chain.advance(40);
    const steps = await catchUp();
    expect(steps.map(({ isCaughtUp }) => isCaughtUp)).toEqual([false, true]);
    const units = (await ledger()).map(({ baseUnits }) => Number(baseUnits)).sort((left, right) => left - right);
    expect(units).toEqual(Array.from({ length: 430 }, (_, index) => index + 1));
  }, 240_000);

  test("pages that repeat entries and reach back too far change nothing", async () => {
    for (let payment = 1; payment <= 50; payment++) await pay(BigInt(payment));
    await world.chain.advance();
    let last: unknown[] = [];
    proxy.fault = async ({ method }, _response, pass) => {
      const page = await pass();
      if (method !== "getSignaturesForAddress" || !Array.isArray(page)) return page;
      const repeated = [...last.slice(-3), ...page];
      last = page;
      return repeated;
    };
    await catchUp();
    expect(await ledger()).toHaveLength(50);
  });

  test("a node that hides a payment at first is corrected by the second reading", async () => {
    proxy.fault = async ({ method }, _response, pass) => (method === "getSignaturesForAddress" ? [] : pass());
    const txId = await pay(5n);
    await world.chain.advance(2);
    await catchUp();
    proxy.fault = undefined;
    await world.chain.advance(200);
    proxy.fault = async ({ method }, _response, pass) => (method === "getSignaturesForAddress" ? [] : pass());
    await catchUp();
    proxy.fault = undefined;
    expect(await ledger()).toEqual([]);
    await world.chain.advance(200);
    await catchUp();
    expect(await ledger()).toEqual([]);
    expect(await verify()).toBe(1);
    expect(await ledger()).toMatchObject([{ txId, status: "seen" }]);
    expect(await verify()).toBe(0);
  });

  test("a token account that is not the associated one is found within a minute, with its payments", async () => {
    await world.chain.advance(40);
    await catchUp();
    const account = Keypair.generate();
    const paid = [...opening(account.publicKey, shop, "USDC"), moving(PAYER.publicKey, account.publicKey, "USDC", 42n)];
    const txId = await world.chain.send(paid, { signers: [account] });
    await world.chain.advance(400);
    await catchUp();
    expect(await ledger()).toEqual([]);
    await verify();
    await world.chain.advance();
    await catchUp();
    expect(await ledger()).toMatchObject([{ txId, position: account.publicKey.toBase58(), baseUnits: 42n }]);
  });

  test.each([
    { name: "does not know a transaction that it lists", method: "getTransaction", result: null },
    { name: "answers with a transaction without balances", method: "getTransaction", result: { slot: 1 } },
    { name: "answers nonsense", method: "getSignaturesForAddress", result: { hello: "world" } },
  ])("a node that $name does not move the cursor", async ({ method, result }) => {
    const before = await cursor();
    const txId = await pay(5n);
    await world.chain.advance(2);
    proxy.fault = async (call, _response, pass) => (call.method === method ? result : pass());
    await expect(catchUp()).rejects.toThrow(/No endpoint/);
    expect(await cursor()).toMatchObject({ height: before?.height, hash: before?.hash });
    proxy.fault = undefined;
    state.source = sourceOf(proxy.url);
    await catchUp();
    expect(await ledger()).toMatchObject([{ txId }]);
  });

  test("a scanner that lost its lease in the middle writes nothing", async () => {
    await pay(5n);
    await world.chain.advance(2);
    const { source } = state;
    state.source = {
      ...source,
      transfers: async (signature, owners) => {
        const found = await source.transfers(signature, owners);
        await db().update(cursors).set({ leaseOwner: "two" });
        return found;
      },
    };
    const before = await cursor();
    expect(await catchUp()).toMatchObject([{ kind: "lostLease", found: 0 }]);
    expect(await ledger()).toEqual([]);
    expect(await cursor()).toEqual({ ...before, leaseOwner: "two", leaseUntil: expect.any(Date) });
  });

  test("an address that was added while the scanner ran is watched from then on", async () => {
    const newcomer = ownerNamed("newcomer").publicKey;
    const { merchantId } = state.shop;
    const added = await seedAddress(db(), { merchantId, network: "solana", address: newcomer.toBase58() }, now());
    await world.chain.pay([{ to: newcomer, currency: "USDT", baseUnits: 7n }]);
    await world.chain.advance();
    await catchUp();
    expect(await ledger()).toMatchObject([{ receivingAddressId: added.id, baseUnits: 7n }]);
  });

  test("a network that was never read begins before the oldest live quote", async () => {
    const txId = await pay(11n);
    await world.chain.advance(40);
    await seedOrder(db(), { address: state.shop, baseUnits: 11n }, now());
    await forget();
    await catchUp();
    expect(await ledger()).toMatchObject([{ txId }]);
  });

  test("with no live quote, a network that was never read begins at its newest final slot", async () => {
    await pay(11n);
    await world.chain.advance(40);
    await forget();
    const later = await pay(12n);
    await world.chain.advance();
    await catchUp();
    expect(await ledger()).toMatchObject([{ txId: later }]);
  });

  async function forget() {
    for (const table of [cursors, accountCursors, blocks, transfers]) await db().delete(table);
    state.scanner = newScanner();
  }
});
