import type { Noise } from "@/chaos/chains/chain";
import {
  changePace,
  disturbances,
  type EndpointPlan,
  endFalsifications,
  type HoldPlan,
  healthyEndpoints,
  planClosing,
  planFalseTimes,
  planForgery,
  planHold,
  planReopening,
  planSwap,
} from "@/chaos/plan/disturbances";
import { dedicatedScript, EXACT, ownScript, type PartPlan, sharedScript } from "@/chaos/plan/order-scripts";
import type { Random } from "@/chaos/plan/random";
import {
  CANCELLERS,
  type OrderPlan,
  type OwnSource,
  type PaymentPlan,
  type PlanFacts,
  type RefundClaim,
  type RefundPayment,
  type RefundPlan,
  type Step,
} from "@/chaos/plan/steps";
import type { Currency } from "@/lib/domain/networks";

/** A planner of consecutive rounds. Each round begins where the last one ended. */
export interface Planner {
  nextRound(): Step[];
}

const FIRST_PRICE = 10_000;
const SWAP_EVERY = 6;
const PACE_EVERY = 3;
const SWAP_AT = 1;
const INVENT_AT = 2;
const SWAP_BACK_AT = 4;
/** The round in which endpoints start to return false block times. They continue until the plan next ends all falsifications. */
const FALSE_TIMES_AT = 5;
const DUST_EVERY = 3;
const DUST_AT = 1;
const HOLD_EVERY = 4;
const HOLD_AT = 1;
const FREEZE_EVERY = 5;
const FREEZE_AT = 3;
const OWN_EVERY = 2;
/** The number of rounds after which network closings and database outages repeat. */
const CYCLE = 12;
const CLOSE_AT = 3;
const REOPEN_AT = 5;
/** The rounds with a restore. Each restore reduces the number of amounts that are offered, so a run has at most three. */
const RESTORES = [10, 70, 130];
const ROUNDS_LOST = 2;
const OUTAGE_AT = 11;
/** The number of lost orders that are paid after the restore, and of new orders for the same prices. */
const PAID_WHEN_LOST = 8;
const MADE_AGAIN = 6;
/** The range of outage durations, from slightly longer than a lease to several leases. */
const OUTAGE_MS = [8_000, 20_000] as const;
/** The rounds in which an order is cancelled after a reorg removed its payment. */
const CANCEL_REMOVED_EVERY = 4;
const CANCEL_REMOVED_AT = 1;
/** The rounds in which an order is cancelled while its payment arrives. */
const CANCEL_PAID_EVERY = 4;
const CANCEL_PAID_AT = 2;
/** The range of delays before a cancellation, from before a worker reads the block of a payment until after it has credited the payment. */
const CANCEL_DELAY_MS = [0, 1_500] as const;
/** The number of newest orders that may be cancelled at any time. */
const CANCELLABLE_ORDERS = 12;
/** The number of rounds after which an order that was paid at once is final, and the number of orders from which refunds are selected. */
const REFUNDED_AFTER = 3;
const REFUNDABLE_ORDERS = 30;
const REFUND_CLAIM_WEIGHTS: Readonly<Record<RefundClaim, number>> = {
  customer: 4,
  regular: 3,
  otherShop: 2,
  openOrder: 4,
  ownShop: 2,
};
const REFUND_PAYMENT_WEIGHTS: Readonly<Record<RefundPayment, number>> = {
  exact: 8,
  twice: 3,
  short: 1,
  otherNetwork: 1,
};
/** The range of freeze durations, from shorter than a lease to longer than a takeover by a different worker. */
const FROZEN_MS = [4_000, 30_000] as const;

/** Creates a planner whose rounds depend only on `random` and `facts`. */
export function createPlanner(facts: PlanFacts, random: Random): Planner {
  const waiting: { payment: PaymentPlan; round: number; currency: Currency; network: string }[] = [];
  const ordered: OrderPlan[] = [];
  const endpoints: EndpointPlan[] = healthyEndpoints(facts);
  // The sources take turns, so that even a short run has orders of each source.
  const owned = facts.networks.flatMap(({ id, ownSources }) =>
    ownSources.map((source): { network: string; source: OwnSource } => ({ network: id, source })),
  );
  let round = 0;
  let price = FIRST_PRICE;
  let held: HoldPlan | null = null;
  let closed: string | null = null;
  let orderedAtDump = 0;
  /** The number of orders before each round. */
  const orderedBefore: number[] = [];
  const unpaidRefunds: { refund: RefundPlan; payment: RefundPayment; network: string; round: number }[] = [];
  let refundCount = 0;

  function newOrders(): OrderPlan[] {
    const made: OrderPlan[] = [];
    for (let group = random.int(2, 4); group > 0; group--) {
      price += 1;
      const { id, currencies } = random.pick(facts.networks);
      const currency = random.pick(currencies);
      const isDedicated = random.chance(0.25);
      const size = isDedicated ? 1 : random.pick([1, 1, 1, 2, 3]);
      const scriptOf = isDedicated ? dedicatedScript : sharedScript;
      const kind = { network: id, price, isDedicated, source: "pasted" } as const;
      // An amount is reserved in all currencies, because the payer of one order may send the token of a different order.
      const currencyOf = () => (size > 1 && random.chance(0.3) ? random.pick(currencies) : currency);
      for (let member = 0; member < size; member++) addOrder(made, { ...kind, currency: currencyOf() }, scriptOf);
    }
    const [first] = owned;
    if (first && round % OWN_EVERY === 0) {
      owned.push(...owned.splice(0, 1));
      price += 1;
      const currency = random.pick(facts.networks.find(({ id }) => id === first.network)?.currencies ?? []);
      for (let count = random.int(1, 4); count > 0; count--)
        addOrder(made, { ...first, price, currency, isDedicated: true }, ownScript);
    }
    return made;
  }

  function addOrder(
    made: OrderPlan[],
    kind: Pick<OrderPlan, "network" | "currency" | "price" | "isDedicated" | "source">,
    scriptOf: (random: Random) => OrderPlan["script"],
  ): void {
    const flags = { hasNotifyUrl: random.chance(0.85), isRepeated: random.chance(0.2) };
    made.push({ index: ordered.length + made.length, ...kind, ...flags, script: scriptOf(random) });
  }

  /** Plans the creation of orders, and schedules all their payments. */
  function create(made: OrderPlan[]): Step {
    ordered.push(...made);
    for (const order of made) for (const part of order.script.parts) plan(order, part);
    return { kind: "create", orders: made };
  }

  function plan({ index, network, currency }: OrderPlan, part: PartPlan): void {
    waiting.push({ payment: { order: index, part }, round: round + part.afterRounds, currency, network });
  }

  /** Plans a restore of the database from the dump. The payers of lost orders still pay, and new orders request the same prices. */
  function restore(): Step[] {
    const lost = random.shuffled(ordered.slice(orderedAtDump));
    for (const order of lost.slice(0, PAID_WHEN_LOST)) plan(order, { ...EXACT, afterRounds: random.int(1, 2) });
    const made: OrderPlan[] = [];
    const shared = lost.filter(({ isDedicated }) => !isDedicated);
    for (const { network, currency, price: same, isDedicated, source } of shared.slice(0, MADE_AGAIN))
      addOrder(made, { network, currency, price: same, isDedicated, source }, sharedScript);
    return [{ kind: "restore" }, create(made)];
  }

  function dump(): Step[] {
    orderedAtDump = ordered.length;
    return [{ kind: "dump" }];
  }

  /** Plans a sweep of derived addresses, while their orders are open or afterward. */
  function sweeps(): Step[] {
    const own = ordered.flatMap(({ network, source }) => (source === "pasted" ? [] : [{ network, source }]));
    return own.length === 0 || random.chance(0.4) ? [] : [{ kind: "sweep", ...random.pick(own) }];
  }

  /** Returns the transfers that are sent together, with their network. */
  function duePayments(): { network: string; payments: PaymentPlan[] }[] {
    const due = waiting.filter((entry) => entry.round <= round);
    for (const entry of due) waiting.splice(waiting.indexOf(entry), 1);
    const single = (entry: (typeof due)[number]) => entry.payment.part.isAfter !== null || random.chance(0.6);
    const groups = Map.groupBy(random.shuffled(due), (entry) =>
      single(entry) || entry.payment.part.isOtherCurrency || entry.payment.part.isOtherNetwork
        ? entry
        : `${entry.network} ${entry.currency}`,
    );
    return [...groups.values()].map((group) => ({
      network: group[0]?.network ?? "",
      payments: group.map(({ payment }) => payment),
    }));
  }

  /**
   * Plans a transaction that looks like a payment for an order. Unreadable ones are excluded where transfers add up: a transfer that
   * becomes readable later would be credited before or after the order is settled, at random.
   */
  function noise(order: OrderPlan): Step[] {
    const { noises = [] } = facts.networks.find(({ id }) => id === order.network) ?? {};
    const fit = noises.filter((one) => one !== "unreadable" || !order.isDedicated);
    return [{ kind: "noise", noise: random.pick(fit), order: order.index }];
  }

  /** Returns steps with unreadable dust, which is too rare to be left to chance. */
  function dust(): Step[] {
    const hides = (id: string) => facts.networks.some((one) => one.id === id && one.noises.includes("unreadable"));
    const order = ordered.findLast(({ network, isDedicated }) => !isDedicated && hides(network));
    if (!order || round % DUST_EVERY !== DUST_AT) return [];
    return [{ kind: "noise", noise: "unreadable" satisfies Noise, order: order.index }];
  }

  function cancel(orders: readonly OrderPlan[], payments: PaymentPlan[], afterMs: number): Step[] {
    if (orders.length === 0) return [];
    return [{ kind: "cancel", order: random.pick(orders).index, by: random.pick(CANCELLERS), payments, afterMs }];
  }

  /** Returns a payment with the disturbances around it, including cancellations of its order. */
  function paymentSteps({ network, payments }: { network: string; payments: PaymentPlan[] }, isFirst: boolean): Step[] {
    const paid = payments.flatMap(({ order }) => ordered[order] ?? []);
    const isSimultaneous = payments.every(({ part }) => part.isAfter === null);
    const isAppointed = (every: number, at: number) => isFirst && round % every === at;
    const delayMs = random.int(...CANCEL_DELAY_MS);
    if (isSimultaneous && (isAppointed(CANCEL_PAID_EVERY, CANCEL_PAID_AT) || random.chance(0.05)))
      return cancel(paid, payments, delayMs);
    const steps: Step[] = [{ kind: "pay", payments }, ...someBlocks(facts, random, 0.6)];
    if (random.chance(0.03)) steps.push({ kind: "rest", ms: delayMs }, ...cancel(paid, [], 0));
    const isCancelledRemoved = isAppointed(CANCEL_REMOVED_EVERY, CANCEL_REMOVED_AT);
    if (isCancelledRemoved || random.chance(0.15)) {
      steps.push(...planRevert(facts, random, network));
      if (isCancelledRemoved || random.chance(0.4)) steps.push({ kind: "rest", ms: delayMs }, ...cancel(paid, [], 0));
    }
    return steps;
  }

  /** Plans a refund of an order that was probably paid, and its payments. */
  function refund(): Step[] {
    const settled = ordered.slice(0, orderedBefore.at(-1 - REFUNDED_AFTER) ?? 0).slice(-REFUNDABLE_ORDERS);
    const paid = settled.filter(({ script }) => script.parts.some((part) => part.percent === 100 && part.plus >= 0));
    if (paid.length === 0) return [];
    const order = random.pick(paid);
    const planned: RefundPlan = {
      index: refundCount++,
      order: order.index,
      isOfTransfer: random.chance(0.15),
      percent: random.pick([null, 30, 60, 60, 100]),
      rivals: random.int(1, 3),
      claim: random.weighted(REFUND_CLAIM_WEIGHTS),
      isOtherNetwork: random.chance(0.3),
      isDisputed: random.chance(0.15),
    };
    for (let times = random.pick([1, 1, 1, 2]); times > 0; times--) {
      const payment = random.weighted(REFUND_PAYMENT_WEIGHTS);
      unpaidRefunds.push({ refund: planned, payment, network: order.network, round: round + random.int(0, 2) });
    }
    return [{ kind: "refund", refund: planned }];
  }

  /** Returns the due payments of refunds. Some are taken back by a reorg after the workers have had time to detect them. */
  function refundPayments(): Step[] {
    const due = unpaidRefunds.filter((entry) => entry.round <= round);
    for (const entry of due) unpaidRefunds.splice(unpaidRefunds.indexOf(entry), 1);
    return due.flatMap(({ refund: { index }, payment, network }): Step[] => [
      { kind: "payRefund", refund: index, payment },
      ...(random.chance(0.25) ? planRevert(facts, random, network) : someBlocks(facts, random, 0.5)),
    ]);
  }

  /** Plans the closing of the network on which the newest orders were created, and its reopening some rounds later. */
  function closings(): Step[] {
    if (closed && round % CYCLE === REOPEN_AT) {
      const network = closed;
      closed = null;
      return planReopening(endpoints, network);
    }
    if (round % CYCLE !== CLOSE_AT) return [];
    closed = ordered.at(-1)?.network ?? null;
    return closed ? planClosing(facts, random, endpoints, closed) : [];
  }

  /** Plans an endpoint with false block times for each family, on the network of the family's last order. */
  function falseTimes(): Step[] {
    const families = Map.groupBy(facts.networks, ({ family }) => family);
    return [...families.values()].flatMap((networks) => {
      const last = ordered.findLast((order) => networks.some(({ id }) => id === order.network));
      const network = networks.find(({ id }) => id === last?.network) ?? networks[0];
      return network ? planFalseTimes(random, endpoints, network) : [];
    });
  }

  /** Plans chain halts. At most one chain halts at a time, so that the test can verify that the halt does not delay the other chains. */
  function standstills(): Step[] {
    if (held && round >= held.until) {
      const { network } = held;
      held = null;
      return [{ kind: "hold", network, what: null }];
    }
    if (held || round % HOLD_EVERY !== HOLD_AT) return [];
    const planned = planHold(facts, random, round);
    held = planned.held;
    return [planned.step];
  }

  return {
    nextRound() {
      orderedBefore.push(ordered.length);
      const steps: Step[] = [create(newOrders())];
      for (const [at, due] of duePayments().entries()) {
        steps.push(...paymentSteps(due, at === 0));
        if (random.chance(0.3)) steps.push({ kind: "rest", ms: random.int(50, 600) });
        if (random.chance(0.1)) steps.push(...noise(random.pick(ordered)));
        if (random.chance(0.3)) steps.push(...disturbances(facts, random, endpoints));
      }
      for (let count = random.int(1, 3); count > 0; count--) steps.push(...refund());
      steps.push(...refundPayments());
      steps.push(...disturbances(facts, random, endpoints), ...someBlocks(facts, random, 1), { kind: "rest", ms: 400 });
      if (round % PACE_EVERY === 0) steps.push(...changePace(random.pick(facts.networks), random));
      const anyOrder = random.chance(0.25) ? cancel(ordered.slice(-CANCELLABLE_ORDERS), [], 0) : [];
      const disasters = [...appointed(facts, random, round), ...standstills(), ...dust(), ...sweeps(), ...anyOrder];
      if (RESTORES.includes(round + ROUNDS_LOST)) disasters.push(...dump());
      for (const disaster of disasters) steps.splice(random.int(1, steps.length), 0, disaster);
      if (round % SWAP_EVERY === SWAP_AT) steps.push(...planSwap(facts, random, endpoints));
      if (round % SWAP_EVERY === INVENT_AT) steps.push(...planForgery(facts, random, endpoints));
      if (round % SWAP_EVERY === SWAP_BACK_AT) steps.push(...endFalsifications(endpoints));
      if (round % SWAP_EVERY === FALSE_TIMES_AT) steps.push(...falseTimes());
      steps.push(...closings());
      if (RESTORES.includes(round)) steps.push(...restore());
      round += 1;
      return steps;
    },
  };
}

/** Plans a reorg that reverts a payment after the workers have had time to detect it. */
function planRevert({ networks }: PlanFacts, random: Random, network: string): Step[] {
  const deepest = networks.find(({ id }) => id === network)?.deepest ?? 1;
  const how = random.weighted({ replace: 4, rollBack: 1 });
  return [
    { kind: "mine", network, blocks: random.int(1, Math.ceil(deepest / 2)) },
    { kind: "rest", ms: random.int(300, 1_200) },
    { kind: "reorg", network, how, depth: deepest },
  ];
}

/** Returns the steps that are not left to chance, so that even a short run contains them. */
function appointed(facts: PlanFacts, random: Random, round: number): Step[] {
  const { workers } = facts;
  const kill: Step = { kind: "kill", worker: random.int(0, workers - 1) };
  const freeze: Step = { kind: "freeze", worker: random.int(0, workers - 1), ms: random.int(...FROZEN_MS) };
  return [
    ...(round % 4 === 2 ? [kill] : []),
    ...(round % FREEZE_EVERY === FREEZE_AT ? [freeze] : []),
    ...(round % 8 === 5 ? [{ kind: "restartDatabase" } as const] : []),
    ...(round % CYCLE === OUTAGE_AT ? [databaseOutage(facts, random)] : []),
  ];
}

function databaseOutage({ workers }: PlanFacts, random: Random): Step {
  return { kind: "databaseOutage", worker: random.int(0, workers - 1), ms: random.int(...OUTAGE_MS) };
}

function someBlocks(facts: PlanFacts, random: Random, probability: number): Step[] {
  return facts.networks.flatMap(({ id }): Step[] =>
    random.chance(probability) ? [{ kind: "mine", network: id, blocks: random.pick([1, 1, 1, 2, 3]) }] : [],
  );
}
