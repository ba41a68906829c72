import { expectAccessible } from "@/e2e/world/axe";
import { keepLooks } from "@/e2e/world/look";
import { createCheckout, createOrder, findOrder } from "@/e2e/world/merchant";
import { pay } from "@/e2e/world/payer";
import { readQr } from "@/e2e/world/qr";
import { expect, test } from "@/e2e/world/scenario";

const PHONE = { width: 360, height: 740 };

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with scripts" : "without scripts", () => {
    test.use({ javaScriptEnabled, viewport: PHONE });

    test("a payer with money at an exchange sees its words, gets the cheapest method selected, and pays", async ({
      page,
      sandbox,
    }) => {
      const order = await createCheckout(sandbox, { amount: javaScriptEnabled ? 71 : 72 });
      await page.goto(order.checkout_url);
      await page.getByRole("link", { name: "Exchange account" }).click();
      await page.getByRole("link", { name: "Binance" }).click();
      const chosen = page.locator("input[name=method]:checked");
      await expect(chosen).toHaveValue("bsc:USDC");
      await expect(page.getByText("Network at Binance: BNB Smart Chain (BEP20)").first()).toBeVisible();
      await keepLooks(page, `choose-from-binance-${javaScriptEnabled}`);
      await page.getByRole("button", { name: "Continue" }).click();

      await expect(page).toHaveURL(/from=binance/);
      await expect(page.locator(".guide")).toContainText("Network at Binance: BNB Smart Chain (BEP20)");
      await expect(page.getByText("Amount to be received")).toBeVisible();
      await expect(page.locator("#warnings")).toContainText("Withdrawals can take several minutes.");
      await expect(page.locator("#open-wallet")).toHaveCount(0);
      await keepLooks(page, `pay-from-binance-${javaScriptEnabled}`);
      if (javaScriptEnabled) await expectAccessible(page);

      await page.getByRole("link", { name: "Wallet app" }).click();
      await expect(page.locator("#open-wallet")).toBeVisible();
      await page.locator("#from-exchange").click();
      await page.getByRole("link", { name: "Kraken" }).click();
      await expect(page.getByText("Kraken may not send USDC on this network.")).toBeVisible();

      await pay(order.trade_id);
      const state = async () => {
        if (!javaScriptEnabled) await page.reload();
        return page.getByTestId("checkout").getAttribute("data-state");
      };
      await expect.poll(state).toBe("paid");
    });
  });
}

test("an order below the exchange's minimum withdrawal is marked before the payer chooses", async ({
  page,
  sandbox,
}) => {
  const order = await createCheckout(sandbox, { amount: 3 });
  await page.goto(`${order.checkout_url}?from=binance`);
  const option = page.locator("label", { has: page.locator("#method-tron-USDT") });
  await expect(option).toContainText("Binance sends at least about 10 USDT here,");
  await expect(page.locator("input[name=method]:checked")).toHaveValue("bsc:USDC");
});

test.describe("on a phone", () => {
  test.use({ viewport: PHONE, hasTouch: true });

  for (const network of ["bsc", "tron", "solana"])
    test(`${network}: "Open in wallet" comes first, everything needed to pay is on the first screen, and the QR code opens`, async ({
      page,
      sandbox,
    }) => {
      const order = await createOrder(sandbox, { network, currency: "USDT", amount: 73.01 });
      await page.goto(`${order.payment_url}?from=wallet`);
      const href = await page.locator("#open-wallet").getAttribute("href");
      const scheme = { bsc: "ethereum:", tron: "tronlinkoutside:", solana: "solana:" }[network] ?? "";
      expect(href?.startsWith(scheme)).toBe(true);
      if (network !== "tron") expect(href).toContain(order.address);
      const bottom = async (selector: string) => {
        const box = await page.locator(selector).boundingBox();
        return box ? box.y + box.height : Number.POSITIVE_INFINITY;
      };
      expect(await bottom("#open-wallet")).toBeLessThan(await bottom("#amount"));
      for (const from of ["", "?from=wallet", "?from=okx"]) {
        await page.goto(order.payment_url + from);
        await expect(page.locator("#left")).toHaveText(/^\d\d:\d\d$/);
        expect([from, (await bottom("#warnings")) <= PHONE.height]).toEqual([from, true]);
      }
      await expect(page.locator(".qr-code").first()).toBeHidden();
      await page.getByText("Show QR code").click();
      expect(await readQr(page.locator(".mode-address .qr-code"))).toBe(order.address);
      await keepLooks(page, `phone-${network}`);
      expect(await findOrder(sandbox, order.trade_id)).toMatchObject({ network });
    });
});
