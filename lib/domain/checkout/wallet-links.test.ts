import { expect, test } from "vitest";
import { canonicalAddress } from "@/lib/domain/addresses/address";
import type { PaymentRequest } from "@/lib/domain/checkout/payment-uri";
import { linkUrl, walletLinks } from "@/lib/domain/checkout/wallet-links";
import { getNetwork, getToken } from "@/lib/domain/networks";

const PAGE_URL = "https://pay.example.com/pay/01abc?x=1";
const requestOn = (id: string, address: string): PaymentRequest => {
  const network = getNetwork(id);
  const token = getToken(network, "USDT");
  return {
    network,
    token,
    address: canonicalAddress(network.family, address),
    units: 10_500_000n,
    label: "Tom & Jerry",
  };
};
const urlsOn = (id: string, address: string, page?: string) =>
  Object.fromEntries(walletLinks(requestOn(id, address)).map((link) => [link.name ?? "any", linkUrl(link, page)]));

test("on EVM networks the token, chain, recipient and base units are in the links", () => {
  const to = "0x52908400098527886E0F7030069857D2E4169EE7";
  const token = getToken(getNetwork("polygon"), "USDT").contract;
  expect(urlsOn("polygon", to)).toEqual({
    any: `ethereum:${token}@137/transfer?address=${to}&uint256=10500000`,
    MetaMask: `https://link.metamask.io/send/${token}@137/transfer?address=${to}&uint256=10500000`,
    "Trust Wallet": `https://link.trustwallet.com/send?asset=c966_t${token}&address=${to}&amount=10.5`,
  });
});

test("on TRON, TronLink opens the page in its browser, because TRON has no payment request", () => {
  const links = urlsOn("tron", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", PAGE_URL);
  expect(Object.keys(links)).toEqual(["TronLink", "Trust Wallet"]);
  const param = new URL(links["TronLink"] ?? "").searchParams.get("param");
  expect(JSON.parse(param ?? "")).toMatchObject({ action: "open", protocol: "TronLink", url: PAGE_URL });
  expect(links["Trust Wallet"]).toMatch(/asset=c195_tTR7N.*&amount=10\.5$/);
});

test("on Solana the payment request is first, and Phantom opens the page", () => {
  const links = urlsOn("solana", "7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV", PAGE_URL);
  expect(links["any"]).toMatch(/^solana:7EcDh.*amount=10\.5&spl-token=.*&label=Tom%20%26%20Jerry$/);
  const encoded = encodeURIComponent(PAGE_URL);
  expect(links["Phantom"]).toBe(`https://phantom.app/ul/browse/${encoded}?ref=${encoded}`);
});

test("without the page's URL, links that open the page are left out", () => {
  expect(urlsOn("tron", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t")["TronLink"]).toBeNull();
});
