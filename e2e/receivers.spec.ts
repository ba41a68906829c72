import { randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import { createPublicClient, createWalletClient, erc20Abi, type Hex, http } from "viem";
import { expectAccessible } from "@/e2e/world/axe";
import { announceWallets } from "@/e2e/world/fake-wallets";
import { keepLooks } from "@/e2e/world/look";
import { createOrder, findOrder } from "@/e2e/world/merchant";
import { makeApiKey, openAddForm, register } from "@/e2e/world/office";
import { pay } from "@/e2e/world/payer";
import { expect, test } from "@/e2e/world/scenario";
import { dialogOf } from "@/e2e/world/second-factor";
import { receiverAddress } from "@/lib/domain/addresses/receiver";
import { getNetwork } from "@/lib/domain/networks";
import type { Announcement } from "@/sandbox/announcement";
import { TEST_TOKEN_ABI } from "@/sandbox/token/install";
import { payerAccount } from "@/sandbox/wallets/payers";

const TREASURY = `0x${randomBytes(20).toString("hex")}` as const;
const NAME = "Fake EVM wallet";

test("receivers are tried on a network with the wallet of this browser, and then give orders addresses of their own", async ({
  page,
  sandbox,
}) => {
  test.slow();
  const wallets = await announceWallets(page, sandbox, "ethereum", "evm");
  const person = await register(page, sandbox, `receivers-${randomBytes(4).toString("hex")}`);
  const settings = `${sandbox.base_url}/dashboard/settings`;
  await page.goto(`${settings}/addresses`);
  await addTreasury(page, person.password);
  await expect(page.getByText("Not enabled on any network yet")).toBeVisible();
  await expectAccessible(page);
  await keepLooks(page, "receivers-treasury");

  await page.getByRole("link", { name: "Try networks" }).click();
  const trial = page.locator("[data-trial=ethereum]");
  await expect(trial).toHaveAttribute("data-state", "never");
  await keepLooks(page, "receivers-never");
  await page.getByRole("button", { name: "Start trial on Ethereum" }).click();
  await expect(trial).toHaveAttribute("data-state", "missing");
  await expectAccessible(page);
  await keepLooks(page, "receivers-missing");
  wallets.isDeclining = true;
  await trial.getByRole("button", { name: `Send with ${NAME}` }).click();
  await expect(trial.getByText("You declined in your wallet")).toBeVisible();
  wallets.isDeclining = false;
  await trial.getByRole("button", { name: `Send with ${NAME}` }).click();
  await expect(trial).toHaveAttribute("data-state", "waiting");

  const chain = chainOf(sandbox);
  await chain.send(receiverAddress(TREASURY, 0), 1_000_000n);
  await expect(trial).toHaveAttribute("data-state", "arrived");
  await expect(trial.getByText("1 USDT received")).toBeVisible();
  await keepLooks(page, "receivers-arrived");
  await trial.getByRole("button", { name: `Send with ${NAME}` }).click();
  await expect(trial).toHaveAttribute("data-state", "tried");
  expect(await chain.balanceOf(TREASURY)).toBe(1_000_000n);
  await expectAccessible(page);
  await keepLooks(page, "receivers-tried");

  await page.goto(`${settings}/addresses`);
  await expect(page.getByText("Enabled on Ethereum")).toBeVisible();
  await expect(async () => {
    await page.reload();
    await expect(page.getByText("20 of 500 derived · 0 used")).toBeVisible({ timeout: 2_000 });
  }, "the worker derives addresses").toPass();
  const shop = { base_url: sandbox.base_url, ...(await makeApiKey(page, settings, person.password)) };
  const order = await createOrder(shop, { network: "ethereum", currency: "USDT", amount: 49.9 });
  expect(order.address.toLowerCase()).toBe(receiverAddress(TREASURY, 1));
  expect(order.actual_amount).toBe(49.9);
  // The payer of the next order pays on a different network, on which no payment was requested.
  const strayed = await createOrder(shop, { network: "ethereum", currency: "USDT", amount: 20 });
  expect(strayed.address.toLowerCase()).toBe(receiverAddress(TREASURY, 2));
  const other = chainOf(sandbox, "bsc");
  await other.send(strayed.address, 20n * 10n ** 18n);
  await pay(order.trade_id);
  await page.goto(order.payment_url);
  await expect(page.getByTestId("checkout")).toHaveAttribute("data-state", "paid");
  expect(await findOrder(shop, order.trade_id)).toMatchObject({ status: "paid" });

  await page.goto(`${settings}/addresses`);
  await page.getByRole("link", { name: "Sweep" }).click();
  await expect(page.getByText("Nothing to sweep")).toBeVisible();
  const elsewhere = page.locator("[data-sweep^='bsc ']");
  // A network without pending payments is polled rarely; blocks are read a second time after a minute.
  await expect(async () => {
    await page.getByRole("button", { name: "Read balances" }).click();
    await expect(elsewhere.getByText("20.00 USDT").first()).toBeVisible({ timeout: 10_000 });
  }).toPass({ timeout: 150_000 });
  await expect(page.getByText("Transaction 1 of 1: 1 receiver")).toBeVisible();
  await expect(elsewhere.getByText("The factory was not found on BNB Smart Chain")).toBeVisible();
  await expect(page.getByText(/Up to about 125,000 gas in total: 0\.\d+ ETH at/)).toBeVisible();
  await expectAccessible(page);
  await keepLooks(page, "receivers-sweep");
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "File for Safe" }).click();
  expect((await download).suggestedFilename()).toBe("sweep-ethereum.json");
  await page.getByRole("button", { name: `Send with ${NAME}` }).click();
  await expect.poll(() => chain.balanceOf(TREASURY)).toBe(50_900_000n);
  expect(await chain.balanceOf(receiverAddress(TREASURY, 1) as Hex)).toBe(0n);

  const there = await page.context().newPage();
  await announceWallets(there, sandbox, "bsc", "evm");
  await there.goto(`${settings}/addresses/sweeping`);
  await there.locator("[data-sweep^='bsc ']").getByRole("link", { name: "Try networks" }).click();
  await there.getByRole("button", { name: "Start trial on BNB Smart Chain" }).click();
  const seen = there.locator("[data-trial=bsc]");
  await expect(seen).toHaveAttribute("data-state", /missing|waiting/);
  if ((await seen.getAttribute("data-state")) === "missing")
    await seen.getByRole("button", { name: `Send with ${NAME}` }).click();
  await expect(seen).toHaveAttribute("data-state", "waiting");
  await there.goto(`${settings}/addresses/sweeping?min=20.01`);
  const card = there.locator("[data-sweep^='bsc ']");
  await expect(card.getByText("No balance is above the minimum")).toBeVisible();
  await there.getByLabel("Minimum balance").fill("20");
  await there.getByRole("button", { name: "Apply" }).click();
  await expect(card.getByText("Transaction 1 of 1: 1 receiver")).toBeVisible();
  await keepLooks(there, "receivers-sweep-elsewhere");
  await card.getByRole("button", { name: `Send with ${NAME}` }).click();
  await expect.poll(() => other.balanceOf(TREASURY)).toBe(20n * 10n ** 18n);
  expect(await other.balanceOf(receiverAddress(TREASURY, 2) as Hex)).toBe(0n);
  // The misdirected payment is not credited: the order still requests its amount on its own network.
  expect(await findOrder(shop, strayed.trade_id)).toMatchObject({ status: "pending" });
});

async function addTreasury(page: Page, password: string): Promise<void> {
  await openAddForm(page, "receiver");
  const dialog = dialogOf(page);
  await expect(dialog.getByText("These contracts have not been audited")).toBeVisible();
  await dialog.getByRole("textbox", { name: "Treasury" }).fill(`0x${"ab".repeat(32)}`);
  await expect(dialog.getByText("that can spend your funds")).toBeVisible();
  await dialog.getByRole("textbox", { name: "Treasury" }).fill(TREASURY);
  await dialog.getByLabel("Enter the address again").fill(TREASURY);
  await dialog.getByLabel("I understand that these contracts are not audited").check();
  await dialog.getByLabel("Your password").fill(password);
  await keepLooks(page, "receivers-form");
  await dialog.getByRole("button", { name: "Add treasury" }).click();
}

/** Returns a local chain with an account that holds tokens. */
function chainOf(sandbox: Announcement, network = "ethereum") {
  const transport = http(sandbox.networks[network]?.rpc_url);
  const token = getNetwork(network).tokens[0]?.contract as Hex;
  const wallet = createWalletClient({ account: payerAccount(4).address, transport });
  const reader = createPublicClient({ transport });
  return {
    send: (to: string, units: bigint) =>
      wallet.writeContract({
        abi: TEST_TOKEN_ABI,
        address: token,
        functionName: "mint",
        args: [to as Hex, units],
        chain: null,
      }),
    balanceOf: (owner: Hex) =>
      reader.readContract({ abi: erc20Abi, address: token, functionName: "balanceOf", args: [owner] }),
  };
}
