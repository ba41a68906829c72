import { sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { addressSources, merchants, orders, receiverTrials, transfers } from "@/db/schema";
import type { BlockSource } from "@/lib/chains/endpoints/source";
import { createEvmSource } from "@/lib/chains/evm/source";
import { DEPLOYMENT_PROXY, FACTORY_DEPLOYMENT, receiverAddress } from "@/lib/domain/addresses/receiver";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { confirmTransfers } from "@/lib/ledger/confirm-transfers";
import { matchTransfers } from "@/lib/ledger/match-transfers";
import { createAddressTender } from "@/lib/merchants/derive-addresses";
import { expireOrders } from "@/lib/orders/expire-orders";
import { releaseHolds } from "@/lib/orders/release-holds";
import { askSweepable, listSweepable } from "@/lib/receivers/sweeping";
import { addTreasury, tryReceivers } from "@/lib/receivers/treasuries";
import { answerBalances } from "@/lib/reports/balances";
import { scanNetwork } from "@/lib/watch/blocks/scan-network";
import { leaseNetwork } from "@/lib/watch/network-reader";
import { newScanMemory } from "@/lib/watch/scan/scan-state";
import { startTestChain, type TestChain } from "@/testing/chains/evm";
import { empty } from "@/testing/database/empty";
import { TEST_APP_SECRET } from "@/testing/database/seed";
import { create, ctx, db, log, merchant, owner, start, useHoldingShop } from "@/testing/holding-shop";

const NETWORK = getNetwork("ethereum");
const USDT = getToken(NETWORK, "USDT").contract.toLowerCase();
const TREASURY = `0x${"7e".repeat(20)}`;
const RECEIVERS = 50;
/** The number of rounds of fifty orders. RECEIVER_ROUNDS=200 creates ten thousand orders and takes some minutes. */
const ROUNDS = Number(process.env["RECEIVER_ROUNDS"] ?? 3);
const ROUND_MS = 60_000;
const PRICE = 49_900_000n;
const vault = { appSecret: TEST_APP_SECRET, log };
const IS_ON = new Set(["ethereum"]);

let chain: TestChain;
let source: BlockSource;
/** The clock of this test, which also sets the chain's clock. */
let clockMs: number;
const now = () => new Date(clockMs);
const minutes = () => (clockMs - start.getTime()) / 60_000;
const memory = newScanMemory();

useHoldingShop();
beforeEach(async () => {
  await empty(
    db(),
    "receiver_trials",
    "address_sources",
    "receiving_addresses",
    "family_addresses",
    "address_balances",
  );
  await empty(db(), "blocks");
  clockMs = Date.now() + 60_000;
  chain = await startTestChain(NETWORK);
  source = createEvmSource(NETWORK, { urls: [chain.node.url], now });
  await chain.send({ to: DEPLOYMENT_PROXY, data: FACTORY_DEPLOYMENT, gas: "0x1e8480" });
  await passTime(0);
});
afterEach(() => chain.stop());

/** Advances both clocks, and mines blocks until earlier transfers are final. */
async function passTime(ms: number): Promise<void> {
  clockMs += ms + 300_000;
  await chain.node.call("evm_setNextBlockTimestamp", [Math.floor(clockMs / 1_000) - 60]);
  await chain.mine(20);
  const scanner = { owner: "one", memory, log, publicUrl: ctx.publicUrl };
  let step: Awaited<ReturnType<typeof scanNetwork>>;
  do {
    await leaseNetwork(db(), NETWORK.id, "one");
    step = await scanNetwork(db(), source, NETWORK, scanner, now());
  } while (!step.isCaughtUp && step.kind !== "idle");
  await matchTransfers(db(), ctx, NETWORK.id, now());
  await confirmTransfers(db(), ctx, source, NETWORK, step.head, now());
  await expireOrders(db(), ctx, now());
  while ((await releaseHolds(db(), ctx, now())) > 0);
}

/** Enables the treasury's receivers, at most fifty, and sets how much of each payment may be missing. */
async function openShop(): Promise<void> {
  const typed = { address: TREASURY, label: "", max: RECEIVERS };
  const who = { merchantId: merchant.id, userId: owner.userId };
  const added = await addTreasury(db(), vault, { ...who, ...typed }, now());
  if ("errors" in added) throw new Error(JSON.stringify(added.errors));
  await tryReceivers(db(), vault, { ...who, id: added.id, network: "ethereum" }, now());
  await db().update(receiverTrials).set({ triedAt: now(), lookAt: null });
  await db()
    .update(addressSources)
    .set({ networks: ["ethereum"] });
  await db().update(merchants).set({ toleranceMicro: 1_000_000n });
}

async function held(holder: string): Promise<bigint> {
  const call = { to: USDT, data: `0x70a08231${holder.slice(2).padStart(64, "0")}` };
  return BigInt(String(await chain.node.call("eth_call", [call, "latest"])));
}

/**
 * Sweeps all receivers in one transaction.
 * @returns the gas per receiver
 */
async function sweepAll(): Promise<number> {
  await askSweepable(db(), IS_ON, merchant.id, now());
  while ((await answerBalances(db(), { network: NETWORK, source, log }, now())) > 0);
  const found = await listSweepable(db(), vault, IS_ON, merchant.id);
  const batches = found.flatMap((one) => one.batches);
  expect(batches).toHaveLength(1);
  const [sweep] = batches;
  const id = await chain.send({ to: sweep?.to, data: sweep?.data, gas: "0x7a1200" });
  await chain.mine(1);
  const receipt = await chain.node.call("eth_getTransactionReceipt", [id]);
  return Math.round(Number((receipt as { gasUsed: string }).gasUsed) / RECEIVERS);
}

test(
  "orders over fifty receivers, paid short by fees, are paid, swept in batches, and the sums are equal to the unit",
  async () => {
    await openShop();
    const tend = createAddressTender(db(), vault);
    let sent = 0n;
    const gas: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const payments: [string, bigint][] = [];
      for (let order = 0; order < RECEIVERS; order++) {
        await tend(now());
        const { quote } = await create("ethereum", minutes(), "49.9");
        const fee = BigInt(((order * 7 + round) % 100) * 10_000 + order);
        payments.push([quote.address, PRICE - fee]);
      }
      await expect(create("ethereum", minutes(), "49.9")).rejects.toThrow();
      for (let from = 0; from < payments.length; from += 10) await chain.payAll(USDT, payments.slice(from, from + 10));
      sent += payments.reduce((sum, [, units]) => sum + units, 0n);
      await passTime(0);
      const [counted] = await db().execute(
        sql`select count(*)::int as paid, sum(paid_units)::text as units from orders where status = 'paid'`,
      );
      expect(counted).toEqual({ paid: (round + 1) * RECEIVERS, units: sent.toString() });
      gas.push(await sweepAll());
      // Waits until every late window has ended.
      await passTime(4 * 3_600_000);
      expect(await held(TREASURY)).toBe(sent);
    }
    expect((await db().select().from(orders)).length).toBe(ROUNDS * RECEIVERS);
    const arrived = await db().select().from(transfers);
    expect(arrived.reduce((sum, { baseUnits }) => sum + baseUnits, 0n)).toBe(sent);
    expect(arrived.every(({ orderId }) => orderId !== null)).toBe(true);
    const positions = new Set(arrived.map(({ toAddress }) => toAddress));
    expect([...positions].toSorted()).toEqual(
      Array.from({ length: RECEIVERS }, (_, step) => receiverAddress(TREASURY, step + 1)).toSorted(),
    );
    // docs/receivers.md contains these values. The first sweep includes the deployment; later sweeps do not.
    const [first = 0, ...later] = gas;
    expect([first, Math.max(...later)].map((one) => Math.ceil(one / 1_000))).toEqual([55, 12]);
    console.log(
      `${ROUNDS * RECEIVERS} orders over ${RECEIVERS} receivers: ${sent} units paid, as many swept; gas for each ${first}, later ${Math.max(...later)}`,
    );
  },
  ROUNDS * ROUND_MS,
);
