import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** Expects no violation of the automatic rules of WCAG 2.2 A and AA on the page, in both colour schemes. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await settle(page, colorScheme);
    // What passes is not described, and no second page put together: most of the time would go there.
    const axe = new AxeBuilder({ page }).options({ resultTypes: ["violations"], preload: false }).setLegacyMode();
    const { violations } = await axe.withTags(RULES).analyze();
    const text = violations.map(({ id, nodes }) => `${colorScheme} ${id}: ${nodes.map((node) => node.html).join(" ")}`);
    expect(text).toEqual([]);
  }
}

/** Lets the page take the other colours: its theme follows a moment after the scheme, and colours change by transitions. */
async function settle(page: Page, scheme: "light" | "dark"): Promise<void> {
  // By the clock: a page where nothing else moves may draw no further frame to ask in.
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
