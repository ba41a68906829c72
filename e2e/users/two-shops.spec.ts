import { randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import { expectAccessible } from "@/e2e/world/axe";
import { keepLooks } from "@/e2e/world/look";
import { register } from "@/e2e/world/office";
import { expect, test } from "@/e2e/world/scenario";
import { dialogOf } from "@/e2e/world/second-factor";

/** The longest time, by the specification, until every process refuses a revoked session. */
const REVOKED_MS = 5_000;

test("two people in two shops: each owns one; one looks at the other's, by the switcher, until that ends", async ({
  page: ann,
  sandbox,
  browser,
}) => {
  const settings = `${sandbox.base_url}/dashboard/settings`;
  const tail = randomBytes(4).toString("hex");
  const context = await browser.newContext();
  const ben = await context.newPage();
  const annsShop = `ann-${tail}`;
  const bensShop = `ben-${tail}`;
  const owner = await register(ann, sandbox, annsShop);
  const guest = await register(ben, sandbox, bensShop);

  await ann.goto(`${settings}/team`);
  await ann.getByRole("button", { name: "Invite a user" }).click();
  await dialogOf(ann).getByLabel("Email").fill(guest.email);
  await dialogOf(ann).getByLabel("Role").selectOption("viewer");
  await dialogOf(ann).getByLabel("Your password").fill(owner.password);
  await dialogOf(ann).locator("button[type=submit]").click();
  const link = await dialogOf(ann)
    .getByText(/\/invite\/[\w-]+$/)
    .first()
    .textContent();
  await ben.goto(link?.trim() ?? "");
  await ben.locator("main button[type=submit]").click();
  await expect(ben).toHaveURL(/\/dashboard/);
  await expect(shopOf(ben, annsShop)).toBeVisible();

  const mayChange = async (page: Page) => {
    await page.goto(`${settings}/addresses`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    const addresses = await page.getByRole("button", { name: "Add address" }).count();
    await page.goto(`${settings}/api-keys`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    return addresses + (await page.getByRole("button", { name: "Create API key" }).count());
  };
  expect(await mayChange(ben)).toBe(0);
  await expectAccessible(ben);
  await keepLooks(ben, "viewer-api-keys");
  await ben.goto(`${settings}/team`);
  await expect(ben.getByRole("cell", { name: owner.email }).first()).toBeVisible();
  await expect(ben.getByRole("button", { name: "Invite a user" })).toHaveCount(0);
  await keepLooks(ben, "viewer-team");
  const audit = await ben.goto(`${sandbox.base_url}/dashboard/settings/audit`);
  expect(audit?.status()).toBe(404);
  await ben.goto(`${sandbox.base_url}/dashboard/links`);
  await expect(ben.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(ben.getByRole("button", { name: "Create payment link" })).toHaveCount(0);

  await ben.goto(`${sandbox.base_url}/dashboard`);
  await shopOf(ben, annsShop).click();
  await keepLooks(ben, "switcher");
  await ben.getByRole("menuitemradio", { name: bensShop }).click();
  await expect(shopOf(ben, bensShop)).toBeVisible();
  expect(await mayChange(ben)).toBeGreaterThan(1);
  await ben.goto(`${settings}/team`);
  await expect(ben.getByText(owner.email)).toHaveCount(0);
  await expect(ben.getByRole("button", { name: "Invite a user" })).toBeVisible();

  await shopOf(ben, bensShop).click();
  await ben.getByRole("menuitemradio", { name: annsShop }).click();
  await expect(shopOf(ben, annsShop)).toBeVisible();
  await ben.goto(`${sandbox.base_url}/dashboard/orders`);
  await ann.goto(`${settings}/team`);
  await ann.getByRole("row").filter({ hasText: guest.email }).getByRole("button").first().click();
  await ann.getByRole("menuitem", { name: /Remove|Take out/ }).click();
  await dialogOf(ann).getByLabel("Your password").fill(owner.password);
  await dialogOf(ann).locator("button[type=submit]").click();
  await expect(dialogOf(ann)).toHaveCount(0);
  const until = performance.now() + REVOKED_MS;
  await expect(async () => {
    await ben.goto(`${sandbox.base_url}/dashboard/orders`);
    await expect(shopOf(ben, bensShop)).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: until - performance.now() });
  await expect(ben.getByText(annsShop)).toHaveCount(0);
  await ann.reload();
  await expect(ann.getByText(guest.email)).toHaveCount(0);
  await context.close();
});

/** Returns the button with the name of the current shop. */
function shopOf(page: Page, name: string) {
  return page.getByRole("button", { name: new RegExp(`^Shop: ?${name}$`) }).filter({ visible: true });
}
