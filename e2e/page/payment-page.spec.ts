import { expectAccessible } from "@/e2e/world/axe";
import { keepLooks } from "@/e2e/world/look";
import { createOrder } from "@/e2e/world/merchant";
import { letTimeRunOut } from "@/e2e/world/order-clock";
import { pay } from "@/e2e/world/payer";
import { readQr } from "@/e2e/world/qr";
import { expect, test } from "@/e2e/world/scenario";
import { noteShifts } from "@/e2e/world/shifts";
import { displayAmount } from "@/lib/domain/money";

test("waiting: whole page in one request, readable QR, accessible, at every size and in the dark", async ({
  page,
  sandbox,
}) => {
  const order = await createOrder(sandbox, { network: "bsc", currency: "USDT", amount: 24.5 });
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  const shifts = await noteShifts(page);
  await page.goto(order.payment_url, { waitUntil: "load" });
  await expect(page.locator("#left")).toHaveText(/^\d\d:\d\d$/);
  expect(await shifts()).toEqual([]);
  const ownCalls = `${sandbox.base_url}/api/pay/${order.trade_id}/`;
  const others = asked.filter((url) => !url.startsWith(ownCalls) && !url.startsWith("data:"));
  expect(others).toEqual([order.payment_url]);

  const code = page.locator(".mode-address .qr-code");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await readQr(code)).toBe(order.address);
  }
  await page.getByText("Wallet", { exact: true }).click();
  const decimals = sandbox.networks["bsc"]?.tokens["USDT"]?.decimals ?? 0;
  const units = BigInt(Math.round(order.actual_amount * 1e6)) * 10n ** BigInt(decimals - 6);
  const token = sandbox.networks["bsc"]?.tokens["USDT"]?.contract;
  expect(await readQr(page.locator(".mode-wallet .qr-code"))).toBe(
    `ethereum:${token}@56/transfer?address=${order.address}&uint256=${units}`,
  );

  await expectAccessible(page);
  await keepLooks(page, "waiting");
});

for (const isReported of [true, false]) {
  test(`the time left goes by the server's clock, which the browser ${isReported ? "knows" : "has to request"}`, async ({
    page,
    sandbox,
  }) => {
    const order = await createOrder(sandbox, { network: "bsc", currency: "USDT", amount: 25.5 });
    await page.addInitScript((isReported) => {
      const now = Date.now;
      Date.now = () => now() - 5 * 3_600_000;
      if (!isReported) performance.getEntriesByType = () => [];
    }, isReported);
    await page.goto(order.payment_url);
    await expect(page.locator("#left")).toHaveText(/^[0-2]\d:\d\d$/);
  });
}

for (const network of ["tron", "solana"]) {
  test(`${network}: the address as its people write it, a readable QR, accessible, the button pays`, async ({
    page,
    sandbox,
  }) => {
    const order = await createOrder(sandbox, { network, currency: "USDT", amount: 48.2 });
    expect(order.address).toBe(sandbox.networks[network]?.receiving_address);
    await page.goto(order.payment_url);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await readQr(page.locator(".mode-address .qr-code"))).toBe(order.address);
    }
    await expectAccessible(page);
    await keepLooks(page, `waiting-${network}`);
    await page.getByTestId("sandbox-pay").click();
    await expect(page.getByTestId("checkout")).toHaveAttribute("data-state", "paid");
    await expectAccessible(page);
    await keepLooks(page, `paid-${network}`);
  });
}

test("copying gives the bare amount and the whole address, and confirms it", async ({ page, context, sandbox }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const order = await createOrder(sandbox, { network: "ethereum", currency: "USDC", amount: 1234.5 });
  await page.goto(order.payment_url);
  for (const [id, value] of [
    ["amount", displayAmount(String(order.actual_amount))],
    ["address", order.address],
  ]) {
    await page.locator(`#copy-${id}`).click();
    await expect(page.locator("#live")).toContainText("copied");
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(value);
  }
});

test("paid: confirmations go up before it, and the page is accessible during and after", async ({ page, sandbox }) => {
  const order = await createOrder(sandbox, { network: "ethereum", currency: "USDT", amount: 5 });
  await page.goto(order.payment_url);
  await pay(order.trade_id);
  const checkout = page.getByTestId("checkout");
  await expect(checkout).toHaveAttribute("data-state", /confirming|paid/);
  await expect(checkout).toHaveAttribute("data-state", "paid");
  await expectAccessible(page);
  await keepLooks(page, "paid");
});

test("expired: the open page shows it, and not to send money", async ({ page, sandbox }) => {
  const order = await createOrder(sandbox, { network: "bsc", currency: "USDC", amount: 2 });
  await page.goto(order.payment_url);
  await expect(page.getByTestId("checkout")).toHaveAttribute("data-state", "pending");
  await letTimeRunOut(sandbox, order.trade_id);
  await page.reload();
  await expect(page.getByTestId("checkout")).toHaveAttribute("data-state", "expired");
  await expect(page.getByTestId("checkout").getByText("Do not send now")).toBeVisible();
  await expect(page.locator(".qr-code")).toHaveCount(0);
  await expectAccessible(page);
  await keepLooks(page, "expired");
});

test("a late payment of an expired order is found, and the page shows it", async ({ page, sandbox }) => {
  const order = await createOrder(sandbox, { network: "bsc", currency: "USDT", amount: 4 });
  await letTimeRunOut(sandbox, order.trade_id);
  await page.goto(order.payment_url);
  await pay(order.trade_id);
  await expect(page.getByTestId("checkout")).toHaveAttribute("data-state", "paid");
  await expect(page.getByTestId("checkout").getByText("It arrived after the order expired")).toBeVisible();
});

test("an unknown link returns a page with status 404 and a warning not to pay", async ({ page, sandbox }) => {
  const answer = await page.goto(`${sandbox.base_url}/pay/00000000000000000000000000`);
  expect(answer?.status()).toBe(404);
  await expect(page.getByText("Do not send any money")).toBeVisible();
  await expectAccessible(page);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("amount, address and QR code are there, in another language too, the button pays, and the page finds out by itself", async ({
    page,
    sandbox,
  }) => {
    const order = await createOrder(sandbox, { network: "bsc", currency: "USDC", amount: 6 });
    await page.goto(order.payment_url);
    await expect(page.locator("#amount")).toContainText(String(order.actual_amount));
    await expect(page.locator("#address")).toHaveText(order.address);
    await expect(page.locator(".copy").first()).toBeHidden();
    expect(await readQr(page.locator(".mode-address .qr-code"))).toBe(order.address);
    await page.locator("#languages summary").click();
    await page.getByRole("link", { name: "Deutsch" }).click();
    await expect(page.getByText("An diese Adresse", { exact: true })).toBeVisible();
    await page.getByTestId("sandbox-pay").click();
    await expect(page).toHaveURL(`${order.payment_url}?lang=de`);
    await expect(page.getByTestId("checkout")).toHaveAttribute("data-state", "paid", { timeout: 120_000 });
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Zahlung abgeschlossen");
  });
});
