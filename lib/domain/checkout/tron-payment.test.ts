import { TronWeb } from "tronweb";
import { expect, test } from "vitest";
import { canonicalAddress } from "@/lib/domain/addresses/address";
import { tronPayment } from "@/lib/domain/checkout/tron-payment";

const tronWeb = new TronWeb({ fullHost: "http://127.0.0.1:1" });
const payer = tronWeb.createRandom();

test("TRON's own library recognizes the transaction, and signs it for the payer", async () => {
  const transaction = tronPayment({
    payer: canonicalAddress("tron", payer.address),
    recipient: `0x${"22".repeat(20)}`,
    contract: canonicalAddress("tron", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"),
    units: 12_340_000n,
    block: { height: 70_000_123, hash: `${(70_000_123).toString(16).padStart(16, "0")}${"ab".repeat(24)}` },
    now: new Date("2026-01-01T12:00:00Z"),
  });
  const given = transaction as never;
  expect(tronWeb.utils.transaction.txCheck(given)).toBe(true);
  const signed = await tronWeb.trx.sign(given, payer.privateKey.slice(2));
  expect(signed).toMatchObject({ txID: transaction.txID, signature: [expect.stringMatching(/^[0-9a-f]{130}$/i)] });
  expect(transaction.raw_data).toMatchObject({
    ref_block_bytes: (70_000_123 % 65_536).toString(16).padStart(4, "0"),
    ref_block_hash: "ab".repeat(8),
    expiration: Date.parse("2026-01-02T00:00:00Z"),
  });
});
