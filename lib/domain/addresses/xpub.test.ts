import { pbkdf2Sync } from "node:crypto";
import { HDKey } from "@scure/bip32";
import { privateKeyToAddress } from "viem/accounts";
import { bytesToHex } from "viem/utils";
import { describe, expect, test } from "vitest";
import {
  ACCOUNT_PATHS,
  deriveAddresses,
  firstAddresses,
  isDerived,
  readXpub,
  type XpubFamily,
} from "@/lib/domain/addresses/xpub";
import { inSentences } from "@/testing/problem-sentences";

const WORDS = `${"abandon ".repeat(11)}about`;
const root = HDKey.fromMasterSeed(pbkdf2Sync(WORDS, "mnemonic", 2_048, 64, "sha512"));
const keyAt = (path: string) => root.derive(path).publicExtendedKey;
const FAMILIES: readonly XpubFamily[] = ["evm", "tron"];
const problemOf = (family: XpubFamily, text: string) => {
  const read = readXpub(family, text);
  return "problem" in read ? read : null;
};

test("the well-known phrase gives the well-known addresses", () => {
  const evm = keyAt(ACCOUNT_PATHS.evm);
  const tron = keyAt(ACCOUNT_PATHS.tron);
  expect(readXpub("evm", ` ${evm}\n`)).toEqual({ xpub: evm });
  expect(firstAddresses("evm", evm)[0]).toBe("0x9858EfFD232B4033E47d90003D41EC34EcaEda94");
  expect(firstAddresses("tron", tron)[0]).toBe("TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH");
});

describe.each(FAMILIES)("%s", (family) => {
  const xpub = keyAt(ACCOUNT_PATHS[family]);

  test("an address equals the wallet's at its index, and no other", () => {
    const some = deriveAddresses(family, xpub, 40, 3);
    for (const [step, address] of some.entries()) {
      const own = root.derive(`${ACCOUNT_PATHS[family]}/0/${40 + step}`);
      const ownAddress = privateKeyToAddress(bytesToHex(own.privateKey ?? new Uint8Array()));
      expect(address).toBe(ownAddress.toLowerCase());
      expect(isDerived(family, xpub, 40 + step, address)).toBe(true);
      expect(isDerived(family, xpub, 41 + step, address)).toBe(false);
    }
    expect(new Set(some).size).toBe(3);
    expect(deriveAddresses(family, xpub, 41, 1)).toEqual(some.slice(1, 2));
  });

  test.each([
    ["an extended private key", root.derive(ACCOUNT_PATHS[family]).privateExtendedKey],
    ["a private key", "4f3edf983ac636a65a842ce7c78d9aa706d3b113bce9c46f30d7d21715b23b1d"],
    ["a private key with 0x", "0x4f3edf983ac636a65a842ce7c78d9aa706d3b113bce9c46f30d7d21715b23b1d"],
    ["a private key of Bitcoin", "5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ"],
    ["the words", WORDS],
    ["the words over several lines", WORDS.replaceAll(" ", "\n")],
  ])("%s is refused loudly, and not repeated", (_, text) => {
    const read = problemOf(family, text);
    expect(read).toMatchObject({ isPrivate: true });
    expect(inSentences(read?.problem)).toContain("can spend your funds");
    expect(inSentences(read?.problem)).not.toContain(text.slice(0, 12));
  });

  test.each([
    ["m", "whole wallet"],
    ["m/44'", "above the account level"],
    ["m/44'/60'", "above the account level"],
    ["m/44'/60'/0", "is not hardened"],
    [`${ACCOUNT_PATHS.evm}/0`, "one level too deep"],
    [`${ACCOUNT_PATHS.evm}/0/0`, "one address"],
    [`${ACCOUNT_PATHS.evm}/0/0/0`, "below the account level"],
  ])("the key of %s is refused: %s", (path, message) => {
    const read = problemOf(family, keyAt(path));
    expect(read).toMatchObject({ isPrivate: false });
    expect(inSentences(read?.problem)).toContain(message);
    expect(inSentences(read?.problem)).toContain(ACCOUNT_PATHS[family]);
  });

  test("malformed keys, keys of other coins and typos are distinguished", () => {
    expect(inSentences(problemOf(family, "")?.problem)).toContain("not an extended public key");
    expect(inSentences(problemOf(family, "0x9858EfFD232B4033E47d90003D41EC34EcaEda94")?.problem)).toContain(
      "not an extended public key",
    );
    expect(inSentences(problemOf(family, `zpub${xpub.slice(4)}`)?.problem)).toContain("Bitcoin");
    const a = xpub.charAt(50);
    const b = xpub.charAt(51);
    const swapped = xpub.slice(0, 50) + (a === b ? (a === "2" ? "3" : "2") : b) + a + xpub.slice(52);
    expect(inSentences(problemOf(family, swapped)?.problem)).toContain("checksum");
  });
});
