import { pbkdf2Sync } from "node:crypto";
import { HDKey } from "@scure/bip32";
import { and, eq, sql } from "drizzle-orm";
import { decodeFunctionData, erc20Abi, getAddress } from "viem";
import { afterEach, beforeEach, expect, test } from "vitest";
import { addressBalances, addressSources, receiverTrials, receivingAddresses } from "@/db/schema";
import { openNetwork } from "@/lib/chains/families";
import {
  DEPLOYMENT_PROXY,
  FACTORY_DEPLOYMENT,
  RECEIVER_FACTORY,
  receiverAddress,
} from "@/lib/domain/addresses/receiver";
import { safeFile } from "@/lib/domain/addresses/sweep";
import { ACCOUNT_PATHS, deriveAddresses } from "@/lib/domain/addresses/xpub";
import { getNetwork, getToken, type Network } from "@/lib/domain/networks";
import { inEnglish } from "@/lib/domain/problems/in-english";
import { addSource } from "@/lib/merchants/address-sources";
import { createAddressTender } from "@/lib/merchants/derive-addresses";
import {
  askSweepable,
  listSweepable,
  parseMinAmount,
  readingStates,
  sweepPlan,
  sweepSheet,
  validateTarget,
} from "@/lib/receivers/sweeping";
import { addTreasury, tryReceivers } from "@/lib/receivers/treasuries";
import { answerBalances } from "@/lib/reports/balances";
import { startTestChain, type TestChain } from "@/testing/chains/evm";
import { putMulticall } from "@/testing/chains/multicall";
import { empty } from "@/testing/database/empty";
import { seedCursor, TEST_APP_SECRET } from "@/testing/database/seed";
import { create, db, log, merchant, owner, start, useHoldingShop } from "@/testing/holding-shop";

const TREASURY = `0x${"7e".repeat(20)}`;
const ROOT = HDKey.fromMasterSeed(pbkdf2Sync(`${"abandon ".repeat(11)}about`, "mnemonic", 2_048, 64, "sha512"));
const LOCATIONS = [getNetwork("ethereum"), getNetwork("bsc")];
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
  chains = await Promise.all(LOCATIONS.map((network) => startTestChain(network)));
  const typed = { address: TREASURY, label: "Safe", max: 500 };
  const who = { merchantId: merchant.id, userId: owner.userId };
  const added = await addTreasury(db(), vault, { ...who, ...typed }, now());
  if ("errors" in added) throw new Error(JSON.stringify(added.errors));
  await tryReceivers(db(), vault, { ...who, id: added.id, network: "ethereum" }, now());
  await db().update(receiverTrials).set({ triedAt: now(), lookAt: null });
  await db()
    .update(addressSources)
    .set({ networks: ["ethereum"] });
  await createAddressTender(db(), vault)(now());
  for (let orders = 0; orders < 3; orders++) await create("ethereum", minutes());
});
afterEach(() => Promise.all(chains.map((chain) => chain.stop())));

const chainOf = (network: string) => chains[LOCATIONS.findIndex(({ id }) => id === network)] as TestChain;
const sweepable = (minMicro = 0n) => listSweepable(db(), { appSecret: TEST_APP_SECRET }, IS_ON, merchant.id, minMicro);
/** The number of balances of twenty receivers on both networks: two tokens and the native coin. */
const BALANCES = 20 * 2 * 3;
const coinOn = async (network: string, owner: string) =>
  BigInt(String(await chainOf(network).node.call("eth_getBalance", [owner, "latest"])));

/** Starts the trial on a network, and records that the factory is deployed there. */
async function seeFactory(network: string): Promise<void> {
  const [source] = await db().select().from(addressSources);
  const who = { merchantId: merchant.id, userId: owner.userId };
  await tryReceivers(db(), vault, { ...who, id: source?.id ?? "", network }, now());
  await db().update(receiverTrials).set({ hasFactory: true }).where(eq(receiverTrials.network, network));
}

async function addKey(family: "evm" | "tron", network: string) {
  const key = { merchantId: merchant.id, userId: owner.userId, label: "Wallet", max: 40 };
  const xpub = ROOT.derive(ACCOUNT_PATHS[family]).publicExtendedKey;
  const added = await addSource(db(), vault, { ...key, family, xpub, networks: [network] }, now());
  if ("errors" in added) throw new Error(JSON.stringify(added.errors));
  return deriveAddresses(family, xpub, 0, 20);
}

/** Reads the requested balances with the workers of both networks. */
async function readBoth(): Promise<void> {
  for (const network of LOCATIONS) {
    const chain = chainOf(network.id);
    await chain.mine();
    await seedCursor(db(), network.id, now(), await chain.height());
    const source = openNetwork(network, { urls: [chain.node.url], now });
    while ((await answerBalances(db(), { network, source, log }, now())) > 0);
  }
}

async function balanceOf(network: string, owner: string): Promise<bigint> {
  const data = `0x70a08231${owner.slice(2).padStart(64, "0")}`;
  const call = { to: contract(getNetwork(network), "USDT"), data };
  return BigInt(String(await chainOf(network).node.call("eth_call", [call, "latest"])));
}

test("balances of receivers are listed on every network, and the built transactions sweep them to the unit", async () => {
  const [ethereum, bsc] = LOCATIONS as [Network, Network];
  await chainOf("ethereum").pay(contract(ethereum, "USDT"), receiverAddress(TREASURY, 1), 49_900_000n);
  await chainOf("ethereum").pay(contract(ethereum, "USDC"), receiverAddress(TREASURY, 3), 7n);
  // The payer of receiver 2 used a network on which no order had requested a payment.
  await chainOf("bsc").pay(contract(bsc, "USDT"), receiverAddress(TREASURY, 2), 10n ** 18n);
  expect(await askSweepable(db(), IS_ON, merchant.id, now())).toBe(BALANCES);
  expect(await askSweepable(db(), IS_ON, merchant.id, now())).toBe(0);
  expect(await sweepable()).toEqual([]);
  expect(await readingStates(db(), IS_ON, merchant.id)).toEqual([
    { network: "bsc", due: BALANCES / 2, failed: 0 },
    { network: "ethereum", due: BALANCES / 2, failed: 0 },
  ]);
  await readBoth();
  expect(await readingStates(db(), IS_ON, merchant.id)).toEqual([]);
  const unseen = await sweepable();
  // Without a factory, the transaction would have no effect, so no transaction is built for wallets or files.
  expect(unseen.map(({ hasFactory, batches }) => [hasFactory, batches.length])).toEqual([
    [false, 0],
    [true, 1],
  ]);
  await seeFactory("bsc");
  const found = await sweepable();
  expect(found.map(({ network, treasury, rows }) => [network, treasury, rows.map(({ index }) => index)])).toEqual([
    ["bsc", TREASURY, [2]],
    ["ethereum", TREASURY, [1, 3]],
  ]);
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

test("a changed database misdirects no transaction", async () => {
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
    .set({ keyCipher: Buffer.from("another treasury without a valid MAC").toString("base64") })
    .where(eq(addressSources.kind, "receiver"));
  expect(await sweepable()).toEqual([]);
});

test("files list all balances, and Safe's name every transaction", async () => {
  await chainOf("ethereum").pay(contract(getNetwork("ethereum"), "USDT"), receiverAddress(TREASURY, 1), 1_500_000n);
  await askSweepable(db(), IS_ON, merchant.id, now());
  await readBoth();
  const [one] = await sweepable();
  if (!one) throw new Error("Nothing lies there");
  const file = JSON.parse(safeFile({ chainId: "1", name: "Sweep receivers" }, one.batches, now()));
  expect(file).toMatchObject({ version: "1.0", chainId: "1" });
  expect(file.transactions).toEqual(
    one.batches.map(({ to, data }) => ({ to, value: "0", data, contractMethod: null })),
  );
  const { head, rows } = sweepSheet(one);
  const { value: cells } = await rows.next();
  expect(Object.fromEntries(head.map((name, index) => [name, cells?.[0]?.[index]]))).toMatchObject({
    network: "ethereum",
    currency: "USDT",
    amount: { decimal: "1.5" },
    derivation_path: null,
    to: null,
  });
});

test("money on receivers that never had an order, and coin sent by mistake, are found and swept", async () => {
  const idle = receiverAddress(TREASURY, 17);
  await chainOf("ethereum").pay(contract(getNetwork("ethereum"), "USDT"), idle, 5n);
  await chainOf("ethereum").node.call("anvil_setBalance", [idle, "0xde0b6b3a7640000"]);
  await chainOf("ethereum").node.call("anvil_setBalance", [receiverAddress(TREASURY, 18), "0x5"]);
  await chainOf("ethereum").send({ to: DEPLOYMENT_PROXY, data: FACTORY_DEPLOYMENT, gas: "0x1e8480" });
  for (const network of LOCATIONS) await putMulticall(chainOf(network.id));
  await askSweepable(db(), IS_ON, merchant.id, now());
  await readBoth();
  const [one, ...others] = await sweepable();
  expect(others).toEqual([]);
  expect(one?.rows.map(({ index, currency, baseUnits }) => [index, currency, baseUnits])).toEqual([
    [17, "COIN", 10n ** 18n],
    [17, "USDT", 5n],
  ]);
  // A balance of five wei is worth less than the gas for its sweep.
  expect(one?.small.map(({ index, currency }) => [index, currency])).toEqual([[18, "COIN"]]);
  expect(one?.gasPrice?.wei).toBe(BigInt(String(await chainOf("ethereum").node.call("eth_gasPrice"))));
  const [batch] = one?.batches ?? [];
  await chainOf("ethereum").send({ to: batch?.to, data: batch?.data, gas: "0x7a1200" });
  await chainOf("ethereum").mine();
  expect(await balanceOf("ethereum", TREASURY)).toBe(5n);
  expect(await coinOn("ethereum", TREASURY)).toBe(10n ** 18n);
  const receipt = (await chainOf("ethereum").node.call("eth_getBlockByNumber", ["latest", false])) as {
    gasUsed: string;
  };
  expect(BigInt(receipt.gasUsed)).toBeLessThanOrEqual(one?.gas ?? 0n);
});

test("balances below the owner's minimum are omitted from lists and transactions", async () => {
  const usdt = contract(getNetwork("ethereum"), "USDT");
  await chainOf("ethereum").pay(usdt, receiverAddress(TREASURY, 1), 4_999_999n);
  await chainOf("ethereum").pay(usdt, receiverAddress(TREASURY, 2), 5_000_000n);
  await askSweepable(db(), IS_ON, merchant.id, now());
  await readBoth();
  const [all] = await sweepable();
  expect([all?.rows.length, all?.small.length]).toEqual([2, 0]);
  const [some] = await sweepable(parseMinAmount("5") ?? 0n);
  expect([some?.rows.map(({ index }) => index), some?.small.map(({ index }) => index)]).toEqual([[2], [1]]);
  expect(some?.batches.map(({ indexes }) => indexes)).toEqual([[2]]);
  expect((await sweepable(6_000_000n))[0]).toMatchObject({ rows: [], batches: [], gas: 0n });
  expect([parseMinAmount(""), parseMinAmount("0.5"), parseMinAmount("five")]).toEqual([0n, 500_000n, null]);
});

test("a node that is down is not taken for empty addresses, and the other network is read", async () => {
  await chainOf("bsc").pay(contract(getNetwork("bsc"), "USDT"), receiverAddress(TREASURY, 2), 10n ** 18n);
  await askSweepable(db(), IS_ON, merchant.id, now());
  await seedCursor(db(), "ethereum", now());
  await chainOf("ethereum").stop();
  const down = openNetwork(getNetwork("ethereum"), { urls: [chainOf("ethereum").node.url], now });
  while ((await answerBalances(db(), { network: getNetwork("ethereum"), source: down, log }, now())) > 0);
  await chainOf("bsc").mine();
  await seedCursor(db(), "bsc", now(), await chainOf("bsc").height());
  const source = openNetwork(getNetwork("bsc"), { urls: [chainOf("bsc").node.url], now });
  while ((await answerBalances(db(), { network: getNetwork("bsc"), source, log }, now())) > 0);
  expect(await readingStates(db(), IS_ON, merchant.id)).toEqual([
    { network: "ethereum", due: 0, failed: BALANCES / 2 },
  ]);
  expect((await sweepable()).map(({ network, rows }) => [network, rows.length])).toEqual([["bsc", 1]]);
});

test("unsigned transfers of derived addresses contain path, token and amount, and go to the owner's target", async () => {
  const [first = "", second = ""] = await addKey("evm", "ethereum");
  await chainOf("ethereum").pay(contract(getNetwork("ethereum"), "USDC"), second, 1_500_000n);
  await chainOf("ethereum").node.call("anvil_setBalance", [second, "0xde0b6b3a7640000"]);
  await askSweepable(db(), IS_ON, merchant.id, now());
  await readBoth();
  const one = (await sweepable()).find(({ kind }) => kind === "xpub");
  if (!one) throw new Error("Nothing lies there");
  const target = await validateTarget(db(), merchant.id, getNetwork("ethereum"), `0x${"99".repeat(20)}`);
  if ("problem" in target) throw new Error(inEnglish(target.problem));
  const plan = JSON.parse(sweepPlan(one, target.to, now()));
  expect(plan).toMatchObject({ network: "ethereum", chain_id: "1", to: `0x${"99".repeat(20)}` });
  // The address's native coin is not moved, because it pays for the gas of the token transfer.
  expect(plan.transfers).toEqual([
    expect.objectContaining({
      derivation_path: "m/44'/60'/0'/0/1",
      currency: "USDC",
      decimals: 6,
      base_units: "1500000",
      amount: "1.5",
      from: getAddress(second as `0x${string}`),
      coin: "1",
    }),
  ]);
  const { transaction } = plan.transfers[0];
  const call = decodeFunctionData({ abi: erc20Abi, data: transaction.data });
  expect([call.functionName, call.args]).toEqual(["transfer", [`0x${"99".repeat(20)}`, 1_500_000n]]);
  expect(transaction.to.toLowerCase()).toBe(contract(getNetwork("ethereum"), "USDC"));
  const invalid = async (text: string) => validateTarget(db(), merchant.id, getNetwork("ethereum"), text);
  for (const text of [
    "",
    "0x12",
    "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
    contract(getNetwork("ethereum"), "USDT"),
    first,
  ])
    expect(await invalid(text), text).toHaveProperty("problem");
});

test("addresses of a public key on TRON are in the list where they served, with paths of that wallet", async () => {
  await addKey("tron", "tron");
  expect(await askSweepable(db(), IS_ON, merchant.id, now())).toBe(BALANCES);
  await db().update(addressBalances).set({ isDue: false, askedAt: start });
  await db()
    .update(receivingAddresses)
    .set({ availableAt: start })
    .where(and(eq(receivingAddresses.network, "tron"), eq(receivingAddresses.sourceIndex, 4)));
  expect(await askSweepable(db(), IS_ON, merchant.id, now())).toBe(BALANCES + getNetwork("tron").tokens.length);
  const [last] = await db().select().from(addressBalances).where(eq(addressBalances.network, "tron"));
  await db()
    .update(addressBalances)
    .set({ isDue: false, outcome: "read", balanceUnits: 7_000_000n, height: 5, readAt: now() })
    .where(and(eq(addressBalances.network, "tron"), eq(addressBalances.currency, "USDT")));
  const one = (await sweepable()).find(({ network }) => network === "tron");
  expect(one?.rows).toMatchObject([{ address: last?.address, path: "m/44'/195'/0'/0/4", currency: "USDT" }]);
  const [transfer] = one ? JSON.parse(sweepPlan(one, last?.address ?? "", now())).transfers : [];
  expect(transfer).toMatchObject({ from: expect.stringMatching(/^T/), amount: "7" });
  expect(transfer).not.toHaveProperty("transaction");
});
