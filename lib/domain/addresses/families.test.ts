import { Keypair, PublicKey } from "@solana/web3.js";
import fc from "fast-check";
import { TronWeb } from "tronweb";
import { expect, test } from "vitest";
import {
  canonicalAddress,
  displayAddress,
  displayTxId,
  storedForms,
  validateAddress,
} from "@/lib/domain/addresses/address";
import { decodeBase58, encodeBase58 } from "@/lib/domain/addresses/families";
import { getNetwork } from "@/lib/domain/networks";
import { inSentences } from "@/testing/problem-sentences";

const ethereum = getNetwork("ethereum");
const tron = getNetwork("tron");
const solana = getNetwork("solana");
const EVM = "0x52908400098527886E0F7030069857D2E4169EE7";
const TRON = "TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL";
const SOLANA = "7v91N7iZ9mNicL8WfG6cgSCKyRXydQjLh6UYBWwm6y1Q";
const bytes20 = fc.uint8Array({ minLength: 20, maxLength: 20 }).filter((bytes) => bytes.some((byte) => byte !== 0));
const hex = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString("hex")}`;

test("TRON addresses equal tronweb's for the same bytes, both ways", () => {
  fc.assert(
    fc.property(bytes20, (bytes) => {
      const address = hex(bytes);
      const shown = displayAddress("tron", address);
      expect(shown).toBe(TronWeb.address.fromHex(`41${address.slice(2)}`));
      expect(validateAddress(tron, shown)).toEqual({ address });
      expect(canonicalAddress("tron", `41${address.slice(2)}`)).toBe(address);
    }),
  );
});

test("a TRON address with one character changed is refused exactly when tronweb refuses it", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 33 }), fc.constantFrom(..."123ABCabcxyz0OIl-"), (at, character) => {
      const typed = TRON.slice(0, at) + character + TRON.slice(at + 1);
      expect("address" in validateAddress(tron, typed)).toBe(TronWeb.isAddress(typed));
    }),
  );
});

test("a TRON address that lost its capital letters is refused with that reason", () => {
  expect(inSentences(validateAddress(tron, `T${TRON.slice(1).toLowerCase().replaceAll("l", "m")}`))).toEqual({
    problem: expect.stringContaining("upper-case letters"),
  });
});

test("the hexadecimal form of a TRON address is refused with the form to give instead", () => {
  const typed = `41${canonicalAddress("tron", TRON).slice(2)}`;
  for (const form of [typed, `0x${typed}`]) {
    expect(inSentences(validateAddress(tron, form))).toEqual({ problem: expect.stringContaining(TRON) });
  }
});

test("Solana addresses equal @solana/web3.js's for the same bytes, both ways", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      const address = new PublicKey(bytes).toBase58();
      expect(encodeBase58(bytes)).toBe(address);
      expect(decodeBase58(address)).toEqual(bytes);
    }),
  );
  const wallet = Keypair.generate().publicKey.toBase58();
  expect(validateAddress(solana, wallet)).toEqual({ address: wallet });
});

test("the case of a Solana address counts", () => {
  expect(canonicalAddress("solana", SOLANA)).toBe(SOLANA);
  expect(displayAddress("solana", SOLANA)).toBe(SOLANA);
  expect(validateAddress(solana, SOLANA.toUpperCase())).toMatchObject({ problem: { code: expect.any(String) } });
});

test.each([
  [tron, EVM, "Ethereum and other EVM networks"],
  [tron, SOLANA, "Solana"],
  [ethereum, TRON, "TRON"],
  [ethereum, SOLANA, "Solana"],
  [solana, EVM, "Ethereum and other EVM networks"],
  [solana, TRON, "TRON"],
])("an address of another kind of network is called by its name: %o", (network, typed, owner) => {
  const answer = validateAddress(network, typed);
  expect(inSentences(answer)).toEqual({ problem: expect.stringContaining(`an address of ${owner}`) });
  expect(inSentences(answer)).toEqual({ problem: expect.stringContaining(`not an address on ${network.name}`) });
});

test.each([
  [tron, "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb", "zero address"],
  [solana, "11111111111111111111111111111111", "System program"],
  [solana, "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", "Token program"],
])("%o: an address that cannot receive payments is refused: %s", (network, typed, text) => {
  expect(inSentences(validateAddress(network, typed))).toEqual({ problem: expect.stringContaining(text) });
});

test("an invalid address is refused with the expected form", () => {
  for (const typed of ["", "hello", "T", "x".repeat(5_000)]) {
    expect(inSentences(validateAddress(tron, typed))).toEqual({ problem: expect.stringContaining("start with T") });
    expect(inSentences(validateAddress(solana, typed))).toEqual({ problem: expect.stringContaining("32 to 44") });
  }
});

test("TRON shows transactions without 0x, and a search finds them and its addresses in any form", () => {
  const txId = `0x${"ab".repeat(32)}`;
  expect(displayTxId("tron", txId)).toBe("ab".repeat(32));
  expect(displayTxId("evm", txId)).toBe(txId);
  expect(displayTxId("solana", "5Vx")).toBe("5Vx");
  expect(storedForms("AB".repeat(32))).toContain(txId);
  expect(storedForms(TRON)).toContain(canonicalAddress("tron", TRON));
  expect(storedForms(SOLANA)).toContain(SOLANA);
  expect(storedForms(EVM)).toContain(EVM.toLowerCase());
});
