import fc from "fast-check";
import { expect, test } from "vitest";
import { generateApiKey, generateSecret, hashApiKey, isApiKey } from "@/lib/domain/keys/api-key";

const BASE62 = [..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"];

test("a new key says its mode, has 43 + 6 characters after it, and is a key", () => {
  for (const mode of ["live", "test"] as const) {
    const key = generateApiKey(mode);
    expect(key).toMatch(new RegExp(`^sg_${mode}_[0-9A-Za-z]{49}$`));
    expect(isApiKey(key)).toBe(true);
  }
});

test("any single character mistyped makes it no key", () => {
  fc.assert(
    fc.property(fc.constantFrom("live", "test"), fc.nat(56), fc.constantFrom(...BASE62), (mode, at, character) => {
      const key = generateApiKey(mode as "live" | "test");
      const typed = key.slice(0, at) + character + key.slice(at + 1);
      return isApiKey(typed) === (typed === key);
    }),
    { numRuns: 2_000 },
  );
});

test("two neighbouring characters swapped make it no key", () => {
  fc.assert(
    fc.property(fc.integer({ min: 8, max: 55 }), (at) => {
      const key = generateApiKey("live");
      const typed = key.slice(0, at) + key[at + 1] + key[at] + key.slice(at + 2);
      return isApiKey(typed) === (typed === key);
    }),
    { numRuns: 500 },
  );
});

test("a live key read as a test key is no key", () => {
  expect(isApiKey(generateApiKey("live").replace("sg_live_", "sg_test_"))).toBe(false);
});

test.each(["", "sg_live_", "x".repeat(57), `${generateApiKey("live")} `, `\n${generateApiKey("test")}`])(
  "%j is no key",
  (text) => {
    expect(isApiKey(text)).toBe(false);
  },
);

test("no two keys or secrets are alike", () => {
  expect(new Set(Array.from({ length: 1_000 }, () => generateApiKey("live"))).size).toBe(1_000);
  expect(new Set(Array.from({ length: 1_000 }, generateSecret)).size).toBe(1_000);
});

test("what is stored of a key is its SHA-256, from which the key cannot be read", () => {
  expect(hashApiKey("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});

test("a secret is 32 bytes in the form that Standard Webhooks libraries take", () => {
  const secret = generateSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(Buffer.from(secret.slice(6), "base64")).toHaveLength(32);
});
