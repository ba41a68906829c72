import { expect, test } from "vitest";
import { readChartView, readSpan, type StepTotal, sumFigures, writeChartView } from "@/lib/domain/orders/figures";

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
  const figures = sumFigures(totals, [], span);
  expect(figures).toMatchObject({ created: 4, paid: 3, callbacks: 3, conversion: 0.75, secondsToPay: 30 });
  expect(figures.tokens.map(({ network, units, volumes }) => [network, units, volumes])).toEqual([
    ["bsc", 7n * 10n ** 18n, [0, 0, 0, 0, 0, 0, 7]],
    ["tron", 5_000_000n, [5, 0, 0, 0, 0, 0, 0]],
  ]);
});

test("every step has its own conversion, time to pay and failed callbacks", () => {
  const span = readSpan("7", now);
  const at = (day: number) => span.steps[day] ?? now;
  const totals: StepTotal[] = [
    { ...nothing, ...none, at: at(1), created: 4 },
    { ...nothing, network: "tron", currency: "USDT", at: at(1), converted: 1, paid: 1, paySeconds: 90 },
    { ...nothing, network: "bsc", currency: "USDC", at: at(1), converted: 1, paid: 1, paySeconds: 30 },
  ];
  const figures = sumFigures(totals, [{ at: at(3), count: 2 }], span);
  expect(figures.steps[1]).toEqual({ conversion: 0.5, secondsToPay: 60, failedCallbacks: 0 });
  expect(figures.steps[3]).toEqual({ conversion: null, secondsToPay: null, failedCallbacks: 2 });
  expect(figures.failedCallbacks).toBe(2);
});

test("the shown chart is part of the URL; invalid values are the first choice", () => {
  expect(readChartView({ days: "x", chart: "x", view: "x" }, now)).toMatchObject({
    span: { days: 7 },
    chart: "volume",
    isTable: false,
  });
  const query = writeChartView({ days: 30, chart: "timeToPay", isTable: true });
  const { days = "", chart = "", view = "" } = Object.fromEntries(new URLSearchParams(query));
  expect(readChartView({ days, chart, view }, now)).toMatchObject({
    span: { days: 30 },
    chart: "timeToPay",
    isTable: true,
  });
});

test("without orders there is no share and no time", () => {
  expect(sumFigures([], [], readSpan("1", now))).toMatchObject({
    created: 0,
    paid: 0,
    callbacks: 0,
    failedCallbacks: 0,
    conversion: null,
    secondsToPay: null,
    tokens: [],
  });
});
