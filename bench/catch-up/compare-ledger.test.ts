import { expect, test } from "vitest";
import { compareLedger } from "@/bench/catch-up/compare-ledger";

const payments = [
  { txId: "a", to: "shop", baseUnits: 1n },
  { txId: "b", to: "shop", baseUnits: 2n },
];
const found = payments.map(({ to, ...rest }) => ({ ...rest, toAddress: to }));

test("a ledger that has every payment once agrees with the chain", () => {
  expect(compareLedger(payments, found)).toEqual([]);
});

test("a payment that is lost, double, of another amount or to another receiver is reported", () => {
  const first = found[0] ?? expect.fail();
  const second = found[1] ?? expect.fail();
  expect(compareLedger(payments, [first])).toEqual(["lost: 2 to shop in b"]);
  expect(compareLedger(payments, [first, second, second])).toEqual(["more than was paid: 2 to shop in b"]);
  expect(compareLedger(payments, [first, { ...second, baseUnits: 3n }])).toHaveLength(2);
  expect(compareLedger(payments, [first, { ...second, toAddress: "other" }])).toHaveLength(2);
});
