import { Keypair } from "@solana/web3.js";
import { beforeEach, describe, expect, test } from "vitest";
import { blocks, cursors } from "@/db/schema";
import { PAYER } from "@/sandbox/solana/accounts/mints";
import { type Fault, type RpcProxy, startRpcProxy } from "@/testing/chains/evm";
import { moving, opening, ownerNamed } from "@/testing/chains/solana";
import { seedAddress } from "@/testing/database/seed";
import { BY_ACCOUNTS, BY_SLOTS, useSolanaChain, useSolanaLedger } from "@/testing/watch/solana-scanner";

const world = useSolanaChain();
const shop = ownerNamed("shop").publicKey;
const { state, db, now, sourceOf, catchUp, settle, verify, newScanner, ledger, accounts } = useSolanaLedger(
  world,
  BY_ACCOUNTS,
);
const HOUR = 18_000;

let proxy: RpcProxy;
beforeEach(async () => {
  proxy = await startRpcProxy(world.chain.node.url);
  state.source = sourceOf(proxy.url);
  return () => proxy.stop();
});

const pay = (baseUnits: bigint) => world.chain.pay([{ to: shop, currency: "USDC", baseUnits }]);
const hideHistories: Fault = async ({ method }, _response, pass) =>
  method === "getSignaturesForAddress" ? [] : pass();

function readBy(maxAccounts: number): void {
  state.scanner.maxAccounts = maxAccounts;
}

/** Returns the units and status of all payments in the ledger, after the chain has advanced until they are final. */
async function paid(): Promise<string[]> {
  for (let time = 0; time < 3; time++) {
    await world.chain.advance(40);
    await settle();
  }
  return (await ledger()).map(({ baseUnits, status }) => `${baseUnits} ${status}`).toSorted();
}

/** Creates a fault that returns the slots from `first` to `last` of a different fork, without transactions. */
const otherFork =
  (first: number, last: number): Fault =>
  async ({ method, params }, _response, pass) => {
    const block = await pass();
    const slot = Number(params[0]);
    if (method !== "getBlock" || slot < first || slot > last || block === null) return block;
    const { blockhash, previousBlockhash, ...rest } = block as { blockhash: string; previousBlockhash: string };
    const changed = (hash: string) => `${hash.slice(0, -1)}${hash.endsWith("2") ? "3" : "2"}`;
    const parent = slot === first ? previousBlockhash : changed(previousBlockhash);
    return { ...rest, blockhash: changed(blockhash), previousBlockhash: parent, transactions: [] };
  };

describe("which way is taken by itself", () => {
  test("up to 50 token accounts are read by their histories, more by whole blocks", async () => {
    state.scanner = {
      owner: "one",
      publicUrl: "https://pay.example.com",
      log: newScanner().log,
      memory: newScanner().memory,
    };
    const watch = (count: number, name: string) =>
      Promise.all(
        Array.from({ length: count }, (_, index) => {
          const address = ownerNamed(`${name}${index}`).publicKey.toBase58();
          return seedAddress(db(), { merchantId: state.shop.merchantId, network: "solana", address }, now());
        }),
      );
    const poll = async () => {
      await world.chain.advance();
      proxy.calls.clear();
      await catchUp();
      return proxy.calls.get("getSignaturesForAddress") ?? 0;
    };
    await watch(24, "few");
    await catchUp();
    expect(await poll()).toBe(50);
    await watch(1, "more");
    await catchUp();
    expect(await poll()).toBe(0);
    expect(await accounts()).toEqual([]);
  });
});

describe("an owner with many accounts opened by others", () => {
  test("is read by whole blocks, and a payment to one of them is in the ledger once", async () => {
    readBy(3);
    await catchUp();
    const opened = [Keypair.generate(), Keypair.generate()];
    for (const account of opened) {
      const instructions = opening(account.publicKey, shop, "USDC");
      await world.chain.send(instructions, { signers: [account] });
    }
    await world.chain.advance(400);
    await catchUp();
    await verify();
    const [first] = opened;
    if (!first) throw new Error("unreachable");
    await world.chain.send([moving(PAYER.publicKey, first.publicKey, "USDC", 7n)]);
    await world.chain.advance();
    proxy.calls.clear();
    expect(await paid()).toEqual(["7 confirmed"]);
    expect(proxy.calls.get("getSignaturesForAddress")).toBeUndefined();
  });
});

describe("from histories to whole blocks", () => {
  beforeEach(async () => {
    await catchUp();
  });

  test("a payment that is not final yet is one payment, wherever a fork moves it meanwhile", async () => {
    await pay(5n);
    await world.chain.advance(3);
    await settle();
    await world.chain.node.call("solana_fork", [4, { reinclude: true, skip: true }]);
    readBy(BY_SLOTS);
    await world.chain.advance();
    await settle();
    await pay(6n);
    expect(await paid()).toEqual(["5 confirmed", "6 confirmed"]);
  });

  test("a payment that a fork took for good is taken back", async () => {
    await pay(5n);
    await world.chain.advance(3);
    await settle();
    readBy(BY_SLOTS);
    await settle();
    await world.chain.node.call("solana_fork", [4, { reinclude: false, skip: false }]);
    await pay(6n);
    expect(await paid()).toEqual(["5 dropped", "6 confirmed"]);
  });

  test("a payment that histories do not contain yet is found in its block", async () => {
    proxy.fault = hideHistories;
    await pay(5n);
    await world.chain.advance(3);
    await settle();
    expect(await ledger()).toEqual([]);
    readBy(BY_SLOTS);
    expect(await paid()).toEqual(["5 confirmed"]);
  });

  test("the last payments of an outage are found too, though histories contain them late", async () => {
    readBy(BY_SLOTS);
    await settle();
    await world.chain.advance(HOUR);
    await pay(5n);
    await world.chain.advance(5);
    proxy.fault = hideHistories;
    await catchUp();
    proxy.fault = undefined;
    expect(await paid()).toEqual(["5 confirmed"]);
  });
});

test("when no stored hash matches the chain, reading continues below them, never above", async () => {
  readBy(BY_SLOTS);
  await catchUp();
  await world.chain.advance();
  await catchUp();
  await pay(5n);
  await world.chain.advance(100);
  for (const table of [blocks, cursors])
    await db()
      .update(table)
      .set({ hash: "1".repeat(44) });
  expect(await paid()).toEqual(["5 confirmed"]);
});

describe("from whole blocks to histories", () => {
  beforeEach(async () => {
    readBy(BY_SLOTS);
    await catchUp();
    await world.chain.advance();
    await catchUp();
  });

  test("a payment that is not final yet is one payment, wherever a fork moves it meanwhile", async () => {
    await pay(5n);
    await world.chain.advance(3);
    await settle();
    await world.chain.node.call("solana_fork", [4, { reinclude: true, skip: true }]);
    readBy(BY_ACCOUNTS);
    await world.chain.advance();
    await settle();
    await pay(6n);
    expect(await paid()).toEqual(["5 confirmed", "6 confirmed"]);
  });

  test.each([
    { name: "a minute", slots: 300 },
    { name: "an hour", slots: HOUR },
  ])(
    "after $name without reading, transfers of the final chain in slots that were read on a fork are found",
    async ({ slots }) => {
      const first = (await world.chain.slot()) + 1;
      proxy.fault = otherFork(first, first + 5);
      await pay(5n);
      await world.chain.advance(5);
      await settle();
      expect(await ledger()).toEqual([]);
      proxy.fault = undefined;
      readBy(BY_ACCOUNTS);
      await world.chain.advance(slots);
      expect(await paid()).toEqual(["5 confirmed"]);
    },
  );
});
