import { describe, expect, test } from "vitest";
import { balanceDeltas, gainsOf } from "@/lib/chains/solana/transfers";
import { SolanaTransaction } from "@/lib/chains/solana/wire";
import { getNetwork } from "@/lib/domain/networks";

const solana = getNetwork("solana");
const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const FAKE = "So11111111111111111111111111111111111111112";
const key = (email: string) => email.repeat(43);
const shop = key("S");
const other = key("T");
const payer = key("P");
const SIGNATURE = "5".repeat(88);

interface Held {
  at: number;
  owner?: string;
  amount: string;
  mint?: string;
}

/** Builds a transaction whose static keys are A, B and C, followed by the loaded keys: writable W and readonly R. */
function transaction(before: Held[], after: Held[], err: unknown = null) {
  const balances = (held: Held[]) =>
    held.map(({ at, owner, amount, mint = USDC }) => ({
      accountIndex: at,
      mint,
      ...(owner ? { owner } : {}),
      uiTokenAmount: { amount },
    }));
  return SolanaTransaction.parse({
    meta: {
      err,
      preTokenBalances: balances(before),
      postTokenBalances: balances(after),
      loadedAddresses: { writable: [key("W")], readonly: [key("R")] },
    },
    transaction: { signatures: [SIGNATURE], message: { accountKeys: [key("A"), key("B"), key("C")] } },
  });
}

const gains = (sent: SolanaTransaction, ...owners: string[]) =>
  gainsOf(solana, sent, new Set(owners.length > 0 ? owners : [shop])).map(({ position, from, to, baseUnits }) => ({
    position,
    from,
    to,
    baseUnits,
  }));

describe("balances", () => {
  test("an account that is not listed before held nothing; one that is not listed after was closed", () => {
    const sent = transaction([{ at: 0, owner: payer, amount: "70" }], [{ at: 1, owner: shop, amount: "70" }]);
    expect(balanceDeltas(sent)).toEqual([
      { tokenAccount: key("A"), owner: payer, mint: USDC, delta: -70n, opened: false, closed: true },
      { tokenAccount: key("B"), owner: shop, mint: USDC, delta: 70n, opened: true, closed: false },
    ]);
  });

  test("loaded accounts come after the static ones, the writable before the readonly", () => {
    const sent = transaction(
      [],
      [
        { at: 3, owner: shop, amount: "1" },
        { at: 4, owner: shop, amount: "2" },
      ],
    );
    expect(balanceDeltas(sent).map(({ tokenAccount }) => tokenAccount)).toEqual([key("W"), key("R")]);
  });

  test("a failed transaction changed nothing, regardless of its lists", () => {
    const sent = transaction([], [{ at: 1, owner: shop, amount: "70" }], { InstructionError: [0, { Custom: 1 }] });
    expect(balanceDeltas(sent)).toEqual([]);
  });

  test("amounts are exact to the last of 20 digits", () => {
    const sent = transaction(
      [{ at: 1, owner: shop, amount: "1" }],
      [{ at: 1, owner: shop, amount: "18446744073709551615" }],
    );
    expect(balanceDeltas(sent)[0]?.delta).toBe(18_446_744_073_709_551_614n);
  });

  test("a balance of no account is refused, and so is an answer without balances", () => {
    for (const held of [
      [{ at: 9, owner: shop, amount: "1" }],
      [
        { at: 1, owner: shop, amount: "1" },
        { at: 1, owner: shop, amount: "2" },
      ],
    ])
      expect(() => transaction([], held)).toThrow(
        /an account that is not in the transaction, or two balances of one account/,
      );
    const bare = { meta: { err: null, preTokenBalances: null, postTokenBalances: null }, transaction: {} };
    expect(SolanaTransaction.safeParse(bare).success).toBe(false);
  });
});

describe("payments", () => {
  test("come from the owner who lost most of the token", () => {
    const sent = transaction(
      [
        { at: 0, owner: payer, amount: "100" },
        { at: 1, owner: other, amount: "5" },
      ],
      [
        { at: 0, owner: payer, amount: "10" },
        { at: 1, owner: other, amount: "0" },
        { at: 2, owner: shop, amount: "95" },
      ],
    );
    expect(gains(sent)).toEqual([{ position: key("C"), from: payer, to: shop, baseUnits: 95n }]);
  });

  test("have no sender when the tokens were minted", () => {
    expect(gains(transaction([], [{ at: 2, owner: shop, amount: "95" }]))).toMatchObject([
      { from: "", baseUnits: 95n },
    ]);
  });

  test("of other mints are ignored, with any name", () => {
    expect(gains(transaction([], [{ at: 2, owner: shop, amount: "95", mint: FAKE }]))).toEqual([]);
  });

  test("to two owners in one transaction are two", () => {
    const sent = transaction(
      [],
      [
        { at: 1, owner: shop, amount: "1" },
        { at: 2, owner: other, amount: "2" },
      ],
    );
    expect(gains(sent, shop, other)).toMatchObject([
      { to: shop, baseUnits: 1n },
      { to: other, baseUnits: 2n },
    ]);
  });

  test("from one account of an owner to another of the same owner are none", () => {
    const sent = transaction(
      [{ at: 1, owner: shop, amount: "70" }],
      [
        { at: 1, owner: shop, amount: "0" },
        { at: 2, owner: shop, amount: "70" },
      ],
    );
    expect(gains(sent)).toEqual([]);
  });

  test("that arrive while the owner moves money between accounts count as the owner's gain", () => {
    const sent = transaction(
      [
        { at: 0, owner: payer, amount: "9" },
        { at: 1, owner: shop, amount: "70" },
      ],
      [
        { at: 0, owner: payer, amount: "0" },
        { at: 1, owner: shop, amount: "0" },
        { at: 2, owner: shop, amount: "79" },
      ],
    );
    expect(gains(sent)).toMatchObject([{ position: key("C"), from: payer, baseUnits: 9n }]);
  });

  test("an account that is handed over arrives with all it holds", () => {
    const sent = transaction([{ at: 1, owner: payer, amount: "70" }], [{ at: 1, owner: shop, amount: "70" }]);
    expect(gains(sent)).toEqual([{ position: key("B"), from: payer, to: shop, baseUnits: 70n }]);
  });
});
