import { expect, type Page } from "@playwright/test";
import { createOrder, findOrder } from "@/e2e/world/merchant";
import { pay } from "@/e2e/world/payer";
import { dialogOf } from "@/e2e/world/second-factor";
import type { Announcement } from "@/sandbox/announcement";

/** Creates an order and pays it with the sandbox wallet. */
export async function payOrder(sandbox: Announcement, terms: { network: string; currency: string; amount: number }) {
  const order = await createOrder(sandbox, terms);
  await pay(order.trade_id);
  await expect.poll(async () => (await findOrder(sandbox, order.trade_id)).status).toBe("paid");
  return order;
}

/**
 * Requests a refund of 5 on the page of the order. The page of the refund is open afterwards.
 * @returns the claim link
 */
export async function requestRefund(page: Page, sandbox: Announcement, tradeId: string): Promise<string> {
  await page.goto(`${sandbox.base_url}/dashboard/orders/${tradeId}`);
  await page.getByRole("button", { name: "Request refund" }).click();
  await dialogOf(page).getByLabel("Amount").fill("5");
  await dialogOf(page).getByLabel("Your password").fill(sandbox.merchant.password);
  await dialogOf(page).getByRole("button", { name: "Request refund" }).click();
  await expect(page).toHaveURL(/\/dashboard\/refunds\/\w+/);
  const link = page.getByTitle(/\/refund\//).first();
  return (await link.getAttribute("title")) ?? "";
}

/** Fills in and sends the claim form of an open claim page. */
export async function enterClaim(customer: Page, claim: { network: string; address: string; confirmation: string }) {
  await customer.locator(`#network-${claim.network}`).check();
  await customer.locator("#claim-address").fill(claim.address);
  await customer.locator("#claim-end").fill(claim.confirmation);
  await customer.locator("form.claim button[type=submit]").click();
}

/** Approves the claimed refund whose page is open. */
export async function approveRefund(page: Page, sandbox: Announcement): Promise<void> {
  await page.getByRole("button", { name: "Approve refund" }).click();
  await dialogOf(page).getByLabel("Your password").fill(sandbox.merchant.password);
  await dialogOf(page).getByRole("button", { name: "Approve refund" }).click();
  await expect(page.getByRole("heading", { name: "Pay the refund" })).toBeVisible();
}
