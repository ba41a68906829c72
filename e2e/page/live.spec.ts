import { createOrder, findOrder } from "@/e2e/world/merchant";
import { pay } from "@/e2e/world/payer";
import { expect, test } from "@/e2e/world/scenario";

const ORDER = { network: "bsc", currency: "USDT" };

test("a payer whose network blocks events still sees the payment", async ({ page, sandbox }) => {
  await page.route("**/events", (route) => route.abort());
  const order = await createOrder(sandbox, { ...ORDER, amount: 15 });
  await page.goto(order.payment_url);
  await pay(order.trade_id);
  await expect(page.getByTestId("checkout")).toHaveAttribute("data-state", "paid");
});

test("a payer who is offline for 30 seconds during a payment sees it paid afterwards, without reloading the page", async ({
  page,
  context,
  sandbox,
}) => {
  await page.clock.install();
  const order = await createOrder(sandbox, { ...ORDER, amount: 16 });
  let loads = 0;
  page.on("load", () => loads++);
  await page.goto(order.payment_url);
  await context.setOffline(true);
  await expect(page.locator("#offline")).toBeVisible();
  await pay(order.trade_id);
  await expect.poll(async () => (await findOrder(sandbox, order.trade_id)).status).toBe("paid");
  await page.clock.fastForward(30_000);
  await expect(page.getByTestId("checkout")).toHaveAttribute("data-state", "pending");
  await expect(page.locator("#address")).toHaveText(order.address);
  await context.setOffline(false);
  await expect(page.locator("#offline")).toBeHidden();
  await expect(page.getByTestId("checkout")).toHaveAttribute("data-state", "paid");
  await expect(page.locator("#live")).toContainText("Payment complete");
  expect(loads).toBe(1);
});

test("two open pages of one order both turn to paid", async ({ page, context, sandbox }) => {
  const order = await createOrder(sandbox, { ...ORDER, amount: 17 });
  const other = await context.newPage();
  await Promise.all([page.goto(order.payment_url), other.goto(order.payment_url)]);
  await pay(order.trade_id);
  for (const open of [page, other]) {
    await open.bringToFront();
    await expect(open.getByTestId("checkout")).toHaveAttribute("data-state", "paid");
  }
});

test("after payment the page goes back to the shop by itself, and Back stays on the receipt", async ({
  page,
  sandbox,
}) => {
  const redirect_url = `${sandbox.base_url}/api/health`;
  const order = await createOrder(sandbox, { ...ORDER, amount: 18, redirect_url });
  await page.goto(order.payment_url);
  await pay(order.trade_id);
  await page.waitForURL(`${redirect_url}?trade_id=${order.trade_id}&mch_order_id=${order.mch_order_id}`);
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Payment complete");
  await expect(page.locator("#returning")).toBeHidden();
});

test("a payer who wants to stay on the receipt stays, by keyboard", async ({ page, sandbox }) => {
  const redirect_url = `${sandbox.base_url}/api/health`;
  const order = await createOrder(sandbox, { ...ORDER, amount: 19, redirect_url });
  await page.goto(order.payment_url);
  await pay(order.trade_id);
  await page.locator("#stay").focus();
  await page.keyboard.press("Enter");
  await expect(page.locator("#returning")).toBeHidden();
  await expect(page.locator("#return")).toBeFocused();
  await expect(page.locator("#live")).toHaveText("Staying on this page");
});

test("copying works without the clipboard API", async ({ page, sandbox }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  const order = await createOrder(sandbox, { ...ORDER, amount: 20 });
  await page.goto(order.payment_url);
  await page.locator("#copy-address").click();
  await expect(page.locator("#live")).toHaveText("Address copied");
  await expect(page.locator("#copy-address")).toBeFocused();
});
