import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { listDepositAddresses } from "@/db/queries/deposits/deposit-list";
import { insertScannedTransfers } from "@/db/queries/transfers/observations";
import { apiKeys, auditEvents, callbacks, cursors } from "@/db/schema";
import type { Finality, FinalityChecker } from "@/lib/chains/endpoints/source";
import type { OptInType } from "@/lib/domain/keys/key-rules";
import { getNetwork } from "@/lib/domain/networks";
import { confirmTransfers } from "@/lib/ledger/confirm-transfers";
import { matchTransfers } from "@/lib/ledger/match-transfers";
import { createLog } from "@/lib/log";
import { takeBackTo } from "@/lib/watch/blocks/rewind-network";
import { empty } from "@/testing/database/empty";
import { seedAddress, seedCursor, seedTransfer } from "@/testing/database/seed";
import { useTestApi } from "@/testing/web";

const api = useTestApi();
const db = () => api.pool.db;
const ctx = { publicUrl: "https://pay.example.com", log: createLog("test", "fatal") };
const bsc = getNetwork("bsc");
const HEAD = { height: 1_000, hash: `0x${"0".repeat(64)}`, parentHash: "0x", time: new Date(), finalizedHeight: 1_000 };
const NOTIFY_URL = "https://shop.example.com/deposited";
const BOTH: OptInType[] = ["deposit.confirmed", "deposit.reversed"];

type Deposit = Record<"deposit_id" | "status" | "reversed_at" | "confirmed_at", unknown>;

let address: Awaited<ReturnType<typeof seedAddress>>;
let depositAddressId: string;
let transfer: Awaited<ReturnType<typeof seedTransfer>>;

const choose = (optIns: OptInType[]) => db().update(apiKeys).set({ optIns }).where(eq(apiKeys.id, api.merchant.keyId));
const match = () => matchTransfers(db(), ctx, "bsc", new Date());
const confirm = (finality: Finality = { kind: "final" }) => {
  const checker: FinalityChecker = {
    problem: async () => null,
    warning: () => null,
    quorumMiss: () => null,
    mistrust: () => {},
    heads: () => [],
    checkFinality: async () => finality,
  };
  return confirmTransfers(db(), ctx, checker, bsc, HEAD, new Date());
};

/**
 * Simulates a reorg that replaces all blocks above height 90, far below the confirmed ones. The reorg is detected twice, as after a crash.
 */
async function reorg(lost: readonly { id: string }[]): Promise<void> {
  const now = new Date();
  await seedCursor(db(), "bsc", now, 120);
  await db().update(cursors).set({ leaseOwner: "one", leaseUntil: sql`now() + interval '1 minute'` });
  const ancestor = { height: 90, hash: "0x90", parentHash: "0x89", time: now };
  for (const cursor of [{ height: 120, hash: "0x00" }, ancestor])
    expect(await takeBackTo(db(), bsc, { ...ctx, owner: "one", cursor }, ancestor, lost, now)).toEqual(ancestor);
}

/** Includes the transaction again, at another height. */
function includeAgain(blockHeight: number) {
  const { fromAddress: from, toAddress: to, ...row } = transfer;
  const found = { ...row, from, to, blockHeight, blockHash: `0x${blockHeight}` };
  return insertScannedTransfers(db(), [found], new Map([[to, address.id]]), new Date());
}

async function listed(): Promise<Deposit[]> {
  const { status, body } = await api.post("/deposit/list", {});
  expect(status, body.message).toBe(200);
  return body.data?.["deposits"] as Deposit[];
}

async function events() {
  const { body } = await api.post("/event/list", {});
  return body.data?.["events"] as { id: string; type: string; data: Deposit }[];
}

const types = async () => (await events()).map(({ type }) => type);
const page = async () => (await api.request(`/api/deposit/${depositAddressId}/status`)).body as unknown as Page;
interface Page {
  version: number;
  transfers: { state: string }[];
}
const row = async () => (await listDepositAddresses(db(), api.merchant.id, {}, null, 10)).rows[0];

/** Creates a deposit of 3 USDT, confirmed at block 100. */
beforeEach(async () => {
  await empty(db(), "deposit_addresses", "transfers", "callbacks", "events", "receiving_addresses", "audit_events");
  await choose(BOTH);
  address = await seedAddress(db(), { merchantId: api.merchant.id, network: "bsc", kind: "dedicated" }, new Date());
  const given = await api.post("/deposit-address", { customer_ref: "anna", network: "bsc", notify_url: NOTIFY_URL });
  depositAddressId = String(given.body.data?.["deposit_address_id"]);
  transfer = await seedTransfer(db(), { address, baseUnits: 3n * 10n ** 18n }, new Date());
  await match();
  expect(await confirm()).toBe(1);
  expect(await listed()).toMatchObject([{ deposit_id: transfer.id, status: "confirmed", reversed_at: null }]);
});

test("a deposit that a reorg removes after its confirmation is listed as reversed, and its event and callback are written once", async () => {
  const before = await page();
  await reorg([transfer]);
  const [deposit, ...more] = await listed();
  expect(more).toEqual([]);
  expect(deposit).toMatchObject({ status: "reversed", reversed_at: expect.any(Number) });
  const written = await events();
  expect(written.map(({ type }) => type)).toEqual(["deposit.confirmed", "deposit.reversed"]);
  expect(written[1]?.data).toEqual(deposit);
  const sent = await db().select().from(callbacks).orderBy(callbacks.createdAt, callbacks.id);
  expect(sent.map(({ id, type, url }) => [id, type, url])).toEqual(
    written.map(({ id, type }) => [id, type, NOTIFY_URL]),
  );
  expect(await row()).toMatchObject({ count: 0, reversed: 1, sums: [] });
  const after = await page();
  expect([before.transfers[0]?.state, after.transfers[0]?.state]).toEqual(["confirmed", "reversed"]);
  expect(after.version).toBeGreaterThan(before.version);
  const actions = await db().select().from(auditEvents).where(eq(auditEvents.action, "transfer.lost"));
  expect(actions).toMatchObject([{ merchantId: api.merchant.id, orderId: null }]);
});

test("a reversed deposit that the chain includes again stays reversed until it is final, and is then confirmed again", async () => {
  await reorg([transfer]);
  expect([await includeAgain(101), await includeAgain(101)]).toEqual([1, 0]);
  await match();
  expect(await listed()).toMatchObject([{ deposit_id: transfer.id, status: "reversed" }]);
  expect(await types()).toEqual(["deposit.confirmed", "deposit.reversed"]);
  expect([await confirm(), await confirm()]).toEqual([1, 0]);
  await db().execute(sql`update transfers set matched_at = null`);
  await match();
  const [deposit] = await listed();
  expect(deposit).toMatchObject({ deposit_id: transfer.id, status: "confirmed", reversed_at: null });
  const written = await events();
  expect(written.map(({ type }) => type)).toEqual(["deposit.confirmed", "deposit.reversed", "deposit.confirmed"]);
  expect(new Set(written.map(({ id }) => id)).size).toBe(3);
  expect(written[2]?.data).toEqual(deposit);
  expect(await row()).toMatchObject({ count: 1, reversed: 0 });
  await reorg([transfer]);
  expect(await types()).toHaveLength(4);
});

test("a reversed deposit that a second reorg removes before it is final again stays reversed, without another event", async () => {
  await reorg([transfer]);
  await includeAgain(101);
  await reorg([]);
  await match();
  expect(await confirm()).toBe(0);
  expect(await listed()).toMatchObject([{ status: "reversed" }]);
  expect(await types()).toEqual(["deposit.confirmed", "deposit.reversed"]);
});

test.each<[OptInType[], string[]]>([
  [["deposit.confirmed"], []],
  [["deposit.reversed"], ["deposit.reversed"]],
  [[], []],
])("a key that opted in to %j gets only these events; a second confirmation needs both", async (optIns, expected) => {
  await choose(optIns);
  await reorg([transfer]);
  await includeAgain(101);
  expect(await confirm()).toBe(1);
  expect((await types()).slice(1)).toEqual(expected);
  expect(await listed()).toMatchObject([{ status: "confirmed", reversed_at: null }]);
});

test("a deposit that a reorg only moves to another block is not reversed", async () => {
  await reorg([]);
  await includeAgain(101);
  expect(await confirm()).toBe(0);
  expect(await listed()).toMatchObject([{ status: "confirmed", reversed_at: null }]);
  expect(await types()).toEqual(["deposit.confirmed"]);
});
