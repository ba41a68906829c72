import { pbkdf2Sync, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { HDKey } from "@scure/bip32";
import { TronWeb } from "tronweb";
import { privateKeyToAccount, privateKeyToAddress } from "viem/accounts";
import { expectAccessible } from "@/e2e/world/axe";
import { keepLooks } from "@/e2e/world/look";
import { createOrder, findOrder } from "@/e2e/world/merchant";
import { makeApiKey, openAddForm, register } from "@/e2e/world/office";
import { pay } from "@/e2e/world/payer";
import { expect, test } from "@/e2e/world/scenario";
import { dialogOf } from "@/e2e/world/second-factor";

/** The account of the well-known test mnemonic "abandon … about". */
const root = HDKey.fromMasterSeed(pbkdf2Sync(`${"abandon ".repeat(11)}about`, "mnemonic", 2_048, 64, "sha512"));
const account = root.derive("m/44'/60'/0'");
const FIRST = "0x9858EfFD232B4033E47d90003D41EC34EcaEda94";

test("a public key: a private one never leaves the page, the first addresses are compared, and each order gets one of its own", async ({
  page,
  sandbox,
}) => {
  const sent: string[] = [];
  page.on("request", (request) => sent.push(request.postData() ?? ""));
  await page.exposeFunction("signByAccount", (hex: string) => signBy(0, Buffer.from(hex.slice(2), "hex").toString()));
  await page.addInitScript(announceAccount, FIRST);
  const person = await register(page, sandbox, `keys-${randomBytes(4).toString("hex")}`);
  const settings = `${sandbox.base_url}/dashboard/settings`;
  await page.goto(`${settings}/addresses`);
  await openAddForm(page, "key");
  const dialog = dialogOf(page);
  await dialog.getByLabel("BNB Smart Chain").uncheck();

  const secret = account.privateExtendedKey;
  await dialog.getByRole("textbox", { name: "Extended public key" }).fill(secret);
  await expect(dialog.getByText("that can spend your funds")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Show first addresses" })).toBeDisabled();
  await keepLooks(page, "own-addresses-secret");

  await dialog
    .getByRole("textbox", { name: "Extended public key" })
    .fill(root.derive("m/44'/60'/0'/0").publicExtendedKey);
  await dialog.getByRole("button", { name: "Show first addresses" }).click();
  await expect(dialog.getByText("one level too deep")).toBeVisible();

  await dialog.getByRole("textbox", { name: "Extended public key" }).fill(account.publicExtendedKey);
  await dialog.getByRole("button", { name: "Show first addresses" }).click();
  await expect(dialog.getByRole("listitem")).toHaveText(walletShows());
  await expect(dialog.getByRole("listitem").first()).toHaveText(FIRST);
  await expectAccessible(page);
  await keepLooks(page, "own-addresses-compare");
  await dialog.getByText("Prove ownership with a signature").click();
  const text = (await dialog.getByText("is mine.").textContent()) ?? "";
  await dialog.getByLabel("My wallet shows these three addresses").check();
  await dialog.getByLabel("Your password").fill(person.password);
  await dialog.getByLabel("Signature (optional)").fill(await signBy(1, text));
  await dialog.getByRole("button", { name: "Add extended public key" }).click();
  await expect(dialog.getByText(`The text was signed by ${walletShows()[1]}. Select ${FIRST}`)).toBeVisible();
  await dialog.getByLabel("Signature (optional)").fill("");
  await dialog.getByRole("button", { name: "Sign with Account 0" }).click();
  await expect(dialog.getByText("Signed. The signature is verified when you add the key.")).toBeVisible();
  await expectAccessible(page);
  await keepLooks(page, "own-addresses-signed");
  await dialog.getByLabel("Your password").fill(person.password);
  await dialog.getByRole("button", { name: "Add extended public key" }).click();
  await expect(page.getByText("Verified by signature")).toBeVisible();
  await expect(page.getByText("20 of 500 derived · 0 used")).toBeVisible();
  await expectAccessible(page);
  await keepLooks(page, "own-addresses");
  expect(sent.some((body) => body.includes(secret))).toBe(false);

  const shop = { base_url: sandbox.base_url, ...(await makeApiKey(page, settings, person.password)) };
  const terms = { network: "ethereum", currency: "USDT", amount: 49.9 };
  const order = await createOrder(shop, terms);
  const next = await createOrder(shop, terms);
  expect([order.address, next.address]).toEqual(walletShows().slice(0, 2));
  expect([order.actual_amount, next.actual_amount]).toEqual([49.9, 49.9]);
  await page.goto(order.payment_url);
  await expect(page.getByTestId("checkout")).toContainText("49.9");
  await pay(order.trade_id);
  await expect(page.getByTestId("checkout")).toHaveAttribute("data-state", "paid");
  expect(await findOrder(shop, order.trade_id)).toMatchObject({ status: "paid" });

  await page.goto(`${settings}/addresses`);
  await expect(
    page.getByText("20 of 500 derived · 2 used").or(page.getByText("40 of 500 derived · 2 used")),
  ).toBeVisible();
  await page.getByRole("link", { name: "Sweep" }).click();
  await page.getByRole("button", { name: "Read balances" }).click();
  const sweep = page.locator("[data-sweep^='ethereum ']");
  await expect(sweep.getByText("49.90 USDT")).toBeVisible();
  await expect(sweep.getByText(/Up to about 65,000 gas in total: 0\.\d+ ETH at/)).toBeVisible();
  await sweep.getByLabel("Destination").fill(FIRST);
  await sweep.getByRole("button", { name: "Prepare transfers" }).click();
  await expect(sweep.getByText("This address serves orders")).toBeVisible();
  await keepLooks(page, "own-addresses-sweep-wrong");
  const vault = `0x${"99".repeat(20)}`;
  await sweep.getByLabel("Destination").fill(vault);
  await sweep.getByRole("button", { name: "Prepare transfers" }).click();
  const download = page.waitForEvent("download");
  await sweep.getByRole("link", { name: "Unsigned transfers (JSON)" }).click();
  const plan = JSON.parse(await readFile(await (await download).path(), "utf8"));
  expect(plan).toMatchObject({ network: "ethereum", chain_id: "1", to: vault });
  expect(plan.transfers).toEqual([
    expect.objectContaining({ from: FIRST, derivation_path: "m/44'/60'/0'/0/0", currency: "USDT", amount: "49.9" }),
  ]);
  await expectAccessible(page);
  await keepLooks(page, "own-addresses-sweep");

  await page.goto(`${settings}/addresses`);
  await page
    .getByRole("listitem")
    .filter({ hasText: "derived" })
    .getByRole("button", { name: /actions/i })
    .click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  await dialog.getByLabel("Your password").fill(person.password);
  await dialog.getByRole("button", { name: "Remove" }).click();
  await expect(page.getByRole("heading", { name: "How should customers pay?" })).toBeVisible();
});

test("a public key of TRON is proved by the browser's TRON wallet, and by no other account of it", async ({
  page,
  sandbox,
}) => {
  const tron = root.derive("m/44'/195'/0'");
  const keys = [1, 0].map((index) => Buffer.from(tron.derive(`m/0/${index}`).privateKey ?? []).toString("hex"));
  let chosen = 0;
  const wallet = () => new TronWeb({ fullHost: "http://127.0.0.1:1", privateKey: keys[chosen] ?? "" });
  await page.exposeFunction("tronAccount", () => String(wallet().defaultAddress.base58));
  await page.exposeFunction("signByTron", (text: string) => wallet().trx.signMessageV2(text));
  await page.addInitScript(announceTron);
  const person = await register(page, sandbox, `tron-keys-${randomBytes(4).toString("hex")}`);
  await page.goto(`${sandbox.base_url}/dashboard/settings/addresses`);
  await openAddForm(page, "key");
  const dialog = dialogOf(page);
  await dialog.getByRole("radio", { name: /TRON/ }).check();
  await dialog.getByRole("textbox", { name: "Extended public key" }).fill(tron.publicExtendedKey);
  await dialog.getByRole("button", { name: "Show first addresses" }).click();
  await expect(dialog.getByRole("listitem").first()).toHaveText("TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH");
  await dialog.getByText("Prove ownership with a signature").click();
  await dialog.getByRole("button", { name: "Sign with Account of TRON" }).click();
  await expect(dialog.getByText("TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH").last()).toBeVisible();
  await expect(dialog.getByLabel("Signature (optional)")).toHaveValue("");
  chosen = 1;
  await dialog.getByRole("button", { name: "Sign with Account of TRON" }).click();
  await expect(dialog.getByText("Signed. The signature is verified when you add the key.")).toBeVisible();
  await keepLooks(page, "own-addresses-tron");
  await dialog.getByLabel("My wallet shows these three addresses").check();
  await dialog.getByLabel("Your password").fill(person.password);
  await dialog.getByRole("button", { name: "Add extended public key" }).click();
  await expect(page.getByText("Verified by signature")).toBeVisible();
});

/** Announces a TRON wallet that creates real signatures with its selected account. Runs in the page. */
function announceTron(): void {
  const { tronAccount, signByTron } = window as unknown as {
    tronAccount(): Promise<string>;
    signByTron(text: string): Promise<string>;
  };
  const provider = { request: async () => [await tronAccount()], tronWeb: { trx: { signMessageV2: signByTron } } };
  const detail = Object.freeze({ info: { uuid: "1", name: "Account of TRON" }, provider });
  const notify = () => dispatchEvent(new CustomEvent("TIP6963:announceProvider", { detail }));
  addEventListener("TIP6963:requestProvider", notify);
  notify();
}

/** Returns the first addresses of the account, derived from its private key. */
function walletShows(): string[] {
  return [0, 1, 2].map((index) => {
    const { privateKey } = root.derive(`m/44'/60'/0'/0/${index}`);
    return privateKeyToAddress(`0x${Buffer.from(privateKey ?? []).toString("hex")}`);
  });
}

/** Returns a signature of a message by one of the account's addresses, as wallets create it (EIP-191). */
async function signBy(index: number, message: string): Promise<string> {
  const { privateKey } = root.derive(`m/44'/60'/0'/0/${index}`);
  return privateKeyToAccount(`0x${Buffer.from(privateKey ?? []).toString("hex")}`).signMessage({ message });
}

/** Announces a wallet that has the first address and creates real signatures. Runs in the page. */
function announceAccount(address: string): void {
  const { signByAccount } = window as unknown as { signByAccount(hex: string): Promise<string> };
  const provider = {
    request: async ({ method, params }: { method: string; params?: readonly string[] }) =>
      method === "personal_sign" ? signByAccount(params?.[0] ?? "") : [address.toLowerCase()],
  };
  const detail = Object.freeze({ info: { uuid: "0", name: "Account 0" }, provider });
  const notify = () => dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }));
  addEventListener("eip6963:requestProvider", notify);
  notify();
}
