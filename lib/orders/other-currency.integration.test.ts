import { expect, test } from "vitest";
import { insertOrders, type NewOrder } from "@/db/queries/orders/order-creation";
import { quotes } from "@/db/schema";
import { canonicalAddress } from "@/lib/domain/addresses/address";
import { newId } from "@/lib/domain/id";
import { unitsPerStep } from "@/lib/domain/money";
import { type Currency, getNetwork, getToken } from "@/lib/domain/networks";
import { matchTransfers } from "@/lib/ledger/match-transfers";
import { seedAddress, seedCursor, seedTransfer } from "@/testing/database/seed";
import {
  addresses,
  at,
  create,
  ctx,
  db,
  finalize,
  match,
  merchant,
  PRICE,
  pay,
  readOrder,
  readTransfer,
  start,
  units,
  useHoldingShop,
} from "@/testing/holding-shop";

useHoldingShop();

test("the wrong token in the right amount pays no other order, and the order it was meant for is named", async () => {
  const first = await create("ethereum", 0);
  const second = await create("ethereum", 1, PRICE, "USDC");
  expect(second.quote.baseUnits).toBe(units("ethereum", "10.0001"));
  const sent = await seedTransfer(
    db(),
    { address: addresses.ethereum, baseUnits: first.quote.baseUnits, currency: "USDC" },
    at(2),
  );
  await finalize(sent.id);
  await match(2);
  expect(await readTransfer(sent)).toMatchObject({
    orderId: null,
    unmatchedReason: "other_currency",
    meantOrderId: first.id,
  });
  for (const order of [first, second]) expect(await readOrder(order)).toMatchObject({ status: "pending" });
  // Each order is still paid by its own amount and token.
  await pay(first, 3);
  await pay(second, 3);
  await match(3);
  for (const order of [first, second])
    expect(await readOrder(order)).toMatchObject({ status: "paid", exception: null });
});

test("an amount is held for every currency on all EVM networks of its address", async () => {
  const first = await create("ethereum", 0);
  const second = await create("bsc", 1, PRICE, "USDC");
  const third = await create("bsc", 1);
  expect(first.quote.baseUnits).toBe(units("ethereum", "10"));
  expect(second.quote.baseUnits).toBe(units("bsc", "10.0001"));
  expect(third.quote.baseUnits).toBe(units("bsc", "10.0002"));
  const sent = await seedTransfer(
    db(),
    { address: addresses.bsc, baseUnits: units("bsc", "10"), currency: "USDC" },
    at(2),
  );
  await finalize(sent.id);
  await match(2);
  expect(await readTransfer(sent)).toMatchObject({
    orderId: null,
    unmatchedReason: "other_network",
    meantOrderId: first.id,
  });
});

test("and on Solana", async () => {
  await seedCursor(db(), "solana", start);
  const address = "7v91N7iZ9mNicL8WfG6cgSCKyRXydQjLh6UYBWwm6y1Q";
  const cursor = await seedAddress(db(), { merchantId: merchant.id, network: "solana", address }, start);
  const made = await insertOrders(db(), [wanted("solana", "USDT"), wanted("solana", "USDC")], start);
  expect(made).toMatchObject([{ baseUnits: 10_000_000n }, { baseUnits: 10_000_100n }]);
  const sent = await seedTransfer(db(), { address: cursor, baseUnits: 10_000_000n, currency: "USDC" }, at(1));
  await matchTransfers(db(), ctx, "solana", at(1));
  expect(await readTransfer(sent)).toMatchObject({ orderId: null, unmatchedReason: "other_currency" });
});

test("many concurrent orders in two currencies on two networks never hold the same amount", async () => {
  const orders = Array.from({ length: 12 }, () =>
    insertOrders(
      db(),
      Array.from({ length: 10 }, (_, index) => wanted(index % 3 ? "bsc" : "ethereum", index % 2 ? "USDT" : "USDC")),
      start,
    ),
  );
  expect((await Promise.all(orders)).flat().filter((order) => !order || "code" in order)).toEqual([]);
  const held = await db().select({ microUnits: quotes.microUnits }).from(quotes);
  expect(new Set(held.map(({ microUnits }) => microUnits)).size).toBe(120);
});

let count = 0;
function wanted(id: string, currency: Currency): NewOrder {
  const network = getNetwork(id);
  const { contract, decimals } = getToken(network, currency);
  const rest = { notifyUrl: null, redirectUrl: null, locale: null, expiresInSeconds: null };
  return {
    id: newId(start),
    quoteId: newId(start),
    apiKeyId: merchant.keyId,
    merchantId: merchant.id,
    mchOrderId: `wanted-${++count}`,
    network: id,
    currency,
    token: canonicalAddress(network.family, contract),
    amountUnits: 10n * 10n ** BigInt(decimals),
    unitsPerStep: unitsPerStep(decimals),
    ...rest,
  };
}
