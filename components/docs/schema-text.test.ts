import { expect, test } from "vitest";
import { schemaText } from "@/components/docs/schema-text";
import { refTo } from "@/lib/domain/api/open-api";

test("the permitted values are described briefly", () => {
  const nothing = { enum: [null, ""] };
  const number = { type: "integer", minimum: 1, maximum: 1_000 } as const;
  expect(schemaText({ anyOf: [number, { type: "string", pattern: "^1$" }, nothing] })).toBe(
    "integer from 1 to 1,000 or string",
  );
  expect(schemaText({ type: "number", exclusiveMinimum: 0, maximum: 5, multipleOf: 0.01 })).toBe(
    "number above 0 to 5, in steps of 0.01",
  );
  expect(schemaText({ type: "array", items: refTo("Order") })).toBe("array of Order");
  expect(schemaText({ type: ["string", "null"], format: "uri", maxLength: 9 })).toBe(
    "URL, at most 9 characters or null",
  );
  expect(schemaText({ enum: ["a", null] })).toBe('"a" or null');
});
