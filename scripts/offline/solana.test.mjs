import { spawn } from "node:child_process";
import { createPrivateKey, createPublicKey } from "node:crypto";
import { HDKey } from "micro-key-producer/slip10.js";
import { expect, test } from "vitest";
import { validateAddress } from "@/lib/domain/addresses/address";
import { getNetwork } from "@/lib/domain/networks";
import { inRoot, NODE } from "../machine/toolchain.mjs";
import { newWords, readWords, solanaAddresses } from "./solana.mjs";

const KNOWN = `${"abandon ".repeat(11)}about`;
const FIRST = ["HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk", "Hh8QwFUA6MtVu1qAoq12ucvFHNwCcVTV7hpWjeY1Hztb"];
const hex = (bytes) => Buffer.from(bytes).toString("hex");
/** The fixed prefix of an ed25519 private key in PKCS #8. */
const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");

function run(args, typed) {
  const child = spawn(NODE, [inRoot("scripts", "offline", "addresses.mjs"), ...args], { stdio: "pipe" });
  child.stdin.end(typed);
  const printed = { out: "", err: "" };
  child.stdout.on("data", (chunk) => (printed.out += chunk));
  child.stderr.on("data", (chunk) => (printed.err += chunk));
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, ...printed })));
}

test("the known wallet has the addresses that Phantom and Solflare show for it", async () => {
  expect(await solanaAddresses(KNOWN, 0, 2)).toEqual(FIRST);
  expect(await solanaAddresses(KNOWN, 1, 1)).toEqual([FIRST[1]]);
});

test("the first vector of SLIP-0010 for ed25519", () => {
  const root = HDKey.fromMasterSeed(Buffer.from("000102030405060708090a0b0c0d0e0f", "hex"));
  expect(hex(root.publicKeyRaw)).toBe("a4b2856bfec510abab89753fac1ac0e1112364e7d250545963f135f2a33188ed");
  const deep = root.derive("m/0'/1'/2'/2'/1000000000'");
  expect(hex(deep.privateKey)).toBe("8f94d394a8e8fd6b1bc2f3f49f5c47e385281d5c17e65324b0f62483e37e8793");
  expect(hex(deep.publicKeyRaw)).toBe("3c24da049451555d51a7014a37337aa4e12d41e485abccfa46b47dfb2af54b7a");
});

test("what can spend is what the address was made of: Node's own ed25519 finds the same public key", () => {
  const root = HDKey.fromMasterSeed(Buffer.alloc(64, 7)).derive("m/44'/501'/3'/0'");
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, root.privateKey]), format: "der", type: "pkcs8" });
  const { x } = createPublicKey(key).export({ format: "jwk" });
  expect(Buffer.from(x, "base64url")).toEqual(Buffer.from(root.publicKeyRaw));
});

test("words are read as people type them; one that is wrong, missing or in another place is found", () => {
  expect(readWords(`  ${KNOWN.toUpperCase().replaceAll(" ", "\n ")} `)).toBe(KNOWN);
  for (const invalid of [
    "",
    KNOWN.replace("about", "abandon"),
    KNOWN.slice(8),
    `${KNOWN} about`,
    KNOWN.replace("about", "abuot"),
  ])
    expect(readWords(invalid)).toBeNull();
});

test("a new wallet has 24 words, its own each time, and addresses that the list of receiving addresses takes", async () => {
  const words = newWords();
  expect(words.split(" ")).toHaveLength(24);
  expect(readWords(words)).toBe(words);
  expect(newWords()).not.toBe(words);
  const addresses = await solanaAddresses(words, 0, 3);
  expect(new Set(addresses).size).toBe(3);
  for (const address of addresses) expect(validateAddress(getNetwork("solana"), address)).toMatchObject({ address });
});

test("the command prints addresses and nothing else, for words that come by standard input", async () => {
  const { code, out, err } = await run(["solana", "2"], `${KNOWN}\n`);
  expect({ code, out }).toEqual({ code: 0, out: `${FIRST.join("\n")}\n` });
  expect(err).not.toContain("abandon");
}, 60_000);

test("the command prints nothing for wrong words, for words as arguments, and for a new wallet that no terminal shows", async () => {
  for (const [args, typed, expected] of [
    [["solana"], "abandon abandon\n", "not a valid recovery phrase"],
    [["solana", ...KNOWN.split(" ")], "", "shell's history"],
    [["solana"], "\n", "shown only on a terminal"],
    [["tron"], "", "must be solana"],
    [["solana", "501"], "", "The count must be 1 to 500"],
  ]) {
    const { code, out, err } = await run(args, typed);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(expected);
  }
}, 60_000);
