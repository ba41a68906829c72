import fc from "fast-check";

/** The index of an entity from the newest (0) to the oldest, modulo their number. */
type Recent = number;
/** The number of the statement before which the process crashes; null if it does not. */
type Crash = number | null;

/** A step of a run. It is plain data, so that a failing list can be printed and repeated. */
export type Command =
  | { do: "create"; merchant: number; network: number; currency: number; amount: number; seconds: number; crash: Crash }
  | { do: "checkout"; merchant: number; amount: number; crash: Crash }
  | { do: "deposit"; merchant: number; network: number; customer: number; crash: Crash }
  | { do: "pay"; hold: Recent; sum: Sum; elsewhere: Elsewhere; times: number; isMined: boolean }
  | { do: "payDeposit"; deposit: Recent; network: number; currency: number; amount: number; isMined: boolean }
  | { do: "sweep"; network: number; currency: number; amount: number }
  | { do: "mine"; network: number; blocks: number; isLate: boolean; aheadSeconds: number }
  | { do: "reorg"; network: number; depth: number; fate: "lost" | "waiting" | "included" }
  | { do: "watch"; network: number; isIdle: boolean; crash: Crash }
  | { do: "scan"; network: number; crash: Crash }
  | { do: "answer"; network: number; crash: Crash }
  | { do: "tick"; crash: Crash }
  | { do: "wait"; seconds: number; isWatched: boolean }
  | { do: "cancel"; order: Recent; by: "key" | "user"; crash: Crash }
  | { do: "extend"; order: Recent; crash: Crash }
  | { do: "switch"; order: Recent; network: number; currency: number; crash: Crash }
  | { do: "markPaid"; order: Recent; crash: Crash }
  | { do: "assign"; transfer: Recent; order: Recent; crash: Crash }
  | { do: "unlink"; transfer: Recent; crash: Crash }
  | { do: "noteRefund"; transfer: Recent; crash: Crash }
  | {
      do: "refund";
      /** The order that is refunded, or the unmatched transfer if `isOfTransfer`. */
      order: Recent;
      isOfTransfer: boolean;
      part: number;
      claim: RefundClaim;
      network: number;
      /** The number of users who request, claim and approve at the same time. */
      rivals: number;
      crash: Crash;
    }
  | { do: "payRefund"; refund: Recent; payment: RefundPay; isMined: boolean }
  | { do: "cancelRefund"; refund: Recent; crash: Crash }
  | { do: "prune"; hours: number; crash: Crash }
  | { do: "dump" }
  | { do: "restore" }
  | { do: "fault"; network: number; endpoint: number; kind: FaultKind }
  | { do: "restart" }
  | { do: "setClockBack"; seconds: number }
  | { do: "close"; network: number; crash: Crash }
  | { do: "reopen"; network: number; crash: Crash };

/** The amount of a payment, relative to that of a hold. `other`: the amount of a different hold. */
export type Sum = "exact" | "short" | "excess" | "dust" | "other";
/** The difference of a payment's currency or network from those of its hold. */
export type Elsewhere = "no" | "currency" | "network" | "both";
export type FaultKind =
  | "none"
  | "silent"
  | "outage"
  | "behind"
  | "falseReceipt"
  | "noReceipt"
  | "hoursEarly"
  | "minutesLate";

/**
 * The address that is claimed: one of a customer, one of another merchant, one where an open order of another merchant asks for the
 * refunded amount, or one of the merchant, which must be refused.
 */
export type RefundClaim = "customer" | "other" | "open" | "own";
/** The payment of a refund. `twice`: two equal transfers in one transaction. */
export type RefundPay = "exact" | "twice" | "less" | "more" | "otherToken" | "otherNetwork";

/** The amounts of orders, in millionths of a currency. There are only a few, so that orders compete for them. */
export const AMOUNTS = [10_000_000n, 10_000_100n, 25_000_000n, 10_000_001n] as const;

const binary = fc.nat(1);
/** An arbitrary that generates newer entities more often. */
const recent = fc.oneof({ weight: 4, arbitrary: fc.nat(2) }, { weight: 1, arbitrary: fc.nat(20) });
const crash = fc.oneof(
  { withCrossShrink: true },
  { weight: 10, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 40 }) },
);
const weighted = <T>(...choices: [number, T][]) =>
  fc.oneof(...choices.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })));

/** The special values for the index of a network: both networks, or the one whose chain changed last. */
export const BOTH = 2;
export const CHANGED = 3;
const networks = weighted([3, CHANGED], [1, BOTH], [1, 0], [1, 1]);
const command = <T extends Command["do"]>(name: T, fields: object): fc.Arbitrary<Command> =>
  fc.record({ do: fc.constant(name), ...fields }) as unknown as fc.Arbitrary<Command>;

const COMMANDS: [number, fc.Arbitrary<Command>][] = [
  [
    12,
    command("create", {
      merchant: binary,
      network: binary,
      currency: binary,
      amount: weighted([6, 0], [2, 1], [1, 2], [1, 3]),
      seconds: weighted([2, 300], [1, 1_800]),
      crash,
    }),
  ],
  [1, command("checkout", { merchant: binary, amount: fc.nat(1), crash })],
  [1, command("deposit", { merchant: fc.constant(0), network: binary, customer: binary, crash })],
  [
    16,
    command("pay", {
      hold: recent,
      sum: weighted<Sum>([8, "exact"], [2, "short"], [1, "excess"], [1, "dust"], [1, "other"]),
      elsewhere: weighted<Elsewhere>([8, "no"], [1, "currency"], [1, "network"], [1, "both"]),
      times: weighted([8, 1], [1, 2]),
      isMined: fc.boolean(),
    }),
  ],
  [
    1,
    command("payDeposit", {
      deposit: fc.nat(3),
      network: binary,
      currency: binary,
      amount: fc.nat(2),
      isMined: fc.boolean(),
    }),
  ],
  [1, command("sweep", { network: binary, currency: binary, amount: fc.nat(2) })],
  [
    14,
    command("mine", {
      network: networks,
      blocks: weighted([2, 1], [1, 2], [2, 4], [1, 20]),
      isLate: weighted([4, false], [1, true]),
      aheadSeconds: weighted([6, 0], [1, 60]),
    }),
  ],
  [
    5,
    command("reorg", {
      network: weighted([2, CHANGED], [1, 0], [1, 1]),
      depth: weighted([3, 1], [3, 2], [1, 3], [1, 6], [1, 25]),
      fate: weighted<"lost" | "waiting" | "included">([1, "lost"], [2, "waiting"], [2, "included"]),
    }),
  ],
  [22, command("watch", { network: networks, isIdle: weighted([2, false], [1, true]), crash })],
  [3, command("scan", { network: fc.constant(CHANGED), crash })],
  [1, command("answer", { network: networks, crash })],
  [6, command("tick", { crash })],
  [
    8,
    command("wait", {
      seconds: weighted([3, 30], [3, 330], [1, 1_900], [1, 4_000], [1, 8_000]),
      isWatched: weighted([3, true], [1, false]),
    }),
  ],
  [5, command("cancel", { order: recent, by: weighted<"key" | "user">([2, "key"], [1, "user"]), crash })],
  [2, command("extend", { order: recent, crash })],
  [3, command("switch", { order: recent, network: binary, currency: binary, crash })],
  [2, command("markPaid", { order: recent, crash })],
  [3, command("assign", { transfer: recent, order: recent, crash })],
  [3, command("unlink", { transfer: recent, crash })],
  [1, command("noteRefund", { transfer: recent, crash })],
  [
    4,
    command("refund", {
      order: recent,
      isOfTransfer: weighted([4, false], [1, true]),
      part: weighted([2, 0], [3, 1]),
      claim: weighted<RefundClaim>([4, "customer"], [2, "other"], [3, "open"], [1, "own"]),
      network: binary,
      rivals: weighted([2, 1], [2, 2], [1, 3]),
      crash,
    }),
  ],
  [
    4,
    command("payRefund", {
      refund: recent,
      payment: weighted<RefundPay>(
        [8, "exact"],
        [2, "twice"],
        [1, "less"],
        [1, "more"],
        [1, "otherToken"],
        [1, "otherNetwork"],
      ),
      isMined: fc.boolean(),
    }),
  ],
  [1, command("cancelRefund", { refund: recent, crash })],
  [1, command("prune", { hours: fc.constantFrom(2, 5), crash })],
  [2, command("dump", {})],
  [1, command("restore", {})],
  [
    4,
    command("fault", {
      network: weighted([1, CHANGED], [1, 0], [1, 1]),
      endpoint: binary,
      kind: weighted<FaultKind>(
        [3, "none"],
        [2, "silent"],
        [1, "outage"],
        [1, "behind"],
        [1, "falseReceipt"],
        [1, "noReceipt"],
        [3, "hoursEarly"],
        [1, "minutesLate"],
      ),
    }),
  ],
  [1, command("restart", {})],
  [1, command("setClockBack", { seconds: weighted([1, 10], [1, 100], [1, 600]) })],
  [1, command("close", { network: binary, crash })],
  [1, command("reopen", { network: binary, crash })],
];

/** An arbitrary for any command. Payments and rounds of the worker are frequent; faults are rarer. */
const anyCommand: fc.Arbitrary<Command> = fc.oneof(...COMMANDS.map(([weight, arbitrary]) => ({ weight, arbitrary })));

const just = (value: Command): fc.Arbitrary<Command> => fc.constant(value);
const WATCH = just({ do: "watch", network: CHANGED, isIdle: false, crash: null });
const CONFIRM = just({ do: "mine", network: CHANGED, blocks: 20, isLate: false, aheadSeconds: 0 });
const NEXT_BLOCK = just({ do: "mine", network: CHANGED, blocks: 1, isLate: false, aheadSeconds: 0 });
const of = (name: Command["do"]) => anyCommand.filter((one) => one.do === name);
const newest = {
  network: binary,
  currency: binary,
  merchant: binary,
  amount: fc.constant(0),
  seconds: fc.constant(300),
};
const CREATE = command("create", { ...newest, crash: fc.constant(null) });
const PAY = command("pay", {
  hold: recent,
  sum: weighted<Sum>([4, "exact"], [1, "short"]),
  elsewhere: fc.constant<Elsewhere>("no"),
  times: fc.constant(1),
  isMined: fc.constant(true),
});
const REORG = command("reorg", {
  network: fc.constant(CHANGED),
  depth: weighted([1, 1], [2, 2], [1, 5]),
  fate: fc.constant("waiting"),
});
const PAY_REFUND = just({ do: "payRefund", refund: 0, payment: "exact", isMined: true });
/** A reorg that removes the block of a payment before `CONFIRM`. */
const DEEP_REORG = command("reorg", {
  network: fc.constant(CHANGED),
  depth: fc.constant(25),
  fate: weighted<"lost" | "waiting" | "included">([1, "lost"], [2, "waiting"], [2, "included"]),
});
/** An action of a user, a merchant's server or a payer on an order. */
const ACT = fc.oneof(of("cancel"), of("extend"), of("switch"), of("markPaid"), of("assign"), of("unlink"));

/**
 * The sequences that lists consist of. Most are single commands; the others put an action between two steps of the worker more often than
 * random selection would. The shrinker still removes commands one by one.
 */
export const PHRASES: readonly (readonly fc.Arbitrary<Command>[])[] = [
  ...Array.from({ length: 12 }, () => [anyCommand]),
  [CREATE, PAY, WATCH],
  [PAY, of("scan"), ACT, WATCH],
  [PAY, WATCH, ACT, CONFIRM, WATCH],
  [PAY, WATCH, REORG, WATCH, ACT, NEXT_BLOCK, WATCH],
  [of("fault"), PAY, WATCH, CONFIRM, WATCH],
  [of("wait"), of("tick"), CREATE],
  [CREATE, PAY, WATCH, CONFIRM, WATCH, of("refund"), of("payRefund"), WATCH],
  [of("refund"), of("payRefund"), WATCH, REORG, WATCH, CONFIRM, WATCH],
  [of("refund"), PAY_REFUND, CONFIRM, WATCH, DEEP_REORG, WATCH, of("refund"), CONFIRM, WATCH],
  [PAY, WATCH, CONFIRM, WATCH, of("refund"), of("assign"), of("refund")],
];
