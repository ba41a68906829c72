import type { Db } from "@/db/client";
import { listCallbackHosts } from "@/db/queries/callbacks/callback-list";
import { targetOf } from "@/db/queries/credit-targets";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { listFunds, listQuotes, lockOrder } from "@/db/queries/orders/order-moves";
import { linkTransfer, lockTransferOf, type StoredTransfer } from "@/db/queries/transfers/matches";
import { type AssignOutcome, outcomeName } from "@/lib/domain/callbacks/assignment";
import { CREDITED_ALREADY, type CreditTarget } from "@/lib/domain/credit-target";
import { type Actor, mayChange, READ_ONLY } from "@/lib/domain/keys/role";
import { heldFunds } from "@/lib/domain/orders/order";
import { type Problem, problem } from "@/lib/domain/problems/problem";
import { isLookAlike, tokenOf } from "@/lib/domain/transfers/transfer";
import { afterFundsChanged } from "@/lib/ledger/credit-targets";
import { type ManualChange, type OrderContext, orderOf, touchOrders } from "@/lib/orders/move-order";

interface Assignment {
  transferId: string;
  orderId: string;
  /** The name of the outcome that was shown to the user; absent if no outcome was shown. */
  expected?: string;
}

/** The result of an assignment, or of a repeat of an earlier one. */
type Done = { outcome: AssignOutcome; isRepeat: boolean } | { problem: Problem };

/**
 * Assigns an unmatched transfer to an order of the same merchant. The transfer is credited toward the order's shown quote at its public
 * amount, 1:1, in any token. The order's status is then set according to its funds: paid with the exception `manual` once they are
 * confirmed, or `underpaid`. A cancelled order also becomes paid once its funds are complete. A transfer can be assigned only once. A
 * repeated call changes nothing and returns the same result. If the outcome differs from the one shown to the user, the assignment is not
 * performed, and the new outcome is returned.
 */
export async function assignTransfer(
  db: Db,
  ctx: OrderContext,
  actor: Actor,
  assignment: Assignment,
  now: Date,
): Promise<ManualChange | { changed: AssignOutcome }> {
  const { expected } = assignment;
  const work = (tx: Db) => assign(tx, ctx, actor, assignment, now);
  const isOther = (outcome: AssignOutcome) => expected !== undefined && outcomeName(outcome) !== expected;
  const done = await undoneLocation(db, work, isOther);
  if ("problem" in done) return done;
  if (!done.isRepeat && isOther(done.outcome)) return { changed: done.outcome };
  return { status: done.outcome.status };
}

/**
 * Returns the outcome that an assignment would have now. The assignment is performed and rolled back, so that the preview follows the same
 * rules.
 */
export async function foreseeAssignment(
  db: Db,
  ctx: OrderContext,
  actor: Actor,
  assignment: Pick<Assignment, "transferId" | "orderId">,
  now: Date,
): Promise<{ outcome: AssignOutcome } | { problem: Problem }> {
  const work = (tx: Db) => assign(tx, ctx, actor, assignment, now);
  return undoneLocation(db, work, () => true);
}

/** Runs `work` in a transaction, which is rolled back if `isUndone` returns true for its outcome. */
async function undoneLocation(
  db: Db,
  work: (tx: Db) => Promise<Done>,
  isUndone: (outcome: AssignOutcome) => boolean,
): Promise<Done> {
  const undone: { done?: Done } = {};
  try {
    return await db.transaction(async (tx) => {
      const done = await work(tx);
      if ("problem" in done || done.isRepeat || !isUndone(done.outcome)) return done;
      undone.done = done;
      throw new Error("undone");
    });
  } catch (error) {
    if (undone.done) return undone.done;
    throw error;
  }
}

async function assign(tx: Db, ctx: OrderContext, actor: Actor, assignment: Assignment, now: Date): Promise<Done> {
  if (!mayChange(actor.role)) return { problem: READ_ONLY };
  const { transferId, orderId } = assignment;
  const transfer = await lockTransferOf(tx, actor.merchantId, transferId);
  if (!transfer) return { problem: problem("transfer_unknown") };
  const order = orderOf(await lockOrder(tx, orderId), actor);
  if (!order) return { problem: problem("order_unknown") };
  const before = await listCallbackHosts(tx, actor.merchantId, orderId);
  if (transfer.isAssigned && transfer.orderId === orderId)
    return { outcome: await outcomeOf(tx, actor, orderId, before), isRepeat: true };
  const invalid = whyNot(transfer);
  if (invalid) return { problem: invalid };
  if (order.quoteId === null) return { problem: problem("order_without_quote") };
  await linkTransfer(tx, transferId, { orderId, quoteId: order.quoteId }, now);
  await insertAuditEvent(tx, { ...actor, orderId, action: "transfer.assigned", detail: detailOf(transfer) }, now);
  const target: CreditTarget = { kind: "order", id: orderId };
  await afterFundsChanged(tx, ctx, [{ type: "matched", transferId, target }], now);
  const { meantOrderId } = transfer;
  if (meantOrderId && meantOrderId !== orderId) await touchOrders(tx, [meantOrderId], now);
  return { outcome: await outcomeOf(tx, actor, orderId, before), isRepeat: false };
}

/**
 * Returns the outcome of an assignment: the order as it is in this transaction.
 * @param before callbacks that were pending at the start of the transaction
 */
async function outcomeOf(
  tx: Db,
  { merchantId }: Actor,
  orderId: string,
  before: Awaited<ReturnType<typeof listCallbackHosts>>,
): Promise<AssignOutcome> {
  const order = await lockOrder(tx, orderId);
  const quotes = await listQuotes(tx, [orderId]);
  const held = order && heldFunds(order, quotes, await listFunds(tx, [orderId]));
  const quote = quotes.find(({ id }) => id === held?.quoteId);
  if (!order || !held || !quote) throw new Error("The quote of an order disappeared while the order was locked");
  const { pending, notifyHost } = await listCallbackHosts(tx, merchantId, orderId);
  const { status, exception } = order;
  return {
    status,
    exception,
    network: quote.network,
    currency: quote.currency,
    dueUnits: held.dueUnits,
    arrivedUnits: held.funds.arrivedUnits,
    callbacks: pending
      .filter(({ id }) => !before.pending.some((old) => old.id === id))
      .map(({ type, host }) => ({ type, host })),
    laterHost: status === "paid" ? null : notifyHost,
  };
}

function whyNot(transfer: StoredTransfer): Problem | null {
  const { status, matchedAt } = transfer;
  const target = targetOf(transfer);
  const token = tokenOf(transfer);
  if (isLookAlike(token)) return problem("transfer_of_other_token", { token: token.name });
  if (target) return CREDITED_ALREADY[target.kind];
  if (status === "dropped") return problem("transfer_dropped");
  if (matchedAt === null) return problem("transfer_being_matched");
  return null;
}

function detailOf(transfer: StoredTransfer): Record<string, unknown> {
  const { id, network, currency, txId, baseUnits, unmatchedReason } = transfer;
  return { transferId: id, network, currency, txId, baseUnits: baseUnits.toString(), unmatchedReason };
}
