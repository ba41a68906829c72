import { expect, test } from "vitest";
import { budgetState, parseBudget } from "@/lib/domain/networks/budget";

const used = (today: number, thisMonth = today) => ({ today, thisMonth });

test("a budget is near its end at nine tenths of its day or its month, and used up at the last call", () => {
  const budget = { perDay: 100, perMonth: 1_000 };
  expect(budgetState(budget, used(89))).toBe("free");
  expect(budgetState(budget, used(90))).toBe("near");
  expect(budgetState(budget, used(100))).toBe("spent");
  expect(budgetState(budget, used(0, 900))).toBe("near");
  expect(budgetState(budget, used(0, 1_001))).toBe("spent");
});

test("an endpoint without a budget never uses it up", () => {
  expect(budgetState({}, used(1e9))).toBe("free");
  expect(budgetState({ perSecond: 5 }, used(1e9))).toBe("free");
});

test("a budget is described by day, month and second", () => {
  expect(parseBudget("100000/day 15/s")).toEqual({ perDay: 100_000, perSecond: 15 });
  expect(parseBudget(" 3000000/month ")).toEqual({ perMonth: 3_000_000 });
  expect(parseBudget("-")).toEqual({});
  for (const text of ["", "100", "0/day", "-5/day", "1.5/s", "10/hour", "10/day, 5/s"])
    expect(parseBudget(text)).toBeNull();
});
