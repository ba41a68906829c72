import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { findTransfer } from "@/db/queries/transfers/transfer-list";
import { orders, type orders as orderTable, quotes, transfers } from "@/db/schema";
import { matchTransfers } from "@/lib/ledger/match-transfers";
import { suggestOrders } from "@/lib/ledger/suggest-orders";
import { createLog } from "@/lib/log";
import { findCheckout } from "@/lib/orders/find-checkout";
import { useTestDb } from "@/testing/database/clone";
import { empty } from "@/testing/database/empty";
import { seedAddress, seedMerchant, seedOrder, seedTransfer } from "@/testing/database/seed";

const testDb = useTestDb();
const db = () => testDb.pool.db;
const ctx = { publicUrl: "https://pay.example.com", log: createLog("test", "fatal") };
const start = new Date("2026-01-01T12:00:00Z");
/** Returns the time at this many hours after the start. The hold of the first order ends after 3.5 hours. */
const at = (hours: number) => new Date(start.getTime() + hours * 3_600_000);
const END = 3.5;
const usdt = (amount: number, network = "ethereum") => BigInt(amount) * 10n ** (network === "bsc" ? 18n : 6n);

let merchantId: string;
beforeEach(async () => {
  await empty(db(), "merchants", "orders", "quotes", "audit_events", "transfers");
  merchantId = (await seedMerchant(db(), start)).id;
});

type Address = Awaited<ReturnType<typeof seedAddress>>;

/** Creates an address on Ethereum and BNB Smart Chain whose first order is closed and whose hold is released. */
async function endedHold(kind: "shared" | "dedicated", status: (typeof orderTable.$inferSelect)["status"] = "expired") {
  const here = await seedAddress(db(), { merchantId, kind }, start);
  const onBsc = await seedAddress(db(), { merchantId, kind, network: "bsc", address: here.address }, start);
  const ended = await seedOrder(db(), { address: here, baseUnits: usdt(10) }, start);
  await db()
    .update(orders)
    .set({ status, paidAt: status === "paid" ? at(1) : null })
    .where(eq(orders.id, ended.id));
  await db()
    .update(quotes)
    .set({ releasedAt: at(END + 0.05) })
    .where(eq(quotes.id, ended.quoteId));
  return { here, onBsc, ended };
}

/** Returns the result of a transfer on Ethereum: its reason, the order it was meant for, and the likeliest orders. */
async function arrives(address: Address, baseUnits: bigint, hours: number) {
  const { id } = await seedTransfer(db(), { address, baseUnits }, at(hours));
  await matchTransfers(db(), ctx, "ethereum", at(hours));
  const listed = await findTransfer(db(), merchantId, id);
  if (!listed) throw new Error("The transfer is not listed");
  const [stored] = await db().select().from(transfers).where(eq(transfers.id, id));
  const likely = (await suggestOrders(db(), merchantId, [listed])).get(id) ?? [];
  return { reason: stored?.unmatchedReason, meant: stored?.meantOrderId, likely: likely.map(({ order }) => order.id) };
}

describe.each(["shared", "dedicated"] as const)("exactly the amount of an ended hold at a %s address", (kind) => {
  const cursor = { network: "bsc", currency: "USDT" } as const;
  const other = { network: "ethereum", currency: "USDC" } as const;

  test.each([
    ...([cursor, other] as const).map((live) => ({ live, status: "expired", reason: "late" }) as const),
    { live: cursor, status: "paid", reason: "order_settled" },
    { live: cursor, status: "cancelled", reason: "order_cancelled" },
  ] as const)(
    "is its late payment, while an order on $live.network asks for as much $live.currency: $reason",
    async ({ live, status, reason }) => {
      const { here, onBsc, ended } = await endedHold(kind, status);
      const address = live.network === "bsc" ? onBsc : here;
      const amount = usdt(10, live.network);
      const open = await seedOrder(db(), { address, baseUnits: amount, currency: live.currency }, at(END + 1));
      const found = await arrives(here, usdt(10), END + 1.2);
      expect(found).toEqual({ reason, meant: null, likely: [ended.id, open.id] });
      expect((await findCheckout(db(), open.id))?.misdirected).toEqual([]);
    },
  );

  test("was meant for the order on another network if the hold ended more than a day before", async () => {
    const { here, onBsc, ended } = await endedHold(kind);
    const open = await seedOrder(db(), { address: onBsc, baseUnits: usdt(10, "bsc") }, at(END + 24));
    expect(await arrives(here, usdt(10), END + 24.1)).toEqual({
      reason: "other_network",
      meant: open.id,
      likely: [open.id, ended.id],
    });
  });

  test("is late however long ago the hold ended, if nothing else asks for it", async () => {
    const { here } = await endedHold(kind);
    expect(await arrives(here, usdt(10), END + 50)).toMatchObject({ reason: "late", meant: null });
  });
});

describe("another amount at a dedicated address", () => {
  test("was meant for the open order on another network, if that asks for exactly it", async () => {
    const { here, onBsc } = await endedHold("dedicated");
    const open = await seedOrder(db(), { address: onBsc, baseUnits: usdt(7, "bsc") }, at(END + 1));
    const found = await arrives(here, usdt(7), END + 1.2);
    expect(found).toMatchObject({ reason: "other_network", meant: open.id });
    expect(found.likely[0]).toBe(open.id);
  });

  test("is late if it is neither order's, and the hold ended at most a day before", async () => {
    const { here, onBsc } = await endedHold("dedicated");
    await seedOrder(db(), { address: onBsc, baseUnits: usdt(7, "bsc") }, at(END + 1));
    expect(await arrives(here, usdt(3), END + 1.2)).toMatchObject({ reason: "late", meant: null });
  });

  test("is on the wrong network if it is neither order's, and the hold ended earlier", async () => {
    const { here, onBsc } = await endedHold("dedicated");
    await seedOrder(db(), { address: onBsc, baseUnits: usdt(7, "bsc") }, at(END + 24));
    expect(await arrives(here, usdt(3), END + 24.1)).toMatchObject({ reason: "other_network", meant: null });
  });
});
