import { expect, test } from "vitest";
import type { QuotedOrder } from "@/lib/domain/orders/order-detail";
import { asStored, toDetailData, writeJson } from "@/lib/domain/orders/order-wire";

const at = new Date("2026-03-01T12:00:00Z");
const txId = `0x${"9f".repeat(32)}`;
const signature = "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW";

function order(network: string, address: string, settledTxId: string): QuotedOrder {
  const paid = {
    network,
    currency: "USDT" as const,
    txId: settledTxId,
    baseUnits: 10_000_100n,
    status: "confirmed" as const,
    confirmations: 20,
    requiredConfirmations: 20,
    seenAt: at,
  };
  return {
    id: "01kahy4m3r9t5w8x2z6b7c1d0e",
    merchantId: "m",
    mchOrderId: "A-1",
    network,
    currency: "USDT",
    price: null,
    checkout: null,
    amountUnits: 10_000_000n,
    status: "paid",
    exception: null,
    version: 3,
    paidUnits: 10_000_100n,
    settledTxId,
    notifyUrl: null,
    redirectUrl: null,
    locale: null,
    subject: null,
    metadata: null,
    integration: "api",
    echo: null,
    expiresAt: at,
    createdAt: at,
    paidAt: at,
    quote: {
      id: "q",
      network,
      currency: "USDT",
      address,
      addressMac: null,
      kind: "shared",
      baseUnits: 10_000_100n,
      askedUnits: null,
    },
    transfers: [paid],
    callback: null,
  };
}

test("an order with a price carries it with its frozen rate, digit by digit; one without does not translator of rates", () => {
  const evm = order("ethereum", "0x52908400098527886e0f7030069857d2e4169ee7", txId);
  const price = {
    fiat: "KWD",
    amount: "1.125",
    currency: "USDT",
    rate: "0.307000000001",
    source: "a, b",
    at: at.toISOString(),
  } as const;
  const data = writeJson(toDetailData({ ...evm, price }, asStored({ publicUrl: "" })));
  expect(data).toContain(
    `"fiat":"KWD","fiat_amount":1.125,"rate":"0.307000000001","rate_source":"a, b","rate_at":${at.getTime() / 1_000}`,
  );
  expect(writeJson(toDetailData(evm, asStored({ publicUrl: "" })))).not.toMatch(/fiat|rate/);
});

test("a TRON order shows its address in base58 and its transactions without 0x, as explorers do", () => {
  const data = toDetailData(
    order("tron", "0x52908400098527886e0f7030069857d2e4169ee7", txId),
    asStored({ publicUrl: "" }),
  );
  expect(data).toMatchObject({
    network: "tron",
    address: "THVmXun9u721tBiYcT3VfLQKcwYBmoY1xX",
    tx_hash: "9f".repeat(32),
    transfers: [{ tx_hash: "9f".repeat(32), explorer_url: `https://tronscan.org/#/transaction/${"9f".repeat(32)}` }],
  });
});

test("a Solana order shows wallet and signature as they are", () => {
  const wallet = "7v91N7iZ9mNicL8WfG6cgSCKyRXydQjLh6UYBWwm6y1Q";
  expect(toDetailData(order("solana", wallet, signature), asStored({ publicUrl: "" }))).toMatchObject({
    address: wallet,
    tx_hash: signature,
    transfers: [{ tx_hash: signature, explorer_url: `https://solscan.io/tx/${signature}` }],
  });
});

test("an EVM order shows the checksum of its address and 0x before its transactions", () => {
  const evm = order("polygon", "0x52908400098527886e0f7030069857d2e4169ee7", txId);
  expect(toDetailData(evm, asStored({ publicUrl: "" }))).toMatchObject({
    address: "0x52908400098527886E0F7030069857D2E4169EE7",
    tx_hash: txId,
    transfers: [{ explorer_url: `https://polygonscan.com/tx/${txId}` }],
  });
});
