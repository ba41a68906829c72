import { expect, test } from "vitest";
import { hitsOf } from "@/components/docs/client/search";

const ENTRIES = [
  { title: "payment_url", context: "Create an order, response", url: "/docs/create-order#response-payment_url" },
  { title: "Create an order", context: "Orders", url: "/docs/create-order" },
  { title: "amount", context: "Create an order, request", url: "/docs/create-order#request-amount" },
  { title: "actual_amount", context: "Create an order, response", url: "/docs/create-order#response-actual_amount" },
  { title: "amount", context: "Retrieve an order, response", url: "/docs/retrieve-order#response-amount" },
];
const titles = (typed: string) => hitsOf(ENTRIES, typed).map(({ title, context }) => `${title} (${context})`);

test("results contain every word, exact names first", () => {
  expect(titles("Amount")).toEqual([
    "amount (Create an order, request)",
    "amount (Retrieve an order, response)",
    "actual_amount (Create an order, response)",
  ]);
  expect(titles("amount retrieve")).toEqual(["amount (Retrieve an order, response)"]);
  expect(titles("create")[0]).toBe("Create an order (Orders)");
  expect(titles("nothing of this")).toEqual([]);
});
