import { eq } from "drizzle-orm";
import { type CreatedOrder, persist } from "@/chaos/create-orders";
import type { Canceller } from "@/chaos/plan/steps";
import { sellerOf } from "@/chaos/sellers";
import type { World } from "@/chaos/world";
import { orders, transfers } from "@/db/schema";
import type { OrderStatus } from "@/lib/domain/orders/order";
import { inEnglish } from "@/lib/domain/problems/in-english";
import { createLog } from "@/lib/log";
import { cancelOrder } from "@/lib/orders/cancel-order";

/** A transfer in the ledger to the address of an order, at one moment. */
export type LedgerTransfer = Pick<
  typeof transfers.$inferSelect,
  "network" | "txId" | "position" | "currency" | "toAddress" | "baseUnits" | "status" | "blockTime" | "seenAt"
>;

/** An attempt to cancel an order, with the transfers to its address that the ledger contained right before and right after it. */
export interface CancelAttempt {
  tradeId: string;
  by: Canceller;
  /** True if the order had been cancelled before. */
  isRepeat: boolean;
  before: LedgerTransfer[];
  after: LedgerTransfer[];
  /** The reason why the order was not cancelled; null if it was. */
  problem: string | null;
  /** The order's status after the attempt. */
  status: OrderStatus;
  at: Date;
}

const CONTEXT = { publicUrl: "http://localhost:3000", log: createLog("chaos", "fatal") };

/** Cancels an order through the use case of order/cancel, or of the back office. */
export async function cancelCreated(
  { pool: { db }, sellers }: World,
  { plan, tradeId, address, isCancelled: isRepeat }: CreatedOrder,
  by: Canceller,
): Promise<CancelAttempt> {
  const { merchantId, userId, apiKeyId } = sellers[sellerOf(plan)];
  const actor = by === "user" ? ({ merchantId, userId, role: "owner" } as const) : { merchantId, apiKeyId };
  const listTransfers = () => persist(() => db.select().from(transfers).where(eq(transfers.toAddress, address)));
  const before = await listTransfers();
  const result = await persist(() => cancelOrder(db, CONTEXT, actor, tradeId, new Date()));
  const at = new Date();
  const after = await listTransfers();
  const [row] = await persist(() => db.select({ status: orders.status }).from(orders).where(eq(orders.id, tradeId)));
  if (!row) throw new Error(`Order ${plan.index} ${tradeId} is not in the database`);
  // As in order/cancel, an order that is already cancelled was cancelled by an earlier attempt of this request.
  const isCancelled = row.status === "cancelled";
  const problem = "problem" in result && !isCancelled ? inEnglish(result.problem) : null;
  return { tradeId, by, isRepeat, before, after, problem, status: row.status, at };
}
