import { expect, test } from "vitest";
import { readSpan, type StepTotal, sumFigures } from "@/lib/domain/orders/figures";

const now = new Date("2026-03-01T10:20:00Z");
const nothing = { created: 0, converted: 0, paid: 0, paidUnits: 0n, paySeconds: 0, callbacks: 0 };
const none = { network: "", currency: "" } as const;

test("periods are whole days in UTC including today; invalid ones are a week", () => {
  expect(readSpan("1", now)).toMatchObject({ since: new Date("2026-03-01T00:00:00Z"), step: "hour" });
  expect(readSpan("1", now).steps).toHaveLength(24);
  expect(readSpan("30", now)).toMatchObject({ since: new Date("2026-01-31T00:00:00Z"), step: "day" });
  expect(readSpan("x", now).steps.at(-1)).toEqual(new Date("2026-03-01T00:00:00Z"));
});

test("figures are summed by token and step, the largest volume first", () => {
  const span = readSpan("7", now);
  const at = (day: number) => span.steps[day] ?? now;
  const totals: StepTotal[] = [
    { ...nothing, ...none, at: at(0), created: 4, callbacks: 3 },
    {
      ...nothing,
      network: "tron",
      currency: "USDT",
      at: at(0),
      converted: 3,
      paid: 1,
      paidUnits: 5_000_000n,
      paySeconds: 60,
    },
    { ...nothing, network: "bsc", currency: "USDT", at: at(6), paid: 2, paidUnits: 7n * 10n ** 18n, paySeconds: 30 },
  ];
  const figures = sumFigures(totals, span);
  expect(figures).toMatchObject({ created: 4, paid: 3, callbacks: 3, conversion: 0.75, secondsToPay: 30 });
  expect(figures.tokens.map(({ network, units, volumes }) => [network, units, volumes])).toEqual([
    ["bsc", 7n * 10n ** 18n, [0, 0, 0, 0, 0, 0, 7]],
    ["tron", 5_000_000n, [5, 0, 0, 0, 0, 0, 0]],
  ]);
});

test("without orders there is no share and no time", () => {
  expect(sumFigures([], readSpan("1", now))).toEqual({
    created: 0,
    paid: 0,
    callbacks: 0,
    conversion: null,
    secondsToPay: null,
    tokens: [],
  });
});
