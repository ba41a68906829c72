import { expect, test } from "vitest";
import { readAddressForm, readPublicKeyForm, readTreasuryForm } from "@/lib/domain/addresses/address-forms";
import { getNetwork } from "@/lib/domain/networks";
import { inSentences } from "@/testing/problem-sentences";

const TREASURY = `0x${"7e".repeat(20)}`;
const USDT = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
const TREASURY_TEXTS = { address: TREASURY, again: TREASURY, label: " Safe ", max: "500", knowsUnaudited: "true" };

test("an address is read with its network, in canonical form", () => {
  const texts = { network: "ethereum", address: ` ${USDT.replace("dAC1", "dAC2").toLowerCase()} `, label: " Till " };
  expect(readAddressForm(texts)).toEqual({
    network: getNetwork("ethereum"),
    address: USDT.replace("dAC1", "dAC2").toLowerCase(),
    label: "Till",
  });
});

test("the problems of all fields of an address are reported together", () => {
  const read = readAddressForm({ network: "dogecoin", address: "", label: "x".repeat(61) });
  expect(read).toMatchObject({
    errors: [
      { field: "network", code: "network_choice_missing" },
      { field: "address", code: "address_missing" },
      { field: "label", code: "text_too_long" },
    ],
  });
});

test("the networks of a public key must be offered networks of its family", () => {
  const networksOf = (networks: string[]) => readPublicKeyForm({ family: "evm", xpub: "", networks, max: "1" });
  const of = (code: string) => expect.objectContaining({ field: "networks", code });
  expect(networksOf([])).toMatchObject({ errors: expect.arrayContaining([of("networks_choice_missing")]) });
  expect(networksOf(["dogecoin"])).toMatchObject({ errors: expect.arrayContaining([of("networks_choice_missing")]) });
  expect(networksOf(["tron"])).toMatchObject({ errors: expect.arrayContaining([of("networks_choice_unknown")]) });
  expect(networksOf(["bsc"])).not.toMatchObject({ errors: expect.arrayContaining([{ field: "networks" }]) });
});

test("a treasury is read in canonical form", () => {
  const values = { address: TREASURY, again: TREASURY, label: "Safe", max: 500, knowsUnaudited: true };
  expect(readTreasuryForm(TREASURY_TEXTS)).toEqual(values);
});

test.each([
  ["no address", { address: "0x12" }, "address", "is not an address on"],
  ["a token's contract", { address: USDT, again: USDT }, "address", "contract on Ethereum"],
  ["a private key", { address: `0x${"ab".repeat(32)}` }, "address", "It can spend your funds"],
  ["two addresses", { again: `0x${"7f".repeat(20)}` }, "again", "The addresses differ"],
  ["an unconfirmed risk", { knowsUnaudited: "" }, "knowsUnaudited", "not been audited"],
  ["too many", { max: "20000" }, "max", "from 1 to 10,000"],
])("a treasury is refused with the reason: %s", (_case, change, field, sentence) => {
  const message = expect.stringContaining(sentence);
  expect(inSentences(readTreasuryForm({ ...TREASURY_TEXTS, ...change }))).toEqual({ errors: [{ field, message }] });
});
