import { TronWeb } from "tronweb";
import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, test } from "vitest";
import { canonicalAddress } from "@/lib/domain/addresses/address";
import { ownershipProblem, ownershipText, SIGN_WITHIN_MS, signerOf } from "@/lib/domain/addresses/ownership";
import { inSentences } from "@/testing/problem-sentences";

const KEY = `0x${"46".repeat(32)}` as const;
const signer = privateKeyToAccount(KEY);
const now = new Date("2026-11-01T12:00:00Z");
const tron = TronWeb.address.fromPrivateKey(KEY.slice(2));
if (!tron) throw new Error("A private key has an address");
const claims = {
  evm: { family: "evm", address: canonicalAddress("evm", signer.address) },
  tron: { family: "tron", address: canonicalAddress("tron", tron) },
} as const;
const claimOf = (family: "evm" | "tron") => ({
  ...claims[family],
  shop: "Café Ümlaut",
  publicUrl: "https://pay.example.com",
  until: now.getTime() + SIGN_WITHIN_MS,
});

/** Signs for each family with the library that the family's wallets use. */
const sign = {
  evm: async (text: string) => signer.signMessage({ message: text }),
  tron: async (text: string) => new TronWeb({ fullHost: "http://127.0.0.1:1" }).trx.signMessageV2(text, KEY.slice(2)),
};

describe.each(["evm", "tron"] as const)("of the family %s", (family) => {
  const claim = claimOf(family);

  test("the first address shows that the account is one's own, with or without 0x, 27 or 0", async () => {
    const signature = await sign[family](ownershipText(claim));
    expect(ownershipProblem(claim, signature, now)).toBeNull();
    expect(ownershipProblem(claim, ` ${signature.slice(2)}\n`, now)).toBeNull();
    const last = Number.parseInt(signature.slice(-2), 16) - 27;
    expect(ownershipProblem(claim, `${signature.slice(0, -2)}0${last}`, now)).toBeNull();
  });

  test("a signature of another signer, for another shop, another time, or in the other family's format proves nothing", async () => {
    const other = family === "evm" ? "tron" : "evm";
    const text = ownershipText(claim);
    for (const signature of [
      await sign[family](ownershipText({ ...claim, shop: "Another" })),
      await sign[family](ownershipText({ ...claim, publicUrl: "https://other.example" })),
      await sign[family](ownershipText({ ...claim, until: claim.until - 1 })),
      await sign[other](text),
    ])
      expect(inSentences(ownershipProblem(claim, signature, now))).toMatch(
        /^The text was signed by .*\. Select .* and sign again$/,
      );
    const stranger = { ...claim, address: canonicalAddress(family, `0x${"11".repeat(20)}`) };
    expect(inSentences(ownershipProblem(stranger, await sign[family](ownershipText(stranger)), now))).toMatch(
      /^The text was signed by/,
    );
  });

  test("a text expires, and malformed signatures are reported as such", async () => {
    const signature = await sign[family](ownershipText(claim));
    expect(inSentences(ownershipProblem(claim, signature, new Date(claim.until)))).toMatch(/has expired/);
    const late = { ...claim, until: claim.until + 1 };
    expect(inSentences(ownershipProblem(late, await sign[family](ownershipText(late)), now))).toMatch(/has expired/);
    for (const invalid of ["", "0x", "hello", `0x${"00".repeat(65)}`, `0x${"ff".repeat(65)}`, signature.slice(0, -2)])
      expect(inSentences(ownershipProblem(claim, invalid, now))).toMatch(/not a signature/);
    expect(signerOf(family, "x", `0x${"11".repeat(64)}63`)).toBeNull();
  });
});
