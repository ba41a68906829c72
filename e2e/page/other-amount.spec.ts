import type { Page } from "@playwright/test";
import { expectAccessible } from "@/e2e/world/axe";
import { keepLooks } from "@/e2e/world/look";
import { createOrder, findOrder } from "@/e2e/world/merchant";
import { signIn } from "@/e2e/world/office";
import { pay } from "@/e2e/world/payer";
import { expect, test } from "@/e2e/world/scenario";

const look = async (page: Page, name: string) => {
  await expectAccessible(page);
  await keepLooks(page, name);
};

test("a payer who sent too little enters the transaction: the page asks for no second payment, and the merchant sees the claim", async ({
  page,
  sandbox,
}) => {
  const order = await createOrder(sandbox, { network: "bsc", currency: "USDT", amount: 43.21 });
  await page.goto(order.payment_url);
  const checkout = page.getByTestId("checkout");
  const short = (order.actual_amount - 1).toFixed(6);
  const [, txId = ""] = /transaction +(0x\w+)/.exec(await pay(order.trade_id, "--amount", short)) ?? [];
  await expect(checkout).toHaveAttribute("data-view", "waiting");
  await page.locator("#paid").click();
  await page.locator("#tx").fill(txId);
  await page.keyboard.press("Enter");
  await expect(checkout).toHaveAttribute("data-view", "otherAmount");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Another amount arrived");
  await expect(checkout.locator(".lead")).toContainText("1.00 USDT is missing.");
  await expect(checkout.getByText("Do not pay again,")).toBeVisible();
  await expect(checkout.getByText(txId)).toBeVisible();
  await expect(page.locator("#address")).toHaveCount(0);
  await look(page, "pay-other-amount");

  await signIn(page, sandbox);
  await page.goto(`${sandbox.base_url}/dashboard/orders/${order.trade_id}`);
  await expect(page.getByText("It is not credited to the order. Verify it before you assign it.")).toBeVisible();
  await look(page, "order-claim");
  await page.getByRole("link", { name: "Show transfer" }).click();
  await expect(page.getByText("The customer of this order says that it is their payment.")).toBeVisible();
  await expect(page.getByText("entered by its customer (unverified)")).toBeVisible();
  await look(page, "transfer-claim");
  await page.goto(`${sandbox.base_url}/dashboard`);
  await expect(page.getByText(/customers? says? that/i).first()).toBeVisible();

  await page.goto(order.payment_url);
  await page.getByRole("button", { name: "This is not my payment" }).click();
  await expect(checkout).toHaveAttribute("data-view", "waiting");
  await expect(page.locator("#address")).toHaveText(order.address);
  await pay(order.trade_id);
  await expect.poll(async () => (await findOrder(sandbox, order.trade_id)).status, { timeout: 60_000 }).toBe("paid");
});
