import { openDb } from "@/db/client";
import { expectAccessible } from "@/e2e/world/axe";
import { keepLooks } from "@/e2e/world/look";
import { createOrder } from "@/e2e/world/merchant";
import { signIn } from "@/e2e/world/office";
import { expect, test } from "@/e2e/world/scenario";

const ADDRESS = "0x00000000000000000000000000000000000bad01";

test("an address that was changed in the database is listed first with a warning, and can only be removed", async ({
  page,
  sandbox,
}) => {
  const pool = openDb(sandbox.database_url, { work: "none", max: 1 });
  await pool.sql`insert into family_addresses (family, address, merchant_id) select 'evm', ${ADDRESS}, merchant_id from memberships limit 1`;
  await pool.sql`insert into receiving_addresses (id, merchant_id, network, family, address, kind, label, mac, created_at, paused_at)
    select '00000000000000000000000bad', merchant_id, 'bsc', 'evm', ${ADDRESS}, 'shared', 'Intruder', 'forged', now(), now()
    from memberships limit 1`;
  await pool.close();
  await signIn(page, sandbox);
  await expect(page.getByText("1 receiving address was changed directly in the database.")).toBeVisible();
  await page.getByRole("link", { name: "Check addresses" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "It is not used for orders" })).toBeVisible();
  await expect(page.getByText("Changed in the database").first()).toBeVisible();
  await expectAccessible(page);
  await keepLooks(page, "addresses-tampered");
  await page
    .getByRole("row")
    .filter({ hasText: "Intruder" })
    .first()
    .getByRole("button", { name: /actions/i })
    .click();
  await expect(page.getByRole("menuitem", { name: "Resume" })).toHaveCount(0);
  await page.getByRole("menuitem", { name: "Remove" }).click();
  await page.getByRole("dialog").getByLabel("Your password").fill(sandbox.merchant.password);
  await page.getByRole("dialog").getByRole("button", { name: "Remove address" }).click();
  await expect(page.getByText("It is not used for orders")).toHaveCount(0);
});

test("the page of an order whose address was changed in the database shows no address and a warning not to pay", async ({
  page,
  sandbox,
}) => {
  const order = await createOrder(sandbox, { network: "bsc", currency: "USDT", amount: 8.75 });
  const pool = openDb(sandbox.database_url, { work: "none", max: 1 });
  await pool.sql`update quotes set address = ${ADDRESS} where order_id = ${order.trade_id}`;
  await page.goto(order.payment_url);
  await expect(page.getByRole("heading", { name: "Do not pay this" })).toBeVisible();
  expect((await page.content()).toLowerCase()).not.toContain(ADDRESS.slice(2));
  await expectAccessible(page);
  await keepLooks(page, "pay-tampered");
  await signIn(page, sandbox);
  await page.goto(`${sandbox.base_url}/dashboard/orders/${order.trade_id}`);
  await expect(page.getByText("Changed directly in the database").first()).toBeVisible();
  await keepLooks(page, "order-tampered");
  // Other tests use this shop and expect that it has no entries that require action.
  await pool.sql`delete from audit_events where action = 'address.tampered' and detail ->> 'tradeId' = ${order.trade_id}`;
  await pool.close();
});
