import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalAddress, displayAddress, validateAddress } from "@/lib/domain/addresses/address";
import { getNetwork, NETWORKS } from "@/lib/domain/networks";
import { inSentences } from "@/testing/problem-sentences";

const ethereum = getNetwork("ethereum");
const hexAddress = fc
  .array(fc.constantFrom(..."0123456789abcdef"), { minLength: 40, maxLength: 40 })
  .map((digits) => `0x${digits.join("")}`)
  .filter((address) => !/^0x0{40}$/.test(address));
// EIP-55's own examples.
const CHECKSUMMED = [
  "0x52908400098527886E0F7030069857D2E4169EE7",
  "0xde709f2102306220921060314715629080e2fb77",
  "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
  "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
];

test.each(CHECKSUMMED)("%s is accepted as people write it and stored in lower case", (typed) => {
  expect(validateAddress(ethereum, typed)).toEqual({ address: typed.toLowerCase() });
  expect(displayAddress("evm", typed.toLowerCase()).toLowerCase()).toBe(typed.toLowerCase());
});

test("showing an address and reading it again gives the same stored form", () => {
  fc.assert(
    fc.property(hexAddress, (address) => {
      expect(validateAddress(ethereum, displayAddress("evm", address))).toEqual({ address });
      return canonicalAddress("evm", displayAddress("evm", address)) === address;
    }),
  );
});

test("one letter in the wrong case is found by the checksum", () => {
  const [, , typed = ""] = CHECKSUMMED;
  for (let at = 2; at < typed.length; at++) {
    const email = typed.charAt(at);
    if (!/[a-f]/i.test(email)) continue;
    const flipped = email === email.toLowerCase() ? email.toUpperCase() : email.toLowerCase();
    const answer = validateAddress(ethereum, typed.slice(0, at) + flipped + typed.slice(at + 1));
    expect(inSentences(answer)).toEqual({ problem: expect.stringContaining("checksum") });
  }
});

test("one hexadecimal digit mistyped in a checksummed address is nearly always found", () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 41 }), fc.constantFrom(..."0123456789"), (at, digit) => {
      const typed = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
      const invalid = typed.slice(0, at) + digit + typed.slice(at + 1);
      return invalid === typed || "problem" in validateAddress(ethereum, invalid);
    }),
  );
});

test("spaces around a pasted address do no harm", () => {
  expect(validateAddress(ethereum, ` ${CHECKSUMMED[1]}\n`)).toEqual({ address: CHECKSUMMED[1] });
});

test.each(["", "0x", "hello", `0x${"1".repeat(39)}`, `0x${"1".repeat(41)}`, `0X${"1".repeat(40)}`, "1".repeat(40)])(
  "%j is refused, and the message describes valid input",
  (typed) => {
    expect(inSentences(validateAddress(ethereum, typed))).toEqual({
      problem: expect.stringContaining("40 hexadecimal digits"),
    });
  },
);

test("the zero address is refused", () => {
  expect(inSentences(validateAddress(ethereum, `0x${"0".repeat(40)}`))).toEqual({
    problem: expect.stringContaining("zero address"),
  });
});

test("a token contract is refused on its own network, in any spelling", () => {
  for (const network of NETWORKS) {
    for (const token of network.tokens) {
      for (const typed of [token.contract, ...(network.family === "evm" ? [token.contract.toLowerCase()] : [])]) {
        expect(inSentences(validateAddress(network, typed))).toEqual({
          problem: expect.stringContaining(token.currency),
        });
      }
    }
  }
});
