import type { Page } from "@playwright/test";

interface Shift extends PerformanceEntry {
  value: number;
  sources: { node: Element | null }[];
}

/**
 * The smallest shift that is recorded: a fifth of the shift that a page may have. A browser that paints before the document is complete
 * may wrap a word differently once the document is complete (0.007 for a badge).
 */
const MIN = 0.01;

/** Records the elements of each page that shift unexpectedly, from before the page loads (Cumulative Layout Shift). */
export async function noteShifts(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript((min) => {
    const seen = window as unknown as { shifts: string[] };
    seen.shifts = [];
    const add = (list: PerformanceObserverEntryList) => {
      for (const { value, sources } of list.getEntries() as Shift[]) {
        if (value < min) continue;
        const moved = sources.map(({ node }) => (node?.outerHTML ?? node?.textContent ?? "?").slice(0, 80));
        seen.shifts.push(`${value}: ${moved.join(" ")}`);
      }
    };
    new PerformanceObserver(add).observe({ type: "layout-shift", buffered: true });
  }, MIN);
  return () => page.evaluate(() => (window as unknown as { shifts: string[] }).shifts);
}
