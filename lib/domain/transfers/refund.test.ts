import fc from "fast-check";
import { expect, test } from "vitest";
import { countRefund, findRefundLegs, isNeverSeen, nextRefundLook } from "@/lib/domain/transfers/refund";

const transfer = { token: "usdt", fromAddress: "payer", blockHeight: 10 };
const leg = (to: string, from = "wallet", token = "usdt", baseUnits = 5n) => ({ token, from, to, baseUnits });
const find = (transfers: ReturnType<typeof leg>[], more: Partial<{ isSuccess: boolean; blockHeight: number }> = {}) =>
  findRefundLegs(transfer, { isSuccess: true, blockHeight: 11, transfers, ...more }, (address) => address === "till");

test("a payment to the payer is the refund, regardless of the transaction's other payments", () => {
  const found = find([leg("other"), leg("payer"), leg("payer", "wallet", "usdc"), leg("payer")]);
  expect(found).toMatchObject({ to: "payer", movedUnits: 10n, isToPayer: true });
});

test("a payment to one other address is a refund too, marked as such", () => {
  expect(find([leg("other"), leg("till")])).toMatchObject({ to: "other", movedUnits: 5n, isToPayer: false });
});

test.each([
  ["failed", find([leg("payer")], { isSuccess: false })],
  ["early", find([leg("payer")], { blockHeight: 9 })],
  ["otherToken", find([leg("payer", "wallet", "usdc")])],
  ["otherToken", find([])],
  ["otherDirection", find([leg("till", "someone")])],
  ["otherDirection", find([leg("other", "payer")])],
  ["several", find([leg("other"), leg("another")])],
])("contradictions of a refund are reported: %s", (flaw, found) => {
  expect(found).toEqual({ flaw });
});

test("refunds never exceed the received amount, nor count a unit of a transaction twice, in any order", () => {
  const units = fc.bigInt({ min: 1n, max: 9n });
  const notes = fc.array(fc.tuple(fc.nat(2), fc.nat(2)), { maxLength: 20 });
  fc.assert(
    fc.property(fc.tuple(units, units, units), fc.tuple(units, units, units), notes, (arrived, moved, noted) => {
      const counted = new Map<string, bigint>();
      const sum = (part: (key: string) => boolean) =>
        [...counted].reduce((total, [key, value]) => (part(key) ? total + value : total), 0n);
      const of = (index: number) => (key: string) => key.startsWith(`${index}:`);
      const by = (index: number) => (key: string) => key.endsWith(`:${index}`);
      for (const [one, tx] of noted) {
        if (counted.has(`${one}:${tx}`)) continue;
        const before = { ofTransfer: sum(of(one)), ofTransaction: sum(by(tx)) };
        const found = countRefund(arrived[one] ?? 0n, moved[tx] ?? 0n, before);
        if ("units" in found) counted.set(`${one}:${tx}`, found.units);
        else
          expect(sum(found.flaw === "whole" ? of(one) : by(tx))).toBe(
            found.flaw === "whole" ? arrived[one] : moved[tx],
          );
      }
      for (const index of [0, 1, 2]) {
        expect(sum(of(index))).toBeLessThanOrEqual(arrived[index] ?? 0n);
        expect(sum(by(index))).toBeLessThanOrEqual(moved[index] ?? 0n);
      }
      expect([...counted.values()].every((value) => value > 0n)).toBe(true);
    }),
  );
});

test("an unknown refund is checked less and less often, and abandoned after a day; silence is never a reason", () => {
  const noted = new Date("2026-11-23T00:00:00Z");
  const after = (ms: number) => new Date(noted.getTime() + ms);
  const wait = (ms: number) => nextRefundLook(noted, after(ms)).getTime() - after(ms).getTime();
  expect([0, 60_000, 86_400_000].map(wait)).toEqual([5_000, 15_000, 600_000]);
  expect(isNeverSeen("absent", noted, after(86_399_999))).toBe(false);
  expect(isNeverSeen("absent", noted, after(86_400_000))).toBe(true);
  expect(isNeverSeen("silent", noted, after(864_000_000))).toBe(false);
});
