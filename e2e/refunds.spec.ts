import { expectAccessible } from "@/e2e/world/axe";
import { keepLooks } from "@/e2e/world/look";
import { findOrder } from "@/e2e/world/merchant";
import { signIn } from "@/e2e/world/office";
import { playRefund } from "@/e2e/world/payer";
import { approveRefund, enterClaim, payOrder, requestRefund } from "@/e2e/world/refunds";
import { expect, test } from "@/e2e/world/scenario";

const ADDRESS = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

test("a refund: requested in the back office, claimed by the customer, approved, paid, and completed for everyone", async ({
  page,
  sandbox,
  context,
}) => {
  test.slow();
  const order = await payOrder(sandbox, { network: "ethereum", currency: "USDT", amount: 12.34 });
  await signIn(page, sandbox);
  const link = await requestRefund(page, sandbox, order.trade_id);
  const refundPage = page.url();
  await expectAccessible(page);
  await keepLooks(page, "refund-requested");

  const customer = await context.newPage();
  await customer.goto(link);
  const claim = customer.getByTestId("claim");
  await expect(claim).toHaveAttribute("data-state", "requested");
  await expect(claim).toContainText("5.00 USDT");
  await expectAccessible(customer);
  await keepLooks(customer, "refund-claim");

  await enterClaim(customer, { network: "bsc", address: `${ADDRESS}00`, confirmation: "C800" });
  await expect(customer.getByRole("alert").first()).toBeVisible();
  await expect(customer.getByLabel(/address/i).first()).toHaveValue(`${ADDRESS}00`);
  await expectAccessible(customer);

  await enterClaim(customer, { network: "bsc", address: ADDRESS, confirmation: "79C8" });
  await expect(claim).toHaveAttribute("data-state", "claimed");

  await page.goto(`${sandbox.base_url}/dashboard`);
  await page
    .locator("main")
    .getByRole("link", { name: /refund/i })
    .first()
    .click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Refunds");
  await expectAccessible(page);
  await keepLooks(page, "refunds-list");
  await page.goto(refundPage);
  await expect(page.getByText("The customer paid on Ethereum and claims the refund on BNB Smart Chain")).toBeVisible();
  await expectAccessible(page);
  await keepLooks(page, "refund-to-approve");

  await approveRefund(page, sandbox);
  await expect(claim).toHaveAttribute("data-state", "approved");
  await expectAccessible(page);
  await keepLooks(page, "refund-approved");

  expect(await playRefund(order.trade_id)).toContain("Merchant: sent transaction");
  await expect(claim).toHaveAttribute("data-state", "completed");
  await expectAccessible(customer);
  await keepLooks(customer, "refund-claim-completed");
  await expect(page.getByText("The refund is completed.")).toBeVisible();
  await expectAccessible(page);
  await keepLooks(page, "refund-completed");

  await page.goto(`${sandbox.base_url}/dashboard/orders/${order.trade_id}`);
  await expect(page.getByRole("heading", { name: "Refunds" })).toBeVisible();
  await expectAccessible(page);
  await keepLooks(page, "order-with-refund");
  expect(await findOrder(sandbox, order.trade_id)).toMatchObject({ status: "paid" });
});

test("a customer without scripts claims a refund, and sees its state", async ({ page, browser, sandbox }) => {
  const order = await payOrder(sandbox, { network: "bsc", currency: "USDC", amount: 8 });
  await signIn(page, sandbox);
  const link = await requestRefund(page, sandbox, order.trade_id);
  const plain = await browser.newContext({ javaScriptEnabled: false });
  const customer = await plain.newPage();
  await customer.goto(link);
  await enterClaim(customer, { network: "bsc", address: ADDRESS, confirmation: "9999" });
  await expect(customer.getByRole("alert")).toBeVisible();
  await enterClaim(customer, { network: "bsc", address: ADDRESS, confirmation: "79C8" });
  await expect(customer.getByTestId("claim")).toHaveAttribute("data-state", "claimed");
  await plain.close();
});
