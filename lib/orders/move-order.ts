import type { Db } from "@/db/client";
import { allEnded } from "@/db/pipeline";
import { listOptIns } from "@/db/queries/callbacks/callback-keys";
import { insertAuditEvents } from "@/db/queries/merchants/audit-events";
import {
  addToTotals,
  announceOrders,
  type CountedTransfer,
  countOutcomes,
  endHoldsEarlier,
  listFunds,
  listQuotes,
  lockOrders,
  moveUnpaid,
  type OrderChange,
  type PaidPart,
  raiseVersions,
  updateOrders,
} from "@/db/queries/orders/order-moves";
import { listOrderDetailRows, orderDetailOf } from "@/db/queries/orders/orders";
import { enqueueCallbacks, type NewCallbackEvent } from "@/lib/callbacks/callback-sender";
import { type CallbackType, eventsOf, type OrderEventType, wantedEvents } from "@/lib/domain/callbacks/callback";
import type { IntegrationId } from "@/lib/domain/integration-id";
import type { Integrations } from "@/lib/domain/integrations/integration";
import type { Actor } from "@/lib/domain/keys/role";
import type { Outcome } from "@/lib/domain/operating/conditions";
import {
  heldFunds,
  NOTHING_DUE,
  nextException,
  nextStatus,
  type OrderEvent,
  type OrderState,
  type OrderStatus,
  type QuoteFunds,
  settledHoldEnd,
} from "@/lib/domain/orders/order";
import type { OrderDetail } from "@/lib/domain/orders/order-detail";
import { asStored, toDetailData } from "@/lib/domain/orders/order-wire";
import type { Problem } from "@/lib/domain/problems/problem";
import type { Log } from "@/lib/log";

/** The dependencies of use cases that change orders, besides the database and the time. */
export interface OrderContext {
  /** The origin of the installation, for links in callbacks. */
  publicUrl: string;
  log: Log;
  /** The integrations of this process. If left out, the callbacks of integrations are sent by a worker that has them. */
  integrations?: Integrations;
  /** Called with the updated orders of a round after the changes are committed. */
  onOrders?:
    | ((what: "match transfer" | "confirm transfer" | "expire order", orders: readonly Moved[]) => void)
    | undefined;
}

/** An order with its status before and after a change. */
export type Moved = Readonly<{ id: string; before: OrderStatus; status: OrderStatus }>;

/** The reason why an order may change status. `fundsChanged`: one of its transfers was seen, confirmed, dropped or assigned. */
export type MoveCause =
  | { type: "fundsChanged" }
  | { type: "timePassed" }
  | { type: "renewed"; by: { integration: IntegrationId } }
  | { type: "cancelled"; by: Pick<Actor, "userId" | "from"> | { apiKeyId: string } | { integration: IntegrationId } }
  | ({ type: "markedPaid"; reason: string } & Pick<Actor, "userId" | "from">);

type Order = Awaited<ReturnType<typeof lockOrders>>[number];

/** An order with its funds, and every status through which it passes. */
interface Move {
  order: Order;
  quotes: readonly Quote[];
  held: QuoteFunds;
  path: OrderStatus[];
  status: OrderStatus;
}

/**
 * Updates the status of an order according to its rules. Only this file changes a status, in one transaction with the side effects of the
 * change (callback, hold, history, events for open pages). Safe to repeat: it depends only on stored data.
 * @returns the status afterwards, or null if there is no such order
 */
export async function moveOrder(
  db: Db,
  ctx: OrderContext,
  orderId: string,
  cause: MoveCause,
  now: Date,
): Promise<OrderStatus | null> {
  const [moved] = await db.transaction((tx) => moveEach(tx, ctx, [orderId], cause, now));
  return moved?.status ?? null;
}

/**
 * Updates the statuses of orders like `moveOrder`, all or none. Thousands of orders take the same number of statements as one, except
 * those that become paid. A round of expiry can find a hundred thousand orders. For the cause `timePassed`, one UPDATE therefore changes
 * orders without credited transfers, which are not loaded.
 * @returns the orders that exist, each with its status before and after
 */
export async function moveOrders(
  db: Db,
  ctx: OrderContext,
  orderIds: readonly string[],
  cause: MoveCause,
  now: Date,
): Promise<Moved[]> {
  return db.transaction(async (tx) => {
    if (cause.type !== "timePassed") return moveEach(tx, ctx, orderIds, cause, now);
    const path = pathOfUnpaid(now);
    const status = path.at(-1);
    const moved = new Set(status ? await moveUnpaid(tx, orderIds, path, now) : []);
    const untouched = { status: "pending", exception: null, paidUnits: 0n } as const;
    const types = status ? eventsOf(untouched, path, { ...untouched, status }, NOTHING_DUE) : [];
    await enqueueEvents(tx, ctx, new Map([...moved].map((id) => [id, types])), now);
    const others = orderIds.filter((id) => !moved.has(id));
    const rest = others.length === 0 ? [] : await moveEach(tx, ctx, others, cause, now);
    return [...[...moved].map((id) => ({ id, before: "pending" as const, status: status ?? "pending" })), ...rest];
  });
}

/** Updates the statuses of orders whose transfers changed like `moveOrders`. @param tx the transaction of the change */
export function moveFunded(tx: Db, ctx: OrderContext, orderIds: readonly string[], now: Date): Promise<Moved[]> {
  return moveEach(tx, ctx, orderIds, { type: "fundsChanged" }, now);
}

/** Increments the versions of orders whose data changed without a status change, so that their open pages refresh. Safe to repeat. */
export async function touchOrders(db: Db, orderIds: readonly string[], now: Date): Promise<void> {
  if (orderIds.length > 0) await announceOrders(db, await raiseVersions(db, orderIds, now));
}

/** Returns the path of a pending order without credited transfers after its time to pay has ended. */
function pathOfUnpaid(now: Date): OrderStatus[] {
  return walk({ status: "pending", exception: null, dueUnits: 1n, expiresAt: now }, { type: "timePassed", now });
}

async function moveEach(
  tx: Db,
  ctx: OrderContext,
  orderIds: readonly string[],
  cause: MoveCause,
  now: Date,
): Promise<Moved[]> {
  const moves = await lookUp(tx, await lockOrders(tx, orderIds), cause, now);
  const written = moves.filter(({ path }) => path.length > 0 || cause.type === "fundsChanged");
  const audits = written.filter(({ path }) => path.length > 0).map((move) => toAudit(move, cause));
  await allEnded([writeMoves(tx, written, now), insertAuditEvents(tx, audits, now)]);
  await applyConsequences(tx, ctx, written, cause, now);
  return moves.map(({ order, status }) => ({ id: order.id, before: order.status, status }));
}

/** Writes the side effects of order changes, in the same number of statements for any number of orders. */
async function applyConsequences(db: Db, ctx: OrderContext, moves: readonly Move[], cause: MoveCause, now: Date) {
  await enqueueEvents(db, ctx, new Map(moves.map((move) => [move.order.id, typesOf(move, cause, now)])), now);
  // Neither a manually settled order nor one with transfers for superseded terms ends a hold early: the payer's own
  // transfer may still arrive.
  const byItself = moves.filter(
    ({ order, status, held, quotes }) =>
      status === "paid" && order.status !== "paid" && !held.funds.isAssigned && !quotes.some((one) => one.isSuperseded),
  );
  const holds = byItself.flatMap(({ order, quotes, held: { quoteId } }) => {
    const hold = quotes.find(({ id }) => id === quoteId);
    const until = settledHoldEnd(order.expiresAt, now, hold?.settledHoldSeconds ?? 0);
    return hold ? [{ id: hold.id, orderId: order.id, merchantId: order.merchantId, until }] : [];
  });
  const parts = moves.flatMap((move) => paidParts(move, toChange(move, now)));
  const outcomes = moves.flatMap((move) =>
    outcomesOf(move, toChange(move, now)).map((outcome) => ({ id: move.order.id, outcome })),
  );
  await allEnded([
    endHoldsEarlier(db, holds),
    addToTotals(db, parts),
    countOutcomes(db, outcomes, now),
    announceOrders(
      db,
      moves.map(({ order: { id, version } }) => ({ id, version: version + 1 })),
    ),
  ]);
}

/** Returns the outcomes of an order's change, for the installation's counters. */
function outcomesOf({ order, path }: Move, after: OrderChange): Outcome[] {
  const outcomes: Outcome[] = [];
  if (path.includes("confirming")) outcomes.push("seen");
  if (path.at(-1) === "paid") outcomes.push("paid");
  if (path.at(-1) === "expired") outcomes.push("expired");
  if (path.at(-1) === "cancelled") outcomes.push("cancelled");
  if (after.exception === "underpaid" && order.exception !== "underpaid") outcomes.push("underpaid");
  return outcomes;
}

function typesOf(move: Move, cause: MoveCause, now: Date): CallbackType[] {
  const types = eventsOf(move.order, move.path, toChange(move, now), move.held);
  // Marking an order as paid does not count as a detected payment.
  return cause.type === "markedPaid" ? types.filter((type) => type !== "payment.detected") : types;
}

/**
 * Enqueues the events of orders that changed in this transaction: confirmed payments always, others if the merchant
 * subscribed to them.
 * @param news the events of each order, in chronological order
 */
export async function enqueueEvents(
  db: Db,
  ctx: OrderContext,
  events: ReadonlyMap<string, readonly OrderEventType[]>,
  now: Date,
): Promise<void> {
  const asked = [...events].flatMap(([id, types]) => (types.some((type) => type !== "payment.confirmed") ? [id] : []));
  const optIns = await listOptIns(db, asked, now);
  const wanted = (id: string) => wantedEvents(events.get(id) ?? [], optIns.get(id));
  const reported = [...events.keys()].filter((id) => wanted(id).length > 0);
  const orders = (await listOrderDetailRows(db, reported)).map(orderDetailOf);
  const enqueued = orders.flatMap((order) => toCallbacks(order, wanted(order.id), ctx));
  await enqueueCallbacks(db, enqueued, now, ctx.integrations);
}

function toCallbacks(
  order: OrderDetail,
  types: readonly CallbackType[],
  { publicUrl }: OrderContext,
): NewCallbackEvent[] {
  const isPaidNow = types.includes("payment.confirmed") && order.notifyUrl !== null;
  const pending = { status: "pending", attempts: 0, lastHttpStatus: null, deliveredAt: null } as const;
  const data = toDetailData({ ...order, callback: isPaidNow ? pending : order.callback }, asStored({ publicUrl }));
  const { id: orderId, merchantId, version, notifyUrl: url, integration, echo } = order;
  return types.map((type) => ({ merchantId, orderId, type, version, url, data, integration, echo }));
}

/** Loads the funds of each order and computes every status on its path. */
async function lookUp(db: Db, orders: readonly Order[], cause: MoveCause, now: Date): Promise<Move[]> {
  if (orders.length === 0) return [];
  const ids = orders.map(({ id }) => id);
  const [ofQuotes, ofFunds] = await allEnded([listQuotes(db, ids), listFunds(db, ids)]);
  const quotes = Map.groupBy(ofQuotes, ({ orderId }) => orderId);
  const funds = Map.groupBy(ofFunds, ({ orderId }) => orderId);
  return orders.map((order) => {
    const own = quotes.get(order.id) ?? [];
    const held = sumFunds(order, own, funds.get(order.id) ?? [], cause);
    const path = walk(stateOf(order, held), toEvent(cause, held, now));
    return { order, quotes: own, held, path, status: path.at(-1) ?? order.status };
  });
}

type Quote = Awaited<ReturnType<typeof listQuotes>>[number];

function sumFunds(
  order: Order,
  quotes: readonly Quote[],
  funds: readonly CountedTransfer[],
  cause: MoveCause,
): QuoteFunds {
  const held = order.quoteId === null ? NOTHING_DUE : heldFunds(order, quotes, funds);
  return cause.type === "markedPaid" ? { ...held, funds: { ...held.funds, isAssigned: true } } : held;
}

function stateOf({ status, exception, expiresAt }: Order, held: QuoteFunds): OrderState {
  const { dueUnits, minUnits, maxDustUnits } = held;
  return { status, exception, dueUnits, minUnits, maxDustUnits, expiresAt };
}

function toEvent(cause: MoveCause, held: QuoteFunds, now: Date): OrderEvent {
  if (cause.type === "fundsChanged") return { type: "fundsChanged", funds: held.funds, now };
  return cause.type === "timePassed" ? { type: "timePassed", now } : { type: cause.type };
}

/** Returns every status that an order passes through after an event, following one edge of the state graph at a time. */
function walk(order: OrderState, event: OrderEvent): OrderStatus[] {
  const path: OrderStatus[] = [];
  let next = nextStatus(order, event);
  while (next !== null && !path.includes(next)) {
    path.push(next);
    next = nextStatus({ ...order, status: next }, event);
  }
  return path;
}

async function writeMoves(db: Db, moves: readonly Move[], now: Date): Promise<void> {
  const written = await updateOrders(
    db,
    moves.map((move) => ({ order: move.order, change: toChange(move, now) })),
    now,
  );
  if (written !== moves.length) throw new Error("An order changed while it was locked");
}

/**
 * Returns the transfer that settled the order. If a user marked the order as paid, it is the first transfer that is
 * confirmed.
 */
function settledBy(order: Order, held: QuoteFunds): string | null {
  return order.settledByTransferId ?? held.settledBy ?? (order.status === "paid" ? held.firstConfirmed : null);
}

function toChange({ order, held, status }: Move, now: Date): OrderChange {
  return {
    status,
    exception: nextException(stateOf(order, held), status, held.funds),
    quoteId: held.quoteId,
    paidUnits: held.funds.confirmedUnits,
    settledByTransferId: status === "paid" ? settledBy(order, held) : null,
    paidAt: status === "paid" ? (order.paidAt ?? now) : null,
  };
}

/** Returns an order's changes to the hourly totals. A paid order counts with its funds, under the token in which it was paid. */
function paidParts({ order, quotes }: Move, after: OrderChange): PaidPart[] {
  const states = [{ ...order, sign: -1 } as const, { ...after, sign: 1 } as const];
  return states.flatMap(({ quoteId, paidUnits: units, paidAt, sign }) => {
    const quote = quotes.find(({ id }) => id === quoteId);
    return quote && paidAt ? [{ ...order, ...quote, paidAt, units, sign }] : [];
  });
}

function toAudit({ order, held, path }: Move, cause: MoveCause) {
  const by = "by" in cause ? cause.by : cause;
  return {
    merchantId: order.merchantId,
    orderId: order.id,
    ...("userId" in by && { userId: by.userId, from: by.from }),
    action: cause.type === "renewed" ? ("order.renewed" as const) : (`order.${path.at(-1) ?? order.status}` as const),
    detail: {
      from: order.status,
      via: path.slice(0, -1),
      cause: cause.type,
      arrivedUnits: held.funds.arrivedUnits.toString(),
      ...("reason" in cause && { reason: cause.reason }),
      ...("by" in cause && "apiKeyId" in cause.by && { apiKeyId: cause.by.apiKeyId }),
      ...("by" in cause && "integration" in cause.by && { protocol: cause.by.integration }),
    },
  };
}

/** The result of a user's action on an order: its new status, or the problem that prevented it. */
export type ManualChange = { status: OrderStatus } | { problem: Problem };

/** Returns the order if it belongs to this merchant, else null: orders of other merchants are not disclosed. */
export function orderOf(order: Order | null, { merchantId }: { merchantId: string }): Order | null {
  return order?.merchantId === merchantId ? order : null;
}
