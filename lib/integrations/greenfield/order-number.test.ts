import { expect, test } from "vitest";
import { orderNumbersIn } from "@/lib/integrations/greenfield/order-number";

test.each([
  ["Refund of order 123; wrong size", "123"],
  ["Refund of order WC-2026/17; ", "WC-2026/17"],
  ["Refund of order #55", "55"],
  ["Rückerstattung der Bestellung A 17; zu groß", "A 17"],
  ["123", "123"],
])("%s can mean the order %s", (name, number) => {
  expect(orderNumbersIn(name)).toContain(number);
});

test("a number in the reason is not an order, and longer numbers come first", () => {
  expect(orderNumbersIn("Refund of order 123; instead of 122")).not.toContain("122");
  expect(orderNumbersIn("order A 17").slice(0, 2)).toEqual(["order A 17", "A 17"]);
  expect(orderNumbersIn("; 122")).toEqual([]);
});
