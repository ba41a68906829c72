import { expect, type Page } from "@playwright/test";
import { pressOn, typeInto } from "@/e2e/world/keyboard";
import { readQr } from "@/e2e/world/qr";
import { totpCode } from "@/lib/users/totp";

/** Returns the dialog of the page. */
export const dialogOf = (page: Page) => page.getByRole("dialog");

/** Returns the recovery codes, which are shown only once, and closes the dialog. */
export async function takeCodes(page: Page): Promise<string[]> {
  const shown = dialogOf(page).locator("pre");
  await expect(shown).toContainText(/^([0-9A-Z]{4}-){3}[0-9A-Z]{4}\n/);
  const codes = ((await shown.textContent()) ?? "").trim().split("\n");
  await pressOn(page, dialogOf(page).getByRole("button", { name: "I have saved them" }));
  return codes;
}

/**
 * Sets up an authenticator app, up to the display of its recovery codes.
 * @returns its secret, as a camera reads it
 */
export async function setUpApp(page: Page, password: string, look = async () => {}): Promise<string> {
  await pressOn(page, page.getByRole("button", { name: "Set up: Authenticator app" }));
  await typeInto(page, dialogOf(page).getByLabel("Your password"), password);
  await pressOn(page, dialogOf(page).getByRole("button", { name: "Continue" }), "Space");
  const uri = await readQr(dialogOf(page).locator("svg", { hasText: "QR code" }));
  const secret = new URL(uri ?? "").searchParams.get("secret") ?? "";
  await expect(dialogOf(page).locator("pre")).toHaveText(secret);
  await look();
  await typeInto(page, dialogOf(page).getByLabel("Code from the app"), totpCode(secret, new Date()));
  await page.keyboard.press("Enter");
  await expect(dialogOf(page).getByRole("heading")).toHaveText("Recovery codes");
  return secret;
}
