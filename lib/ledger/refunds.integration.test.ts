import { eq, sql } from "drizzle-orm";
import pino from "pino";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { auditEvents, failingRows, orders, refunds, transfers } from "@/db/schema";
import { ChainError, type Receipt } from "@/lib/chains/endpoints/source";
import { canonicalAddress } from "@/lib/domain/addresses/address";
import { newId } from "@/lib/domain/id";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { problem } from "@/lib/domain/problems/problem";
import { answerRefunds, type RefundContext } from "@/lib/ledger/answer-refunds";
import { noteRefund } from "@/lib/ledger/note-refund";
import { createNetworkReader } from "@/lib/watch/network-reader";
import { LOCAL_NETWORKS, startTestNetwork } from "@/testing/chains/networks";
import { useTestDb } from "@/testing/database/clone";
import { empty } from "@/testing/database/empty";
import { seedAddress, seedMerchant, seedPerson, seedTransfer } from "@/testing/database/seed";

const testDb = useTestDb();
const db = () => testDb.pool.db;
const log = pino({ level: "silent" });
const start = new Date("2026-11-23T00:00:00Z");
const at = (seconds: number) => new Date(start.getTime() + seconds * 1_000);
const PAYER = `0x${"11".repeat(20)}`;
const network = getNetwork("ethereum");
const USDT = canonicalAddress("evm", getToken(network, "USDT").contract);
const idOf = (digit: string) => `0x${digit.repeat(64)}`;

let actor: { userId: string; merchantId: string; role: "owner" };
let till: Awaited<ReturnType<typeof seedAddress>>;

beforeAll(async () => {
  const { id: merchantId } = await seedMerchant(db(), start);
  const userId = await seedPerson(db(), { merchantId, email: "ann@example.com", role: "owner" }, start);
  actor = { userId, merchantId, role: "owner" };
  till = await seedAddress(db(), { merchantId, network: "ethereum" }, start);
});

// Every test starts at the same second, so rate limits would carry over from one test to the next.
beforeEach(async () => {
  await empty(db(), "rate_limits");
});

/** Inserts a final payment. */
async function paid(baseUnits: bigint, address = till, more: Partial<typeof transfers.$inferInsert> = {}) {
  const { id } = await seedTransfer(db(), { address, baseUnits }, start);
  const set = { status: "confirmed", matchedAt: start, unmatchedReason: "late", confirmedAt: start, ...more } as const;
  await db().update(transfers).set(set).where(eq(transfers.id, id));
  return id;
}

const note = (transferId: string, text: string, seconds = 0) =>
  noteRefund(db(), actor, { transferId, text }, at(seconds));
const noteOf = async (transferId: string, txId?: string) => {
  const rows = await db().select().from(refunds).where(eq(refunds.transferId, transferId));
  return rows.find((row) => txId === undefined || row.txId === txId);
};

/** Returns a receipt with a transfer of this amount to an address. */
function shown(txId: string, to: string, baseUnits: bigint, more: Partial<Receipt> = {}): Receipt {
  const cursor = { blockHeight: 120, blockHash: idOf("b"), blockTime: at(100) };
  const leg = { token: USDT, from: till.address, to, baseUnits, txId, position: `${USDT}:0`, ...cursor };
  return { isSuccess: true, ...cursor, time: cursor.blockTime, transfers: [leg], ...more };
}

/** A head far above all block heights in this file. */
const final = { height: 1_000, hash: idOf("c"), parentHash: idOf("d"), time: at(1_000_000), finalizedHeight: 900 };

type Answers = Record<string, Receipt | null | ChainError>;
async function answer(answers: Answers, seconds: number, kind: "final" | "waiting" | "contradicted" = "final") {
  const receipt = async (txId: string) => {
    const found = answers[txId] ?? null;
    if (found instanceof ChainError) throw found;
    return found;
  };
  const checkFinality = async () => (kind === "contradicted" ? { kind, said: [] } : { kind });
  const ctx: RefundContext = { network, head: async () => final, receipt, checker: { checkFinality }, log };
  return answerRefunds(db(), ctx, at(seconds));
}
const silence = new ChainError("unavailable", "no response");

test("silence, absence, reversible and contradictory are four answers; final counts, and moves no order", async () => {
  const id = await paid(10n);
  const tx = idOf("1");
  expect(await note(id, `https://etherscan.io/tx/${tx}`)).toBeNull();
  expect(await noteOf(id)).toMatchObject({ state: "open", observation: null });
  const steps = [
    [silence, "final", "silent"],
    [null, "final", "absent"],
    [shown(tx, PAYER, 4n), "waiting", "unfinal"],
    [shown(tx, PAYER, 4n), "contradicted", "disputed"],
  ] as const;
  for (const [index, [observation, kind, expected]] of steps.entries()) {
    await answer({ [tx]: observation }, 10 * (index + 1), kind);
    expect(await noteOf(id)).toMatchObject({ state: "open", observation: expected, baseUnits: null });
  }
  expect(await answer({ [tx]: shown(tx, PAYER, 4n) }, 40)).toBe(0);
  await answer({ [tx]: shown(tx, PAYER, 4n) }, 100);
  expect(await noteOf(id)).toMatchObject({
    state: "final",
    observation: "toPayer",
    baseUnits: 4n,
    sentAt: at(100),
    lookAt: null,
  });
  expect(await note(id, tx, 101)).toBeNull();
  expect((await noteOf(id))?.state).toBe("final");
  expect((await db().select().from(auditEvents)).map(({ action }) => action)).toEqual(["refund.noted", "refund.final"]);
  expect(await db().select().from(orders)).toEqual([]);
});

test("refunds of a transfer count at most the received amount, and one transaction counts no unit twice", async () => {
  const first = await paid(10n);
  const second = await paid(10n);
  const third = await paid(10n);
  const big = idOf("2");
  const small = idOf("3");
  for (const id of [first, second, third]) await note(id, big);
  await answer({ [big]: shown(big, PAYER, 15n) }, 1);
  const counted = await Promise.all([first, second, third].map((id) => noteOf(id)));
  expect(counted.map((row) => row?.baseUnits ?? 0n).sort()).toEqual([0n, 10n, 5n].sort());
  expect(counted.filter((row) => row?.observation === "spent")).toHaveLength(1);
  const [whole] = counted.filter((row) => row?.baseUnits === 10n);
  await note(whole?.transferId ?? "", small, 2);
  await answer({ [small]: shown(small, PAYER, 3n) }, 3);
  expect(await noteOf(whole?.transferId ?? "", small)).toMatchObject({
    state: "refused",
    observation: "whole",
    baseUnits: null,
  });
});

test("a contradiction of the note is refused with a message, and checked again on request; another address is reported", async () => {
  const id = await paid(10n);
  const tx = idOf("4");
  await note(id, tx);
  await answer({ [tx]: shown(tx, till.address, 10n) }, 1);
  expect(await noteOf(id)).toMatchObject({ state: "refused", observation: "otherDirection", lookAt: null });
  await note(id, tx, 2);
  await answer({ [tx]: shown(tx, `0x${"99".repeat(20)}`, 10n) }, 3);
  expect(await noteOf(id)).toMatchObject({ state: "final", observation: "toOther", baseUnits: 10n });
});

test("a transaction that is unknown for a day was never seen; without responses it stays open", async () => {
  const id = await paid(10n);
  const other = await paid(10n);
  await note(id, idOf("5"));
  await note(other, idOf("6"));
  await answer({ [idOf("6")]: silence }, 86_400);
  expect(await noteOf(id)).toMatchObject({ state: "never", lookAt: null });
  expect(await noteOf(other)).toMatchObject({ state: "open", observation: "silent" });
  await answer({ [idOf("6")]: shown(idOf("6"), PAYER, 10n) }, 90_000);
});

test("only a final transfer is refunded, by another transaction, and only by a user with permission to change", async () => {
  const id = await paid(10n, till, { txId: idOf("7") });
  const seen = await paid(10n, till, { status: "seen" });
  expect(await note(id, idOf("7"))).toEqual({ problem: problem("refund_is_payment") });
  expect(await note(id, "paid back in cash")).toMatchObject({ problem: { code: "refund_id_malformed" } });
  expect(await note(seen, idOf("8"))).toMatchObject({ problem: { code: "refund_of_unconfirmed" } });
  expect(await note(newId(start), idOf("8"))).toEqual({ problem: problem("transfer_unknown") });
  const viewer = { ...actor, role: "viewer" } as const;
  expect(await noteRefund(db(), viewer, { transferId: id, text: idOf("8") }, start)).toHaveProperty("problem");
});

test.each(LOCAL_NETWORKS.filter((one) => one !== "bsc"))(
  "a real refund on %s is found, waited for and counted",
  async (where) => {
    const chain = await startTestNetwork(where);
    try {
      const row = getNetwork(where);
      const payer = chain.addressOf("payer");
      const shop = chain.addressOf("shop");
      const address = await seedAddress(db(), { merchantId: actor.merchantId, network: where, address: shop }, start);
      const id = await paid(10n, address, { fromAddress: payer, blockHeight: 1 });
      const txId = String(await chain.payAll([[payer, 7n]]));
      expect(await note(id, txId)).toBeNull();
      await chain.mine(3);
      const options = { urls: [chain.url], now: () => new Date() };
      const reader = createNetworkReader(db(), row, options, {
        owner: "test",
        publicUrl: "https://pay.example.com",
        log,
      });
      const look = async (seconds: number) => {
        const ctx = { network: row, head: reader.head, checker: reader.checker, receipt: reader.receipt, log };
        return answerRefunds(db(), ctx, at(seconds));
      };
      await look(1);
      expect(await noteOf(id)).toMatchObject({ state: "open", observation: "unfinal" });
      await chain.mine(100);
      await look(60);
      expect(await noteOf(id)).toMatchObject({
        state: "final",
        observation: "toPayer",
        baseUnits: 7n,
        toAddress: payer,
      });
    } finally {
      await chain.stop();
    }
  },
);

test("refunds that cannot be stored are reported by their transfers, wait for their turn, and do not block others", async () => {
  const bad = await Promise.all([...Array(12)].map(() => paid(10n)));
  const good = await paid(10n);
  for (const [index, id] of bad.entries()) await note(id, idOf(index.toString(16)));
  await note(good, idOf("e"), 1);
  await testDb.owner.db.execute(sql`create function refuse_refund() returns trigger language plpgsql as $$
    begin raise exception 'this row is broken'; end $$`);
  await testDb.owner.db.execute(
    sql.raw(`create trigger broken before update on refunds for each row when (old.transfer_id <> '${good}' and old.look_at is not null)
      execute function refuse_refund()`),
  );
  const answers = { [idOf("e")]: shown(idOf("e"), PAYER, 10n) };
  expect(await answer(answers, 2)).toBe(10);
  expect(await answer(answers, 2)).toBe(3);
  expect(await noteOf(good)).toMatchObject({ state: "final", observation: "toPayer" });
  expect(await answer(answers, 3)).toBe(0);
  const failing = () => db().select().from(failingRows).where(eq(failingRows.task, "refund"));
  expect((await failing()).map(({ id }) => id).toSorted()).toEqual(bad.toSorted());
  await testDb.owner.db.execute(sql`drop trigger broken on refunds`);
  await answer(answers, 30);
  await answer(answers, 30);
  expect(await failing()).toEqual([]);
  for (const id of bad) expect(await noteOf(id)).toMatchObject({ state: "open", observation: "absent" });
});

test("the chain is asked for its head only where a refund is due; that it keeps silent is no answer", async () => {
  await empty(db(), "refunds");
  let asked = 0;
  const tx = idOf("f");
  const ctx: RefundContext = {
    network,
    log,
    receipt: async () => shown(tx, PAYER, 10n),
    head: () => {
      asked += 1;
      return asked === 1 ? Promise.reject(silence) : Promise.resolve(final);
    },
    checker: { checkFinality: async () => ({ kind: "final" }) },
  };
  expect(await answerRefunds(db(), ctx, at(1))).toBe(0);
  expect(asked).toBe(0);
  const id = await paid(10n);
  const other = await paid(10n);
  await note(id, tx);
  await note(other, tx);
  await answerRefunds(db(), ctx, at(1));
  expect([await noteOf(id), await noteOf(other)]).toMatchObject([{ observation: "silent" }, { observation: "silent" }]);
  expect(asked).toBe(1);
  await answerRefunds(db(), ctx, at(60));
  expect(asked).toBe(2);
  expect([await noteOf(id), await noteOf(other)].map((row) => row?.state).toSorted()).toEqual(["final", "refused"]);
});
