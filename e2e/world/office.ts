import { expect, type Page } from "@playwright/test";
import type { Announcement } from "@/sandbox/announcement";

/** Signs in through the form, as a person does. */
export async function signIn(page: Page, sandbox: Announcement): Promise<void> {
  await page.goto(`${sandbox.base_url}/login`);
  await page.getByLabel("E-mail").fill(sandbox.merchant.email);
  await page.getByLabel("Password").fill(sandbox.merchant.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/dashboard/);
}
