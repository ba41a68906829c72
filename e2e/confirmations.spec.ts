import type { Page } from "@playwright/test";
import { expectAccessible } from "@/e2e/world/axe";
import { keepLooks } from "@/e2e/world/look";
import { createOrder, findOrder } from "@/e2e/world/merchant";
import { signIn } from "@/e2e/world/office";
import { pay } from "@/e2e/world/payer";
import { expect, test } from "@/e2e/world/scenario";
import type { Announcement } from "@/sandbox/announcement";

/**
 * The number of confirmations that the merchant requires. At four blocks a second, they can be observed without delaying parallel tests
 * for long.
 */
const ASKED = 60;

const look = async (page: Page, name: string) => {
  await expectAccessible(page);
  await keepLooks(page, name);
};

test("a merchant asks for more confirmations: the back office, the payer and the API count up to them", async ({
  page,
  sandbox,
}) => {
  await signIn(page, sandbox);
  const dialog = await openDialog(page, sandbox);
  await expect(dialog).toContainText("12 by default. The network rule always applies");
  await dialog.getByLabel("Minimum confirmations").fill("7201");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByText("Enter at most 7,200 confirmations, which take about a day on Ethereum")).toBeVisible();
  await look(page, "confirmations-change");
  try {
    await save(page, sandbox, String(ASKED));
    await expect(page.getByText(`At least ${ASKED} confirmations (your setting)`)).toBeVisible();
    await look(page, "confirmations");
    const order = await createOrder(sandbox, { network: "ethereum", currency: "USDT", amount: 71 });
    await pay(order.trade_id);
    await page.goto(`${sandbox.base_url}/pay/${order.trade_id}`);
    await expect(page.getByTestId("checkout")).toContainText(new RegExp(`\\d+ of ${ASKED}`));
    await page.goto(`${sandbox.base_url}/dashboard/orders/${order.trade_id}`);
    await expect(page.getByText(new RegExp(`^\\d+ of ${ASKED} confirmations$`)).first()).toBeVisible();
    const required = [{ required_confirmations: ASKED }];
    expect(await findOrder(sandbox, order.trade_id)).toMatchObject({ status: "confirming", transfers: required });
    await expect(async () => {
      expect(await findOrder(sandbox, order.trade_id)).toMatchObject({ status: "paid", transfers: required });
    }).toPass({ timeout: 60_000 });
  } finally {
    await save(page, sandbox, "");
  }
  await expect(page.getByText(/12 confirmations · (about 2 minutes|less than a minute)/)).toBeVisible();
});

async function openDialog(page: Page, sandbox: Announcement) {
  await page.goto(`${sandbox.base_url}/dashboard/settings/addresses`);
  await page.getByRole("button", { name: "Change confirmations on Ethereum" }).click();
  return page.getByRole("dialog");
}

async function save(page: Page, sandbox: Announcement, number: string): Promise<void> {
  const dialog = await openDialog(page, sandbox);
  await dialog.getByLabel("Minimum confirmations").fill(number);
  await dialog.getByLabel("Your password").fill(sandbox.merchant.password);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toHaveCount(0);
}
