import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** Checks that the page has no violations of the automatic rules of WCAG 2.2 A and AA, in both color schemes. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await settle(page, colorScheme);
    // The title of a page that is updating follows its content.
    await expect(page).toHaveTitle(/\S/);
    // Passed rules are not reported and no second page is built, because these steps would take most of the time.
    const axe = new AxeBuilder({ page }).options({ resultTypes: ["violations"], preload: false }).setLegacyMode();
    const { violations } = await axe.withTags(RULES).analyze();
    const text = violations.map(({ id, nodes }) => `${colorScheme} ${id}: ${nodes.map((node) => node.html).join(" ")}`);
    expect(text).toEqual([]);
  }
}

/** Waits until the page has the new colors: its theme changes shortly after the scheme, and colors change in transitions. */
async function settle(page: Page, scheme: "light" | "dark"): Promise<void> {
  // Polls by time, because a page without other animations may draw no further frames.
  const byClock = { polling: 50 };
  const isWorn = (wanted: string) => {
    const worn = getComputedStyle(document.documentElement).colorScheme;
    return worn === "normal" || worn.includes(wanted);
  };
  await page.waitForFunction(isWorn, scheme, byClock);
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  const isStill = () => document.getAnimations().every((one) => !(one instanceof CSSTransition));
  await page.waitForFunction(isStill, undefined, byClock);
}
