import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { expectAccessible } from "@/e2e/world/axe";
import { keepLooks } from "@/e2e/world/look";
import { createOrder, findOrder } from "@/e2e/world/merchant";
import { openAddForm, register, typePassword, verifyEmail } from "@/e2e/world/office";
import { pay } from "@/e2e/world/payer";
import { expect, test } from "@/e2e/world/scenario";
import { dialogOf, setUpApp, takeCodes } from "@/e2e/world/second-factor";
import { totpCode } from "@/lib/users/totp";

const STEP_MS = 30_000;
test("from registration with an authenticator app to a test order that is paid", async ({ page, sandbox, context }) => {
  const person = await register(page, sandbox, `totp-${randomBytes(4).toString("hex")}`);
  const settings = `${sandbox.base_url}/dashboard/settings`;
  await page.goto(`${settings}/security`);
  const secret = await setUpApp(page, person.password, async () => {
    await expectAccessible(page);
    await keepLooks(page, "factors-qr");
  });
  const codes = await takeCodes(page);
  expect(codes).toHaveLength(10);
  await expect(page.getByText("Required since")).toBeVisible();
  await expectAccessible(page);
  await keepLooks(page, "factors-on");

  await context.clearCookies();
  await typePassword(page, sandbox, person);
  const code = page.getByLabel("Authentication code");
  await code.fill("000000");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("This code is wrong")).toBeVisible();
  await expectAccessible(page);
  await keepLooks(page, "second-step");
  // The current code may have been used already, to set up the app. The next code is accepted half a minute early.
  await code.fill(totpCode(secret, new Date(Date.now() + STEP_MS)));
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(/\/dashboard/);

  await page.goto(`${settings}/api-keys`);
  await page.getByRole("button", { name: "Create API key" }).click();
  await dialogOf(page).getByLabel("Name").fill("Till");
  await dialogOf(page).getByLabel("Your password").fill(person.password);
  await dialogOf(page).getByRole("button", { name: "Create", exact: true }).click();
  await expect(dialogOf(page).getByText("Enter a code from your authenticator app")).toBeVisible();
  await dialogOf(page)
    .getByLabel("Authentication code")
    .fill(codes[0] ?? "");
  await dialogOf(page).getByRole("button", { name: "Create", exact: true }).click();
  const apiKey =
    (await page
      .getByText(/^sg_test_[0-9A-Za-z]{49}$/)
      .first()
      .textContent()) ?? "";

  await page.goto(`${settings}/addresses`);
  await openAddForm(page, "shared");
  const address = `0x${randomBytes(20).toString("hex")}`;
  await dialogOf(page).getByLabel("Network").selectOption("bsc");
  await dialogOf(page).getByLabel("Address", { exact: true }).fill(address);
  await dialogOf(page).getByLabel("Enter the address again").fill(address);
  await dialogOf(page).getByLabel("Your password").fill(person.password);
  await dialogOf(page)
    .getByLabel("Authentication code")
    .fill(codes[1] ?? "");
  await dialogOf(page).getByRole("button", { name: "Add address" }).click();
  await expect(dialogOf(page)).toHaveCount(0);

  const own = { ...sandbox, api_key: apiKey };
  const order = await createOrder(own, { network: "bsc", currency: "USDT", amount: 4 });
  expect(order.address.toLowerCase()).toBe(address);
  await pay(order.trade_id);
  await expect.poll(async () => (await findOrder(own, order.trade_id)).status).toBe("paid");
  await page.goto(`${sandbox.base_url}/dashboard/orders/${order.trade_id}`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Paid");

  const prove = async (at: number) => {
    await dialogOf(page).getByLabel("Your password").fill(person.password);
    await dialogOf(page)
      .getByLabel("Authentication code")
      .fill(codes[at] ?? "");
  };
  await page.goto(`${sandbox.base_url}/dashboard/settings/notifications`);
  await page.getByRole("button", { name: "Add channel" }).first().click();
  await prove(2);
  await dialogOf(page).getByRole("button", { name: "Send code" }).click();
  await expect(dialogOf(page).getByRole("button", { name: "Verify" })).toBeVisible();
  await dialogOf(page).getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: `Remove ${person.email}` }).click();
  await expectAccessible(page);
  await prove(3);
  await dialogOf(page).getByRole("button", { name: "Remove" }).click();
  await expect(dialogOf(page)).toHaveCount(0);

  await page.goto(`${sandbox.base_url}/dashboard/settings/team`);
  await page.getByRole("button", { name: "Require second factors" }).click();
  await prove(4);
  await dialogOf(page).getByRole("button", { name: "Require second factors" }).click();
  await expect(page.getByText("All users of this shop need")).toBeVisible();
  const unpaid = await createOrder(own, { network: "bsc", currency: "USDT", amount: 5 });
  await page.goto(`${sandbox.base_url}/dashboard/orders/${unpaid.trade_id}`);
  await page.getByRole("button", { name: "Mark as paid" }).click();
  await dialogOf(page).getByLabel("Reason").fill("paid in cash");
  await dialogOf(page).getByRole("button", { name: "Mark as paid" }).click();
  await expect(dialogOf(page).getByText("Enter your password", { exact: true })).toBeVisible();
  await prove(5);
  await dialogOf(page).getByRole("button", { name: "Mark as paid" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Paid");
});

test("a passkey is added, signs in without a password, and confirms an action", async ({ page, sandbox, context }) => {
  const devtools = await context.newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const options = {
    protocol: "ctap2",
    transport: "internal",
    hasResidentKey: true,
    hasUserVerification: true,
  } as const;
  await devtools.send("WebAuthn.addVirtualAuthenticator", { options: { ...options, isUserVerified: true } });

  const person = await register(page, sandbox, `passkey-${randomBytes(4).toString("hex")}`);
  await page.goto(`${sandbox.base_url}/dashboard/settings/security`);
  await page.getByRole("button", { name: "Add passkey" }).click();
  await dialogOf(page).getByLabel("Name").fill("My phone");
  await dialogOf(page).getByLabel("Your password").fill(person.password);
  await dialogOf(page).getByRole("button", { name: "Continue" }).click();
  // Registration is open with any email address, which is not verified yet.
  await expect(
    dialogOf(page).getByText(/Your email address cannot be verified|Verify your email address/),
  ).toBeVisible();
  await verifyEmail(sandbox, person.email);
  await dialogOf(page).getByLabel("Your password").fill(person.password);
  await dialogOf(page).getByRole("button", { name: "Continue" }).click();
  expect(await takeCodes(page)).toHaveLength(10);
  await expect(page.getByRole("cell", { name: "My phone", exact: true })).toBeVisible();
  await keepLooks(page, "factors-passkey");

  await context.clearCookies();
  await typePassword(page, sandbox, person);
  await expect(page.getByRole("heading", { name: "Second factor" })).toBeVisible();
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page).toHaveURL(/\/dashboard/);

  await page.goto(`${sandbox.base_url}/dashboard/settings/team`);
  await page.getByRole("button", { name: "Require second factors" }).click();
  const action = page.waitForRequest(
    (request) => request.method() === "POST" && /multipart/.test(request.headers()["content-type"] ?? ""),
  );
  await dialogOf(page).getByRole("button", { name: "Use a passkey instead" }).click();
  await expect(page.getByText("All users of this shop need")).toBeVisible();
  await keepLooks(page, "factors-team");

  const sent = await action;
  const headers = await sent.allHeaders();
  const kept = Object.entries(headers).filter(([name]) => !name.startsWith(":") && name !== "content-length");
  const send = async (origin: string) => {
    const again = {
      method: "POST",
      headers: { ...Object.fromEntries(kept), origin },
      data: sent.postDataBuffer() ?? "",
    };
    return (await context.request.fetch(sent.url(), again)).status();
  };
  expect(await send(new URL(sandbox.base_url).origin)).toBe(200);
  expect(await send("https://evil.example")).toBe(500);
});

test("if the shop requires a second factor, a user without one sets it up and then continues", async ({
  page,
  sandbox,
}) => {
  const person = await register(page, sandbox, `led-${randomBytes(4).toString("hex")}`);
  const sql = postgres(sandbox.database_url, { max: 1 });
  await sql`
    update merchants set asks_second_factor = true where id = (
      select m.merchant_id from memberships m join users u on u.id = m.user_id where u.email = ${person.email})`;
  await sql.end();
  await page.goto(`${sandbox.base_url}/dashboard/orders`);
  await expect(page).toHaveURL(/\/second-factor/);
  await expectAccessible(page);
  await keepLooks(page, "second-factor");
  await setUpApp(page, person.password);
  await takeCodes(page);
  await expect(page).toHaveURL(/\/dashboard/);
});
