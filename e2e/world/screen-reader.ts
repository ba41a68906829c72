import { expect, type Locator, type Page } from "@playwright/test";

/** Checks that a dialog is announced with its name, and that the focus is in it. */
export async function expectDialogAnnounced(dialog: Locator, name: string | RegExp): Promise<void> {
  await expect(dialog).toHaveAccessibleName(name);
  await expect.poll(() => dialog.evaluate((one) => one.contains(document.activeElement))).toBe(true);
}

/** Checks that a refused field has the focus, and that its error is read out with it. */
export async function expectRefusalAnnounced(field: Locator, message: RegExp): Promise<void> {
  await expect(field).toBeFocused();
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await expect(field).toHaveAccessibleDescription(message);
}

/** Checks that a result is announced in a live region. */
export async function expectResultAnnounced(page: Page, text: string): Promise<void> {
  await expect(page.locator("[aria-live=polite]").filter({ hasText: text }).first()).toBeAttached();
}
