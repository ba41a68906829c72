import { pbkdf2Sync } from "node:crypto";
import { HDKey } from "@scure/bip32";
import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { listDepositAddresses } from "@/db/queries/deposits/deposit-list";
import { listDeposits } from "@/db/queries/deposits/deposits";
import { countUnmatched } from "@/db/queries/transfers/transfer-list";
import { addressSources, events, receiverTrials, receivingAddresses, refunds, transfers } from "@/db/schema";
import type { Receipt } from "@/lib/chains/endpoints/source";
import { assignDepositAddress } from "@/lib/deposits/give-address";
import { receiverAddress } from "@/lib/domain/addresses/receiver";
import { ACCOUNT_PATHS, deriveAddresses } from "@/lib/domain/addresses/xpub";
import { getNetwork } from "@/lib/domain/networks";
import { answerRefunds } from "@/lib/ledger/answer-refunds";
import { noteRefund } from "@/lib/ledger/note-refund";
import { addSource, removeSource } from "@/lib/merchants/address-sources";
import { createAddressTender } from "@/lib/merchants/derive-addresses";
import { addressVerifier } from "@/lib/merchants/vault";
import { addTreasury, tryReceivers } from "@/lib/receivers/treasuries";
import { empty } from "@/testing/database/empty";
import { seedAddress, seedMerchant, seedTransfer, TEST_APP_SECRET } from "@/testing/database/seed";
import {
  at,
  create,
  db,
  finalize,
  log,
  match,
  merchant,
  owner,
  readOrder,
  readTransfer,
  start,
  units,
  useHoldingShop,
} from "@/testing/holding-shop";

const TREASURY = `0x${"7e".repeat(20)}`;
const root = HDKey.fromMasterSeed(pbkdf2Sync(`${"abandon ".repeat(11)}about`, "mnemonic", 2_048, 64, "sha512"));
const XPUB = root.derive(ACCOUNT_PATHS.evm).publicExtendedKey;
const vault = { appSecret: TEST_APP_SECRET, log };
/** A receiving address that is also shared by many orders. */
let treasury: Awaited<ReturnType<typeof seedAddress>>;
let sourceId: string;

useHoldingShop();
beforeEach(async () => {
  await empty(
    db(),
    "deposit_addresses",
    "receiver_trials",
    "address_sources",
    "receiving_addresses",
    "family_addresses",
    "refunds",
  );
  treasury = await seedAddress(db(), { merchantId: merchant.id, address: TREASURY, kind: "shared" }, start);
  sourceId = await addTried();
});

const who = () => ({ merchantId: merchant.id, userId: owner.userId });

/** Adds a treasury whose receivers are active on Ethereum. */
async function addTried(): Promise<string> {
  const typed = { address: TREASURY, label: "", max: 500 };
  const added = await addTreasury(db(), vault, { ...who(), ...typed }, start);
  if ("errors" in added) throw new Error(JSON.stringify(added.errors));
  await tryReceivers(db(), vault, { ...who(), id: added.id, network: "ethereum" }, start);
  await db().update(receiverTrials).set({ triedAt: start, lookAt: null });
  await db()
    .update(addressSources)
    .set({ networks: ["ethereum"] })
    .where(eq(addressSources.id, added.id));
  await createAddressTender(db(), vault)(start);
  return added.id;
}

/** Inserts a transfer from one address to another. */
async function move(from: string, address: typeof treasury, baseUnits: bigint, minutes = 1) {
  const sent = await seedTransfer(db(), { address, baseUnits }, at(minutes));
  await db().update(transfers).set({ fromAddress: from }).where(eq(transfers.id, sent.id));
  await finalize(sent.id);
  return sent;
}

test("a sweep into a treasury that orders share pays no order, though one asks for that very amount, and is no unmatched money", async () => {
  for (let index = 0; index < 20; index++) await create("ethereum", 0);
  const shared = await create("ethereum", 0);
  expect(shared.quote).toMatchObject({ kind: "shared", address: TREASURY });
  const swept = await move(receiverAddress(TREASURY, 1), treasury, shared.quote.baseUnits);
  const tried = await move(receiverAddress(TREASURY, 0), treasury, shared.quote.baseUnits);
  await match(2);
  for (const one of [swept, tried])
    expect(await readTransfer(one)).toMatchObject({ orderId: null, unmatchedReason: null, isSweep: true });
  expect((await readOrder(shared))?.status).toBe("pending");
  const paid = await move(`0x${"11".repeat(20)}`, treasury, shared.quote.baseUnits);
  await match(3);
  expect(await readTransfer(paid)).toMatchObject({ orderId: shared.id, isSweep: false });
  expect((await readOrder(shared))?.status).not.toBe("pending");
});

test("a transfer out of a derived address is a sweep too, also after the key was removed, and on another network of the family", async () => {
  const form = { ...who(), family: "evm" as const, xpub: XPUB, label: "", networks: ["bsc"], max: 500 };
  const added = await addSource(db(), vault, form, start);
  if ("errors" in added) throw new Error(JSON.stringify(added.errors));
  await removeSource(db(), { ...who(), id: added.id }, start);
  const from = deriveAddresses("evm", XPUB, 0, 1)[0] ?? "";
  const swept = await move(from, treasury, units("ethereum", "12"));
  await match(2);
  expect(await readTransfer(swept)).toMatchObject({ isSweep: true, unmatchedReason: null });
});

test("another shop's payment from its own address pays, and an unknown one stays unmatched", async () => {
  const other = await seedMerchant(db(), start);
  const till = await seedAddress(db(), { merchantId: other.id, kind: "shared" }, start);
  const foreign = await move(receiverAddress(TREASURY, 1), till, 5n);
  const unknown = await move(`0x${"22".repeat(20)}`, treasury, 5n);
  const fromTill = await move(till.address, treasury, 6n);
  await match(2);
  for (const one of [foreign, unknown, fromTill])
    expect(await readTransfer(one)).toMatchObject({ isSweep: false, unmatchedReason: "no_such_amount" });
});

test("a sweep that is noted as a refund is refused", async () => {
  const order = await create("ethereum", 0);
  const row = await db().query.receivingAddresses.findFirst({
    where: (r, { eq: is }) => is(r.address, order.quote.address),
  });
  const payment = await move(`0x${"11".repeat(20)}`, { ...treasury, ...row } as typeof treasury, order.quote.baseUnits);
  await match(2);
  const txId = `0x${"ab".repeat(32)}`;
  await noteRefund(db(), owner as never, { transferId: payment.id, text: txId }, at(3));
  const inBlock = { blockHeight: 200, blockHash: `0x${"b".repeat(64)}`, blockTime: at(4) };
  const leg = { token: payment.token, from: order.quote.address, to: TREASURY, baseUnits: payment.baseUnits, txId };
  const receipt: Receipt = {
    isSuccess: true,
    blockHeight: 200,
    blockHash: inBlock.blockHash,
    time: inBlock.blockTime,
    transfers: [{ ...leg, ...inBlock, position: `${payment.token}:0` }],
  };
  const head = { height: 400, hash: "0x1", parentHash: "0x0", time: at(60), finalizedHeight: 390 };
  const asked = {
    network: getNetwork("ethereum"),
    head: async () => head,
    receipt: async () => receipt,
    log,
    checker: { checkFinality: async () => ({ kind: "final" as const }) },
  };
  expect(await answerRefunds(db(), asked, at(60))).toBe(1);
  expect(await db().select().from(refunds)).toMatchObject([{ state: "refused", observation: "otherDirection" }]);
});

test("sweeps do not block the removal of the source", async () => {
  expect(await removeSource(db(), { ...who(), id: sourceId }, at(1))).toBe(true);
  const swept = await move(receiverAddress(TREASURY, 3), treasury, 5n);
  await match(2);
  expect(await readTransfer(swept)).toMatchObject({ isSweep: true });
});

test("a sweep of a customer's receiver is a sweep in the ledger, neither a deposit nor unmatched; its incoming transfer was a deposit", async () => {
  await db().execute(sql`update api_keys set opt_ins = '{deposit.confirmed}'`);
  const ctx = { log, isVerifiedAddress: addressVerifier(TEST_APP_SECRET) };
  const asked = { customerRef: "anna", network: getNetwork("ethereum"), notifyUrl: null };
  const caller = { merchantId: merchant.id, apiKeyId: merchant.keyId };
  const { address: given } = await assignDepositAddress(db(), ctx, caller, asked, start);
  const [own] = await db().select().from(receivingAddresses).where(eq(receivingAddresses.address, given.address));
  if (!own) throw new Error("The address that was given is one of the merchant's");
  expect(own.source).toBe("receiver");
  const incoming = await move(`0x${"11".repeat(20)}`, own, units("ethereum", "25"));
  await match(2);
  const swept = await move(given.address, treasury, units("ethereum", "25"), 3);
  await match(4);
  const free = { orderId: null, unmatchedReason: null };
  expect(await readTransfer(incoming)).toMatchObject({ ...free, depositId: given.id, isSweep: false });
  expect(await readTransfer(swept)).toMatchObject({ ...free, depositId: null, isSweep: true });
  const search = { customerRef: null, network: null, currency: null, cursor: null, limit: 10 };
  expect((await listDeposits(db(), merchant.id, search)).map(({ id }) => id)).toEqual([incoming.id]);
  const [line] = (await listDepositAddresses(db(), merchant.id, {}, null, 10)).rows;
  expect(line).toMatchObject({ customerRef: "anna", count: 1, open: 0 });
  expect((await db().select().from(events)).map(({ transferId }) => transferId)).toEqual([incoming.id]);
  expect(await countUnmatched(db(), merchant.id)).toBe(0);
});
