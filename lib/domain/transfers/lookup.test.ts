import { describe, expect, test } from "vitest";
import { getNetwork, getToken } from "@/lib/domain/networks";
import {
  areFresh,
  bestLookup,
  type ComparedQuote,
  compareLedger,
  compareTransaction,
  type LedgerTransfer,
  type Lookup,
  readTxId,
} from "@/lib/domain/transfers/lookup";

const now = new Date("2026-03-01T12:00:00Z");
const at = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
const hex = "ab".repeat(32);
const signature = "5".repeat(87);
const contract = (symbol: string) => getToken(getNetwork("ethereum"), symbol).contract.toLowerCase();
const quote: ComparedQuote = {
  network: "ethereum",
  currency: "USDT",
  token: contract("USDT"),
  address: "0xshop",
  kind: "shared",
  baseUnits: 10_000_100n,
  createdAt: now,
  reservedUntil: at(3_600),
};
const moved = { token: quote.token, to: quote.address, baseUnits: quote.baseUnits };
const seen = (change = {}) => ({ isSuccess: true, time: at(60), transfers: [{ ...moved, ...change }] });

describe("a transaction id", () => {
  test("is read as each family writes it, out of an explorer's link too", () => {
    for (const text of [hex, `0x${hex}`, ` 0X${hex.toUpperCase()} `, `https://etherscan.io/tx/0x${hex}?a=1`])
      expect(readTxId("evm", text)).toBe(`0x${hex}`);
    expect(readTxId("tron", `https://tronscan.org/#/transaction/${hex}`)).toBe(`0x${hex}`);
    expect(readTxId("solana", `https://solscan.io/tx/${signature}`)).toBe(signature);
  });

  test("is nothing else: no address, no other family's, nothing that is too long, too short or hostile", () => {
    const far = `${"a ".repeat(400)}0x${hex}`;
    const address = `0x${"ab".repeat(20)}`;
    for (const text of ["", "0x", `0x${hex}0`, hex.slice(1), address, signature, "<script>", far])
      expect(readTxId("evm", text)).toBeNull();
    for (const text of [hex, `0x${hex}`, "0".repeat(88), "7".repeat(44), "5".repeat(89)])
      expect(readTxId("solana", text)).toBeNull();
  });
});

describe("transactions on a chain", () => {
  test("the exact amount pays, on a dedicated address any does", () => {
    expect(compareTransaction([quote], seen())).toEqual({ kind: "found" });
    expect(compareTransaction([{ ...quote, kind: "dedicated" }], seen({ baseUnits: 5n }))).toEqual({ kind: "found" });
  });

  test("short by a fee, or more than was asked", () => {
    const short = { kind: "amount", arrived: "9.0001", due: "10.0001", isShort: true, currency: "USDT" };
    expect(compareTransaction([quote], seen({ baseUnits: 9_000_100n }))).toEqual(short);
    const more = { arrived: "11", isShort: false };
    expect(compareTransaction([quote], seen({ baseUnits: 11_000_000n }))).toMatchObject(more);
  });

  test("another token, known or not; a name that a stranger's token gives itself is never repeated", () => {
    expect(compareTransaction([quote], seen({ token: contract("USDC") }))).toEqual({
      kind: "wrongToken",
      name: "USDC",
    });
    expect(compareTransaction([quote], seen({ token: "0xfake" }))).toEqual({ kind: "wrongToken", name: null });
  });

  test("another address, a failure, a transfer older than the order, and one after its hold", () => {
    expect(compareTransaction([quote], seen({ to: "0xother" }))).toEqual({ kind: "nothing" });
    const failed = { ...seen(), isSuccess: false, transfers: [] };
    expect(compareTransaction([quote], failed)).toEqual({ kind: "failed" });
    expect(compareTransaction([quote], { ...seen(), time: at(-121) })).toEqual({ kind: "early" });
    expect(compareTransaction([quote], { ...seen(), time: at(-119) })).toEqual({ kind: "found" });
    expect(compareTransaction([quote], { ...seen(), time: null })).toEqual({ kind: "found" });
    expect(compareTransaction([quote], { ...seen(), time: at(3_600) })).toEqual({ kind: "found" });
    expect(compareTransaction([quote], { ...seen(), time: at(3_601) })).toEqual({ kind: "kept" });
  });

  test("of a batch it is the transfer to this order that counts, and of several the nearest amount", () => {
    const transfers = [
      { ...moved, to: "0xother" },
      { ...moved, baseUnits: 1n },
      { ...moved, baseUnits: 9_999_000n },
    ];
    expect(compareTransaction([quote], { ...seen(), transfers })).toMatchObject({ arrived: "9.999" });
  });
});

describe("transactions in the ledger", () => {
  const known = (change: Partial<LedgerTransfer>): LedgerTransfer[] => [
    {
      ...moved,
      network: "ethereum",
      isConfirmed: false,
      orderId: null,
      meantOrderId: null,
      reason: "no_such_amount",
      ...change,
    },
  ];
  const answer = (change: Partial<LedgerTransfer>) => compareLedger("o", [quote], known(change));

  test("this order's own, and another's without naming it", () => {
    expect(answer({ orderId: "o", reason: null })).toEqual({ kind: "found" });
    expect(answer({ orderId: "o", reason: null, isConfirmed: true })).toEqual({ kind: "counted" });
    expect(answer({ orderId: "secret" })).toEqual({ kind: "otherOrder" });
    expect(answer({ meantOrderId: "secret" })).toEqual({ kind: "otherOrder" });
  });

  test("the wrong network, the wrong token, another amount, and cases for a user to decide", () => {
    expect(answer({ network: "bsc" })).toEqual({ kind: "wrongNetwork", network: "bsc" });
    expect(answer({ token: contract("USDC") })).toMatchObject({ kind: "wrongToken" });
    expect(answer({ baseUnits: 9_000_000n })).toMatchObject({ kind: "amount" });
    expect(answer({ reason: "order_settled" })).toEqual({ kind: "kept" });
    expect(answer({ to: "0xhers" })).toEqual({ kind: "kept" });
    expect(answer({ reason: null })).toEqual({ kind: "found" });
    expect(compareLedger("o", [quote], [])).toBeNull();
  });
});

describe("of several networks", () => {
  const lookup = { network: "bsc", txId: `0x${hex}`, askedAt: now };
  const all = [null, { kind: "silent" } as const, { kind: "absent" } as const].map((answer) => ({ ...lookup, answer }));
  const notify = (lookups: readonly Lookup[], seconds: number, own = "bsc") =>
    bestLookup(lookups, new Set([own]), at(seconds))?.answer;

  test("the most informative answer is shown; silence and absence are different", () => {
    expect(notify([], 0)).toBeUndefined();
    expect(notify(all, 5)).toBeNull();
    expect(notify(all, 61)).toEqual({ kind: "absent" });
    expect(notify(all.slice(0, 1), 61)).toEqual({ kind: "silent" });
    expect(notify([...all, { ...lookup, answer: { kind: "found" } }], 5)).toEqual({ kind: "found" });
  });

  test("a network where the order cannot be paid is shown only with a result, and is not waited for", () => {
    const own = { ...lookup, network: "ethereum", answer: { kind: "silent" } as const };
    expect(notify([...all, { ...lookup, answer: { kind: "nothing" } }, own], 5, "ethereum")).toEqual({
      kind: "silent",
    });
    const found = { ...lookup, answer: { kind: "wrongNetwork", network: "bsc" } as const };
    expect(notify([found, own], 5, "ethereum")).toEqual(found.answer);
  });
});

test("a repeated question gets the recent answer; another one starts a new lookup", () => {
  const one = { network: "bsc", txId: "0x1" };
  const other = { network: "tron", txId: "0x1" };
  const known = [{ ...one, askedAt: now, answer: null }];
  expect(areFresh(known, [one], at(9.999))).toBe(true);
  expect(areFresh(known, [one], at(10))).toBe(false);
  expect(areFresh(known, [one, other], at(1))).toBe(false);
  expect(areFresh(known, [{ ...one, txId: "0x2" }], at(1))).toBe(false);
  expect(areFresh([], [], at(1))).toBe(false);
});
