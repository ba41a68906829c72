import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type Funds,
  nextException,
  nextStatus,
  ORDER_GRAPH,
  ORDER_STATUSES,
  type OrderEvent,
  type OrderState,
  type OrderStatus,
} from "@/lib/domain/orders/order";

const T = new Date("2026-01-01T12:00:00Z");
const before = new Date(T.getTime() - 1);
const nothing: Funds = { arrivedUnits: 0n, confirmedUnits: 0n, isLate: false, isAssigned: false };
const order = (status: OrderStatus, change: Partial<OrderState> = {}): OrderState => ({
  status,
  exception: null,
  dueUnits: 100n,
  expiresAt: T,
  ...change,
});
const funds = (change: Partial<Funds>, now = before): OrderEvent => ({
  type: "fundsChanged",
  funds: { ...nothing, ...change },
  now,
});

const fundsOf = fc
  .record({
    seenUnits: fc.bigInt({ min: 0n, max: 150n }),
    confirmedUnits: fc.bigInt({ min: 0n, max: 150n }),
    isLate: fc.boolean(),
    isAssigned: fc.boolean(),
  })
  .map(({ seenUnits, ...rest }) => ({ ...rest, arrivedUnits: seenUnits + rest.confirmedUnits }));
const now = fc.date({ min: new Date(T.getTime() - 1_000), max: new Date(T.getTime() + 1_000), noInvalidDate: true });
const event: fc.Arbitrary<OrderEvent> = fc.oneof(
  fc.record({ type: fc.constant("fundsChanged" as const), funds: fundsOf, now }),
  fc.record({ type: fc.constant("timePassed" as const), now }),
  fc.constant({ type: "cancelled" as const }),
  fc.constant({ type: "markedPaid" as const }),
  fc.constant({ type: "renewed" as const }),
);

test("no sequence of events takes an order along an edge that the graph does not have", () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), (events) => {
      let status: OrderStatus = "pending";
      for (const one of events) {
        const next = nextStatus(order(status), one);
        if (next === null) continue;
        expect(ORDER_GRAPH[status]).toContain(next);
        status = next;
      }
    }),
  );
});

test("every edge of the graph is taken by some event", () => {
  const samples: OrderEvent[] = [
    { type: "cancelled" },
    { type: "markedPaid" },
    { type: "renewed" },
    { type: "timePassed", now: T },
    funds({}),
    funds({}, T),
    funds({ arrivedUnits: 100n }),
    funds({ arrivedUnits: 100n, confirmedUnits: 100n }),
    funds({ arrivedUnits: 100n, isAssigned: true }),
  ];
  for (const from of ORDER_STATUSES) {
    const reached = new Set(samples.map((sample) => nextStatus(order(from), sample)));
    for (const to of ORDER_GRAPH[from]) expect(reached, `${from} → ${to}`).toContain(to);
  }
});

test("a paid or cancelled order keeps its status, unless a user assigns the whole amount or marks it as paid", () => {
  const isManual = (one: OrderEvent) =>
    one.type === "markedPaid" ||
    (one.type === "fundsChanged" && one.funds.isAssigned && one.funds.arrivedUnits >= 100n);
  fc.assert(
    fc.property(event, (one) => {
      const next = nextStatus(order("cancelled"), one);
      return nextStatus(order("paid"), one) === null && next === (isManual(one) ? "confirming" : null);
    }),
  );
});

test("an order is paid only when the confirmed sum reaches the due amount", () => {
  fc.assert(
    fc.property(fundsOf, now, (arrived, at) => {
      const next = nextStatus(order("confirming"), { type: "fundsChanged", funds: arrived, now: at });
      return (next === "paid") === arrived.confirmedUnits >= 100n;
    }),
  );
});

test("only an expired order can be asked for once more", () => {
  for (const status of ORDER_STATUSES)
    expect(nextStatus(order(status), { type: "renewed" })).toBe(status === "expired" ? "pending" : null);
});

test("a payer who is one base unit short has not paid", () => {
  expect(nextStatus(order("pending"), funds({ arrivedUnits: 99n }))).toBeNull();
  expect(nextStatus(order("confirming"), funds({ arrivedUnits: 100n, confirmedUnits: 99n }))).toBeNull();
});

test("an order expires at the very instant, not a millisecond before", () => {
  expect(nextStatus(order("pending"), { type: "timePassed", now: before })).toBeNull();
  expect(nextStatus(order("pending"), { type: "timePassed", now: T })).toBe("expired");
});

test("an order that is confirming does not expire", () => {
  fc.assert(fc.property(now, (at) => nextStatus(order("confirming"), { type: "timePassed", now: at }) === null));
});

test("a transfer that a reorg took back leaves the order pending, or expired when its time is over", () => {
  expect(nextStatus(order("confirming"), funds({}, before))).toBe("pending");
  expect(nextStatus(order("confirming"), funds({}, T))).toBe("expired");
});

test("a late payment revives an expired order", () => {
  expect(nextStatus(order("expired"), funds({ arrivedUnits: 100n, isLate: true }, T))).toBe("confirming");
});

test("an order can be cancelled only while nothing has arrived", () => {
  for (const status of ORDER_STATUSES) {
    expect(nextStatus(order(status), { type: "cancelled" })).toBe(status === "pending" ? "cancelled" : null);
  }
});

test("exceptions describe unusual payments", () => {
  const exceptionOf = (status: OrderStatus, change: Partial<Funds>, state: Partial<OrderState> = {}) =>
    nextException(order(status, state), status, { ...nothing, ...change });
  expect(exceptionOf("paid", { arrivedUnits: 100n, confirmedUnits: 100n })).toBeNull();
  expect(exceptionOf("paid", { arrivedUnits: 100n, confirmedUnits: 100n, isLate: true })).toBe("late");
  expect(exceptionOf("paid", { arrivedUnits: 101n, confirmedUnits: 101n })).toBe("overpaid");
  expect(exceptionOf("paid", { arrivedUnits: 100n, confirmedUnits: 100n, isAssigned: true })).toBe("manual");
  const manual = { exception: "manual" as const };
  expect(exceptionOf("paid", { arrivedUnits: 100n, confirmedUnits: 100n, isLate: true }, manual)).toBe("manual");
  expect(exceptionOf("paid", { arrivedUnits: 101n, confirmedUnits: 101n }, manual)).toBe("overpaid");
  expect(exceptionOf("pending", { arrivedUnits: 99n })).toBe("underpaid");
  expect(exceptionOf("pending", {}, { exception: "underpaid" })).toBeNull();
});
