import { randomBytes } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import postgres from "postgres";
import { pressOn, typeInto } from "@/e2e/world/keyboard";
import { dialogOf } from "@/e2e/world/second-factor";
import type { Announcement } from "@/sandbox/announcement";

/** Signs in through the form, as a user does. */
export async function signIn(page: Page, sandbox: Announcement): Promise<void> {
  await typePassword(page, sandbox, sandbox.merchant);
  await expect(page).toHaveURL(/\/dashboard/);
}

/**
 * Adds a site that may embed the shop's payment page to the open form, and keeps the sites that other tests added. No other test saves the
 * form during `meanwhile`.
 */
export async function nameSite(page: Page, sandbox: Announcement, site: string, meanwhile: () => Promise<void>) {
  const sql = postgres(sandbox.database_url, { max: 1 });
  await sql`select pg_advisory_lock(hashtext('stories that save the checkout settings'))`;
  try {
    await page.goto(`${sandbox.base_url}/dashboard/settings/checkout`);
    const sites = page.getByLabel(/Sites that may embed/);
    const all = `${await sites.inputValue()}\n${site}`.trim();
    await expect(async () => {
      await sites.fill(all);
      await expect(sites).toHaveValue(all, { timeout: 1_000 });
    }).toPass();
    await meanwhile();
  } finally {
    await sql.end();
  }
}

/** Registers a new user with their own shop, by keyboard only, and signs them in. The sandbox of these tests has open registration. */
export async function register(page: Page, sandbox: Announcement, name: string): Promise<Person> {
  const person = { email: `${name}@example.com`, password: "correct horse battery" };
  await page.goto(`${sandbox.base_url}/register`);
  await typeInto(page, page.getByLabel("Shop name"), name);
  await typeInto(page, page.getByLabel("Email"), person.email);
  await typeInto(page, page.getByLabel("Password"), person.password);
  await pressOn(page, page.getByRole("button", { name: "Create account" }));
  await expect(page).toHaveURL(/\/dashboard/);
  return person;
}

/** The buttons that open the forms of the page for receiving addresses. */
const ADD_FORMS = {
  key: "An address for each order",
  receiver: "A contract for each order",
  shared: "One shared address",
  list: "Add list",
} as const;

/** Opens a form of the open page for receiving addresses: the dialog first asks how customers pay. */
export async function openAddForm(page: Page, form: keyof typeof ADD_FORMS): Promise<void> {
  await page.getByRole("button", { name: "Add address", exact: true }).first().click();
  await dialogOf(page).getByRole("button", { name: ADD_FORMS[form] }).click();
}

/**
 * Adds a receiving address on BNB Smart Chain to the shop of the signed-in user.
 * @returns the address, lowercase
 */
export async function addAddress(page: Page, sandbox: Announcement, password: string): Promise<string> {
  await page.goto(`${sandbox.base_url}/dashboard/settings/addresses`);
  await openAddForm(page, "shared");
  const dialog = dialogOf(page);
  const address = `0x${randomBytes(20).toString("hex")}`;
  await dialog.getByLabel("Network").selectOption("bsc");
  await dialog.getByLabel("Address", { exact: true }).fill(address);
  await dialog.getByLabel("Enter the address again").fill(address);
  await dialog.getByLabel("Your password").fill(password);
  await dialog.locator("button[type=submit]").click();
  await expect(dialog).toHaveCount(0);
  return address;
}

interface Person {
  email: string;
  password: string;
}

/** Enters the email address and the password in the sign-in form, and submits it. */
export async function typePassword(page: Page, sandbox: Announcement, person: Person): Promise<void> {
  await page.goto(`${sandbox.base_url}/login`);
  await page.getByLabel("Email").fill(person.email);
  await page.getByLabel("Password").fill(person.password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/**
 * Generates an API key for the shop of the signed-in user.
 * @param settings the URL of the shop's settings
 */
export async function makeApiKey(page: Page, settings: string, password: string) {
  await page.goto(`${settings}/api-keys`);
  await page.getByRole("button", { name: "Create API key" }).click();
  await dialogOf(page).getByLabel("Name").fill("Server");
  await dialogOf(page).getByLabel("Your password").fill(password);
  await dialogOf(page).locator("button[type=submit]").click();
  const shown = dialogOf(page).locator("code");
  await expect(shown).toHaveCount(2);
  return { api_key: (await shown.nth(0).textContent()) ?? "", api_secret: (await shown.nth(1).textContent()) ?? "" };
}

/** Verifies an email address, like the link in the email. */
export async function verifyEmail(sandbox: Announcement, email: string): Promise<void> {
  const sql = postgres(sandbox.database_url, { max: 1 });
  await sql`update users set email_verified_at = now() where email = ${email}`;
  await sql.end();
}
