import { PublicKey, TransactionMessage, VersionedTransaction } from "@solana/web3.js";
import { encodeFunctionData, erc20Abi, type Hex } from "viem";
import { expectAccessible } from "@/e2e/world/axe";
import { announceWallets } from "@/e2e/world/fake-wallets";
import { keepLooks } from "@/e2e/world/look";
import { type CreatedOrder, createOrder, findOrder } from "@/e2e/world/merchant";
import { pay } from "@/e2e/world/payer";
import { expect, test } from "@/e2e/world/scenario";
import type { Announcement } from "@/sandbox/announcement";
import { PAYER } from "@/sandbox/solana/accounts/mints";
import {
  associatedTokenAccount,
  createTokenAccount,
  transferChecked,
} from "@/sandbox/solana/transactions/instructions";

const USDT = { currency: "USDT", amount: 12.5 } as const;
const tokenOf = (sandbox: Announcement, { network, currency }: CreatedOrder) => {
  const token = sandbox.networks[network]?.tokens[currency];
  if (!token) throw new Error(`no ${currency} on ${network}`);
  return token;
};
const unitsOf = (order: CreatedOrder, decimals: number) =>
  BigInt(Math.round(order.actual_amount * 1e6)) * 10n ** BigInt(decimals - 6);

test("an EVM wallet, by keyboard: no signature on a wrong chain or without consent, then exactly the requested payment", async ({
  page,
  sandbox,
}) => {
  const order = await createOrder(sandbox, { network: "bsc", ...USDT });
  const wallets = await announceWallets(page, sandbox, "bsc", "evm");
  await page.goto(order.payment_url);
  const text = page.locator("#wallets p");
  await page.getByRole("button", { name: "Pay with a wallet" }).focus();
  await page.keyboard.press("Enter");
  const wallet = page.getByRole("button", { name: "Fake EVM wallet" });
  await expect(wallet).toBeFocused();
  await expect(page.getByRole("button", { name: "<img src=x" })).toHaveText(/^<img src=x onerror=alert\(1\)>very long/);
  await expect(page.locator("#wallets img")).toHaveCount(1);
  await expect(page.locator("#wallet-pay")).toHaveCount(0);
  await expectAccessible(page);
  await keepLooks(page, "wallets");

  wallets.isStubborn = true;
  await page.keyboard.press("Enter");
  await expect(text).toHaveText(/^Your wallet uses another network\. .*Nothing was sent\.$/);
  wallets.isStubborn = false;
  wallets.isDeclining = true;
  await wallet.click();
  await expect(text).toHaveText("You declined in your wallet. Nothing was sent.");
  expect(wallets.signatures()).toHaveLength(1);
  wallets.isDeclining = false;
  await wallet.click();
  await expect(page.locator("#live")).toContainText(/Your wallet sent the payment|Payment/);
  const { contract, decimals } = tokenOf(sandbox, order);
  const args = [order.address as Hex, unitsOf(order, decimals)] as const;
  expect(wallets.signatures().at(-1)?.params).toEqual([
    {
      from: expect.stringMatching(/^0x[0-9a-f]{40}$/),
      to: contract,
      value: "0x0",
      chainId: "0x38",
      data: encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args }),
    },
  ]);
  await expect(page.getByTestId("checkout")).toHaveAttribute("data-state", "paid");
});

test("an order that was paid meanwhile is not signed for; and where no wallet can pay there is no button", async ({
  page,
  sandbox,
}) => {
  const order = await createOrder(sandbox, { network: "ethereum", ...USDT });
  const wallets = await announceWallets(page, sandbox, "ethereum", "evm", "solana");
  let agree = () => {};
  wallets.connecting = new Promise((resolve) => {
    agree = resolve;
  });
  await page.goto(order.payment_url);
  await page.getByRole("button", { name: "Pay with a wallet" }).click();
  await page.getByRole("button", { name: "Fake EVM wallet" }).click();
  await expect.poll(() => wallets.asked.map(({ method }) => method)).toContain("eth_requestAccounts");
  await pay(order.trade_id);
  await expect(page.getByTestId("checkout")).toHaveAttribute("data-state", "paid");
  agree();
  await expect(page.locator("#live")).toContainText(/details have changed\. .*Nothing was sent\.$/);
  expect(wallets.signatures()).toEqual([]);

  const other = await createOrder(sandbox, { network: "tron", ...USDT });
  await page.goto(other.payment_url);
  await expect(page.locator("#copy-address")).toBeVisible();
  await expect(page.locator("#wallet-pay")).toBeHidden();
});

test("a TRON wallet builds, signs and sends exactly the requested payment", async ({ page, sandbox }) => {
  const order = await createOrder(sandbox, { network: "tron", ...USDT });
  const wallets = await announceWallets(page, sandbox, "tron", "tron");
  await page.goto(order.payment_url);
  await page.getByRole("button", { name: "Pay with a wallet" }).click();
  await page.getByRole("button", { name: "Fake TRON wallet" }).click();
  await expect(page.getByTestId("checkout")).toHaveAttribute("data-state", "paid");
  const { contract, decimals } = tokenOf(sandbox, order);
  const [built] = wallets.asked.filter(({ method }) => method === "triggerSmartContract");
  const parameters = [
    { type: "address", value: order.address },
    { type: "uint256", value: unitsOf(order, decimals).toString() },
  ];
  expect(built?.params.slice(0, 2)).toEqual([contract, "transfer(address,uint256)"]);
  expect(built?.params[3]).toEqual(parameters);
  expect(wallets.signatures()).toHaveLength(1);
});

test("a Solana wallet gets a transaction of exactly the requested payment", async ({ page, sandbox }) => {
  const order = await createOrder(sandbox, { network: "solana", ...USDT });
  const wallets = await announceWallets(page, sandbox, "solana", "solana");
  await page.goto(order.payment_url);
  await page.getByRole("button", { name: "Pay with a wallet" }).click();
  await page.getByRole("button", { name: "Fake Solana wallet" }).click();
  await expect(page.getByTestId("checkout")).toHaveAttribute("data-state", "paid");
  const [signature, ...more] = wallets.signatures();
  expect(more).toEqual([]);
  const [{ chain, transaction }] = (signature?.params ?? [{}]) as [{ chain: string; transaction: number[] }];
  expect(chain).toBe("solana:localnet");
  const { message } = VersionedTransaction.deserialize(Uint8Array.from(transaction));
  const { payerKey, instructions } = TransactionMessage.decompile(message);
  const { contract, decimals } = tokenOf(sandbox, order);
  const mint = new PublicKey(contract);
  const owner = new PublicKey(order.address);
  const payer = PAYER.publicKey;
  const [from, to] = [payer, owner].map((owner) => associatedTokenAccount({ mint, owner })) as [PublicKey, PublicKey];
  const move = { mint, from, to, owner: payer, baseUnits: unitsOf(order, decimals), decimals };
  const parts = (all: typeof instructions) =>
    all.map(({ programId, keys, data }) =>
      [programId, ...keys.map(({ pubkey }) => pubkey), data.toString("hex")].map(String),
    );
  expect(payerKey).toEqual(payer);
  expect(parts(instructions)).toEqual(parts([createTokenAccount({ mint, owner, payer }), transferChecked(move)]));
  expect((await findOrder(sandbox, order.trade_id)).status).toBe("paid");
});
