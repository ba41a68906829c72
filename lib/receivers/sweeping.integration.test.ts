import { eq, sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { addressBalances, addressSources, receiverTrials } from "@/db/schema";
import { createSource } from "@/lib/chains/create-source";
import {
  DEPLOYMENT_PROXY,
  FACTORY_DEPLOYMENT,
  RECEIVER_FACTORY,
  receiverAddress,
} from "@/lib/domain/addresses/receiver";
import { safeFile } from "@/lib/domain/addresses/sweep";
import { getNetwork, getToken, type Network } from "@/lib/domain/networks";
import { createAddressTender } from "@/lib/merchants/derive-addresses";
import { askSweepable, listSweepable, sweepSheet } from "@/lib/receivers/sweeping";
import { addTreasury, tryReceivers } from "@/lib/receivers/treasuries";
import { answerBalances } from "@/lib/reports/balances";
import { startTestChain, type TestChain } from "@/testing/chains/evm";
import { empty } from "@/testing/database/empty";
import { seedCursor, TEST_APP_SECRET } from "@/testing/database/seed";
import { create, db, log, merchant, owner, start, useHoldingShop } from "@/testing/holding-shop";

const TREASURY = `0x${"7e".repeat(20)}`;
const PLACES = [getNetwork("ethereum"), getNetwork("bsc")];
const IS_ON = new Set(["ethereum", "bsc", "tron", "solana"]);
const vault = { appSecret: TEST_APP_SECRET, log };
const now = () => new Date();
const minutes = () => (Date.now() - start.getTime()) / 60_000;
const contract = (network: Network, currency: string) => getToken(network, currency).contract.toLowerCase();

let chains: TestChain[];

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
  chains = await Promise.all(PLACES.map((network) => startTestChain(network)));
  const typed = { address: TREASURY, again: TREASURY, label: "Safe", most: 500, knowsUnaudited: true };
  const who = { merchantId: merchant.id, userId: owner.userId };
  const added = await addTreasury(db(), vault, { ...who, ...typed }, now());
  if ("errors" in added) throw new Error(added.errors[0]?.message);
  await tryReceivers(db(), vault, { ...who, id: added.id, network: "ethereum" }, now());
  await db().update(receiverTrials).set({ triedAt: now(), lookAt: null });
  await db()
    .update(addressSources)
    .set({ networks: ["ethereum"] });
  await createAddressTender(db(), vault)(now());
  for (let orders = 0; orders < 3; orders++) await create("ethereum", minutes());
});
afterEach(() => Promise.all(chains.map((chain) => chain.stop())));

const chainOf = (network: string) => chains[PLACES.findIndex(({ id }) => id === network)] as TestChain;
const sweepable = () => listSweepable(db(), { appSecret: TEST_APP_SECRET }, IS_ON, merchant.id);

/** The workers of both networks read what was asked for. */
async function readBoth(): Promise<void> {
  for (const network of PLACES) {
    const chain = chainOf(network.id);
    await chain.mine();
    await seedCursor(db(), network.id, now(), await chain.height());
    const source = createSource(network, { urls: [chain.node.url], now });
    while ((await answerBalances(db(), { network, source, log }, now())) > 0);
  }
}

async function balanceOf(network: string, owner: string): Promise<bigint> {
  const data = `0x70a08231${owner.slice(2).padStart(64, "0")}`;
  const call = { to: contract(getNetwork(network), "USDT"), data };
  return BigInt(String(await chainOf(network).node.call("eth_call", [call, "latest"])));
}

test("what lies on receivers is listed on every network, and the transactions that are built bring it to the treasury to the unit", async () => {
  const [ethereum, bsc] = PLACES as [Network, Network];
  await chainOf("ethereum").pay(contract(ethereum, "USDT"), receiverAddress(TREASURY, 1), 49_900_000n);
  await chainOf("ethereum").pay(contract(ethereum, "USDC"), receiverAddress(TREASURY, 3), 7n);
  // The payer of receiver 2 picked a network on which no order asked for it.
  await chainOf("bsc").pay(contract(bsc, "USDT"), receiverAddress(TREASURY, 2), 10n ** 18n);
  expect(await askSweepable(db(), IS_ON, merchant.id, now())).toBe(3 * 4);
  expect(await askSweepable(db(), IS_ON, merchant.id, now())).toBe(0);
  expect(await sweepable()).toEqual([]);
  await readBoth();
  const found = await sweepable();
  expect(found.map(({ network, treasury, rows }) => [network, treasury, rows.map(({ index }) => index)])).toEqual([
    ["bsc", TREASURY, [2]],
    ["ethereum", TREASURY, [1, 3]],
  ]);
  // The transaction would do nothing where nobody saw the factory.
  expect(found.map(({ hasFactory }) => hasFactory)).toEqual([false, true]);
  for (const { network, batches } of found) {
    expect(batches.length).toBe(1);
    await chainOf(network).send({ to: DEPLOYMENT_PROXY, data: FACTORY_DEPLOYMENT, gas: "0x1e8480" });
    await chainOf(network).mine();
    for (const { to, data } of batches) {
      expect(to.toLowerCase()).toBe(RECEIVER_FACTORY);
      await chainOf(network).send({ to, data, gas: "0x7a1200" });
    }
    await chainOf(network).mine();
  }
  expect([await balanceOf("ethereum", TREASURY), await balanceOf("bsc", TREASURY)]).toEqual([49_900_000n, 10n ** 18n]);
  await db().update(addressBalances).set({ askedAt: start });
  await askSweepable(db(), IS_ON, merchant.id, now());
  await readBoth();
  expect(await sweepable()).toEqual([]);
});

test("what was changed in the database leads no transaction anywhere", async () => {
  await chainOf("ethereum").pay(contract(getNetwork("ethereum"), "USDT"), receiverAddress(TREASURY, 1), 5n);
  await askSweepable(db(), IS_ON, merchant.id, now());
  await readBoth();
  expect((await sweepable()).length).toBe(1);
  await db().execute(sql`update receiving_addresses set source_index = 77 where source_index = 1`);
  expect(await sweepable()).toEqual([]);
  await db().execute(sql`update receiving_addresses set source_index = 1 where source_index = 77`);
  await db()
    .update(receiverTrials)
    .set({ treasury: `0x${"66".repeat(20)}` });
  expect((await sweepable())[0]?.treasury).toBe(TREASURY);
  await db()
    .update(addressSources)
    .set({ keyCipher: Buffer.from("another treasury, sealed by nobody of us").toString("base64") })
    .where(eq(addressSources.kind, "receiver"));
  expect(await sweepable()).toEqual([]);
});

test("files say what lies where, and Safe's names every transaction", async () => {
  await chainOf("ethereum").pay(contract(getNetwork("ethereum"), "USDT"), receiverAddress(TREASURY, 1), 1_500_000n);
  await askSweepable(db(), IS_ON, merchant.id, now());
  await readBoth();
  const [one] = await sweepable();
  if (!one) throw new Error("Nothing lies there");
  const file = JSON.parse(safeFile("1", one.batches, now()));
  expect(file).toMatchObject({ version: "1.0", chainId: "1" });
  expect(file.transactions).toEqual(
    one.batches.map(({ to, data }) => ({ to, value: "0", data, contractMethod: null })),
  );
  const { head, rows } = sweepSheet(one);
  const { value: cells } = await rows.next();
  expect(Object.fromEntries(head.map((name, index) => [name, cells?.[0]?.[index]]))).toMatchObject({
    ...{ network: "ethereum", currency: "USDT", amount: { decimal: "1.5" }, derivation_path: null, to: null },
  });
});
