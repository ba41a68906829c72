import { expectAccessible } from "@/e2e/world/axe";
import { keepLooks } from "@/e2e/world/look";
import { createOrder } from "@/e2e/world/merchant";
import { readQr } from "@/e2e/world/qr";
import { expect, test } from "@/e2e/world/scenario";
import { displayAmount } from "@/lib/domain/money";

test.use({ locale: "ar-EG", viewport: { width: 360, height: 780 } });

test("a payer who reads Arabic pays on a small phone, and the page stays Arabic until it is paid", async ({
  page,
  sandbox,
}) => {
  const order = await createOrder(sandbox, { network: "bsc", currency: "USDT", amount: 61.5 });
  await page.goto(order.payment_url);
  await expect(page.locator("html")).toHaveAttribute("lang", "ar");
  await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
  await expect(page.locator("#amount")).toHaveText(`${displayAmount(String(order.actual_amount))} USDT`);
  await expect(page.locator("#address")).toHaveText(order.address);
  await expect(page.locator("#left")).toHaveText(/^\d\d:\d\d$/);
  await page.locator("label[for=qr-show]").click();
  expect(await readQr(page.locator(".mode-address .qr-code"))).toBe(order.address);
  await page.locator("#languages summary").click();
  await expectAccessible(page);
  await page.locator("#languages summary").click();
  await keepLooks(page, "waiting-ar");

  await page.getByTestId("sandbox-pay").click();
  await expect(page.getByTestId("checkout")).toHaveAttribute("data-state", "paid");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("اكتمل الدفع");
  await expectAccessible(page);
  await keepLooks(page, "paid-ar");

  await page.locator("#languages summary").click();
  await page.getByRole("link", { name: "日本語" }).click();
  await expect(page.locator("html")).toHaveAttribute("lang", "ja");
  await expectAccessible(page);
  await keepLooks(page, "paid-ja");
});
