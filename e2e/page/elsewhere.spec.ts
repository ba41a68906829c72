import type { Page } from "@playwright/test";
import { expectAccessible } from "@/e2e/world/axe";
import { keepLooks } from "@/e2e/world/look";
import { createOrder, findOrder } from "@/e2e/world/merchant";
import { signIn } from "@/e2e/world/office";
import { pay } from "@/e2e/world/payer";
import { expect, test } from "@/e2e/world/scenario";
import { displayAmount } from "@/lib/domain/money";

const look = async (page: Page, name: string) => {
  await expectAccessible(page);
  await keepLooks(page, name);
};

test("a payer on the wrong network sees at once what arrived and what to do; the merchant accepts it", async ({
  page,
  sandbox,
}) => {
  const order = await createOrder(sandbox, { network: "ethereum", currency: "USDT", amount: 37.07 });
  let loads = 0;
  page.on("load", () => loads++);
  await page.goto(order.payment_url);
  const checkout = page.getByTestId("checkout");
  await expect(checkout).toHaveAttribute("data-view", "waiting");
  const [, txId = ""] = /transaction +(0x\w+)/.exec(await pay(order.trade_id, "--network", "bsc")) ?? [];
  await expect(checkout).toHaveAttribute("data-view", "elsewhere");
  expect(loads).toBe(1);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Paid on another network");
  await expect(checkout.locator(".lead")).toContainText(
    `${displayAmount(String(order.actual_amount))} USDT arrived on BNB Smart Chain (BEP20). This order expects USDT on Ethereum (ERC20)`,
  );
  await expect(checkout.getByText("Do not pay again,")).toBeVisible();
  await expect(checkout.getByText(txId)).toBeVisible();
  await expect(page.locator("#address")).toBeHidden();
  await look(page, "pay-elsewhere");
  await page.getByText("Pay this order again anyway").click();
  await expect(page.locator("#address")).toHaveText(order.address);
  await look(page, "pay-elsewhere-again");

  await signIn(page, sandbox);
  const itsPage = `${sandbox.base_url}/dashboard/orders/${order.trade_id}`;
  await page.goto(itsPage);
  await expect(page.getByText("arrived on BNB Smart Chain (BEP20) for this order")).toBeVisible();
  await look(page, "order-elsewhere");
  await page.getByRole("link", { name: "Show transfer" }).click();
  await expect(page.getByText("An order has this amount on another network")).toBeVisible();
  await page.getByRole("button", { name: "Assign" }).first().click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("The order expects USDT on Ethereum");
  await dialog.getByRole("button", { name: "Assign" }).click();
  await expect.poll(async () => (await findOrder(sandbox, order.trade_id)).status, { timeout: 60_000 }).toBe("paid");
  await page.goto(itsPage);
  await expect(page.getByText("BNB Smart Chain (BEP20), USDT")).toBeVisible();
  await expect(page.getByText("for this order")).toBeHidden();
  await expect(page.locator('a[href*="bscscan"], a[href*="etherscan"]')).toHaveCount(0);
  await look(page, "order-paid-elsewhere");
  await page.goto(order.payment_url);
  await expect(checkout).toHaveAttribute("data-view", "paid");
  await expect(checkout.getByText("Transaction on BNB Smart Chain")).toBeVisible();
  await look(page, "pay-paid-elsewhere");
});

test("a payer who sends a look-alike token sees its name; the merchant sees why it is not credited and what to do", async ({
  page,
  sandbox,
}) => {
  const order = await createOrder(sandbox, { network: "tron", currency: "USDT", amount: 23.19 });
  await page.goto(order.payment_url);
  const checkout = page.getByTestId("checkout");
  await pay(order.trade_id, "--currency", "USDC");
  await expect(checkout).toHaveAttribute("data-view", "elsewhere");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Paid with another token");
  await expect(checkout.locator(".lead")).toContainText(
    `You sent ${displayAmount(String(order.actual_amount))} discontinued USDC on TRON`,
  );
  await look(page, "pay-look-alike");

  await signIn(page, sandbox);
  await page.goto(`${sandbox.base_url}/dashboard/transfers?show=unmatched&reason=look_alike`);
  const row = page.getByRole("listitem").filter({ hasText: `${order.actual_amount} discontinued USDC` });
  await expect(row).toContainText("A look-alike token, which pays no order");
  await look(page, "transfers-look-alike");
  await page.goto(`${sandbox.base_url}/dashboard/orders/${order.trade_id}`);
  await expect(page.getByText("discontinued USDC arrived on TRON (TRC20) for this order")).toBeVisible();
  await look(page, "order-look-alike");
  await page.getByRole("link", { name: "Show transfer" }).click();
  await expect(page.getByText("It cannot be assigned. Send it back")).toBeVisible();
  await expect(page.getByRole("link", { name: order.mch_order_id })).toBeVisible();
  await expect(page.getByRole("button", { name: "Assign" })).toHaveCount(0);
  await look(page, "transfer-look-alike");
  await page.goto(`${sandbox.base_url}/dashboard/settings/addresses`);
  await expect(page.getByText("Binance-Peg BSC-USD, issued by Binance and not by Tether.").first()).toBeVisible();
  await look(page, "addresses-tokens");
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("a payer who sent the other currency is informed too", async ({ page, sandbox }) => {
    const order = await createOrder(sandbox, { network: "bsc", currency: "USDC", amount: 14.71 });
    await page.goto(order.payment_url);
    await pay(order.trade_id, "--currency", "USDT");
    await expect(page.getByTestId("checkout")).toHaveAttribute("data-view", "elsewhere", { timeout: 90_000 });
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Paid in another currency");
    await expect(page.getByText("This order expects USDC on BNB Smart Chain")).toBeVisible();
  });
});
