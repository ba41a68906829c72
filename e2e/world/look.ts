import path from "node:path";
import { expect, type Page } from "@playwright/test";

const WIDTHS = [360, 1280];
const FOLDER = path.join("test-results", "screenshots");

/** Saves screenshots of the page, small and large, light and dark. Fails if the page overflows horizontally. */
export async function keepLooks(page: Page, name: string): Promise<void> {
  const before = page.viewportSize();
  for (const width of WIDTHS) {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.screenshot({ path: path.join(FOLDER, `${name}-${width}-${colorScheme}.png`), fullPage: true });
      const overhang = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overhang, `${name} at ${width} px`).toBeLessThanOrEqual(0);
    }
  }
  if (before) await page.setViewportSize(before);
}
