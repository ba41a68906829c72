import { describe, expect, test } from "vitest";
import { SolanaTransaction } from "@/lib/chains/solana/wire";

const key = (symbol: string) => symbol.repeat(43);
const SIGNATURE = "5".repeat(88);
const keys = [key("A"), key("B")];
const balance = { accountIndex: 1, mint: key("M"), owner: key("P"), uiTokenAmount: { amount: "70" } };
const meta = { err: null, preBalances: [1, 2], preTokenBalances: [], postTokenBalances: [balance] };
const read = (transaction: unknown, changes: object = {}) =>
  SolanaTransaction.safeParse({ meta: { ...meta, ...changes }, transaction });
const plain = { signatures: [SIGNATURE], message: { accountKeys: keys } };

describe("the forms of account keys", () => {
  test.each<[string, unknown]>([
    ["strings in a message", plain],
    ["objects in a message", { signatures: [SIGNATURE], message: { accountKeys: keys.map((pubkey) => ({ pubkey })) } }],
    [
      "objects without a message",
      { signatures: [SIGNATURE], accountKeys: keys.map((pubkey) => ({ pubkey, signer: true })) },
    ],
  ])("%s are read", (_what, transaction) => {
    expect(read(transaction).data).toMatchObject({ signature: SIGNATURE, accountKeys: keys });
  });

  test("loaded keys follow strings only, because objects are complete", () => {
    const loadedAddresses = { writable: [key("W")], readonly: [key("R")] };
    expect(read(plain, { loadedAddresses, preBalances: [1, 2, 3, 4] }).data?.accountKeys).toEqual([
      ...keys,
      key("W"),
      key("R"),
    ]);
    const complete = { signatures: [SIGNATURE], accountKeys: keys.map((pubkey) => ({ pubkey })) };
    expect(read(complete, { loadedAddresses }).data?.accountKeys).toEqual(keys);
  });

  test.each<[string, unknown]>([
    ["no list", key("A")],
    ["a list-like object", { 0: key("A"), length: 1 }],
    ["null", null],
    ["absent", undefined],
    ["a list with null", [null, key("B")]],
    ["a list with a number", [7, key("B")]],
    ["a list in a list", [[key("A")], key("B")]],
    ["an object without a key", [{ signer: true }, key("B")]],
    ["an object with a key that is no string", [{ pubkey: { pubkey: key("A") } }, key("B")]],
    ["a key with a letter outside base58", [`${key("A").slice(1)}0`, key("B")]],
    ["a key that is too long", [key("A").repeat(2), key("B")]],
    ["a key with a line break", [`${key("A")}\n`, key("B")]],
  ])("%s is refused", (_what, accountKeys) => {
    expect(read({ signatures: [SIGNATURE], message: { accountKeys } }).success).toBe(false);
    expect(read({ signatures: [SIGNATURE], accountKeys }).success).toBe(false);
  });
});

describe("the error of a transaction", () => {
  test.each<[string, unknown, boolean]>([
    ["null", null, true],
    ["a string", "AccountNotFound", true],
    ["an object", { InstructionError: [0, "Custom"] }, true],
    ["absent", undefined, false],
    ["a list", [], false],
    ["a number", 0, false],
    ["false", false, false],
  ])("%s", (_what, err, isAccepted) => {
    expect(read(plain, { err }).success).toBe(isAccepted);
  });

  test("the field is required", () => {
    const { err: _, ...rest } = meta;
    expect(SolanaTransaction.safeParse({ meta: rest, transaction: plain }).success).toBe(false);
  });
});

test.each<[string, object]>([
  ["balances that are no list", { preBalances: "1,2" }],
  ["token balances that are absent", { postTokenBalances: undefined }],
  ["a token balance of an account that does not exist", { postTokenBalances: [{ ...balance, accountIndex: 2 }] }],
  ["two token balances of an account", { postTokenBalances: [balance, balance] }],
  [
    "an amount of more than 64 bits",
    { postTokenBalances: [{ ...balance, uiTokenAmount: { amount: `${2n ** 64n}` } }] },
  ],
  ["a negative amount", { postTokenBalances: [{ ...balance, uiTokenAmount: { amount: "-1" } }] }],
])("%s are refused", (_what, changes) => {
  expect(read(plain).success).toBe(true);
  expect(read(plain, changes).success).toBe(false);
});
