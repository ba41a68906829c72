import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  generateApiKey,
  generateSecret,
  hashApiKey,
  isApiKey,
  readCidrs,
  withinCidrs,
} from "@/lib/domain/keys/api-key";
import { inEnglish } from "@/lib/domain/problems/in-english";
import { inSentences } from "@/testing/problem-sentences";

const BASE62 = [..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"];

test("a new key contains its mode, has 43 + 6 characters after it, and is valid", () => {
  for (const mode of ["live", "test"] as const) {
    const key = generateApiKey(mode);
    expect(key).toMatch(new RegExp(`^sg_${mode}_[0-9A-Za-z]{49}$`));
    expect(isApiKey(key)).toBe(true);
  }
});

test("a key is 32 random bytes: none of its characters is a filler", () => {
  const bodies = Array.from({ length: 20 }, () => generateApiKey("live").slice("sg_live_".length, -6));
  for (let at = 0; at < 43; at++) expect(new Set(bodies.map((body) => body[at])).size).toBeGreaterThan(1);
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

test("the stored value of a key is its SHA-256", () => {
  expect(hashApiKey("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});

test("a secret is 32 bytes in the form that Standard Webhooks libraries take", () => {
  const secret = generateSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(Buffer.from(secret.slice(6), "base64")).toHaveLength(32);
});

describe("address ranges", () => {
  test("are read by lines, commas and spaces, each in its shortest form and once", () => {
    expect(readCidrs(" 10.1.2.3/16,10.1.0.0/16\n203.0.113.7  2001:DB8::1/32;::1 ")).toEqual({
      value: ["10.1.0.0/16", "203.0.113.7/32", "2001:db8::/32", "::1/128"],
    });
    expect(readCidrs(" \n")).toEqual({ value: [] });
  });

  test.each([
    "10.0.0.0/33",
    "10.0.0/8",
    "010.0.0.1",
    "::1/129",
    "fe80::1%eth0",
    "10.0.0.0/8/8",
    "10.0.0.0/",
    "shop.example",
  ])("%s is none, and is named", (text) => {
    expect(inSentences(readCidrs(`10.0.0.1, ${text}`))).toEqual({ problem: expect.stringContaining(`"${text}"`) });
  });

  test("fifty are enough", () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => `10.0.0.${index}`).join("\n");
    expect(readCidrs(many(50))).toHaveProperty("value.length", 50);
    expect(readCidrs(many(51))).toHaveProperty("problem");
  });

  test("an address is within its own prefixes, and a range equals that of an independent implementation", () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.ipV4(), fc.integer({ min: 0, max: 32 }), (one, other, bits) => {
        const read = readCidrs(`${one}/${bits}`);
        if (!("value" in read)) throw new Error(inEnglish(read.problem));
        const number = (ip: string) => ip.split(".").reduce((sum, part) => sum * 256n + BigInt(part), 0n);
        const isSame = number(one) >> BigInt(32 - bits) === number(other) >> BigInt(32 - bits);
        const isWithin = withinCidrs(read.value);
        expect(isWithin(one)).toBe(true);
        expect(isWithin(other)).toBe(isSame);
        expect(isWithin(`::ffff:${other}`)).toBe(isSame);
      }),
    );
  });
});
