import { expectAccessible } from "@/e2e/world/axe";
import { keepLooks } from "@/e2e/world/look";
import { expect, test } from "@/e2e/world/story";

test("the demo shop sells on TRON: only what TRON has is offered, and the callback makes the order paid", async ({
  page,
  sandbox,
}) => {
  await page.goto(sandbox.shop_url);
  for (const name of ["Ethereum", "BNB Smart Chain", "TRON", "Solana"])
    await expect(page.getByRole("radio", { name, exact: true })).toBeVisible();
  await page.getByRole("radio", { name: "USDC" }).check();
  await page.getByRole("radio", { name: "TRON" }).check();
  await expect(page.getByRole("radio", { name: "USDC" })).toBeDisabled();
  await expect(page.getByRole("radio", { name: "USDT" })).toBeChecked();
  await expectAccessible(page);
  await keepLooks(page, "shop");

  await page.getByRole("button", { name: "Buy for 9.90" }).click();
  await expect(page.getByTestId("checkout")).toContainText("TRON (TRC20)");
  await page.getByTestId("sandbox-pay").click();
  await page.waitForURL(`${sandbox.shop_url}/thanks**`);
  await expect(page.getByText("payment.confirmed").first()).toBeVisible();
  const order = page.locator("li", { hasText: "Field notebook" }).filter({ hasText: "on TRON" }).first();
  await expect(order).toContainText("Paid");
});
