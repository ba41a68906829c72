import { isFocusSeen, tabTo } from "@/e2e/world/keyboard";
import { keepLooks } from "@/e2e/world/look";
import { createCheckout } from "@/e2e/world/merchant";
import { pay } from "@/e2e/world/payer";
import { expect, test } from "@/e2e/world/scenario";

test.use({ viewport: { width: 360, height: 780 } });

test("by keyboard alone: choose, copy, get more time, look up a payment, and keep the focus", async ({
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
  await expect(page.getByText("Extensions left: 2")).toBeVisible();
  await expect.poll(left).toBeGreaterThan(before);

  await tabTo(page, page.locator("#paid"));
  await page.keyboard.press("Enter");
  await expect(page.locator("#tx")).toBeInViewport();
  await tabTo(page, page.locator("#tx"));
  await page.keyboard.type("not an id");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toContainText("This is not a transaction id of BNB Smart Chain");
  await expect(page.getByRole("alert")).toBeInViewport();
  await tabTo(page, page.locator("#tx"));
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(`0x${"ab".repeat(32)}`);
  await page.keyboard.press("Enter");
  await expect(page.locator("#lookup")).toContainText("0xababab");
  await expect(page.getByRole("status").filter({ hasText: "is not visible on BNB Smart Chain yet" })).toBeInViewport();
  await tabTo(page, page.locator("#paid"));
  await expect(page.locator("#paid")).toBeFocused();
  await keepLooks(page, "pay-asked");

  await pay(order.trade_id);
  await expect(page.getByTestId("checkout")).toHaveAttribute("data-state", "paid");
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await tabTo(page, page.locator("#print"));
});
