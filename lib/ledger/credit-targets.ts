import type { Db } from "@/db/client";
import { creditDeposits, findCreditedAddresses } from "@/lib/deposits/credit-deposits";
import { type CreditTarget, type FundsChange, TARGET_KINDS, type TargetKind } from "@/lib/domain/credit-target";
import { creditOrders } from "@/lib/orders/credit-orders";
import type { Moved, OrderContext } from "@/lib/orders/move-order";

/** A module's handler for changed transfers of its targets. It runs in the transaction of the change and is safe to repeat. */
type Credit = (tx: Db, ctx: OrderContext, changes: readonly FundsChange[], now: Date) => Promise<readonly Moved[]>;

/** The only place where the ledger chooses the module of a target. */
const CREDIT: Record<TargetKind, Credit> = {
  order: creditOrders,
  deposit: creditDeposits,
};

/**
 * Updates targets after their transfers changed: order statuses are updated, and the events of other targets are enqueued. Call it in the
 * transaction that matched, confirmed, lost or assigned the transfers, after they were written and while they are locked.
 * @returns each order that changed status, or was eligible to, with its status before and after
 */
export async function afterFundsChanged(
  tx: Db,
  ctx: OrderContext,
  changes: readonly FundsChange[],
  now: Date,
): Promise<Moved[]> {
  const byKind = Map.groupBy(changes, ({ target }) => target.kind);
  const moved: Moved[] = [];
  for (const kind of TARGET_KINDS) {
    const own = byKind.get(kind);
    if (own) moved.push(...(await CREDIT[kind](tx, ctx, own, now)));
  }
  return moved;
}

/**
 * Finds the targets that every transfer to their address credits, regardless of its amount.
 * @returns the targets by the id of the transfer; transfers to other addresses are left out
 */
export async function findStandingTargets(
  tx: Db,
  transferIds: readonly string[],
): Promise<ReadonlyMap<string, CreditTarget>> {
  return findCreditedAddresses(tx, transferIds);
}
