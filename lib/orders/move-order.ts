import type { Db } from "@/db/client";
import {
  announceOrder,
  insertOrderAudit,
  listFunds,
  listQuotes,
  lockOrder,
  updateOrder,
} from "@/db/queries/order-moves";
import { endHoldEarlier } from "@/db/queries/quotes";
import { oweCallback } from "@/lib/callbacks/owe-callback";
import { creditedUnits } from "@/lib/domain/credit";
import { leadingFunds, type QuoteFunds } from "@/lib/domain/funds";
import { nextException, nextStatus, type OrderEvent, type OrderState, type OrderStatus } from "@/lib/domain/order";
import { settledHoldEnd } from "@/lib/domain/quote";
import type { StoryContext } from "@/lib/orders/story-context";

/** Why an order may move. `fundsChanged`: a transfer of it was seen, confirmed, dropped or assigned. */
export type MoveCause =
  | { type: "fundsChanged" }
  | { type: "timePassed" }
  | { type: "cancelled"; userId: string }
  | { type: "markedPaid"; userId: string; reason: string };

type Order = NonNullable<Awaited<ReturnType<typeof lockOrder>>>;

/**
 * Moves an order as far as its rules allow: the only place where a status changes, in one transaction with
 * what the change promises (callback owed, how long its amount is held, history, news for open pages).
 * Safe to repeat: it judges what is stored, not what the caller believes.
 * @returns the status afterwards, or null when there is no such order.
 */
export async function moveOrder(
  db: Db,
  ctx: StoryContext,
  orderId: string,
  cause: MoveCause,
  now: Date,
): Promise<OrderStatus | null> {
  return db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (!order) return null;
    const held = await readFunds(tx, order, cause);
    const path = walk(stateOf(order, held), toEvent(cause, held, now));
    const status = path.at(-1) ?? order.status;
    if (path.length === 0 && cause.type !== "fundsChanged") return order.status;
    await writeMove(tx, order, held, status, now);
    if (path.length > 0) await insertOrderAudit(tx, toAudit(order, path, cause, held), now);
    if (status === "paid" && order.status !== "paid") {
      await oweCallback(tx, ctx, orderId, now);
      // What a person settled frees nothing early: the payer's own money may still be on its way.
      if (!held.funds.isAssigned) await endHoldEarlier(tx, held.quoteId, settledHoldEnd(order.expiresAt, now));
    }
    await announceOrder(tx, orderId, order.version + 1);
    return status;
  });
}

async function readFunds(db: Db, order: Order, cause: MoveCause): Promise<QuoteFunds> {
  const quotes = await listQuotes(db, order.id);
  const shownFirst = quotes.toSorted((a, b) => Number(b.id === order.quoteId) - Number(a.id === order.quoteId));
  const counted = (await listFunds(db, order.id)).flatMap((transfer) => {
    const quote = quotes.find(({ id }) => id === transfer.quoteId);
    return quote ? [{ ...transfer, baseUnits: creditedUnits(transfer, quote) }] : [];
  });
  const held = leadingFunds(shownFirst, counted, order.expiresAt);
  return cause.type === "markedPaid" ? { ...held, funds: { ...held.funds, isAssigned: true } } : held;
}

function stateOf(order: Order, held: QuoteFunds): OrderState {
  return { status: order.status, exception: order.exception, dueUnits: held.dueUnits, expiresAt: order.expiresAt };
}

function toEvent(cause: MoveCause, held: QuoteFunds, now: Date): OrderEvent {
  switch (cause.type) {
    case "fundsChanged":
      return { type: "fundsChanged", funds: held.funds, now };
    case "timePassed":
      return { type: "timePassed", now };
    case "cancelled":
      return { type: "cancelled" };
    case "markedPaid":
      return { type: "markedPaid" };
  }
}

/** Every status on the way, one edge of the graph at a time. */
function walk(order: OrderState, event: OrderEvent): OrderStatus[] {
  const path: OrderStatus[] = [];
  let next = nextStatus(order, event);
  while (next !== null && !path.includes(next)) {
    path.push(next);
    next = nextStatus({ ...order, status: next }, event);
  }
  return path;
}

async function writeMove(db: Db, order: Order, held: QuoteFunds, status: OrderStatus, now: Date): Promise<void> {
  const isWritten = await updateOrder(
    db,
    order,
    {
      status,
      exception: nextException(stateOf(order, held), status, held.funds),
      quoteId: held.quoteId,
      paidUnits: held.funds.confirmedUnits,
      settledByTransferId: status === "paid" ? settledBy(order, held) : null,
      paidAt: status === "paid" ? (order.paidAt ?? now) : null,
    },
    now,
  );
  if (!isWritten) throw new Error(`Order ${order.id} changed while it was locked`);
}

/** After a person marked an order as paid, the first transfer that is confirmed stands for its payment. */
function settledBy(order: Order, held: QuoteFunds): string | null {
  return order.settledByTransferId ?? held.settledBy ?? (order.status === "paid" ? held.firstConfirmed : null);
}

function toAudit(order: Order, path: OrderStatus[], cause: MoveCause, held: QuoteFunds) {
  return {
    merchantId: order.merchantId,
    orderId: order.id,
    userId: "userId" in cause ? cause.userId : null,
    action: `order.${path.at(-1)}`,
    detail: {
      from: order.status,
      via: path.slice(0, -1),
      cause: cause.type,
      arrivedUnits: held.funds.arrivedUnits.toString(),
      ...("reason" in cause ? { reason: cause.reason } : {}),
    },
  };
}
