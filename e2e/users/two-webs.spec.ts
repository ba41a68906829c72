import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { Page } from "@playwright/test";
import postgres from "postgres";
import { freePort, Installation } from "@/e2e/world/installation";
import { expect, test } from "@/e2e/world/scenario";
import { dialogOf } from "@/e2e/world/second-factor";

const OWNER = { email: "owner@example.com", password: "correct horse battery" };
const GUEST = { email: "guest@example.com", password: "battery staple horse" };
const NEW_PASSWORD = "horse battery correct";

async function signIn(page: Page, url: string, { email, password }: typeof OWNER): Promise<void> {
  await page.goto(`${url}/login`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/dashboard/);
}

test("two web processes on one database share ended sessions at once", async ({ page, sandbox, browser }) => {
  test.setTimeout(300_000);
  const admin = postgres(sandbox.database_url, { max: 1, onnotice: () => {} });
  const name = `two_webs_${randomBytes(6).toString("hex")}`;
  await admin.unsafe(`create database ${name}`);
  const database = new URL(sandbox.database_url);
  database.pathname = `/${name}`;
  const ports = [await freePort(), await freePort()];
  const [one = "", two = ""] = ports.map((port) => `http://127.0.0.1:${port}`);
  const settings = (port: number) => ({
    DATABASE_URL: database.href,
    APP_SECRET: "a secret of two web processes, long enough",
    REGISTRATION: "open",
    PUBLIC_URL: one,
    PORT: `${port}`,
    HOST: "127.0.0.1",
    ETHEREUM_RPC_URLS: "http://127.0.0.1:9",
  });
  const first = new Installation();
  const second = new Installation();
  const context = await browser.newContext();
  const other = await context.newPage();
  /** Checks that the next request to the other process is redirected to the sign-in page, without a retry. */
  const isOut = async () => {
    await other.goto(`${two}/dashboard/orders`);
    await expect(other).toHaveURL(/\/login/, { timeout: 1_000 });
  };
  try {
    await once(first.start("migrate", settings(0)), "exit");
    for (const [index, web] of [first, second].entries()) web.start("web", settings(ports[index] ?? 0));
    const [, code = ""] = await first.waitForOutput(/enter the set-up code ([^\s"]+)/);
    await second.waitForOutput(/listening at/);

    await page.goto(`${one}/register`);
    await page.getByLabel("Set-up code").fill(code);
    await page.getByLabel("Shop name").fill("Corner shop");
    await page.getByLabel("Email").fill(OWNER.email);
    await page.getByLabel("Password").fill(OWNER.password);
    await page.getByRole("button", { name: "Create account" }).click();
    await expect(page).toHaveURL(/\/dashboard/);

    // All other sessions are signed out.
    await signIn(other, two, OWNER);
    await page.goto(`${one}/dashboard/settings/security`);
    await page.getByRole("button", { name: "Sign out all other sessions" }).click();
    await expect(page.getByText("1 other browser signed out")).toBeVisible();
    await isOut();

    // The password is changed.
    await signIn(other, two, OWNER);
    await page.goto(`${one}/dashboard/settings/account`);
    await page.getByLabel("New password").fill(NEW_PASSWORD);
    await page.getByLabel("Your password").fill(OWNER.password);
    await page
      .locator("form", { has: page.getByLabel("New password") })
      .locator("button[type=submit]")
      .click();
    await expect(page.getByLabel("New password")).toHaveValue("");
    await isOut();

    // A user is removed from the shop while the shop's page is open in their browser.
    await page.goto(`${one}/dashboard/settings/team`);
    await page.getByRole("button", { name: "Invite a user" }).click();
    await dialogOf(page).getByLabel("Email").fill(GUEST.email);
    await dialogOf(page).getByLabel("Your password").fill(NEW_PASSWORD);
    await dialogOf(page).locator("button[type=submit]").click();
    const link = await dialogOf(page)
      .getByText(/\/invite\/[\w-]+$/)
      .first()
      .textContent();
    await other.goto(link?.trim().replace(one, two) ?? "");
    await other.getByLabel("Password").fill(GUEST.password);
    await other.locator("main button[type=submit]").click();
    await expect(other).toHaveURL(/\/dashboard/);
    await other.goto(`${two}/dashboard/orders`);
    await expect(other.getByText("Corner shop").first()).toBeVisible();
    await page.goto(`${one}/dashboard/settings/team`);
    await page.getByRole("row").filter({ hasText: GUEST.email }).getByRole("button").first().click();
    await page.getByRole("menuitem", { name: /Remove|Take out/ }).click();
    await dialogOf(page).getByLabel("Your password").fill(NEW_PASSWORD);
    await dialogOf(page).locator("button[type=submit]").click();
    await expect(dialogOf(page)).toHaveCount(0);
    await other.goto(`${two}/dashboard/orders`);
    await expect(other).toHaveURL(/\/no-shop/, { timeout: 1_000 });
    await expect(other.getByText("Corner shop")).toHaveCount(0);
  } finally {
    await context.close();
    await Promise.all([first.stop(), second.stop()]);
    await admin.unsafe(`drop database ${name} with (force)`);
    await admin.end();
  }
});
