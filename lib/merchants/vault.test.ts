import fc from "fast-check";
import { expect, test } from "vitest";
import { addressMac, addressVerifier, deriveKey, encrypt, isEqual, open, setUpCode } from "@/lib/merchants/vault";

const SECRET = "an application secret of 32 chars or more";
const OTHER = "another application secret of 32 chars...";

test("an encrypted value is decrypted, with any content", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme" }),
      (text) => open(SECRET, "api_keys:1", encrypt(SECRET, "api_keys:1", text)) === text,
    ),
  );
});

test("an encrypted secret that was moved to another row is not decrypted", () => {
  expect(() => open(SECRET, "api_keys:2", encrypt(SECRET, "api_keys:1", "whsec_x"))).toThrow();
});

test("an encrypted secret is not decrypted with another application secret", () => {
  expect(() => open(OTHER, "api_keys:1", encrypt(SECRET, "api_keys:1", "whsec_x"))).toThrow();
});

test("while APP_SECRET changes, values of both secrets are decrypted, and the new one encrypts", () => {
  const both = { primary: OTHER, secondary: SECRET };
  for (const secret of [SECRET, OTHER]) expect(open(both, "r:1", encrypt(secret, "r:1", "whsec_x"))).toBe("whsec_x");
  expect(open(OTHER, "r:1", encrypt(both, "r:1", "whsec_x"))).toBe("whsec_x");
  expect(() => open(both, "r:2", encrypt(SECRET, "r:1", "whsec_x"))).toThrow();
  const row = { merchantId: "m1", network: "bsc", address: "0xaa", kind: "shared" };
  for (const secret of [SECRET, OTHER])
    expect(addressVerifier(both)({ ...row, mac: addressMac(secret, row) })).toBe(true);
  expect(addressVerifier(both)({ ...row, mac: addressMac(`${SECRET}!`, row) })).toBe(false);
});

test("an encrypted secret with any byte changed, or truncated, is not decrypted", () => {
  const encrypted = Buffer.from(encrypt(SECRET, "api_keys:1", "whsec_x"), "base64");
  for (let at = 0; at < encrypted.length; at++) {
    const changed = Buffer.from(encrypted);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    expect(() => open(SECRET, "api_keys:1", changed.toString("base64")), `byte ${at}`).toThrow();
    expect(() => open(SECRET, "api_keys:1", encrypted.subarray(0, at).toString("base64")), `cut at ${at}`).toThrow();
  }
});

test("sealing the same text twice shows no likeness", () => {
  expect(encrypt(SECRET, "api_keys:1", "same")).not.toBe(encrypt(SECRET, "api_keys:1", "same"));
});

test("each purpose has a key of its own", () => {
  const keys = (["api-key-secret", "address-mac", "set-up-code", "session"] as const).map((purpose) =>
    deriveKey(SECRET, purpose).toString("hex"),
  );
  expect(new Set(keys).size).toBe(4);
  for (const key of keys) expect(key).toHaveLength(64);
});

test("the MAC of a receiving address changes with each of its inputs", () => {
  const row = { merchantId: "m1", network: "bsc", address: "0xaa", kind: "shared" };
  const mark = addressMac(SECRET, row);
  expect(addressMac(SECRET, { ...row })).toBe(mark);
  const others = [
    { ...row, merchantId: "m2" },
    { ...row, network: "ethereum" },
    { ...row, address: "0xab" },
    { ...row, kind: "dedicated" },
    { ...row, merchantId: 'm1","bsc', network: "" },
  ];
  for (const other of others) expect(addressMac(SECRET, other)).not.toBe(mark);
  expect(addressMac(OTHER, row)).not.toBe(mark);
});

test("the set-up code is the same in every process and easy to type", () => {
  expect(setUpCode(SECRET)).toBe(setUpCode(SECRET));
  expect(setUpCode(SECRET)).toMatch(/^[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}$/);
  expect(setUpCode(OTHER)).not.toBe(setUpCode(SECRET));
});

test("two texts are equal when they are the same text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (left, right) => {
      return isEqual(left, left) && isEqual(left, right) === (left === right);
    }),
  );
});
