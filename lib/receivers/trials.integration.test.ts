import { and, asc, eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { addressSources, auditEvents, familyAddresses, receiverTrials, receivingAddresses } from "@/db/schema";
import { createEvmSource } from "@/lib/chains/evm/source";
import {
  DEPLOYMENT_PROXY,
  FACTORY_DEPLOYMENT,
  RECEIVER_FACTORY,
  receiverAddress,
  sweepCalldata,
} from "@/lib/domain/addresses/receiver";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { removeSource } from "@/lib/merchants/address-sources";
import { checkDerived, createAddressTender } from "@/lib/merchants/derive-addresses";
import { rotateAppSecret } from "@/lib/merchants/rotate-app-secret";
import { addressVerifier } from "@/lib/merchants/vault";
import { answerTrials } from "@/lib/receivers/answer-trials";
import { addTreasury, findTreasury, type NewTreasury, tryReceivers } from "@/lib/receivers/treasuries";
import { startTestChain, type TestChain } from "@/testing/chains/evm";
import { empty } from "@/testing/database/empty";
import { seedMerchant, TEST_APP_SECRET } from "@/testing/database/seed";
import { create, db, log, merchant, owner, start, useHoldingShop } from "@/testing/holding-shop";
import { inSentences } from "@/testing/problem-sentences";

const NETWORK = getNetwork("ethereum");
const USDT = getToken(NETWORK, "USDT").contract;
const TREASURY = `0x${"7e".repeat(20)}`;
const RECEIVER = receiverAddress(TREASURY, 0);
const DAYS_MS = 86_400_000;
const vault = { appSecret: TEST_APP_SECRET, log };

let chain: TestChain;
function openEvm(url: string) {
  const { receivers, ...opened } = createEvmSource(NETWORK, { urls: [url], now });
  if (!receivers) throw new Error("Receivers can be contracts on an EVM network");
  return { ...opened, receivers };
}

let source: ReturnType<typeof openEvm>;
/** The time by which the shop's clock is ahead of the chain's clock, which is the clock of the machine. */
let passedMs: number;
const now = () => new Date(Date.now() + passedMs);
const minutes = () => (now().getTime() - start.getTime()) / 60_000;

useHoldingShop();
beforeEach(async () => {
  await empty(db(), "receiver_trials", "address_sources", "receiving_addresses", "family_addresses");
  passedMs = 0;
  chain = await startTestChain(NETWORK);
  source = openEvm(chain.node.url);
});
afterEach(() => chain.stop());

const form = (change: Partial<NewTreasury> = {}): NewTreasury => ({
  merchantId: merchant.id,
  userId: owner.userId,
  address: TREASURY,
  label: "Safe",
  max: 500,
  ...change,
});

async function add(): Promise<string> {
  const added = await addTreasury(db(), vault, form(), now());
  if ("errors" in added) throw new Error(JSON.stringify(added.errors));
  return added.id;
}

const ask = (id: string, network = "ethereum") =>
  tryReceivers(db(), vault, { merchantId: merchant.id, userId: owner.userId, id, network }, now());
/** Advances the clock by the time between two checks, and runs the worker's check. */
async function look(): Promise<number> {
  passedMs += 3_600_000;
  const ctx = { network: NETWORK, source: source.receivers, head: () => source.head(), checker: source, log };
  return answerTrials(db(), ctx, now());
}
async function stateOf(id: string) {
  const asked = { merchantId: merchant.id, id, networks: ["ethereum", "bsc", "tron"] };
  const shown = await findTreasury(db(), vault, asked);
  return shown === "sealed" ? shown : shown?.trials.map(({ network, state }) => `${network} ${state}`);
}
const derivedOn = (network: string) =>
  db()
    .select()
    .from(receivingAddresses)
    .where(and(eq(receivingAddresses.network, network), eq(receivingAddresses.source, "receiver")))
    .orderBy(asc(receivingAddresses.sourceIndex));
const deploy = () => chain.send({ to: DEPLOYMENT_PROXY, data: FACTORY_DEPLOYMENT, gas: "0x1e8480" });
const sweep = () => chain.send({ to: RECEIVER_FACTORY, data: sweepCalldata(TREASURY, [0], [USDT]) });

/** Adds a treasury whose receivers were tried on Ethereum. */
async function addTried(): Promise<string> {
  const id = await add();
  await ask(id);
  await deploy();
  await chain.pay(USDT, RECEIVER, 5n);
  await sweep();
  await chain.mine(20);
  await look();
  return id;
}

test("orders get receivers on a network only after a small amount came and was swept there, as the chain shows it", async () => {
  const id = await add();
  const tend = createAddressTender(db(), vault);
  expect(await stateOf(id)).toEqual(["ethereum never", "bsc never"]);
  expect(await ask(id)).toBe("asked");
  await look();
  expect(await stateOf(id)).toEqual(["ethereum missing", "bsc never"]);

  await deploy();
  await chain.mine(1);
  await look();
  expect(await stateOf(id)).toEqual(["ethereum waiting", "bsc never"]);
  await chain.pay(USDT, RECEIVER, 1_500_000n);
  await chain.mine(1);
  await look();
  expect(await stateOf(id)).toEqual(["ethereum arrived", "bsc never"]);
  await sweep();
  await chain.mine(1);
  await look();
  expect(await stateOf(id)).toEqual(["ethereum swept", "bsc never"]);
  await tend(now());
  expect(await derivedOn("ethereum")).toEqual([]);
  await expect(create("ethereum", minutes())).rejects.toThrow();

  await chain.mine(20);
  await look();
  expect(await stateOf(id)).toEqual(["ethereum tried", "bsc never"]);
  await tend(now());
  const rows = await derivedOn("ethereum");
  expect(rows.map(({ address }) => address)).toEqual(rows.map((_, step) => receiverAddress(TREASURY, step + 1)));
  expect(rows.length).toBe(20);
  expect(rows.every((row) => addressVerifier(TEST_APP_SECRET)(row) && row.kind === "dedicated")).toBe(true);
  expect(await derivedOn("bsc")).toEqual([]);
  const { quote, amountUnits } = await create("ethereum", minutes());
  expect([quote.address, quote.kind, quote.baseUnits]).toEqual([
    receiverAddress(TREASURY, 1),
    "dedicated",
    amountUnits,
  ]);
  const events = await db().select().from(auditEvents).where(eq(auditEvents.action, "receivers.tried"));
  expect(events).toMatchObject([{ detail: { network: "ethereum", address: TREASURY } }]);
  expect(await look()).toBe(0);
});

test("another sender's transfer to the treasury, or another token, is no sweep", async () => {
  const id = await add();
  await ask(id);
  await deploy();
  await chain.pay(USDT, TREASURY, 9n);
  await chain.pay(USDT, RECEIVER, 5n);
  await chain.mine(20);
  await look();
  expect(await stateOf(id)).toEqual(["ethereum arrived", "bsc never"]);
});

test("a transfer that a reorg removed is searched again", async () => {
  const id = await add();
  await ask(id);
  await deploy();
  await chain.mine(10);
  const before = await chain.node.call("evm_snapshot");
  await chain.pay(USDT, RECEIVER, 5n);
  await sweep();
  await chain.mine(1);
  await look();
  expect(await stateOf(id)).toEqual(["ethereum swept", "bsc never"]);
  await chain.node.call("evm_revert", [before]);
  await chain.mine(30);
  source = openEvm(chain.node.url);
  await look();
  expect(await stateOf(id)).toEqual(["ethereum waiting", "bsc never"]);
});

test("a network that is tried later gets the existing addresses of the others", async () => {
  const id = await addTried();
  const tend = createAddressTender(db(), vault);
  await tend(now());
  for (let orders = 0; orders < 3; orders++) await create("ethereum", minutes());
  await tend(now());
  expect((await derivedOn("ethereum")).length).toBe(40);
  await ask(id, "bsc");
  await db().update(receiverTrials).set({ triedAt: now(), lookAt: null }).where(eq(receiverTrials.network, "bsc"));
  await db()
    .update(addressSources)
    .set({ networks: ["ethereum", "bsc"] });
  while ((await tend(now())) === 0);
  const there = await derivedOn("ethereum");
  const here = await derivedOn("bsc");
  expect(here.map(({ address }) => address)).toEqual(there.map(({ address }) => address));
  expect(here.length).toBe(40);
});

test("a treasury that was changed in the database is not shown, and one changed address of its receivers is refused and paused", async () => {
  const id = await addTried();
  await createAddressTender(db(), vault)(now());
  const foreign = receiverAddress(`0x${"66".repeat(20)}`, 1);
  await db().insert(familyAddresses).values({ family: "evm", address: foreign, merchantId: merchant.id });
  await db().update(receivingAddresses).set({ address: foreign }).where(eq(receivingAddresses.sourceIndex, 1));
  await expect(create("ethereum", minutes())).rejects.toThrow("The integrity check");
  await checkDerived(db(), vault, { after: "" }, now());
  const paused = (await derivedOn("ethereum")).filter(({ pausedAt }) => pausedAt !== null);
  expect(paused.map(({ sourceIndex }) => sourceIndex)).toEqual([1]);
  expect((await create("ethereum", minutes())).quote.address).toBe(receiverAddress(TREASURY, 2));

  const cipher = Buffer.from("another treasury without a valid MAC").toString("base64");
  await db().update(addressSources).set({ keyCipher: cipher });
  expect(await stateOf(id)).toBe("sealed");
  expect(await ask(id, "bsc")).toBe("gone");
});

test("a new APP_SECRET encrypts the treasury and signs the MACs of its receivers again", async () => {
  const id = await addTried();
  await createAddressTender(db(), vault)(now());
  const fresh = "the secret of this installation from now on";
  await rotateAppSecret(db(), { primary: fresh, secondary: TEST_APP_SECRET });
  const asked = { merchantId: merchant.id, id, networks: ["ethereum"] };
  expect(await findTreasury(db(), { appSecret: fresh }, asked)).toMatchObject({
    treasury: TREASURY,
    receiver: RECEIVER,
  });
  expect((await derivedOn("ethereum")).every((row) => addressVerifier(fresh)(row))).toBe(true);
});

test("after its removal, its receivers get no new orders and no network is tried; added again, each network is tried again", async () => {
  const id = await addTried();
  await createAddressTender(db(), vault)(now());
  await ask(id, "bsc");
  expect(await removeSource(db(), { ...form(), id }, now())).toBe(true);
  await expect(create("ethereum", minutes())).rejects.toThrow();
  expect(await look()).toBe(0);
  expect(await ask(id)).toBe("gone");
  expect(await stateOf(await add())).toEqual(["ethereum never", "bsc never"]);
});

test("an unfinished trial is abandoned after three days, and continues on request", async () => {
  const id = await add();
  await ask(id);
  await look();
  passedMs += 4 * DAYS_MS;
  await look();
  expect(await stateOf(id)).toEqual(["ethereum forgotten", "bsc never"]);
  await ask(id);
  expect(await look()).toBe(1);
  expect(await stateOf(id)).toEqual(["ethereum missing", "bsc never"]);
});

test("another shop's treasury is refused, and no trial begins where there are no receivers", async () => {
  const id = await add();
  const again = await addTreasury(db(), vault, form(), now());
  expect(inSentences(again)).toMatchObject({ errors: [{ message: "You have already added this treasury" }] });
  const other = await seedMerchant(db(), now());
  const answer = await addTreasury(db(), vault, form({ merchantId: other.id }), now());
  expect(inSentences(answer)).toMatchObject({ errors: [{ message: expect.stringContaining("only your shop uses") }] });
  expect(await ask(id, "tron")).toBe("elsewhere");
  expect(await db().select().from(receiverTrials)).toEqual([]);
});
