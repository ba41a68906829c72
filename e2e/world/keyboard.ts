import { expect, type Locator, type Page } from "@playwright/test";

const MAX_STEPS = 60;

/** Goes on by Tab until there; on every stop it can be seen where one is. */
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

/** True if the focused element, or the label around it, has an outline. */
export function isFocusSeen(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const one = document.activeElement;
    if (!one || one === document.body) return true;
    const shown = [one, one.closest("label"), one.id && document.querySelector(`label[for="${one.id}"]`)];
    return shown.some((part) => part && getComputedStyle(part).outlineStyle !== "none");
  });
}

/** Goes to a control and presses it. */
export async function pressOn(page: Page, target: Locator, key: "Enter" | "Space" = "Enter"): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** Goes to a field and types over what stands there. */
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

/** Fails when the page has no place any more where Tab would go on from, or it cannot be seen. */
export async function expectPage(page: Page, where: string): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => document.activeElement !== document.body), { message: `a place ${where}` })
    .toBe(true);
  expect(await isFocusSeen(page), where).toBe(true);
}
