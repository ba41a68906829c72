import type { AddressLookupTableAccount } from "@solana/web3.js";
import { expect, test } from "vitest";
import type { Currency } from "@/lib/domain/networks";
import { PAYER } from "@/sandbox/solana/accounts/mints";
import { accountOf, closing, minting, moving, ownerNamed, type Payment, paying } from "@/testing/chains/solana";
import { BY_ACCOUNTS, BY_SLOTS, useSolanaChain, useSolanaLedger } from "@/testing/watch/solana-scanner";

const NAMES = ["shop", "kiosk", "bakery"];
const ROUNDS = 30;
const world = useSolanaChain();
const byAccounts = useSolanaLedger(world, BY_ACCOUNTS, NAMES);
const bySlots = useSolanaLedger(world, BY_SLOTS, NAMES);
/** A ledger that repeatedly switches between read modes. */
const byTurns = useSolanaLedger(world, BY_ACCOUNTS, NAMES);

/** Creates a generator that returns the same numbers for the same seed (mulberry32). */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** The payments that the sender recorded, independent of any reader. */
type Sent = Map<string, Payment[]>;

function makeActions(below: (limit: number) => number, table: AddressLookupTableAccount, sent: Sent) {
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const owner = () => ownerNamed(pick([...NAMES, "stranger"]));
  const payment = (): Payment => ({
    to: owner().publicKey,
    currency: pick(["USDT", "USDC"] as const),
    baseUnits: BigInt(1 + below(1_000_000)),
  });
  const note = async (payments: Payment[], sending: Promise<string>) => {
    sent.set(await sending, payments);
  };
  const { chain } = world;
  return {
    pay: (one = payment()) => note([one], chain.pay([one])),
    mint: (one = payment()) => note([one], chain.send(minting(one))),
    payWithTable: (one = payment()) => note([one], chain.pay([one], { tables: [table] })),
    payTwo: () => {
      const both = [payment(), payment()];
      return note(both, chain.pay(both, below(2) === 0 ? {} : { tables: [table] }));
    },
    fail: () => chain.pay([{ ...payment(), baseUnits: 10n ** 19n }]),
    /** Empties and closes an account, then pays it again, in the same transaction or later. */
    close: async () => {
      const from = owner();
      const currency = pick(["USDT", "USDC"] as const) as Currency;
      const account = accountOf(from.publicKey, currency);
      const held = await chain.connection.getTokenAccountBalance(account, "processed").catch(() => null);
      if (!held) return;
      const units = BigInt(held.value.amount);
      const back = accountOf(PAYER.publicKey, currency);
      const emptying = [moving(from.publicKey, back, currency, units), closing(from.publicKey, currency)];
      const again = { to: from.publicKey, currency, baseUnits: BigInt(1 + below(1_000)) };
      const isReopened = below(2) === 0;
      const signature = await chain.send([...emptying, ...(isReopened ? paying(again) : [])], { signers: [from] });
      const gained = isReopened ? again.baseUnits - units : 0n;
      sent.set(signature, gained > 0n ? [{ ...again, baseUnits: gained }] : []);
    },
    skip: () => chain.node.call("solana_skip", [1 + below(3)]),
    fork: () => chain.node.call("solana_fork", [1 + below(8), { reinclude: below(2) === 0, skip: below(2) === 0 }]),
  };
}

/** Returns the expected content of a ledger: every final payment to a receiving address, once per token account. */
async function expected(sent: Sent): Promise<string[]> {
  const ours = new Set(NAMES.map((name) => ownerNamed(name).publicKey.toBase58()));
  const lines: string[] = [];
  for (const [signature, payments] of sent) {
    const found = await world.chain.connection.getTransaction(signature, {
      commitment: "finalized",
      maxSupportedTransactionVersion: 0,
    });
    if (!found || found.meta?.err !== null) continue;
    const sums = Map.groupBy(payments, ({ to, currency }) => accountOf(to, currency).toBase58());
    for (const [account, [first, ...more]] of sums) {
      if (!first || !ours.has(first.to.toBase58())) continue;
      const units = more.reduce((sum, { baseUnits }) => sum + baseUnits, first.baseUnits);
      lines.push(`${signature} ${account} ${first.currency} ${units} ${found.slot}`);
    }
  }
  return lines.sort();
}

const settled = async ({ ledger }: typeof byAccounts) =>
  (await ledger()).filter(({ status }) => status === "confirmed").map((row) => ({ ...row, id: "", seenAt: 0 }));

test.each([1, 2, 3])(
  "both ways of reading, and switching between them, end with the same correct ledger after any events on the chain (seed %i)",
  async (seed) => {
    const below = randomNumbers(seed);
    const sent: Sent = new Map();
    const { chain } = world;
    const table = await chain.makeTable(NAMES.map((name) => ownerNamed(name).publicKey));
    const actions = makeActions(below, table, sent);
    const often = ["pay", "pay", "mint", "payWithTable", "payTwo", "fail", "close", "skip", "fork"] as const;
    await Promise.all([byAccounts.settle(), bySlots.settle(), byTurns.settle()]);
    for (let round = 0; round < ROUNDS; round++) {
      const action = often[below(often.length)] ?? "pay";
      await actions[action]();
      if (below(2) === 0) await chain.advance(1 + below(3));
      if (below(3) > 0) await byAccounts.settle();
      if (below(3) > 0) await bySlots.settle();
      byTurns.state.scanner.maxAccounts = below(2) === 0 ? BY_ACCOUNTS : BY_SLOTS;
      if (below(3) > 0) await byTurns.settle();
    }
    for (let time = 0; time < 3; time++) {
      await chain.advance(40);
      await Promise.all([byAccounts.settle(), bySlots.settle(), byTurns.settle()]);
    }
    const [one, other, third] = await Promise.all([settled(byAccounts), settled(bySlots), settled(byTurns)]);
    const lines = one.map((row) => `${row.txId} ${row.position} ${row.currency} ${row.baseUnits} ${row.blockHeight}`);
    expect(lines.sort()).toEqual(await expected(sent));
    expect(lines.length).toBeGreaterThan(3);
    const plain = (rows: typeof one) =>
      rows.map(({ fromAddress, toAddress, blockHash, blockTime, txId, position }) => ({
        fromAddress,
        toAddress,
        blockHash,
        blockTime,
        txId,
        position,
      }));
    expect(plain(one)).toEqual(plain(other));
    expect(plain(third)).toEqual(plain(one));
    for (const { ledger } of [byAccounts, bySlots, byTurns]) {
      expect((await ledger()).filter(({ status }) => status === "seen")).toEqual([]);
    }
  },
);
