import type { Page } from "@playwright/test";
import { createOrder } from "@/e2e/world/merchant";
import { signIn } from "@/e2e/world/office";
import { payOrder } from "@/e2e/world/refunds";
import { expect, test } from "@/e2e/world/scenario";

test.use({ viewport: { width: 360, height: 740 } });

const PAGES = [
  "",
  "/orders",
  "/links",
  "/transfers",
  "/transfers?show=unmatched",
  "/deposits",
  "/refunds",
  "/callbacks",
  "/reports",
  "/settings/account",
  "/settings/addresses",
  "/settings/api-keys",
  "/settings/audit",
  "/settings/checkout",
  "/settings/notifications",
  "/settings/orders",
  "/settings/plugins",
  "/settings/prices",
  "/settings/refunds",
  "/settings/security",
  "/settings/team",
];

/** Returns the elements that reach beyond the screen, or whose content is clipped without an ellipsis or their own scroll bar. */
function clippedOn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isShown = (one: Element) => one.checkVisibility() && !one.closest(".sr-only, .row-cards thead");
    const all = [...document.querySelectorAll<HTMLElement>("main *")].filter(isShown);
    const beyond = all.filter((one) => one.getBoundingClientRect().right > window.innerWidth + 1);
    const clipped = all.filter((one) => {
      const { overflowX, textOverflow } = getComputedStyle(one);
      const isCut = one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0;
      return isCut && overflowX !== "visible" && textOverflow !== "ellipsis" && !one.matches("input, textarea, select");
    });
    return [...new Set([...beyond, ...clipped])].map((one) => one.outerHTML.slice(0, 160));
  });
}

test("no page of the back office is clipped at 360 px, and the rows of its tables are cards", async ({
  page,
  sandbox,
}) => {
  test.slow();
  const order = await payOrder(sandbox, { network: "ethereum", currency: "USDT", amount: 12 });
  await createOrder(sandbox, { network: "bsc", currency: "USDC", amount: 1_234.5 });
  await signIn(page, sandbox);
  for (const path of [...PAGES, `/orders/${order.trade_id}`]) {
    await page.goto(`${sandbox.base_url}/dashboard${path}`);
    await expect(page.locator("h1").first()).toBeVisible();
    expect.soft(await clippedOn(page), path).toEqual([]);
  }
  await page.goto(`${sandbox.base_url}/dashboard/orders`);
  const row = page.locator("tbody tr").filter({ hasText: order.mch_order_id });
  await expect(row).toHaveCSS("display", "grid");
  await expect(row.getByText("Delivered").or(row.getByText("Paid")).first()).toBeVisible();
  const labels = await row
    .locator("td")
    .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell, "::before").content));
  expect(labels).toContain('"Status"');
  expect(labels).toContain('"Created"');
});
