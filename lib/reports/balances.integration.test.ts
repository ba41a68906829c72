import { eq } from "drizzle-orm";
import pino from "pino";
import { encodeFunctionData } from "viem";
import { beforeEach, expect, test } from "vitest";
import { addressBalances, refundRequests, refunds, refundTransfers, transfers } from "@/db/schema";
import { canonicalAddress } from "@/lib/domain/addresses/address";
import { newId } from "@/lib/domain/id";
import { getNetwork, getToken } from "@/lib/domain/networks";
import type { BalanceAnswer } from "@/lib/domain/transfers/balance";
import {
  answerBalances,
  askBalances,
  balanceSheet,
  differenceIn,
  nextAskAt,
  readBalances,
} from "@/lib/reports/balances";
import { createNetworkReader, leaseNetwork } from "@/lib/watch/network-reader";
import { TEST_TOKEN_ABI } from "@/sandbox/token/install";
import { startRpcProxy, startTestChain } from "@/testing/chains/evm";
import { startTestNetwork } from "@/testing/chains/networks";
import { useTestDb } from "@/testing/database/clone";
import { empty } from "@/testing/database/empty";
import { explain } from "@/testing/database/explain";
import { seedAddress, seedCursor, seedMerchant, seedTransfer } from "@/testing/database/seed";

const testDb = useTestDb();
const db = () => testDb.pool.db;
const log = pino({ level: "silent" });
const start = new Date("2026-11-23T00:00:00Z");
const at = (seconds: number) => new Date(start.getTime() + seconds * 1_000);
const ethereum = getNetwork("ethereum");
const USDT = getToken(ethereum, "USDT").contract;
const ON = new Set(["ethereum"]);

let merchantId: string;
beforeEach(async () => {
  await empty(
    db(),
    "refund_transfers",
    "refund_requests",
    "refunds",
    "transfers",
    "address_balances",
    "cursors",
    "blocks",
  );
  merchantId = (await seedMerchant(db(), start)).id;
});

const rowOf = async (network = "ethereum", of?: string) =>
  (await readBalances(db(), new Set([network]), merchantId)).find(
    ({ currency, address }) => currency === "USDT" && (of ?? address) === address,
  );
const sourceThat = (...answers: BalanceAnswer[]) => {
  const asked: string[] = [];
  const balances = async (holders: readonly { token: string }[]) =>
    holders.map(({ token }) => {
      asked.push(token);
      return answers[Math.min(asked.length, answers.length) - 1] ?? { kind: "silent" as const };
    });
  return { balances, receivers: null, asked };
};
const answer = (source: Parameters<typeof answerBalances>[1]["source"], now: Date) =>
  answerBalances(db(), { network: ethereum, source, log }, now);
const read = (baseUnits: bigint, height = 100): BalanceAnswer => ({ kind: "read", balance: { baseUnits, height } });

// On Solana, the history of an account is read, so the ledger contains transfers from shortly before the address was watched.
test.each([
  ["ethereum", 5n],
  ["tron", 5n],
  ["solana", 0n],
] as const)(
  "on %s, the balance from before the address was watched is distinguished from the ledger's",
  async (id, elsewhere) => {
    const chain = await startTestNetwork(id);
    try {
      const till = chain.addressOf("shop");
      await seedAddress(db(), { merchantId, network: id, address: chain.addressOf("other") }, start);
      const options = { urls: [chain.url], now: () => new Date() };
      const context = { owner: "test", publicUrl: "https://pay.example.com", log };
      const reader = createNetworkReader(db(), getNetwork(id), options, context);
      await leaseNetwork(db(), id, "test");
      const readAll = async () => {
        for (let step = await reader.step(new Date()); !step.isCaughtUp; ) step = await reader.step(new Date());
      };
      await readAll();
      await chain.payAll([[till, 5n]]);
      await chain.mine(3);
      await readAll();
      await seedAddress(db(), { merchantId, network: id, address: till }, start);
      reader.forget();
      await chain.payAll([[till, 10n]]);
      await chain.mine(3);
      await readAll();
      expect(await askBalances(db(), new Set([id]), merchantId, new Date())).toBe(2 * getNetwork(id).tokens.length);
      const ctx = { network: getNetwork(id), source: reader, log };
      expect(await answerBalances(db(), ctx, new Date())).toBe(2 * getNetwork(id).tokens.length);
      await chain.mine(3);
      await readAll();
      await answerBalances(db(), ctx, new Date());
      const row = await rowOf(id, till);
      expect(row).toMatchObject({
        outcome: "read",
        isDue: false,
        balanceUnits: 15n,
        inUnits: 15n - elsewhere,
        backUnits: 0n,
      });
      expect(row && differenceIn(row)).toBe(elsewhere);
    } finally {
      await chain.stop();
    }
  },
);

test("an address that was spent from, an endpoint that is silent, and two that contradict each other", async () => {
  const chain = await startTestChain(ethereum);
  const proxy = await startRpcProxy(chain.node.url);
  try {
    const till = `0x${"ab".repeat(20)}`;
    await chain.node.call("anvil_impersonateAccount", [till]);
    await chain.node.call("anvil_setBalance", [till, "0xde0b6b3a7640000"]);
    const address = await seedAddress(db(), { merchantId, network: "ethereum", address: till }, start);
    await chain.pay(USDT, till, 100n);
    await chain.mine();
    const data = encodeFunctionData({
      abi: TEST_TOKEN_ABI,
      functionName: "transfer",
      args: [`0x${"99".repeat(20)}`, 60n],
    });
    await chain.send({ from: till, to: USDT, data });
    await chain.mine();
    const height = await chain.height();
    await seedCursor(db(), "ethereum", start, height);
    await seedTransfer(db(), { address, baseUnits: 100n, blockHeight: height - 1 }, start);
    await seedTransfer(db(), { address, baseUnits: 7n, blockHeight: height + 1 }, start);
    const reader = (urls: string[]) =>
      createNetworkReader(
        db(),
        ethereum,
        { urls, now: () => new Date(), timeoutMs: 500 },
        {
          owner: "test",
          publicUrl: "https://pay.example.com",
          log,
        },
      );
    const both = reader([chain.node.url, proxy.url]);
    await askBalances(db(), ON, merchantId, at(1));
    await answer(both, at(1));
    const row = await rowOf();
    expect(row).toMatchObject({ outcome: "read", height, balanceUnits: 40n, inUnits: 100n, backUnits: 0n });
    expect(row && differenceIn(row)).toBe(-60n);

    proxy.fault = async ({ method }, _response, pass) => (method === "eth_call" ? `0x${"0".repeat(62)}2a` : pass());
    await askBalances(db(), ON, merchantId, at(600));
    await seedCursor(db(), "ethereum", at(600), height);
    await answer(both, at(600));
    expect(await rowOf()).toMatchObject({ outcome: "contradicted", balanceUnits: 40n, readAt: at(1) });
    expect((await rowOf())?.contradiction?.map(({ says }) => says).toSorted()).toEqual([
      `40 base units at height ${height}`,
      `42 base units at height ${height}`,
    ]);

    proxy.fault = undefined;
    const far = await both.balances([{ owner: till, token: canonicalAddress("evm", USDT) }], height + 500);
    expect(far).toEqual([{ kind: "unknown" }]);
    await chain.stop();
    await proxy.stop();
    await askBalances(db(), ON, merchantId, at(1_200));
    await seedCursor(db(), "ethereum", at(1_200), height);
    expect(await answer(reader([chain.node.url]), at(1_200))).toBe(ethereum.tokens.length);
    expect(await rowOf()).toMatchObject({ outcome: "silent", isDue: false, balanceUnits: 40n, readAt: at(1) });
  } finally {
    await proxy.stop();
    await chain.stop();
  }
});

test("an address is read once within minutes; a network that is not up to date is not read, and silent ones are not waited for", async () => {
  await seedAddress(db(), { merchantId, network: "ethereum" }, start);
  await seedCursor(db(), "ethereum", start);
  const count = ethereum.tokens.length;
  expect(await askBalances(db(), ON, merchantId, at(0))).toBe(count);
  expect(await askBalances(db(), ON, merchantId, at(1))).toBe(0);
  const source = sourceThat(read(1n));
  expect(await answer(source, at(60))).toBe(0);
  expect(source.asked).toEqual([]);
  await seedCursor(db(), "ethereum", at(60));
  expect(await answer(source, at(61))).toBe(count);
  expect(await askBalances(db(), ON, merchantId, at(299))).toBe(0);
  expect(nextAskAt(await readBalances(db(), ON, merchantId), at(299))).toEqual(at(300));
  expect(nextAskAt(await readBalances(db(), ON, merchantId), at(301))).toBeNull();
  expect(await askBalances(db(), ON, merchantId, at(301))).toBe(count);
  await seedCursor(db(), "ethereum", at(301));
  const silent = sourceThat({ kind: "silent" });
  expect(await answer(silent, at(302))).toBe(count);
  expect(await db().$count(addressBalances, eq(addressBalances.isDue, true))).toBe(0);
});

test("the ledger is counted once it is read up to the balance; dropped money is none, refunds are taken off, strangers stay out", async () => {
  const address = await seedAddress(db(), { merchantId, network: "ethereum" }, start);
  const other = await seedMerchant(db(), start);
  const stranger = await seedAddress(db(), { merchantId: other.id, network: "ethereum" }, start);
  await seedCursor(db(), "ethereum", start);
  const paid = await seedTransfer(db(), { address, baseUnits: 50n }, start);
  const dropped = await seedTransfer(db(), { address, baseUnits: 9n }, start);
  await seedTransfer(db(), { address, baseUnits: 4n, blockHeight: 103 }, start);
  await seedTransfer(db(), { address: stranger, baseUnits: 1_000n }, start);
  await db().update(transfers).set({ status: "dropped" }).where(eq(transfers.id, dropped.id));
  const note = { merchantId, transferId: paid.id, network: "ethereum", txId: "0x1", notedBy: "ann", notedAt: start };
  const shown = { toAddress: "0x2", movedUnits: 20n, baseUnits: 20n, sentAt: start };
  await db()
    .insert(refunds)
    .values({ ...note, ...shown, state: "final", observation: "toPayer" });
  await askBalances(db(), ON, merchantId, at(0));
  await answer(sourceThat(read(34n, 103)), at(1));
  expect(await rowOf()).toMatchObject({ balanceUnits: 34n, inUnits: null });
  await seedCursor(db(), "ethereum", at(2), 103);
  await answer(sourceThat(), at(3));
  const row = await rowOf();
  expect(row).toMatchObject({ inUnits: 54n, backUnits: 20n });
  expect(row && differenceIn(row)).toBe(0n);
  expect(await readBalances(db(), ON, other.id)).toEqual([]);
  const lines: unknown[][] = [];
  const sheet = balanceSheet(db(), ON, merchantId);
  for await (const some of sheet.rows) lines.push(...some);
  const line = lines.find((cells) => cells[1] === "USDT");
  const value = (name: string) => line?.[sheet.head.indexOf(name)];
  expect([value("ledger_in"), value("ledger_refunded"), value("chain_balance"), value("difference")]).toEqual([
    ...[{ decimal: "0.000054" }, { decimal: "0.00002" }, { decimal: "0.000034" }, { decimal: "0" }],
  ]);
});

test("a refund that was paid from a receiving address is taken off its balance once, also if its transaction was recorded", async () => {
  const address = await seedAddress(db(), { merchantId, network: "ethereum" }, start);
  const paid = await seedTransfer(db(), { address, baseUnits: 50n }, start);
  const token = canonicalAddress("evm", USDT);
  const id = newId(start);
  const to = `0x${"c1".repeat(20)}`;
  const decided = { claimedAt: start, approvedAt: start, completedAt: start };
  const times = { createdAt: start, changedAt: start, expiresAt: start, ...decided };
  const claimed = { network: "ethereum", family: "evm", address: to, token, baseUnits: 20n } as const;
  const terms = { transferId: paid.id, integration: "api", currency: "USDT", microUnits: 20n } as const;
  await db()
    .insert(refundRequests)
    .values({ id, merchantId, ...terms, ...claimed, status: "completed", ...times });
  const sent = { network: "ethereum", currency: "USDT", token, family: "evm", status: "confirmed" } as const;
  const block = { blockHash: "0xb", blockTime: start, seenAt: start, matchedAt: start, confirmedAt: start };
  const rows = [
    { txId: "0x1", fromAddress: address.address, blockHeight: 99 },
    // Not of this refund: paid from another wallet, and above the height of the balance.
    { txId: "0x2", fromAddress: to, blockHeight: 99 },
    { txId: "0x3", fromAddress: address.address, blockHeight: 104 },
  ];
  for (const row of rows) {
    const match = row.txId === "0x1" ? { refundId: id, merchantId } : { problem: "repeated" as const };
    const position = `${token}:0`;
    await db()
      .insert(refundTransfers)
      .values({ ...sent, ...block, ...row, ...match, position, toAddress: to, baseUnits: 20n });
  }
  const note = { merchantId, transferId: paid.id, network: "ethereum", txId: "0x1", notedBy: "ann", notedAt: start };
  const shown = { toAddress: to, movedUnits: 20n, baseUnits: 20n, sentAt: start };
  await db()
    .insert(refunds)
    .values({ ...note, ...shown, state: "final", observation: "toPayer" });
  await askBalances(db(), ON, merchantId, at(0));
  await seedCursor(db(), "ethereum", at(2), 103);
  await answer(sourceThat(read(30n, 103)), at(1));
  await answer(sourceThat(), at(3));
  const row = await rowOf();
  expect(row).toMatchObject({ inUnits: 50n, backUnits: 20n });
  expect(row && differenceIn(row)).toBe(0n);
});

test("the page reads balances by an index", async () => {
  await seedAddress(db(), { merchantId, network: "ethereum" }, start);
  await askBalances(db(), ON, merchantId, start);
  const facts = await explain(testDb.pool.sql, (watched) => readBalances(watched, ON, merchantId));
  expect(facts.scanned).toEqual([]);
});
