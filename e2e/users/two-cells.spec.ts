import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { Page } from "@playwright/test";
import postgres from "postgres";
import { freePort, Installation } from "@/e2e/world/installation";
import { keepLooks } from "@/e2e/world/look";
import { createOrder } from "@/e2e/world/merchant";
import { dialogOf } from "@/e2e/world/second-factor";
import { expect, test } from "@/e2e/world/story";
import { parseUnits } from "@/lib/domain/money";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { startEvmNode } from "@/sandbox/nodes/evm-node";
import { openWallet } from "@/sandbox/wallets/wallet";

const PASSWORD = "correct horse battery";
const OPERATOR = "operator@example.com";
const OWNER = "owner@example.com";
const GUEST = "guest@example.com";
const TREASURY = "0x3333333333333333333333333333333333333333";

async function register(page: Page, url: string, shop: string, email: string, code?: string): Promise<void> {
  await page.goto(`${url}/register`, { waitUntil: "networkidle" });
  if (code !== undefined) await page.getByLabel("Set-up code").fill(code);
  await page.getByLabel("Name of your shop").fill(shop);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
}

async function typePassword(page: Page, url: string, email: string): Promise<void> {
  await page.goto(`${url}/login`, { waitUntil: "networkidle" });
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
}

async function addAddress(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/dashboard/settings/addresses`);
  await page.getByRole("button", { name: "Add address" }).first().click();
  await dialogOf(page).getByLabel("Address", { exact: true }).fill(TREASURY);
  await dialogOf(page).getByLabel("The same address again").fill(TREASURY);
  await dialogOf(page).getByLabel("Your password").fill(PASSWORD);
  await dialogOf(page).getByRole("button", { name: "Add address" }).click();
  await expect(dialogOf(page)).toHaveCount(0);
  await expect(page.getByTitle(TREASURY).first()).toBeVisible();
}

async function makeKey(page: Page, url: string) {
  await page.goto(`${url}/dashboard/settings/api-keys`);
  await page.getByRole("button", { name: "Generate new API key" }).click();
  await dialogOf(page).getByLabel("Name").fill("Shop");
  await dialogOf(page).getByLabel("Your password").fill(PASSWORD);
  await dialogOf(page).getByRole("button", { name: "Generate", exact: true }).click();
  const key = page.getByText(/^sg_live_[0-9A-Za-z]{49}$/).first();
  const secret = page.getByText(/^whsec_[0-9A-Za-z+/=]+$/).first();
  await expect(key).toBeVisible();
  return { base_url: url, api_key: (await key.textContent()) ?? "", api_secret: (await secret.textContent()) ?? "" };
}

async function invite(page: Page, url: string, email: string): Promise<string> {
  await page.goto(`${url}/dashboard/settings/team`);
  await page.getByRole("button", { name: "Invite somebody" }).click();
  await dialogOf(page).getByLabel("E-mail").fill(email);
  await dialogOf(page).getByLabel("Your password").fill(PASSWORD);
  await dialogOf(page).locator("button[type=submit]").click();
  const link = dialogOf(page)
    .getByText(/\/invite\/[\w.-]+$/)
    .first();
  return ((await link.textContent()) ?? "").trim();
}

test("one web process serves the people of two cells in two databases, and one of them while the other's is away", async ({
  page,
  sandbox,
  browser,
}) => {
  test.setTimeout(300_000);
  const admin = postgres(sandbox.database_url, { max: 1, onnotice: () => {} });
  const tail = randomBytes(6).toString("hex");
  const names = [`cell_home_${tail}`, `cell_other_${tail}`];
  const [home = "", other = ""] = names.map(
    (name) => Object.assign(new URL(sandbox.database_url), { pathname: name }).href,
  );
  for (const name of names) await admin.unsafe(`create database ${name}`);
  const ethereum = getNetwork("ethereum");
  const node = await startEvmNode(ethereum, { blockMs: 250 });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const settings = {
    DATABASE_URL: home,
    CELLS: "00,01",
    CELL_01_DATABASE_URL: other,
    NEW_MERCHANTS_CELL: "01",
    APP_SECRET: "a secret of two cells, which is long enough",
    REGISTRATION: "open",
    PUBLIC_URL: url,
    PORT: `${port}`,
    HOST: "127.0.0.1",
    ETHEREUM_RPC_URLS: node.url,
    IDLE_READING: "often",
  };
  const all = new Installation();
  const contexts = await Promise.all([browser.newContext(), browser.newContext()]);
  const [owner, guest] = await Promise.all(contexts.map((context) => context.newPage()));
  if (!owner || !guest) throw new Error("There are three browsers");
  try {
    await once(all.start("migrate", settings, ["--all-settings"]), "exit");
    all.start("web", settings);
    const [, code = ""] = await all.says(/with the set-up code ([^\s"]+)/);
    all.start("worker", settings);

    await register(page, url, "Head office", OPERATOR, code);
    await expect(page).toHaveURL(/\/dashboard/);
    await register(owner, url, "Corner shop", OPERATOR);
    await expect(owner.getByText("Somebody has this e-mail address. Sign in instead")).toBeVisible();
    await register(owner, url, "Corner shop", OWNER);
    await expect(owner).toHaveURL(/\/dashboard/);

    await addAddress(owner, url);
    const order = await createOrder(await makeKey(owner, url), {
      network: "ethereum",
      currency: "USDT",
      amount: 49.9,
      notify_url: "https://shop.example.com/notify",
    });
    expect(order.trade_id.slice(10, 12)).toBe("01");
    await owner.goto(`${url}/dashboard/orders/${order.trade_id}`);
    await expect(owner.getByRole("heading", { level: 1 })).toContainText("Pending");
    const { contract, decimals } = getToken(ethereum, "USDT");
    const baseUnits = parseUnits(String(order.actual_amount), decimals) ?? 0n;
    await (await openWallet(node.url)).transfer({ contract, to: TREASURY, baseUnits });
    await expect(async () => {
      await owner.goto(`${url}/dashboard/orders/${order.trade_id}`);
      await expect(owner.getByRole("heading", { level: 1 })).toContainText("Paid", { timeout: 1_000 });
    }).toPass();
    expect((await page.goto(`${url}/dashboard/orders/${order.trade_id}`))?.status()).toBe(404);

    const link = await invite(owner, url, GUEST);
    await guest.goto(link, { waitUntil: "networkidle" });
    await guest.getByLabel("Password").fill(PASSWORD);
    await guest.locator("main button[type=submit]").click();
    await expect(guest).toHaveURL(/\/dashboard/);
    await guest.goto(`${url}/dashboard/orders`);
    await expect(guest.getByText("Corner shop").first()).toBeVisible();
    await page.goto(await invite(owner, url, OPERATOR));
    await expect(page.getByText(`${OPERATOR} cannot join this shop`)).toBeVisible();
    await keepLooks(page, "invited-elsewhere");

    await admin.unsafe(`alter database ${names[0]} allow_connections false`);
    await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${names[0] ?? ""}`;
    await guest.context().clearCookies();
    await typePassword(guest, url, GUEST);
    await expect(guest).toHaveURL(/\/dashboard/);
    await guest.goto(`${url}/dashboard/orders/${order.trade_id}`);
    await expect(guest.getByRole("heading", { level: 1 })).toContainText("Paid");
    await page.context().clearCookies();
    for (const email of [OPERATOR, "nobody@example.com"]) {
      await typePassword(page, url, email);
      await expect(page.getByText(/^Part of this service cannot be reached/)).toBeVisible();
    }
    await keepLooks(page, "sign-in-unsure");
    await admin.unsafe(`alter database ${names[0]} allow_connections true`);
    await expect(async () => {
      await typePassword(page, url, OPERATOR);
      await expect(page).toHaveURL(/\/dashboard/, { timeout: 2_000 });
    }).toPass();
  } finally {
    await Promise.all(contexts.map((context) => context.close()));
    await all.stop();
    await node.stop();
    for (const name of names) await admin.unsafe(`drop database if exists ${name} with (force)`);
    await admin.end();
  }
});
