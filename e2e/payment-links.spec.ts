import type { Page } from "@playwright/test";
import { expectAccessible } from "@/e2e/world/axe";
import { keepLooks } from "@/e2e/world/look";
import { signIn } from "@/e2e/world/office";
import { pay } from "@/e2e/world/payer";
import { expect, test } from "@/e2e/world/scenario";

/** Opens the dialog that creates a payment link. */
async function openDialog(page: Page, baseUrl: string) {
  await page.goto(`${baseUrl}/dashboard/orders`);
  await page.getByRole("link", { name: "Create payment link" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  return dialog;
}

/** Returns the URL of the payment link whose page of the back office is shown. */
async function linkOf(page: Page): Promise<string> {
  await expect(page).toHaveURL(/\/dashboard\/links\/[0-9a-z]{28}$/);
  return (
    (await page
      .getByText(/\/link\/[0-9a-z]{28}$/)
      .first()
      .textContent()) ?? ""
  );
}

test("a payment link: created once with any number of submits, opened by a payer, paid once, and then used up", async ({
  page,
  sandbox,
  context,
}) => {
  test.slow();
  await signIn(page, sandbox);
  const dialog = await openDialog(page, sandbox.base_url);
  await expectAccessible(page);
  await keepLooks(page, "link-create");
  await dialog.getByRole("button", { name: "Create payment link" }).click();
  await expect(dialog.getByText("Enter the amount, or let the payer enter it")).toBeVisible();
  await dialog.getByRole("textbox", { name: "Amount" }).fill("12.5");
  await dialog.getByLabel("Network").selectOption("ethereum");
  await dialog.getByLabel("Description").fill("Two coffee mugs");
  await dialog.getByLabel("Number of uses").fill("1");
  await dialog.getByRole("button", { name: "Create payment link" }).dblclick();
  const url = await linkOf(page);
  await expect(page.getByRole("img", { name: "QR code of the payment link" })).toBeVisible();
  await expect(page.getByText("12.50 USDT").first()).toBeVisible();
  await expectAccessible(page);
  await keepLooks(page, "link-page");
  const back = page.url();

  const payer = await context.newPage();
  await payer.goto(url);
  const main = payer.getByTestId("link");
  await expect(main).toHaveAttribute("data-state", "open");
  await expect(main).toContainText("Two coffee mugs");
  await expect(main).toContainText("12.50 USDT");
  await expectAccessible(payer);
  await keepLooks(payer, "link-open");
  await payer.getByRole("button", { name: "Continue to payment" }).click();
  await expect(payer).toHaveURL(/\/pay\/[0-9a-z]{28}/);
  const order = payer.url();
  await expect(payer.getByText("Two coffee mugs").first()).toBeVisible();

  await payer.goBack();
  await expect(main).toHaveAttribute("data-state", /open|usedUp/);
  await payer.goto(url);
  await expect(main).toHaveAttribute("data-state", "usedUp");
  await expectAccessible(payer);
  await keepLooks(payer, "link-used-up");
  await payer.getByRole("link", { name: "Continue the payment that you started" }).click();
  await expect(payer).toHaveURL(new RegExp(new URL(order).pathname));

  await pay(new URL(order).pathname.slice(-28));
  await page.goto(back);
  await expect(async () => {
    await page.reload();
    await expect(page.getByText("1 paid order").first()).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await keepLooks(page, "link-paid");
  await page
    .locator(`a[href$="${new URL(order).pathname.slice(-28)}"]`)
    .first()
    .click();
  await expect(page.getByRole("link", { name: "Two coffee mugs" })).toHaveAttribute("href", new URL(back).pathname);
  await page.goto(`${sandbox.base_url}/dashboard/links`);
  await expect(page.getByRole("row").filter({ hasText: "Two coffee mugs" })).toContainText("Used up");
  await expectAccessible(page);
  await keepLooks(page, "links-list");
});

test("a payer enters the amount and a note; both are checked, and the closed link ends", async ({
  page,
  sandbox,
  context,
}) => {
  await signIn(page, sandbox);
  const dialog = await openDialog(page, sandbox.base_url);
  await dialog.getByLabel("Payer enters the amount").check();
  await dialog.getByRole("textbox", { name: "Minimum" }).fill("5");
  await dialog.getByRole("textbox", { name: "Maximum" }).fill("50");
  await dialog.getByLabel("Description").fill("Donation");
  await dialog.getByLabel("Label of a note field").fill("Your name");
  await dialog.getByRole("button", { name: "Create payment link" }).click();
  const url = await linkOf(page);
  const back = page.url();

  const payer = await context.newPage();
  await payer.goto(url);
  await payer.getByLabel(/^Amount/).fill("3");
  await payer.getByLabel(/^Your name/).fill("Ada");
  await payer.getByRole("button", { name: "Continue to payment" }).click();
  await expect(payer.getByRole("alert")).toContainText("At least 5.00 USDT");
  await expect(payer.getByLabel(/^Your name/)).toHaveValue("Ada");
  await expectAccessible(payer);
  await keepLooks(payer, "link-refused");
  await payer.getByLabel(/^Amount/).fill("7,5");
  await payer.getByRole("button", { name: "Continue to payment" }).click();
  await expect(payer).toHaveURL(/\/pay\/[0-9a-z]{28}/);
  await expect(payer.getByText("7.5").first()).toBeVisible();

  await page.goto(back);
  await expect(page.getByText("Ada")).toBeVisible();
  await page.getByRole("button", { name: "Close link" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Close link" }).click();
  await expect(page.getByText("Payment link closed")).toBeVisible();
  await payer.goto(url);
  await expect(payer.getByTestId("link")).toHaveAttribute("data-state", "ended");
  await expectAccessible(payer);
  await keepLooks(payer, "link-ended");
});
