import { expect, test } from "vitest";
import { addressPayload, walletUri } from "@/lib/domain/checkout/payment-uri";
import { getNetwork, getToken } from "@/lib/domain/networks";

const address = "0x52908400098527886e0f7030069857d2e4169ee7";

test("the default payload is the bare address with its checksum", () => {
  expect(addressPayload({ network: getNetwork("bsc"), address })).toBe("0x52908400098527886E0F7030069857D2E4169EE7");
});

test("the wallet payload is ERC-681: token, chain, recipient, base units", () => {
  const uri = (id: string, units: bigint) => {
    const network = getNetwork(id);
    return walletUri({ network, token: getToken(network, "USDT"), address, units, label: "A & B" });
  };
  expect(uri("ethereum", 10_000_100n)).toBe(
    "ethereum:0xdAC17F958D2ee523a2206206994597C13D831ec7@1/transfer?address=0x52908400098527886E0F7030069857D2E4169EE7&uint256=10000100",
  );
  expect(uri("bsc", 10n ** 19n)).toBe(
    "ethereum:0x55d398326f99059fF775485246999027B3197955@56/transfer?address=0x52908400098527886E0F7030069857D2E4169EE7&uint256=10000000000000000000",
  );
});

test("TRON has no such standard; its payload is the bare address in base58", () => {
  const network = getNetwork("tron");
  const request = { network, token: getToken(network, "USDT"), address, units: 5n, label: "A & B" };
  expect(walletUri(request)).toBeNull();
  expect(addressPayload(request)).toBe("THVmXun9u721tBiYcT3VfLQKcwYBmoY1xX");
});

test("the wallet payload of Solana is Solana Pay: wallet, decimal amount, mint, label", () => {
  const network = getNetwork("solana");
  const wallet = "7v91N7iZ9mNicL8WfG6cgSCKyRXydQjLh6UYBWwm6y1Q";
  const uri = walletUri({
    network,
    token: getToken(network, "USDC"),
    address: wallet,
    units: 10_000_100n,
    label: "A & B",
  });
  expect(uri).toBe(
    `solana:${wallet}?amount=10.0001&spl-token=EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v&label=A%20%26%20B`,
  );
});
