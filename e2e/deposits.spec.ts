import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { Webhook } from "standardwebhooks";
import * as z from "zod";
import { expectAccessible } from "@/e2e/world/axe";
import { keepLooks } from "@/e2e/world/look";
import { Receiver } from "@/e2e/world/merchant";
import { makeApiKey, openAddForm, register } from "@/e2e/world/office";
import { readQr } from "@/e2e/world/qr";
import { expect, test } from "@/e2e/world/scenario";
import { dialogOf } from "@/e2e/world/second-factor";
import { displayAddress } from "@/lib/domain/addresses/address";
import { getNetwork } from "@/lib/domain/networks";
import type { Announcement } from "@/sandbox/announcement";
import { openWalletOn } from "@/sandbox/wallets/open-wallet";

const Assigned = z.object({
  code: z.literal(0),
  data: z.object({ deposit_address_id: z.string(), address: z.string(), deposit_url: z.string() }),
});
const Listed = z.object({
  code: z.literal(0),
  data: z.object({ deposits: z.array(z.looseObject({ deposit_id: z.string(), network: z.string() })) }),
});
type Shop = Pick<Announcement, "base_url" | "api_key">;

/** New addresses for every run, because an address belongs to one shop of an installation. */
const ADDRESSES = {
  ethereum: displayAddress("evm", `0x${randomBytes(20).toString("hex")}`),
  tron: displayAddress("tron", `41${randomBytes(20).toString("hex")}`),
};
type Position = keyof typeof ADDRESSES;

async function ask(shop: Shop, path: string, body: object): Promise<unknown> {
  const answer = await fetch(`${shop.base_url}/api/v1/pay/sdk/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": shop.api_key },
    body: JSON.stringify(body),
  });
  return answer.json();
}

async function addAddress(page: Page, settings: string, network: Position, password: string): Promise<void> {
  await page.goto(`${settings}/addresses`);
  await openAddForm(page, "list");
  const dialog = dialogOf(page);
  await dialog.getByLabel("Network").selectOption(network);
  await dialog.getByLabel("Addresses, one per line").fill(ADDRESSES[network]);
  await dialog.getByLabel("Your password").fill(password);
  await dialog.getByRole("button", { name: "Add addresses" }).click();
  await expect(dialog).toHaveCount(0);
}

/** Subscribes the new key to deposit events. */
async function optIn(page: Page, settings: string, password: string): Promise<void> {
  await page.goto(`${settings}/api-keys`);
  await page.getByRole("button", { name: /actions/i }).click();
  await page.getByRole("menuitem", { name: "Events" }).click();
  await dialogOf(page).getByLabel("deposit.confirmed").check();
  await dialogOf(page).getByLabel("Your password").fill(password);
  await dialogOf(page).getByRole("button", { name: "Save" }).click();
  await expect(dialogOf(page)).toHaveCount(0);
}

/** Sends a deposit: on Ethereum from a customer's wallet, on TRON with the button on the page. */
async function send(page: Page, sandbox: Announcement, network: Position): Promise<void> {
  if (network === "tron") {
    await page.getByTestId("sandbox-pay").click();
    return;
  }
  const { rpc_url = "", tokens = {} } = sandbox.networks[network] ?? {};
  const { contract = "", decimals = 0 } = tokens["USDT"] ?? {};
  const wallet = await openWalletOn(getNetwork(network), rpc_url);
  await wallet.transfer({ contract, to: ADDRESSES[network], baseUnits: 12_500n * 10n ** BigInt(decimals - 3) });
}

test("a customer's deposits on two networks: address → page → transfer → event → deposit/list → back office and its file", async ({
  page,
  browser,
  sandbox,
}) => {
  const receiver = await Receiver.open();
  const person = await register(page, sandbox, `deposits-${randomBytes(4).toString("hex")}`);
  const settings = `${sandbox.base_url}/dashboard/settings`;
  await page.goto(`${sandbox.base_url}/dashboard/deposits`);
  await expect(page.getByText("No deposit addresses yet")).toBeVisible();
  for (const network of ["ethereum", "tron"] as const) await addAddress(page, settings, network, person.password);
  const key = await makeApiKey(page, settings, person.password);
  await optIn(page, settings, person.password);
  const shop = { base_url: sandbox.base_url, api_key: key.api_key };

  for (const [index, network] of (["ethereum", "tron"] as const).entries()) {
    const asked = { customer_ref: "customer-42", network, notify_url: receiver.url };
    const { data: given } = Assigned.parse(await ask(shop, "deposit-address", asked));
    expect(given.address).toBe(ADDRESSES[network]);
    let loads = 0;
    page.on("load", () => loads++);
    await page.goto(given.deposit_url);
    await expect(page.locator("#address")).toHaveText(given.address);
    expect(await readQr(page.locator(".qr-code"))).toBe(given.address);
    await expect(page.getByText("Nothing has arrived yet")).toBeVisible();
    await expectAccessible(page);
    await keepLooks(page, `deposit-${network}`);
    await send(page, sandbox, network);
    const arrived = page.getByTestId("arrived").getByRole("listitem");
    await expect(arrived).toHaveAttribute("data-state", "confirmed");
    await expect(arrived).toContainText(network === "tron" ? "25.00 USDT" : "12.50 USDT");
    expect(loads).toBe(1);
    await expectAccessible(page);
    await keepLooks(page, `deposit-${network}-confirmed`);

    await expect.poll(() => receiver.callbacks.length).toBe(index + 1);
    const { body = "", headers = {} } = receiver.callbacks[index] ?? {};
    const event = new Webhook(key.api_secret).verify(body, headers);
    expect(event).toMatchObject({
      type: "deposit.confirmed",
      data: { customer_ref: "customer-42", network, address: given.address, amount: network === "tron" ? 25 : 12.5 },
    });
    const { data } = Listed.parse(await ask(shop, "deposit/list", { customer_ref: "customer-42", network }));
    expect(data.deposits).toEqual([(event as { data: unknown }).data]);

    const still = await browser.newContext({ javaScriptEnabled: false });
    const plain = await still.newPage();
    await plain.goto(given.deposit_url);
    await expect(plain.locator("#address")).toHaveText(given.address);
    await expect(plain.getByTestId("arrived").getByRole("listitem")).toHaveAttribute("data-state", "confirmed");
    await still.close();
  }

  await page.goto(`${sandbox.base_url}/dashboard/deposits`);
  const rows = page.getByRole("row").filter({ hasText: "customer-42" });
  await expect(rows).toHaveCount(2);
  await expect(rows.filter({ hasText: "Ethereum" })).toContainText("12.50 USDT");
  await expect(rows.filter({ hasText: "TRON" })).toContainText("25.00 USDT");
  await expectAccessible(page);
  await keepLooks(page, "deposits-list");
  const download = page.waitForEvent("download");
  await page.getByText("Download").click();
  await page.getByRole("link", { name: /^CSV/ }).first().click();
  const file = await readFile(await (await download).path(), "utf8");
  const lines = file.trim().split(/\r?\n/);
  expect(lines).toHaveLength(3);
  expect(lines.find((line) => line.includes("ethereum"))).toContain(
    `"customer-42","ethereum","${ADDRESSES.ethereum}","12.5","0","1"`,
  );
  expect(lines.find((line) => line.includes("tron"))).toContain(
    `"customer-42","tron","${ADDRESSES.tron}","25","0","1"`,
  );

  await page.getByRole("searchbox").fill("unknown");
  await page.keyboard.press("Enter");
  await expect(page.getByText("No deposit addresses match this filter")).toBeVisible();
  await page.getByRole("link", { name: "Show all deposits" }).click();
  await rows.filter({ hasText: "TRON" }).getByRole("link", { name: "customer-42" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("customer-42");
  await expect(page.getByRole("row").filter({ hasText: "25.00" })).toHaveCount(1);
  await expectAccessible(page);
  await keepLooks(page, "deposits-detail");
  await page.goto(`${sandbox.base_url}/dashboard/transfers`);
  await page.getByRole("link", { name: "customer-42" }).first().click();
  await expect(page).toHaveURL(/\/dashboard\/deposits\/\w+$/);
  await receiver.close();
});
