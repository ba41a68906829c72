import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { Connection, Keypair, VersionedTransaction } from "@solana/web3.js";
import { TronWeb } from "tronweb";
import { encodeFunctionData } from "viem";
import { expectAccessible } from "@/e2e/world/axe";
import { announceWallets } from "@/e2e/world/fake-wallets";
import { keepLooks } from "@/e2e/world/look";
import { signIn } from "@/e2e/world/office";
import { approveRefund, enterClaim, payOrder, requestRefund } from "@/e2e/world/refunds";
import { expect, test } from "@/e2e/world/scenario";
import { dialogOf } from "@/e2e/world/second-factor";
import type { Announcement } from "@/sandbox/announcement";
import { jsonRpc } from "@/sandbox/nodes/json-rpc";
import { PAYER } from "@/sandbox/solana/accounts/mints";
import { TEST_TOKEN_ABI } from "@/sandbox/token/install";
import { toBase58Address } from "@/sandbox/tron/network";
import { payerAccount } from "@/sandbox/wallets/payers";

const EVM_ADDRESS = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const OTHER_EVM_ADDRESS = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";

const BLOCKED_ADDRESS = "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65";

const FAMILIES = [
  { family: "evm", network: "bsc", address: EVM_ADDRESS, wallet: "Fake EVM wallet" },
  { family: "tron", network: "tron", address: toBase58Address(EVM_ADDRESS), wallet: "Fake TRON wallet" },
  {
    family: "solana",
    network: "solana",
    address: Keypair.generate().publicKey.toBase58(),
    wallet: "Fake Solana wallet",
  },
] as const;

for (const { family, network, address, wallet } of FAMILIES)
  test(`a refund on ${network} is paid with a wallet of the browser, and completed`, async ({ page, sandbox }) => {
    test.slow();
    const wallets = await announceWallets(page, sandbox, network, family);
    await signIn(page, sandbox);
    await approveClaim(page, sandbox, { network, address });
    const button = page.getByRole("button", { name: `Pay with ${wallet}` });
    await expect(button).toBeVisible();
    await expect(page.getByRole("img", { name: `QR code for ${address}` })).toBeVisible();
    await expectAccessible(page);
    await keepLooks(page, `refund-wallet-${family}`);

    if (family === "evm") {
      wallets.isDeclining = true;
      await button.click();
      await expect(page.getByText("You declined in your wallet. Nothing was sent.")).toBeVisible();
      await expect(page.getByLabel("Pay again")).toHaveCount(0);
      wallets.isDeclining = false;
    }
    const before = wallets.signatures().length;
    await expect(button).toBeEnabled();
    await button.click();
    await expect(page.getByText("The refund is completed.")).toBeVisible();
    expect(wallets.signatures()).toHaveLength(before + 1);
    await expect(page.getByText("Completes the refund", { exact: true })).toBeVisible();

    // The wallet returned the id of the transaction that completes the refund.
    const details = page.getByRole("definition").filter({ has: page.getByTitle(/^(0x)?\w{60,90}$/) });
    const txId = (await details.getByTitle(/^(0x)?\w{60,90}$/).getAttribute("title")) ?? "";
    const audit = await page.context().newPage();
    await expect(async () => {
      await audit.goto(`${sandbox.base_url}/dashboard/settings/audit?action=refund.wallet_sent`);
      await expect(audit.getByText(txId.replace(/^0x/, ""))).toBeVisible({ timeout: 2_000 });
    }).toPass({ timeout: 60_000 });
  });

test("what a wallet sent is shown, and a second payment needs a confirmation", async ({ page, sandbox }) => {
  test.slow();
  const wallets = await announceWallets(page, sandbox, "bsc", "evm");
  await signIn(page, sandbox);
  const refundPage = await approveClaim(page, sandbox, { network: "bsc", address: OTHER_EVM_ADDRESS });
  // The wallet reports a transaction that never reaches the chain.
  wallets.isSilent = true;
  await page.getByRole("button", { name: "Pay with Fake EVM wallet" }).click();
  await expect(page.getByText(/^Sent with a wallet/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Pay with Fake EVM wallet" })).toBeDisabled();
  await expectAccessible(page);
  await keepLooks(page, "refund-sent-with-wallet");
  wallets.isSilent = false;
  await page.goto(refundPage);
  await page.getByLabel("Pay again").check();
  await page.getByRole("button", { name: "Pay with Fake EVM wallet" }).click();
  await expect(page.getByText("The refund is completed.")).toBeVisible();
});

test("approved refunds are written to a batch file, and are not in the next one", async ({ page, sandbox }) => {
  test.slow();
  await signIn(page, sandbox);
  const refundPage = await approveClaim(page, sandbox, { network: "ethereum", address: EVM_ADDRESS });
  await page.goto(`${sandbox.base_url}/dashboard/refunds`);
  await page.getByRole("link", { name: "Pay with a file" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Pay refunds with a file");
  await expectAccessible(page);
  await keepLooks(page, "refund-batch");
  const card = page.locator("section", { has: page.getByRole("heading", { name: /^Ethereum/ }) });
  const download = page.waitForEvent("download");
  await card.getByRole("button", { name: "Download Safe transaction file" }).click();
  const file = JSON.parse(await readFile(await (await download).path(), "utf8"));
  expect(file.transactions[0].data).toContain(EVM_ADDRESS.slice(2).toLowerCase());
  await expect(card.getByText(/^In a batch file, written/)).toBeVisible();
  await expect(card.getByRole("checkbox", { name: /^Select the refund/ })).not.toBeChecked();
  await card.getByRole("button", { name: "Download CSV" }).click();
  await expect(card.getByText("Select at least one approved refund")).toBeVisible();
  await expectAccessible(page);
  await keepLooks(page, "refund-batch-written");
  await card.getByRole("checkbox", { name: /^Select the refund/ }).check();
  await card.getByLabel(/^Include refunds that are in a batch file/).check();
  const again = page.waitForEvent("download");
  await card.getByRole("button", { name: "Download CSV" }).click();
  expect(await readFile(await (await again).path(), "utf8")).toContain(`"${EVM_ADDRESS}","USDT"`);
  await page.goto(refundPage);
  await expect(page.getByText(/^In a batch file, written/)).toBeVisible();
  await expectAccessible(page);
});

test("unsigned transactions from a file are signed elsewhere, and complete refunds on TRON and Solana", async ({
  page,
  sandbox,
}) => {
  test.slow();
  await signIn(page, sandbox);
  const payer = payerAccount(2);
  const refunds = [
    {
      network: "tron",
      title: /^TRON/,
      address: toBase58Address(OTHER_EVM_ADDRESS),
      from: toBase58Address(payer.address),
    },
    {
      network: "solana",
      title: /^Solana/,
      address: Keypair.generate().publicKey.toBase58(),
      from: PAYER.publicKey.toBase58(),
    },
  ];
  for (const { network, title, address, from } of refunds) {
    const refundPage = await approveClaim(page, sandbox, { network, address });
    await page.goto(`${sandbox.base_url}/dashboard/refunds/batch`);
    const card = page.locator("section", { has: page.getByRole("heading", { name: title }) });
    await card.getByLabel("Paying address").fill(address);
    await card.getByRole("button", { name: "Download unsigned transactions" }).click();
    await expect(card.getByText(/^This address is the recipient/)).toBeVisible();
    await expectAccessible(page);
    await keepLooks(page, `refund-batch-${network}`);
    await card.getByLabel("Paying address").fill(from);
    const download = page.waitForEvent("download");
    await card.getByRole("button", { name: "Download unsigned transactions" }).click();
    const file = JSON.parse(await readFile(await (await download).path(), "utf8"));
    expect(file.transfers).toEqual([expect.objectContaining({ to: address, from, currency: "USDT", amount: "5" })]);
    const [{ transaction }] = file.transfers;
    const url = sandbox.networks[network]?.rpc_url ?? "";
    await (network === "tron" ? sendTron(url, payer, transaction) : sendSolana(url, transaction));
    await page.goto(refundPage);
    await expect(page.getByText("The refund is completed.")).toBeVisible();
  }
});

/** Signs and sends an unsigned TRON transaction. */
async function sendTron(url: string, payer: ReturnType<typeof payerAccount>, transaction: object): Promise<void> {
  const privateKey = Buffer.from(payer.getHdKey().privateKey ?? []).toString("hex");
  const { trx } = new TronWeb({ fullHost: url.replace(/\/jsonrpc$/, ""), privateKey });
  expect(await trx.sendRawTransaction(await trx.sign(transaction as never))).toMatchObject({ result: true });
}

/** Signs and sends an unsigned Solana transaction in base64. */
async function sendSolana(url: string, transaction: string): Promise<void> {
  const signed = VersionedTransaction.deserialize(Buffer.from(transaction, "base64"));
  signed.sign([PAYER]);
  await new Connection(url, "confirmed").sendRawTransaction(signed.serialize());
}

test("an address that the token blocks is shown, and approved only with a confirmation", async ({ page, sandbox }) => {
  test.slow();
  await block(sandbox, BLOCKED_ADDRESS);
  await signIn(page, sandbox);
  await claimAs(page, sandbox, { network: "bsc", address: BLOCKED_ADDRESS });
  await expect(page.getByText(/The USDT token contract on BNB Smart Chain blocks this address/)).toBeVisible();
  await expectAccessible(page);
  await keepLooks(page, "refund-blocked");
  await page.getByRole("button", { name: "Approve refund" }).click();
  await dialogOf(page).getByLabel("Your password").fill(sandbox.merchant.password);
  await dialogOf(page).getByRole("button", { name: "Approve refund" }).click();
  await expect(dialogOf(page).getByText(/Confirm that you want to approve the refund anyway/)).toBeVisible();
  await expectAccessible(page);
  await keepLooks(page, "refund-blocked-approval");
  await dialogOf(page).getByLabel("Approve although the address is blocked").check();
  await dialogOf(page).getByRole("button", { name: "Approve refund" }).click();
  await expect(page.getByRole("heading", { name: "Pay the refund" })).toBeVisible();
});

/** Adds an address to the freeze list of USDT on the sandbox's BNB Smart Chain. */
async function block(sandbox: Announcement, address: `0x${string}`): Promise<void> {
  const { rpc_url: url = "", tokens } = sandbox.networks["bsc"] ?? {};
  const data = encodeFunctionData({ abi: TEST_TOKEN_ABI, functionName: "setBlackListed", args: [address, true] });
  const [from] = (await jsonRpc(url, "eth_accounts", [])) as string[];
  await jsonRpc(url, "eth_sendTransaction", [{ from, to: tokens?.["USDT"]?.contract, data, gas: "0x7a120" }]);
}

/** Requests a refund of 5 USDT, claims it as the customer, and approves it. @returns the URL of its page, which is open */
async function approveClaim(page: Page, sandbox: Announcement, claim: { network: string; address: string }) {
  const refundPage = await claimAs(page, sandbox, claim);
  await approveRefund(page, sandbox);
  return refundPage;
}

/** Requests a refund of 5 USDT, and claims it as the customer. @returns the URL of its page, which is open */
async function claimAs(page: Page, sandbox: Announcement, claim: { network: string; address: string }) {
  const order = await payOrder(sandbox, { network: "ethereum", currency: "USDT", amount: 12.34 });
  const link = await requestRefund(page, sandbox, order.trade_id);
  const refundPage = page.url();
  const customer = await page.context().newPage();
  await customer.goto(link);
  await enterClaim(customer, { ...claim, confirmation: claim.address.slice(-4) });
  await expect(customer.getByTestId("claim")).toHaveAttribute("data-state", "claimed");
  await customer.close();
  await expect(page.getByRole("button", { name: "Approve refund" })).toBeVisible();
  return refundPage;
}
