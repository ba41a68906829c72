import { Webhook } from "standardwebhooks";
import { createOrder, findOrder, Receiver } from "@/e2e/world/merchant";
import { signIn } from "@/e2e/world/office";
import { pay } from "@/e2e/world/payer";
import { readQr } from "@/e2e/world/qr";
import { expect, test } from "@/e2e/world/scenario";

for (const { network, currency, amount } of [
  { network: "ethereum", currency: "USDT", amount: 12.34 },
  { network: "bsc", currency: "USDC", amount: 7.5 },
  { network: "tron", currency: "USDT", amount: 21.05 },
  { network: "solana", currency: "USDC", amount: 33.3 },
]) {
  test(`${currency} on ${network}: order → page → transfer → callback → back office`, async ({ page, sandbox }) => {
    const receiver = await Receiver.open();
    const order = await createOrder(sandbox, { network, currency, amount, notify_url: receiver.url });
    expect(order).toMatchObject({ network, currency, amount });
    expect(order.actual_amount).toBeGreaterThanOrEqual(amount);

    let loads = 0;
    page.on("load", () => loads++);
    await page.goto(order.payment_url);
    const checkout = page.getByTestId("checkout");
    await expect(checkout).toHaveAttribute("data-state", "pending");
    await expect(page.locator("#amount")).toContainText(String(order.actual_amount));
    await expect(page.locator("#address")).toHaveText(order.address);
    expect(await readQr(page.locator(".mode-address .qr-code"))).toBe(order.address);

    await pay(order.trade_id);
    await expect(checkout).toHaveAttribute("data-state", "paid");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Payment complete");
    expect(loads).toBe(1);

    await expect.poll(() => receiver.callbacks.length).toBe(1);
    const [callback] = receiver.callbacks;
    const event = new Webhook(sandbox.api_secret).verify(callback?.body ?? "", callback?.headers ?? {});
    const detail = await findOrder(sandbox, order.trade_id);
    expect(detail.status).toBe("paid");
    expect(event).toMatchObject({
      type: "payment.confirmed",
      data: { trade_id: order.trade_id, status: "paid", tx_hash: detail.tx_hash },
    });

    await signIn(page, sandbox);
    await page.goto(`${sandbox.base_url}/dashboard/orders`);
    await page.locator(`a[href$="/dashboard/orders/${order.trade_id}"]`).first().click();
    await expect(page.getByRole("heading", { level: 1 })).toContainText(order.mch_order_id);
    await expect(page.getByRole("heading", { level: 1 })).toContainText("Paid");
    await expect(page.getByTitle(detail.tx_hash ?? "").first()).toBeVisible();
    await expect(page.getByText("200").first()).toBeVisible();
    await receiver.close();
  });
}

test("the page's own button pays from the sandbox wallet, and the payer can go back to the shop", async ({
  page,
  sandbox,
}) => {
  const order = await createOrder(sandbox, {
    network: "bsc",
    currency: "USDT",
    amount: 3,
    redirect_url: "https://shop.example/thanks?cart=1",
  });
  await page.goto(order.payment_url);
  await page.getByTestId("sandbox-pay").click();
  await expect(page.getByTestId("checkout")).toHaveAttribute("data-state", "paid");
  const back = new URL((await page.locator("#return").getAttribute("href")) ?? "");
  expect(back.origin + back.pathname).toBe("https://shop.example/thanks");
  expect(Object.fromEntries(back.searchParams)).toEqual({
    cart: "1",
    trade_id: order.trade_id,
    mch_order_id: order.mch_order_id,
  });
});

test("one step less than the exact amount pays nothing", async ({ page, sandbox }) => {
  const order = await createOrder(sandbox, { network: "ethereum", currency: "USDC", amount: 9 });
  await page.goto(order.payment_url);
  await pay(order.trade_id, "--amount", (order.actual_amount - 0.000001).toFixed(6));
  const other = await createOrder(sandbox, { network: "ethereum", currency: "USDC", amount: 11 });
  await pay(other.trade_id);
  await expect.poll(async () => (await findOrder(sandbox, other.trade_id)).status, { timeout: 90_000 }).toBe("paid");
  expect((await findOrder(sandbox, order.trade_id)).status).toBe("pending");
  await expect(page.getByTestId("checkout")).toHaveAttribute("data-state", "pending");
});
