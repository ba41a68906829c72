import type { Page } from "@playwright/test";

interface Shift extends PerformanceEntry {
  value: number;
  sources: { node: Element | null }[];
}

/** What a browser paints while it still reads the document may move by a hair; it is told with three decimals. */
const LEAST = 0.001;

/** Notes what of each page moves without being asked to, from before it is there (Cumulative Layout Shift). */
export async function noteShifts(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript((least) => {
    const seen = window as unknown as { shifts: string[] };
    seen.shifts = [];
    const add = (list: PerformanceObserverEntryList) => {
      for (const { value, sources } of list.getEntries() as Shift[]) {
        if (value < least) continue;
        const moved = sources.map(({ node }) => (node?.outerHTML ?? node?.textContent ?? "?").slice(0, 80));
        seen.shifts.push(`${value}: ${moved.join(" ")}`);
      }
    };
    new PerformanceObserver(add).observe({ type: "layout-shift", buffered: true });
  }, LEAST);
  return () => page.evaluate(() => (window as unknown as { shifts: string[] }).shifts);
}
