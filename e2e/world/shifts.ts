import type { Page } from "@playwright/test";

/** Counts how much of each page moves without being asked to, from before it is there (Cumulative Layout Shift). */
export async function countShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const seen = window as unknown as { shifts: number };
    seen.shifts = 0;
    const add = (list: PerformanceObserverEntryList) => {
      for (const entry of list.getEntries()) seen.shifts += (entry as unknown as { value: number }).value;
    };
    new PerformanceObserver(add).observe({ type: "layout-shift", buffered: true });
  });
  return () => page.evaluate(() => (window as unknown as { shifts: number }).shifts);
}
