import { expect, test } from "vitest";
import { Totals, TotalsFailed, TotalsLoading } from "@/components/dashboard/home/totals";
import { readChartView, type StepTotal, sumFigures } from "@/lib/domain/orders/figures";
import { renderInEnglish } from "@/testing/in-english";

const now = new Date("2026-03-01T10:20:00Z");
const viewOf = (chart: string, view = "") => readChartView({ days: "7", chart, view }, now);
const nothing = { created: 0, converted: 0, paid: 0, paidUnits: 0n, paySeconds: 0, callbacks: 0 };
const TOTALS: StepTotal[] = [
  { ...nothing, network: "", currency: "", at: new Date("2026-02-28T00:00:00Z"), created: 4, callbacks: 2 },
  {
    ...nothing,
    network: "tron",
    currency: "USDT",
    at: new Date("2026-02-28T00:00:00Z"),
    converted: 1,
    paid: 1,
    paidUnits: 12_000_000n,
    paySeconds: 75,
  },
];
const show = (chart: string, view = "", totals = TOTALS) => {
  const shown = viewOf(chart, view);
  return renderInEnglish(Totals, { figures: sumFigures(totals, [], shown.span), view: shown });
};

test.each([
  ["volume", "Volume by day (UTC)", ">12<"],
  ["conversion", "Conversion by day (UTC)", "25 %"],
  ["timeToPay", "Time to pay by day (UTC)", "1 min 15 s"],
])("the chart %s has a caption and its figures for screen readers", (chart, caption, figure) => {
  const html = show(chart);
  expect(html).toContain(caption);
  expect(html).toContain(figure);
  expect(html).toContain("<svg");
});

test("every chart can be shown as a table, and the link keeps the period", () => {
  const html = show("conversion", "table");
  expect(html).not.toContain('viewBox="0 0 70');
  expect(html).toContain("<table");
  expect(html).toContain('/dashboard?days=7&amp;chart=conversion"');
  expect(html).toContain("Show as chart");
});

test("a chart without a value says so", () => {
  expect(show("failedCallbacks")).toContain("No callbacks failed in this period.");
  expect(show("volume", "", [])).toContain("No payments in this period.");
});

test("figures that are loading or could not be loaded leave the rest of the page usable", () => {
  expect(renderInEnglish(TotalsLoading, { view: viewOf("volume") })).toContain("Loading figures");
  const failed = renderInEnglish(TotalsFailed, { view: viewOf("timeToPay", "table") });
  expect(failed).toContain("The figures could not be loaded.");
  expect(failed).toContain("/dashboard?days=7&amp;chart=timeToPay&amp;view=table");
});
