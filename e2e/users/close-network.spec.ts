import { randomBytes } from "node:crypto";
import { once } from "node:events";
import postgres from "postgres";
import { openDb } from "@/db/client";
import { expectAccessible } from "@/e2e/world/axe";
import { freePort, Installation } from "@/e2e/world/installation";
import { keepLooks } from "@/e2e/world/look";
import { createOrder } from "@/e2e/world/merchant";
import { makeApiKey, openAddForm } from "@/e2e/world/office";
import { expect, test } from "@/e2e/world/scenario";
import { dialogOf } from "@/e2e/world/second-factor";
import { matchTransfers } from "@/lib/ledger/match-transfers";
import { createLog } from "@/lib/log";
import { seedTransfer } from "@/testing/database/seed";

const OPERATOR = "operator@example.com";
const PASSWORD = "correct horse battery";
const TREASURY = "0x4444444444444444444444444444444444444444";

test("an operator closes a network on the installation page, sees its confirming order, and reopens it", async ({
  page,
  sandbox,
}) => {
  test.setTimeout(300_000);
  const admin = postgres(sandbox.database_url, { max: 1, onnotice: () => {} });
  const name = `closing_${randomBytes(6).toString("hex")}`;
  await admin.unsafe(`create database ${name}`);
  const databaseUrl = Object.assign(new URL(sandbox.database_url), { pathname: name }).href;
  const port = await freePort();
  const deadPort = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const settings = {
    DATABASE_URL: databaseUrl,
    APP_SECRET: "a secret of a network that never answers",
    PUBLIC_URL: url,
    PORT: `${port}`,
    HOST: "127.0.0.1",
    ETHEREUM_RPC_URLS: `http://127.0.0.1:${deadPort}`,
  };
  const all = new Installation();
  const pool = openDb(databaseUrl, { work: "pages", max: 1, applicationName: "test" });
  try {
    await once(all.start("migrate", settings, ["--all-settings"]), "exit");
    all.start("web", settings);
    const [, code = ""] = await all.waitForOutput(/enter the set-up code ([^\s"]+)/);
    await page.goto(`${url}/register`, { waitUntil: "networkidle" });
    await page.getByLabel("Set-up code").fill(code);
    await page.getByLabel("Shop name").fill("Corner shop");
    await page.getByLabel("Email").fill(OPERATOR);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Create account" }).click();
    await expect(page).toHaveURL(/\/dashboard/);
    await page.goto(`${url}/dashboard/settings/addresses`);
    await openAddForm(page, "shared");
    await dialogOf(page).getByLabel("Address", { exact: true }).fill(TREASURY);
    await dialogOf(page).getByLabel("Enter the address again").fill(TREASURY);
    await dialogOf(page).getByLabel("Your password").fill(PASSWORD);
    await dialogOf(page).getByRole("button", { name: "Add address" }).click();
    await expect(dialogOf(page)).toHaveCount(0);

    const shop = { base_url: url, ...(await makeApiKey(page, `${url}/dashboard/settings`, PASSWORD)) };
    const terms = { network: "ethereum", currency: "USDT", amount: 5 } as const;
    const order = await createOrder(shop, terms);
    const named = `Corner shop, ${order.mch_order_id}`;
    // A transfer that the worker saw before the last node became unavailable.
    const [address] = await pool.sql`select id, merchant_id as "merchantId" from receiving_addresses`;
    const to = { id: address?.["id"], merchantId: address?.["merchantId"], network: "ethereum", address: TREASURY };
    await seedTransfer(pool.db, { address: to, baseUnits: 5_000_000n }, new Date());
    await matchTransfers(pool.db, { publicUrl: url, log: createLog("test", "fatal") }, "ethereum", new Date());

    await page.goto(`${url}/dashboard/installation`);
    const row = page.getByRole("row").filter({ hasText: "Ethereum" });
    await expect(row).toContainText("Open");
    await row.getByRole("button", { name: "Close network" }).click();
    const link = dialogOf(page).getByRole("link", { name: named });
    await expect(link).toHaveAttribute("href", `/dashboard/orders/${order.trade_id}`);
    await expectAccessible(page);
    await keepLooks(page, "close-network");
    const confirm = dialogOf(page).getByRole("button", { name: "Close network" });
    await dialogOf(page).getByLabel("Your password").fill(PASSWORD);
    await confirm.click();
    await expect(dialogOf(page)).toContainText("Enter a reason");
    await dialogOf(page).getByLabel("Reason").fill("No node answers");
    await dialogOf(page).getByLabel("Your password").fill("not the password");
    await confirm.click();
    await expect(dialogOf(page)).toContainText("The password is wrong");
    await dialogOf(page).getByLabel("Your password").fill(PASSWORD);
    await confirm.click();
    await expect(dialogOf(page)).toHaveCount(0);
    await expect(row).toContainText("Closed");
    await expect(row).toContainText(OPERATOR);
    await expect(row).toContainText("No node answers");
    await expect(row.getByRole("link", { name: named })).toBeVisible();
    await expectAccessible(page);
    await keepLooks(page, "installation-closed");

    const refused = await fetch(`${url}/api/v1/pay/order/add`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": shop.api_key },
      body: JSON.stringify({ ...terms, mch_order_id: "while-it-is-closed" }),
    });
    expect(refused.status).toBe(503);
    const message = expect.stringMatching(
      /^Ethereum .*is currently not accepting new orders: an operator closed it on /,
    );
    expect(await refused.json()).toMatchObject({ code: 10006, message });
    const health = async () => (await fetch(`${url}/api/health`)).json();
    expect(await health()).toMatchObject({ status: "ok", networks: { ethereum: { closed_at: expect.any(Number) } } });
    await page.goto(`${url}/dashboard`);
    await expect(page.getByText("Closed by the operator. It takes no new orders.")).toBeVisible();
    await page.goto(`${url}/dashboard/settings/audit`);
    await expect(page.getByText("Closed a network").first()).toBeVisible();

    await page.goto(`${url}/dashboard/installation`);
    await row.getByRole("button", { name: "Reopen network" }).click();
    await dialogOf(page).getByLabel("Your password").fill(PASSWORD);
    await dialogOf(page).getByRole("button", { name: "Reopen network" }).click();
    await expect(dialogOf(page)).toHaveCount(0);
    await expect(row).toContainText("Open");
    expect((await createOrder(shop, terms)).trade_id).not.toBe(order.trade_id);
  } finally {
    await all.stop();
    await pool.close();
    await admin.unsafe(`drop database if exists ${name} with (force)`);
    await admin.end();
  }
});
