import { expect, type Locator, type Page } from "@playwright/test";

const MAX_STEPS = 60;

/** Presses Tab until the target has the focus. Fails if the focus is not visible at any stop. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  if (await target.evaluate((one) => one === document.activeElement)) return;
  for (let step = 0; step < MAX_STEPS; step++) {
    await page.keyboard.press("Tab");
    const isThere = await target.evaluate((one) => one === document.activeElement);
    const isSeen = await isFocusSeen(page);
    const stop = isSeen ? "" : await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200));
    expect(stop, `what cannot be seen to have the focus, at stop ${step} on the way to ${target}`).toBe("");
    if (isThere) return;
  }
  throw new Error(`Tab does not lead to ${target}`);
}

/** Returns true if the focused element, or the label around it, has an outline. */
export function isFocusSeen(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const one = document.activeElement;
    if (!one || one === document.body) return true;
    const shown = [one, one.closest("label"), one.id && document.querySelector(`label[for="${one.id}"]`)];
    return shown.some((part) => part && getComputedStyle(part).outlineStyle !== "none");
  });
}

/** Moves the focus to a control and presses it. */
export async function pressOn(page: Page, target: Locator, key: "Enter" | "Space" = "Enter"): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** Moves the focus to a field and replaces its text. */
export async function typeInto(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(text);
}

/** Selects an option by typing its text. */
export async function choose(page: Page, target: Locator, option: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.type(option);
  const chosen = () =>
    target.evaluate((one) => (one instanceof HTMLSelectElement ? (one.selectedOptions[0]?.textContent ?? "") : ""));
  if (!(await chosen()).startsWith(option)) throw new Error(`${option} is not chosen but ${await chosen()}`);
}

/** Checks that an element of the page has the focus, so that Tab continues from it, and that the focus is visible. */
export async function expectPage(page: Page, where: string): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => document.activeElement !== document.body), { message: `a place ${where}` })
    .toBe(true);
  expect(await isFocusSeen(page), where).toBe(true);
}
