import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { countUnreadable, countUnreadableByNetwork, listUnreadable } from "@/db/queries/networks/accounts";
import { unreadableTransactions } from "@/db/schema";
import { createSolanaSource } from "@/lib/chains/solana/source";
import { scanAccountNetwork } from "@/lib/watch/accounts/scan-account-network";
import { leaseNetwork } from "@/lib/watch/network-reader";
import { retryUnreadable } from "@/lib/watch/verify/retry-unreadable";
import { type Fault, HANDLED, type RpcProxy, startRpcProxy } from "@/testing/chains/evm";
import { ownerNamed } from "@/testing/chains/solana";
import { seedMerchant } from "@/testing/database/seed";
import { BY_ACCOUNTS, BY_SLOTS, useSolanaChain, useSolanaLedger } from "@/testing/watch/solana-scanner";

const world = useSolanaChain();
const shop = ownerNamed("shop").publicKey;
const MODES = [
  { name: "by accounts", maxAccounts: BY_ACCOUNTS },
  { name: "by slots", maxAccounts: BY_SLOTS },
];
let proxies: RpcProxy[] = [];
beforeEach(() => {
  proxies = [];
  return async () => {
    await Promise.all(proxies.map((proxy) => proxy.stop()));
  };
});

async function proxyThat(fault?: Fault): Promise<RpcProxy> {
  const proxy = await startRpcProxy(world.chain.node.url, fault);
  proxies.push(proxy);
  return proxy;
}

const fails =
  (code: number, message: string): Fault =>
  async (_call, response) => {
    response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code, message } }));
    return HANDLED;
  };
const unsupported = fails(-32015, "Transaction version (1) is not supported by the requesting client");

/** Creates a fault that makes the endpoint refuse transaction versions higher than `highest`. */
const aged =
  (highest: number): Fault =>
  async (call, response, pass) => {
    const { maxSupportedTransactionVersion: declared = 0 } = (call.params.at(-1) ?? {}) as Record<string, number>;
    return declared > highest ? fails(-32602, `Invalid params: ${declared}`)(call, response, pass) : pass();
  };

/** Returns true if the response to a call would contain this transaction in full. */
const shows = ({ method, params }: { method: string; params: unknown[] }, txId: string, slot: number): boolean => {
  const { transactionDetails } = (params[1] ?? {}) as Record<string, unknown>;
  return (
    (method === "getTransaction" && params[0] === txId) ||
    (method === "getBlock" && params[0] === slot && transactionDetails === "accounts")
  );
};

describe.each(MODES)("read $name", ({ maxAccounts }) => {
  const ledgerOf = useSolanaLedger(world, maxAccounts);
  const { state, db, now, network, catchUp, settle, sourceOf, verifyBlocks, ledger, cursor } = ledgerOf;
  const waiting = async () => (await db().select().from(unreadableTransactions)).filter((row) => !row.resolvedAt);
  const units = async () => (await ledger()).map(({ baseUnits }) => Number(baseUnits)).toSorted((a, b) => a - b);
  const pay = (baseUnits: bigint, version?: 0 | 1) =>
    world.chain.pay([{ to: shop, currency: "USDC", baseUnits }], version === undefined ? {} : { version });
  const stepAt = async (at: Date) => {
    await leaseNetwork(db(), network.id, "one");
    return scanAccountNetwork(db(), state.source, network, state.scanner, at);
  };
  const retryAt = (at: Date) => retryUnreadable(db(), state.source, network, state.scanner, at);
  const later = (seconds: number) => new Date(now().getTime() + seconds * 1_000);

  /** Pays the shop, and advances the chain until every read is past the payment. */
  async function paid(baseUnits: bigint): Promise<{ txId: string; slot: number }> {
    const txId = await pay(baseUnits);
    await world.chain.advance();
    const slot = await world.chain.slot();
    await world.chain.advance(2);
    return { txId, slot };
  }

  test("payments of every version are in the ledger alike, and confirmed alike", async () => {
    await catchUp();
    await pay(5n);
    await pay(6n, 0);
    await pay(7n, 1);
    await world.chain.advance(40);
    await settle();
    await settle();
    expect(await units()).toEqual([5, 6, 7]);
    expect((await ledger()).map(({ status }) => status)).toEqual(["confirmed", "confirmed", "confirmed"]);
    expect(await waiting()).toEqual([]);
  });

  test("among endpoints of mixed versions those that support the version are used, a single one after a minute, and none has errors", async () => {
    const urls = [await proxyThat(aged(0)), await proxyThat(aged(1)), await proxyThat(aged(127))].map(({ url }) => url);
    const endpointErrors: unknown[] = [];
    let aheadMs = 0;
    const settleInAMinute = async () => {
      await settle();
      expect((await ledger()).filter(({ status }) => status === "seen")).toHaveLength(1);
      aheadMs += 61_000;
      await settle();
    };
    const sourceAmong = (...some: (string | undefined)[]) =>
      createSolanaSource(network, {
        urls: some.filter((url) => url !== undefined),
        now: () => new Date(Date.now() + aheadMs),
        onEndpointError: (endpointError) => endpointErrors.push(endpointError),
      });
    state.source = sourceAmong(...urls);
    await catchUp();
    await pay(7n, 1);
    await world.chain.advance(40);
    await settle();
    expect(await ledger()).toMatchObject([{ baseUnits: 7n, status: "confirmed" }]);
    state.source = sourceAmong(urls[0], urls[2]);
    await pay(8n, 1);
    await world.chain.advance(60);
    await settleInAMinute();
    await verifyBlocks();
    expect(await ledger()).toMatchObject([{ status: "confirmed" }, { status: "confirmed" }]);
    expect(await waiting()).toEqual([]);
    expect(endpointErrors).toEqual([]);
  });

  test("a stranger's unreadable dust blocks no reading, is kept for review, and is reported once", async () => {
    await catchUp();
    const dust = await pay(1n);
    await world.chain.node.call("solana_setUnreadable", [dust, 2]);
    await world.chain.advance(3);
    await pay(5n);
    await world.chain.advance(40);
    await settle();
    await pay(6n);
    await world.chain.advance(3);
    await settle();
    expect(await units()).toEqual([5, 6]);
    expect(await cursor()).toMatchObject({ height: await world.chain.slot(), problem: null });
    const [row, ...more] = await waiting();
    expect(more).toEqual([]);
    expect(row).toMatchObject({ txId: dust, network: "solana", receivingAddressId: state.shop.id });
    expect(row?.reason).toMatch(/Transaction version \(2\) is not supported/);
    expect(await countUnreadable(db(), state.shop.merchantId)).toBe(1);
    const address = shop.toBase58();
    expect(await listUnreadable(db(), state.shop.merchantId, 10)).toMatchObject([{ txId: dust, address }]);
    const other = (await seedMerchant(db(), now())).id;
    expect(await countUnreadable(db(), other)).toBe(0);
    expect(await listUnreadable(db(), other, 10)).toEqual([]);
    expect(await countUnreadableByNetwork(db())).toEqual(new Map([["solana", 1]]));
  });

  test("a transaction that becomes readable enters the ledger once, and is no longer pending", async () => {
    await catchUp();
    const { txId, slot } = await paid(5n);
    const hides: Fault = (call, response, pass) =>
      shows(call, txId, slot) ? unsupported(call, response, pass) : pass();
    const proxy = await proxyThat(hides);
    state.source = sourceOf(proxy.url);
    await catchUp();
    expect(await units()).toEqual([]);
    expect(await waiting()).toMatchObject([{ txId, slot }]);
    expect(await retryAt(later(1))).toBe(0);
    proxy.fault = undefined;
    expect(await retryAt(later(1))).toBe(0);
    expect(await retryAt(later(20))).toBe(1);
    expect(await retryAt(later(2_000))).toBe(0);
    expect(await ledger()).toMatchObject([{ txId, blockHeight: slot }]);
    expect(await waiting()).toEqual([]);
  });

  test("once one can be read, older ones are retried at once", async () => {
    await catchUp();
    const old = await paid(5n);
    const young = await paid(6n);
    const isHidden = (call: Parameters<typeof shows>[0]) =>
      [old, young].some(({ txId, slot }) => shows(call, txId, slot));
    const proxy = await proxyThat((call, response, pass) =>
      isHidden(call) ? unsupported(call, response, pass) : pass(),
    );
    state.source = sourceOf(proxy.url);
    await catchUp();
    expect((await waiting()).map(({ txId }) => txId).toSorted()).toEqual([old.txId, young.txId].toSorted());
    await db()
      .update(unreadableTransactions)
      .set({ firstSeenAt: later(-7_200) })
      .where(eq(unreadableTransactions.txId, old.txId));
    proxy.fault = undefined;
    expect(await retryAt(later(20))).toBe(1);
    expect(await retryAt(later(21))).toBe(1);
    expect(await units()).toEqual([5, 6]);
    expect(await waiting()).toEqual([]);
  });

  test("is kept only after a minute where another endpoint is silent; till then only its cursor waits", async () => {
    await catchUp();
    const before = await cursor();
    const { txId, slot } = await paid(5n);
    const old = await proxyThat((call, response, pass) =>
      shows(call, txId, slot) ? unsupported(call, response, pass) : pass(),
    );
    const silent = await proxyThat(async (call, response, pass) => {
      if (!shows(call, txId, slot)) return pass();
      response.writeHead(502).end();
      return HANDLED;
    });
    state.source = sourceOf(old.url, silent.url);
    const tries = async (at: Date) => {
      for (let time = 0; time < 3; time++) await stepAt(at).catch(() => null);
    };
    await tries(now());
    await tries(later(50));
    expect(await waiting()).toEqual([]);
    expect((await cursor())?.height).toBeLessThan(slot);
    expect((await cursor())?.height).toBeGreaterThanOrEqual(before?.height ?? 0);
    for (const seconds of [61, 80, 141]) await tries(later(seconds));
    expect(await waiting()).toMatchObject([{ txId }]);
    expect((await cursor())?.height).toBeGreaterThan(slot);
  });

  test("is never kept where all are silent: nothing moves", async () => {
    await catchUp();
    const { txId, slot } = await paid(5n);
    const silent = await proxyThat(async (call, response, pass) => {
      if (!shows(call, txId, slot)) return pass();
      response.writeHead(502).end();
      return HANDLED;
    });
    state.source = sourceOf(silent.url);
    for (const seconds of [0, 100, 1_000]) await stepAt(later(seconds)).catch(() => null);
    expect(await waiting()).toEqual([]);
    expect((await cursor())?.height).toBeLessThan(slot);
  });

  test("a completely unreadable version waits for a minute, and is kept then", async () => {
    await catchUp();
    const { txId, slot } = await paid(5n);
    const odd = await proxyThat((call, _response, pass) => (shows(call, txId, slot) ? Promise.resolve({}) : pass()));
    state.source = sourceOf(odd.url);
    for (let time = 0; time < 2; time++) await stepAt(now()).catch(() => null);
    expect(await waiting()).toEqual([]);
    for (const seconds of [0, 30, 61, 61, 80, 141]) await stepAt(later(seconds)).catch(() => null);
    expect(await waiting()).toMatchObject([{ txId }]);
    odd.fault = undefined;
    expect(await retryAt(later(1_000))).toBe(1);
    expect(await units()).toEqual([5]);
  });
});

describe.each(MODES)("endpoints that record no balances, read $name", ({ maxAccounts }) => {
  const { state, db, now, network, catchUp, sourceOf, ledger, cursor } = useSolanaLedger(world, maxAccounts);

  test("count as errors of the endpoints: nothing is kept, and the cursor waits", async () => {
    await catchUp();
    const txId = await world.chain.pay([{ to: shop, currency: "USDC", baseUnits: 5n }]);
    await world.chain.advance();
    const slot = await world.chain.slot();
    const forgetful = await proxyThat(async ({ method }, _response, pass) => {
      const answer = (await pass()) as { meta?: object; transactions?: { meta?: object }[] } | null;
      const without = (one: { meta?: object }) =>
        one.meta ? { ...one, meta: { ...one.meta, preTokenBalances: null, postTokenBalances: null } } : one;
      if (method === "getTransaction" && answer) return without(answer);
      return answer?.transactions ? { ...answer, transactions: answer.transactions.map(without) } : answer;
    });
    state.source = sourceOf(forgetful.url);
    for (const seconds of [0, 61, 122, 300, 1_000]) {
      const at = new Date(now().getTime() + seconds * 1_000);
      await leaseNetwork(db(), network.id, "one");
      await scanAccountNetwork(db(), state.source, network, state.scanner, at).catch(() => null);
    }
    expect(await db().select().from(unreadableTransactions)).toEqual([]);
    expect((await cursor())?.height).toBeLessThan(slot);
    forgetful.fault = undefined;
    state.source = sourceOf(forgetful.url);
    await catchUp();
    expect(await ledger()).toMatchObject([{ txId, blockHeight: slot }]);
  });
});

describe("a transaction that no endpoint can return", () => {
  const { state, db, now, network, catchUp, verify, ledger } = useSolanaLedger(world, BY_ACCOUNTS);
  const rows = () => db().select().from(unreadableTransactions);

  test("is unclear, not gone, when its payment is looked at for the last time", async () => {
    await catchUp();
    const txId = await world.chain.pay([{ to: shop, currency: "USDC", baseUnits: 5n }]);
    await world.chain.advance(40);
    await catchUp();
    const [row] = await ledger();
    if (!row) throw new Error("no transfer");
    await world.chain.node.call("solana_setUnreadable", [txId, 2]);
    expect(await state.source.checkFinality({ ...row, to: row.toAddress })).toEqual({ kind: "unclear" });
  });

  test("is no longer pending once a fork removed it permanently", async () => {
    await catchUp();
    const dust = await world.chain.pay([{ to: shop, currency: "USDC", baseUnits: 1n }]);
    await world.chain.advance(2);
    await world.chain.node.call("solana_setUnreadable", [dust, 2]);
    await catchUp();
    const pending = (await rows()).length;
    await world.chain.node.call("solana_fork", [3, { reinclude: false }]);
    await world.chain.advance(60);
    await catchUp();
    await retryUnreadable(db(), state.source, network, state.scanner, new Date(now().getTime() + 60_000));
    expect(pending).toBe(1);
    expect(await rows()).toMatchObject([{ txId: dust, resolvedAt: expect.any(Date) }]);
    expect(await ledger()).toEqual([]);
  });

  test("is no news at the second reading, where it was read at the first", async () => {
    await catchUp();
    await verify();
    const txId = await world.chain.pay([{ to: shop, currency: "USDC", baseUnits: 5n }]);
    await world.chain.advance(400);
    await catchUp();
    await world.chain.node.call("solana_setUnreadable", [txId, 2]);
    expect(await verify()).toBe(0);
    expect(await rows()).toEqual([]);
    expect(state.scanner.memory.verifiedTo).toBe((await state.source.head()).finalizedHeight);
  });
});

describe("whole blocks that no endpoint can return", () => {
  const { state, db, now, network, catchUp, ledger, cursor, verifyBlocks, accounts } = useSolanaLedger(world, BY_SLOTS);
  const pay = (baseUnits: bigint) => world.chain.pay([{ to: shop, currency: "USDC", baseUnits }]);

  test("are read by histories for a while, then by blocks again; nothing is lost on the way", async () => {
    await catchUp();
    const stranger = await world.chain.pay([{ to: ownerNamed("x").publicKey, currency: "USDC", baseUnits: 1n }]);
    await pay(5n);
    await world.chain.node.call("solana_setUnreadable", [stranger, 2]);
    await world.chain.advance(3);
    await catchUp();
    expect((await ledger()).map(({ baseUnits }) => baseUnits)).toEqual([5n]);
    expect(await accounts()).not.toEqual([]);
    expect(await db().select().from(unreadableTransactions)).toEqual([]);
    await pay(6n);
    await world.chain.advance(1_200);
    await catchUp();
    expect(state.scanner.memory.isBySlots).toBe(false);
    await pay(7n);
    await world.chain.advance(2);
    const at = new Date(now().getTime() + 301_000);
    for (let time = 0; time < 20; time++) {
      await leaseNetwork(db(), network.id, "one");
      await scanAccountNetwork(db(), state.source, network, state.scanner, at);
    }
    expect(state.scanner.memory.isBySlots).toBe(true);
    expect(await accounts()).toEqual([]);
    expect((await ledger()).map(({ baseUnits }) => Number(baseUnits)).toSorted()).toEqual([5, 6, 7]);
    expect(await cursor()).toMatchObject({ height: await world.chain.slot() });
  });

  test("are passed over at the second reading: they were read once", async () => {
    await catchUp();
    const txId = await pay(5n);
    await world.chain.advance(60);
    await catchUp();
    await world.chain.node.call("solana_setUnreadable", [txId, 2]);
    const start = state.scanner.memory.slotVerifiedTo?.height;
    const final = (await state.source.head()).finalizedHeight ?? 0;
    for (let time = 0; time < 20; time++) await verifyBlocks(new Date(now().getTime() + time * 60_000));
    expect(state.scanner.memory.slotVerifiedTo?.height).toBeGreaterThan(final - 8);
    expect(start).toBeLessThan(final - 8);
    expect(await ledger()).toHaveLength(1);
  });
});
