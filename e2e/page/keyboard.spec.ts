import type { Locator, Page } from "@playwright/test";
import { keepLooks } from "@/e2e/world/look";
import { createCheckout } from "@/e2e/world/merchant";
import { pay } from "@/e2e/world/payer";
import { expect, test } from "@/e2e/world/story";

test.use({ viewport: { width: 360, height: 780 } });

const MOST_STEPS = 40;

/** Goes on by Tab until there; on every stop it can be seen where one is. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let step = 0; step < MOST_STEPS; step++) {
    await page.keyboard.press("Tab");
    const [isThere, isSeen] = [await target.evaluate((one) => one === document.activeElement), await isFocusSeen(page)];
    expect(isSeen, `stop ${step} on the way to ${target}`).toBe(true);
    if (isThere) return;
  }
  throw new Error(`Tab does not lead to ${target}`);
}

/** Whether what has the focus, or the label around it, has an outline. */
function isFocusSeen(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const one = document.activeElement;
    if (!one || one === document.body) return true;
    const shown = [one, one.closest("label"), one.id && document.querySelector(`label[for="${one.id}"]`)];
    return shown.some((part) => part && getComputedStyle(part).outlineStyle !== "none");
  });
}

test("by keyboard alone: choose, copy, get more time, ask what became of a payment, and never lose one's place", async ({
  page,
  context,
  sandbox,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const order = await createCheckout(sandbox, { amount: 57 });
  await page.goto(order.checkout_url);
  await tabTo(page, page.locator("input[name=method]").first());
  await page.keyboard.press("ArrowDown");
  const chosen = page.locator("input[name=method]:checked");
  while ((await chosen.inputValue()) !== "bsc:USDT") await page.keyboard.press("ArrowDown");
  expect(await isFocusSeen(page)).toBe(true);
  await tabTo(page, page.getByRole("button", { name: "Continue" }));
  await page.keyboard.press("Enter");

  await tabTo(page, page.locator("#copy-amount"));
  await page.keyboard.press("Enter");
  await expect(page.locator("#live")).toHaveText("Amount copied");
  await tabTo(page, page.locator("#copy-address"));
  await page.keyboard.press("Space");
  await expect(page.locator("#live")).toHaveText("Address copied");
  const address = await page.locator("#address").textContent();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address);

  const left = async () => Number((await page.locator("#left").textContent())?.replaceAll(":", ""));
  const before = await left();
  await tabTo(page, page.locator("#more"));
  await page.keyboard.press("Enter");
  await expect(page.getByText("Still possible: 2×")).toBeVisible();
  await expect.poll(left).toBeGreaterThan(before);

  await tabTo(page, page.locator("#paid"));
  await page.keyboard.press("Enter");
  await expect(page.locator("#tx")).toBeInViewport();
  await tabTo(page, page.locator("#tx"));
  await page.keyboard.type("not an id");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toContainText("That is no transaction id of BNB Smart Chain");
  await expect(page.getByRole("alert")).toBeInViewport();
  await tabTo(page, page.locator("#tx"));
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(`0x${"ab".repeat(32)}`);
  await page.keyboard.press("Enter");
  await expect(page.locator("#lookup")).toContainText("0xababab");
  await tabTo(page, page.locator("#paid"));
  await expect(page.getByRole("status").filter({ hasText: "is not visible on BNB Smart Chain yet" })).toBeInViewport();
  await expect(page.locator("#paid")).toBeFocused();
  await keepLooks(page, "pay-asked");

  await pay(order.trade_id);
  await expect(page.getByTestId("checkout")).toHaveAttribute("data-state", "paid");
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await tabTo(page, page.locator("#print"));
});
