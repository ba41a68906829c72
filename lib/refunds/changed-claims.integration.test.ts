import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { refundRequests, transfers } from "@/db/schema";
import type { Actor } from "@/lib/domain/keys/role";
import { paymentMark } from "@/lib/domain/refunds/payment";
import { matchTransfers } from "@/lib/ledger/match-transfers";
import { claimRefund } from "@/lib/refunds/claim-refund";
import { approveRefund, reopenRefund } from "@/lib/refunds/decide-refund";
import { beginWalletPayment } from "@/lib/refunds/pay-by-wallet";
import { requestRefund } from "@/lib/refunds/request-refund";
import { writeBatch } from "@/lib/refunds/write-batch";
import { seedOrder, seedPerson, seedTransfer } from "@/testing/database/seed";
import { useShop } from "@/testing/database/shop";

const { db, shop, ctx, now, later } = useShop();
const CUSTOMER = "0x8ba1f109551bD432803012645Ac136ddd64DBA72";
const THIEF = `0x${"e1".repeat(20)}`;
const claim = (address: string) => ({ network: "ethereum", address, confirmation: address.slice(-4), check: "" });
const CHANGED = { problem: { code: "refund_claim_changed" } };

async function open(baseUnits = 9_000_000n): Promise<{ actor: Actor; id: string }> {
  const { id: orderId } = await seedOrder(db(), { address: shop.address, baseUnits }, now);
  await seedTransfer(db(), { address: shop.address, baseUnits }, later(1));
  await db()
    .update(transfers)
    .set({ status: "confirmed", confirmedAt: later(1), confirmations: 12 });
  await matchTransfers(db(), ctx, "ethereum", later(1));
  const userId = await seedPerson(db(), { merchantId: shop.merchant.id }, now);
  const actor = { merchantId: shop.merchant.id, userId, role: "owner" as const };
  const terms = { amount: { microUnits: 5_000_000n }, reason: null, email: null, mchRefundId: null };
  const asked = { ...terms, subject: { orderId, transferId: null }, expiresInSeconds: 86_400 };
  const { refund } = await requestRefund(db(), actor, asked, later(2));
  expect(await claimRefund(db(), ctx, refund.id, claim(CUSTOMER), later(3))).toBeNull();
  return { actor, id: refund.id };
}

const change = (id: string, to: Partial<typeof refundRequests.$inferInsert>) =>
  db().update(refundRequests).set(to).where(eq(refundRequests.id, id));
const stored = async (id: string) => {
  const [row] = await db().select().from(refundRequests).where(eq(refundRequests.id, id));
  if (!row) throw new Error("no refund");
  return row;
};

test.each<[string, Partial<typeof refundRequests.$inferInsert>]>([
  ["address", { address: THIEF }],
  ["network", { network: "bsc" }],
  ["amount", { microUnits: 8_000_000n }],
])("a claim whose %s was changed in the database is not approved; the customer can claim again", async (_name, to) => {
  const { actor, id } = await open();
  await change(id, to);
  expect(await approveRefund(db(), ctx, actor, id, later(4))).toMatchObject(CHANGED);
  expect((await stored(id)).status).toBe("claimed");
  expect(await reopenRefund(db(), ctx, actor, { id, reason: "" }, later(5))).toBeNull();
  expect(await claimRefund(db(), ctx, id, claim(CUSTOMER), later(6))).toBeNull();
  expect(await approveRefund(db(), ctx, actor, id, later(7))).toBeNull();
});

test("a claim of another refund does not replace this one's", async () => {
  const { actor, id } = await open();
  await change(id, { claimCipher: (await stored((await open(9_000_100n)).id)).claimCipher });
  expect(await approveRefund(db(), ctx, actor, id, later(4))).toMatchObject(CHANGED);
});

test("a claim that was changed after its approval is paid by no wallet and is in no file", async () => {
  const { actor, id } = await open();
  expect(await approveRefund(db(), ctx, actor, id, later(4))).toBeNull();
  await change(id, { address: THIEF });
  const mark = paymentMark(await stored(id));
  const wallet = { id, mark, isAgain: false, account: null };
  const env = { isSandbox: false, appSecret: ctx.appSecret };
  expect(await beginWalletPayment(db(), env, actor, wallet, later(5))).toMatchObject(CHANGED);
  await change(id, { address: CUSTOMER.toLowerCase(), baseUnits: 8_000_000n });
  expect(await beginWalletPayment(db(), env, actor, wallet, later(5))).toMatchObject({
    problem: { code: "refund_network_unavailable" },
  });
  await change(id, { address: THIEF });
  const batch = { network: "ethereum", kind: "csv", refunds: [{ id, mark }], from: "", isAgain: false } as const;
  expect(await writeBatch(db(), env, actor, batch, later(5))).toMatchObject(CHANGED);
});
