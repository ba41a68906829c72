import { expectAccessible } from "@/e2e/world/axe";
import { createOrder, findOrder, Receiver } from "@/e2e/world/merchant";
import { signIn } from "@/e2e/world/office";
import { pay } from "@/e2e/world/payer";
import { expect, test } from "@/e2e/world/scenario";

test("19.99 EUR on TRON: a frozen rate on the page, in the detail, in the callback and in the back office", async ({
  page,
  sandbox,
}) => {
  const receiver = await Receiver.open();
  const terms = { network: "tron", currency: "USDT", fiat: "EUR", fiat_amount: 19.99, notify_url: receiver.url };
  // The rates become available shortly after the sandbox has started.
  await expect(async () => {
    await createOrder(sandbox, { ...terms, fiat_amount: 1 });
  }).toPass({ timeout: 60_000 });
  const order = await createOrder(sandbox, terms);
  const before = await findOrder(sandbox, order.trade_id);
  expect(before).toMatchObject({ fiat: "EUR", fiat_amount: 19.99, rate_source: expect.stringContaining("kraken") });
  const rate = Number(before["rate"]);
  expect(order.amount * rate).toBeGreaterThanOrEqual(19.99);
  expect((order.amount - 0.01) * rate).toBeLessThan(19.99);

  await page.goto(order.payment_url);
  await expect(page.getByText(`19.99 EUR (1 USDT = ${before["rate"]} EUR)`)).toBeAttached();
  await pay(order.trade_id);
  await expect(page.getByTestId("checkout")).toHaveAttribute("data-state", "paid");

  await expect.poll(() => receiver.callbacks.length).toBe(1);
  const frozen = { fiat: "EUR", fiat_amount: 19.99, rate: before["rate"], rate_at: before["rate_at"] };
  expect(JSON.parse(receiver.callbacks[0]?.body ?? "")).toMatchObject({ data: { status: "paid", ...frozen } });
  expect(await findOrder(sandbox, order.trade_id)).toMatchObject({ status: "paid", ...frozen });

  await signIn(page, sandbox);
  await page.goto(`${sandbox.base_url}/dashboard/orders/${order.trade_id}`);
  await expect(page.getByText("19.99 EUR", { exact: true })).toBeVisible();
  await expect(page.getByText(`1 USDT = ${before["rate"]} EUR`)).toBeVisible();
  await receiver.close();
});

test("prices in a currency are set in the back office, and count for the next order", async ({ page, sandbox }) => {
  await signIn(page, sandbox);
  await page.goto(`${sandbox.base_url}/dashboard/settings/prices`);
  await page.getByRole("button", { name: "Add currency" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Currency").fill("CHF");
  await dialog.getByLabel("Conversion").selectOption("fixed");
  await dialog.getByLabel("Price of one token").fill("0.5");
  await dialog.getByLabel(/password/i).fill(sandbox.merchant.password);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("row").filter({ hasText: "CHF" })).toContainText("Fixed rate");
  const order = await createOrder(sandbox, { network: "bsc", currency: "USDC", fiat: "CHF", fiat_amount: 10 });
  expect(order.amount).toBe(20);
});
