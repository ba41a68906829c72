import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expectAccessible } from "@/e2e/world/axe";
import { keepLooks } from "@/e2e/world/look";
import { createOrder } from "@/e2e/world/merchant";
import { nameSite, signIn } from "@/e2e/world/office";
import { pay } from "@/e2e/world/payer";
import { expect, test } from "@/e2e/world/scenario";

/** Opens a shop page on its own origin with a strict policy: no inline styles, and only frames from the service. */
async function openShop(service: string, paymentUrl: string) {
  const server = createServer((_request, response) => {
    const policy = `default-src 'self'; script-src ${service} 'nonce-shop'; frame-src ${service}`;
    response.writeHead(200, { "content-type": "text/html", "content-security-policy": policy });
    response.end(`<!doctype html><html lang="en"><title>Shop</title><main><h1>Shop</h1>
      <a id="pay" data-stablegate href="${paymentUrl}">Pay</a></main>
      <script src="${service}/embed.js"></script>
      <script nonce="shop">
        window.reported = [];
        for (const type of ["status", "close"])
          document.addEventListener("stablegate:" + type, (event) => reported.push(type + " " + event.detail.status));
      </script></html>`);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, close: () => server.close() };
}

test("the demo shop's second button pays over its own page, where the order then is paid", async ({
  page,
  sandbox,
}) => {
  await page.goto(sandbox.shop_url);
  await page.getByRole("radio", { name: "BNB Smart Chain" }).check();
  const button = page.getByRole("button", { name: "Pay 79 here" });
  await button.press("Enter");
  const frame = page.frameLocator("iframe");
  await expect(frame.getByTestId("checkout")).toContainText("BNB Smart Chain (BEP20)");
  await keepLooks(page, "shop-here");
  await frame.getByTestId("sandbox-pay").click();
  await expect(frame.getByTestId("checkout")).toHaveAttribute("data-state", "paid");
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await expect(button).toBeFocused();
  await expect(page.locator("li", { hasText: "Desk lamp" }).first()).toContainText("Paid");
  await expectAccessible(page);
});

test("a shop that the merchant named shows the page over its own; another goes to the page itself", async ({
  page,
  browser,
  sandbox,
}) => {
  const order = await createOrder(sandbox, { network: "bsc", currency: "USDT", amount: 7.5 });
  const [named, stranger] = await Promise.all([
    openShop(sandbox.base_url, order.payment_url),
    openShop(sandbox.base_url, order.payment_url),
  ]);
  await signIn(page, sandbox);
  await nameSite(page, sandbox, named.url, async () => {
    await page.getByLabel("Accent color").fill("#ffe600");
    await page.getByLabel("Your password").fill(sandbox.merchant.password);
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByLabel("Accent color")).toHaveAttribute("aria-invalid", "true");
    await expect(page.getByText(/is too light .* A darker shade/).first()).toBeVisible();
    await expectAccessible(page);
    await page.getByLabel("Accent color").fill("#7b2d8b");
    await page.getByLabel("Support link").fill("help@shop.example");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("Payment pages updated")).toBeVisible();
  });
  await expectAccessible(page);
  await keepLooks(page, "settings-checkout");

  await page.goto(named.url);
  const link = page.getByRole("link", { name: "Pay" });
  await link.click();
  const dialog = page.getByRole("dialog", { name: /USDT/ });
  await expect(dialog).toBeVisible();
  const checkout = page.frameLocator("iframe").getByTestId("checkout");
  await expect(checkout).toHaveAttribute("data-state", "pending");
  expect(await page.evaluate(() => document.documentElement.style.overflow)).toBe("hidden");
  await keepLooks(page, "embedded");
  await page.frameLocator("iframe").locator("#copy-amount").press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(link).toBeFocused();
  expect(await page.evaluate(() => document.documentElement.style.overflow)).toBe("");

  await link.press("Enter");
  await expect(checkout).toHaveAttribute("data-state", "pending");
  await pay(order.trade_id);
  await expect(checkout).toHaveAttribute("data-state", "paid");
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(link).toBeFocused();
  const reported = () => page.evaluate(() => (window as unknown as { reported: string[] }).reported);
  expect((await reported()).slice(0, 2)).toEqual(["status pending", "close pending"]);
  // A dialog restores the focus before it reports that it was closed.
  await expect.poll(async () => (await reported()).slice(-2)).toEqual(["status paid", "close paid"]);

  const elsewhere = await browser.newPage();
  await elsewhere.goto(stranger.url);
  await elsewhere.getByRole("link", { name: "Pay" }).click();
  await expect(elsewhere).toHaveURL(order.payment_url);
  expect(await elsewhere.evaluate(() => parent === self)).toBe(true);
  await elsewhere.close();
  named.close();
  stranger.close();
});
