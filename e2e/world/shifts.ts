import type { Page } from "@playwright/test";

interface Shift extends PerformanceEntry {
  value: number;
  sources: { node: Element | null }[];
}

/**
 * What a browser paints while it still reads the document may move by a hair: where a piece of it ends within a word, the word
 * wraps once the rest is there (0.007 for a badge). A fifth of what a page may move.
 */
const LEAST = 0.01;

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
