import { keepLooks } from "@/e2e/world/look";
import { createOrder, findOrder } from "@/e2e/world/merchant";
import { pay } from "@/e2e/world/payer";
import { expect, test } from "@/e2e/world/scenario";

test.use({ javaScriptEnabled: false });

test("without a script, a payer who paid on the first network and then chose another one sees where the payment arrived", async ({
  page,
  sandbox,
}) => {
  const order = await createOrder(sandbox, { network: "ethereum", currency: "USDT", amount: 41.17 });
  await page.goto(order.payment_url);
  const checkout = page.getByTestId("checkout");
  await page.getByRole("link", { name: "Pay another way" }).click();
  await expect(page.getByText("Final in").first()).toBeVisible();
  await keepLooks(page, "pay-another-way");
  await page.locator("#method-bsc-USDC").check();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(checkout).toContainText("Already sent 41.17 USDT on Ethereum (ERC20)?");
  await keepLooks(page, "pay-switched");
  expect(await findOrder(sandbox, order.trade_id)).toMatchObject({ network: "bsc", currency: "USDC" });

  // Switches back to the first network, whose quote is used again. The quote is paid, and the other network is selected before the payment
  // is detected.
  await page.getByRole("link", { name: "Pay another way" }).click();
  await page.locator("#method-ethereum-USDT").check();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.locator("#address")).toHaveText(order.address);
  await page.getByRole("link", { name: "Pay another way" }).click();
  await page.locator("#method-bsc-USDC").check();
  await pay(order.trade_id);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(checkout).toHaveAttribute("data-state", "paid", { timeout: 120_000 });
  await expect(checkout).toContainText("Paid on Ethereum (ERC20), one of the selected methods.");
  const paid = { status: "paid", exception: null, network: "ethereum", currency: "USDT", address: order.address };
  expect(await findOrder(sandbox, order.trade_id)).toMatchObject(paid);
  await keepLooks(page, "pay-paid-other-way");
});
