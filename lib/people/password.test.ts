import { expect, test } from "vitest";
import { hashPassword, isPasswordRight, validatePassword } from "@/lib/people/password";

test("a password is 10 to 256 characters, whatever alphabet they are of", () => {
  expect(validatePassword("123456789")).toMatch(/at least 10 characters; this has 9/);
  expect(validatePassword("茶碗と箸と湯呑みと急須")).toBeNull();
  expect(validatePassword("ab3!".repeat(64))).toBeNull();
  expect(validatePassword(`${"ab3!".repeat(64)}x`)).toMatch(/at most 256/);
  expect(validatePassword("aaaaaaaaaaaaaaa")).toMatch(/different/);
});

test("only the password opens its hash, in whatever form a keyboard composes it", async () => {
  const hash = await hashPassword("caf\u00e9 au lait");
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await isPasswordRight(hash, "cafe\u0301 au lait")).toBe(true);
  expect(await isPasswordRight(hash, "cafe au lait")).toBe(false);
  expect(await isPasswordRight(hash, "")).toBe(false);
  expect(await isPasswordRight(hash, "x".repeat(100_000))).toBe(false);
});

test("nobody has no password, not even the one behind the stand-in hash", async () => {
  expect(await isPasswordRight(null, "correct horse battery")).toBe(false);
});
