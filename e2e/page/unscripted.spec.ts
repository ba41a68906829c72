import { createCheckout, createOrder, findOrder } from "@/e2e/world/merchant";
import { pay } from "@/e2e/world/payer";
import { expect, test } from "@/e2e/world/scenario";

test.use({ javaScriptEnabled: false });

const METHODS = [
  { method: "ethereum-USDC", title: "Ethereum (ERC20)" },
  { method: "bsc-USDT", title: "BNB Smart Chain (BEP20)" },
  { method: "tron-USDT", title: "TRON (TRC20)" },
  { method: "solana-USDC", title: "Solana (SPL)" },
];

test("on every network a payer without scripts chooses it, sends the payment, and sees that it was paid", async ({
  context,
  sandbox,
}) => {
  const scenarios = METHODS.map(async ({ method, title }, index) => {
    const order = await createCheckout(sandbox, { amount: 51 + index });
    const page = await context.newPage();
    await page.goto(order.checkout_url);
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(page, "nothing is chosen by itself").toHaveURL(order.checkout_url);
    await page.locator(`#method-${method}`).check();
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(page.locator("h1")).toContainText(title);
    const asked = await findOrder(sandbox, order.trade_id);
    await expect(page.locator("#address")).toHaveText(String(asked["address"]));
    await expect(page.locator("#amount")).toContainText(String(asked["actual_amount"]));
    await expect(page.locator('noscript meta[http-equiv="refresh"], meta[http-equiv="refresh"]')).toHaveCount(1);
    await pay(order.trade_id);
    const paid = async () => {
      await page.reload();
      return page.getByTestId("checkout").getAttribute("data-state");
    };
    await expect.poll(paid).toBe("paid");
    await expect(page.locator("h1")).toHaveText("Payment complete");
    await expect(page.locator(".facts")).toContainText(title);
  });
  await Promise.all(scenarios);
});

test("a payer without scripts gets more time by the button, three times at most", async ({ page, sandbox }) => {
  const order = await createOrder(sandbox, { network: "bsc", currency: "USDT", amount: 55.1 });
  await page.goto(order.payment_url);
  const expires = async () => Number(await page.getByTestId("checkout").getAttribute("data-expires"));
  for (const left of [2, 1]) {
    const before = await expires();
    await page.getByRole("button", { name: "I need more time" }).click();
    await expect(page.getByText(`Extensions left: ${left}.`)).toBeVisible();
    expect(await expires()).toBeGreaterThan(before);
  }
  await page.getByRole("button", { name: "I need more time" }).click();
  await expect(page.locator("#more")).toHaveCount(0);
  await expect(page.locator("#address")).toHaveText(order.address);
});
