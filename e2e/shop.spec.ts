import { expectAccessible } from "@/e2e/world/axe";
import { keepLooks } from "@/e2e/world/look";
import { playRefund } from "@/e2e/world/payer";
import { expect, test } from "@/e2e/world/scenario";

test("the demo shop sells on TRON: only its currencies are offered, and the callback marks the order as paid", async ({
  page,
  sandbox,
}) => {
  await page.goto(sandbox.shop_url);
  for (const name of ["Ethereum", "BNB Smart Chain", "TRON", "Solana"])
    await expect(page.getByRole("radio", { name, exact: true })).toBeVisible();
  await page.getByRole("radio", { name: "USDC", exact: true }).check();
  await page.getByRole("radio", { name: "TRON" }).check();
  await expect(page.getByRole("radio", { name: "USDC", exact: true })).toBeDisabled();
  await expect(page.getByRole("radio", { name: "USDT", exact: true })).toBeChecked();
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

test("the demo shop refunds a paid order: the customer has a claim link, and the event of the completed refund arrives", async ({
  page,
  sandbox,
}) => {
  test.slow();
  await page.goto(sandbox.shop_url);
  await page.getByRole("radio", { name: "BNB Smart Chain", exact: true }).check();
  await page.getByRole("radio", { name: "USDC", exact: true }).check();
  await page.getByRole("button", { name: "Buy for 24.50" }).click();
  await page.getByTestId("sandbox-pay").click();
  await page.waitForURL(`${sandbox.shop_url}/thanks**`);
  const order = page.locator("li", { hasText: "USDC on BNB Smart Chain" }).first();
  await expect(order.getByText("Paid", { exact: true })).toBeVisible();
  await order.getByRole("button", { name: "Refund order" }).click();
  const link = order.getByRole("link", { name: "Claim page for the customer" });
  await expect(link).toBeVisible();
  await expect(order.getByRole("button", { name: "Refund order" })).toHaveCount(0);
  await expectAccessible(page);
  await keepLooks(page, "shop-refund");
  const tradeId = (await order.locator("code").textContent()) ?? "";
  await link.click();
  await expect(page.getByTestId("claim")).toHaveAttribute("data-state", "requested");

  expect(await playRefund(tradeId)).toContain("Customer: claimed it on BNB Smart Chain");
  await expect(page.getByTestId("claim")).toHaveAttribute("data-state", "completed");
  await page.goto(sandbox.shop_url);
  await expect(order.getByText("Refunded", { exact: true })).toBeVisible();
  await expect(page.getByText("refund.completed").first()).toBeVisible();
});

for (const { name, network, message } of [
  { name: "EPay (易支付)", network: "BNB Smart Chain", message: "TRADE_SUCCESS" },
  { name: "epusdt / BEpusdt", network: "TRON", message: "status 2: paid" },
  { name: "BTCPay Greenfield", network: "Ethereum", message: "InvoiceSettled" },
]) {
  test(`the demo shop sells by ${name}, like a shop with its plugin`, async ({ page, sandbox }) => {
    // The rates become available shortly after the sandbox has started.
    await expect(async () => {
      await page.goto(sandbox.shop_url);
      await page.getByRole("radio", { name: network, exact: true }).check();
      await page.getByRole("radio", { name, exact: true }).check();
      await page.getByRole("button", { name: "Buy for 79" }).click();
      await expect(page.getByTestId("checkout")).toContainText(network, { timeout: 5_000 });
    }).toPass({ timeout: 60_000 });
    await page.getByTestId("sandbox-pay").click();
    await page.waitForURL(`${sandbox.shop_url}/thanks**`);
    await expect(page.getByText("Your order: Desk lamp")).toBeVisible();
    const order = page
      .locator("li", { hasText: "Desk lamp" })
      .filter({ hasText: `by ${name}` })
      .first();
    await expect(order.getByText("Paid", { exact: true })).toBeVisible();
    await expect(page.locator("li", { hasText: message }).getByText("Signature verified").first()).toBeVisible();
    await expectAccessible(page);
    await keepLooks(page, `shop-${{ TRON: "epusdt", Ethereum: "greenfield" }[network] ?? "epay"}`);
  });
}
