import { expect, test } from "vitest";
import { readEmail } from "@/lib/domain/users/email";

test.each(["a@b.co", " ann.o'neil+shop@mail.example.com ", "A_B-c@1st.example"])("reads %s", (typed) => {
  expect(readEmail(typed)).toEqual({ value: typed.trim() });
});

test.each([
  "ann",
  "no address",
  "ann@example",
  ".ann@example.com",
  "an..n@example.com",
  "ann.@example.com",
  "ann@-shop.example",
  "ann@shop..example",
  "ann@example.com\nbcc: b@example.com",
  `${"a".repeat(243)}@example.com`,
])("refuses %s", (typed) => {
  expect(readEmail(typed)).toEqual({ problem: { code: "email_malformed", params: { given: typed.slice(0, 60) } } });
});

test("an address that is only white space is missing", () => {
  expect(readEmail(" \t")).toMatchObject({ problem: { code: "email_missing" } });
});

test("an address of 254 characters is read, one of 255 is not", () => {
  expect(readEmail(`${"a".repeat(242)}@example.com`)).toHaveProperty("value");
  expect(readEmail(`${"a".repeat(243)}@example.com`)).toHaveProperty("problem");
});
