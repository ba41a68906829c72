import type { ChaosChain, ChaosPayment, Standstill } from "@/chaos/chains/chain";
import { type CreatedOrder, createOrders } from "@/chaos/create-orders";
import { FALSE_TIMES, falsifyTimes } from "@/chaos/faults/false-times";
import { type Fault, passOn } from "@/chaos/faults/fault-proxy";
import { FORGED_PAYMENT, inventPayment } from "@/chaos/faults/forged-payment";
import { ANOTHER_CHAIN, swapEndpoint } from "@/chaos/faults/swapped-endpoint";
import { TRANSPORT_FAULTS } from "@/chaos/faults/transport-faults";
import { type CancelAttempt, cancelCreated } from "@/chaos/operations/cancel-orders";
import { close, reopen } from "@/chaos/operations/close-networks";
import { type CreatedRefund, refundOrder, refundPayments } from "@/chaos/operations/refund-orders";
import { afterRestore, type DumpState, restoreDump, takeDump } from "@/chaos/operations/restore-database";
import { stopDatabase } from "@/chaos/operations/stop-database";
import type { Random } from "@/chaos/plan/random";
import type { PaymentPlan, RefundPlan, Step } from "@/chaos/plan/steps";
import { type Swept, sweep } from "@/chaos/sweep";
import { sleep } from "@/chaos/wait";
import { chainOf, type World } from "@/chaos/world";
import { getToken } from "@/lib/domain/networks";

/** The state of a run, with the counts of its steps so far. */
export interface ChaosState {
  created: Map<number, CreatedOrder>;
  /** The networks whose head is halted. Transactions that are sent to them stay pending. */
  still: Set<string>;
  swept: Swept[];
  refunds: CreatedRefund[];
  cancelAttempts: CancelAttempt[];
  counts: {
    orders: number;
    refusedOrders: number;
    transactions: number;
    reorgs: number;
    replacedBlocks: number;
    /** The number of replaced blocks by network. */
    replacedBy: Record<string, number>;
    paceChanges: number;
    /** The number of the merchants' own addresses that were swept, by network and source. */
    sweeps: Record<string, number>;
    /** The number of attempts to cancel an order, by actor and result. */
    cancellations: Record<string, number>;
    /** The number of requests, claims and payments of refunds, by result. */
    refunds: Record<string, number>;
    /** The number of transactions that looked like payments, by kind. */
    noises: Record<string, number>;
    /** The number of chain halts by kind. */
    standstills: Record<string, number>;
    faults: number;
    /** The number of faults by name. */
    faultKinds: Record<string, number>;
    /** The number of endpoints that returned false block times, by the chain family of their network. */
    falseTimes: Record<string, number>;
    kills: number;
    freezes: number;
    databaseRestarts: number;
    databaseOutages: number;
    /** The number of closings by network. */
    closings: Record<string, number>;
    restores: number;
    /** The number of orders that were created after the restored dump. */
    lostOrders: number;
  };
  /** Networks that an operator closed. */
  closed: Set<string>;
  /** The newest dump. */
  dump: DumpState | null;
  /** The problems that were found during the run. */
  invalid: string[];
}

interface Sent {
  chain: ChaosChain;
  payment: ChaosPayment;
}

const AFTER_EXPIRY_MS = 1_200;
const PAID_ELSEWHERE = 3;
/** The number of token decimals that PartPlan.plus uses. */
const PLUS_DECIMALS = 4;

/** Returns the state of a run before its first step. */
export function newChaosState(): ChaosState {
  const chains = { transactions: 0, reorgs: 0, replacedBlocks: 0, replacedBy: {}, paceChanges: 0, sweeps: {} };
  const disasters = {
    cancellations: {},
    refunds: {},
    noises: {},
    standstills: {},
    faults: 0,
    faultKinds: {},
    falseTimes: {},
    kills: 0,
    freezes: 0,
    databaseRestarts: 0,
    databaseOutages: 0,
    closings: {},
    restores: 0,
    lostOrders: 0,
  };
  return {
    created: new Map(),
    still: new Set(),
    swept: [],
    refunds: [],
    cancelAttempts: [],
    closed: new Set(),
    dump: null,
    invalid: [],
    counts: { orders: 0, refusedOrders: 0, ...chains, ...disasters },
  };
}

/** Executes one step of a plan. */
export async function runStep(world: World, actions: ChaosState, step: Step, random: Random): Promise<void> {
  const { counts } = actions;
  switch (step.kind) {
    case "create": {
      const created = await createOrders(world, step.orders, random);
      for (const order of created) actions.created.set(order.plan.index, order);
      counts.orders += created.length;
      counts.refusedOrders += step.orders.length - created.length;
      return;
    }
    case "pay":
      return pay(world, actions, step.payments);
    case "cancel":
      await Promise.all([payAndMine(world, actions, step.payments), cancel(world, actions, step)]);
      return;
    case "refund":
      return refund(world, actions, step.refund, random);
    case "payRefund":
      return payRefund(world, actions, step);
    case "noise": {
      const order = actions.created.get(step.order);
      if (!order) return;
      const { chain, payment } = exactPayment(world, order);
      addTo(counts.noises, step.noise, 1);
      return chain.sendNoise(step.noise, payment);
    }
    case "sweep": {
      const chain = chainOf(world, step.network);
      const from = { source: step.source, created: actions.created.values(), before: actions.swept };
      const swept = await sweep(world, chain, from, random);
      actions.swept.push(...swept);
      return addTo(counts.sweeps, `${step.network} ${step.source}`, swept.length);
    }
    case "mine":
      return mine(world, actions, step);
    case "pace":
      counts.paceChanges += 1;
      return chainOf(world, step.network).setBlockMs?.(step.blockMs);
    case "reorg": {
      if (actions.still.has(step.network)) return;
      const blocks = await chainOf(world, step.network).reorg(step.how, step.depth, random);
      counts.reorgs += blocks > 0 ? 1 : 0;
      counts.replacedBlocks += blocks;
      addTo(counts.replacedBy, step.network, blocks);
      return;
    }
    case "fault":
      if (step.fault !== null) {
        counts.faults += 1;
        addTo(counts.faultKinds, step.fault, 1);
        if (step.fault === FALSE_TIMES) addTo(counts.falseTimes, chainOf(world, step.network).network.family, 1);
      }
      return setFault(world, actions, step, random);
    case "hold":
      if (step.what) addTo(counts.standstills, `${step.network} ${step.what}`, 1);
      return hold(actions, chainOf(world, step.network), step.what);
    case "kill":
      counts.kills += 1;
      return world.fleet.kill(step.worker);
    case "freeze":
      counts.freezes += 1;
      return world.fleet.freeze(step.worker, step.ms);
    case "restartDatabase":
      counts.databaseRestarts += 1;
      return world.database.restart();
    case "databaseOutage":
      counts.databaseOutages += 1;
      actions.invalid.push(...(await stopDatabase(world, step, () => mineEverywhere(world, actions))));
      return;
    case "closeNetwork":
      actions.closed.add(step.network);
      addTo(counts.closings, step.network, 1);
      return close(world, step.network);
    case "reopenNetwork":
      actions.closed.delete(step.network);
      return reopen(world, step.network);
    case "dump":
      actions.dump = await takeDump(world, actions, new Date());
      return;
    case "restore":
      return restore(world, actions);
    case "rest":
      return sleep(step.ms);
  }
}

function addTo(counts: Record<string, number>, name: string, count: number): void {
  counts[name] = (counts[name] ?? 0) + count;
}

/** Sends due payments. Several payments of one token on one chain are sent in one transaction. */
async function pay(world: World, actions: ChaosState, plans: readonly PaymentPlan[]): Promise<void> {
  const sent: Sent[] = [];
  for (const { order: index, part } of plans) {
    const order = actions.created.get(index);
    if (!order) continue;
    const isOverAt = { expiry: order.expiresAt, lateWindow: order.reservedUntil };
    if (part.isAfter) await sleep(isOverAt[part.isAfter].getTime() + AFTER_EXPIRY_MS - Date.now());
    const one = toPayment(world, order, part);
    sent.push(...(part.isDoubled ? [one, one] : [one]));
  }
  for (const group of Map.groupBy(sent, ({ chain, payment }) => `${chain.network.id} ${payment.currency}`).values()) {
    actions.counts.transactions += 1;
    await group[0]?.chain.send(group.map(({ payment }) => payment));
  }
}

/** Sends payments, and mines a block on every chain that may have received one. */
async function payAndMine(world: World, actions: ChaosState, payments: readonly PaymentPlan[]): Promise<void> {
  await pay(world, actions, payments);
  if (payments.length > 0) await mineEverywhere(world, actions);
}

async function mineEverywhere(world: World, actions: ChaosState): Promise<void> {
  for (const { network } of world.chains) await mine(world, actions, { kind: "mine", network: network.id, blocks: 1 });
}

async function cancel(world: World, actions: ChaosState, step: Step & { kind: "cancel" }): Promise<void> {
  const order = actions.created.get(step.order);
  // A merchant does not cancel an order that is lost, or that was reported as paid.
  if (!order || order.isLost || world.shop.deliveredBefore.has(order.tradeId)) return;
  await sleep(step.afterMs);
  const attempt = await cancelCreated(world, order, step.by);
  actions.cancelAttempts.push(attempt);
  const isCancelled = attempt.problem === null;
  if (isCancelled) actions.created.set(step.order, { ...order, isCancelled });
  const outcome = attempt.isRepeat ? "repeated" : isCancelled ? "cancelled" : "refused";
  addTo(actions.counts.cancellations, `${step.by} ${outcome}`, 1);
}

async function refund(world: World, actions: ChaosState, plan: RefundPlan, random: Random): Promise<void> {
  const order = actions.created.get(plan.order);
  if (!order || order.isLost) return;
  const done = await refundOrder(world, [...actions.created.values()], order, plan, random);
  actions.refunds.push(...done.created);
  actions.invalid.push(...done.invalid);
  for (const name of done.counts) addTo(actions.counts.refunds, name, 1);
}

/** Pays the refunds of a plan, also those that a restore lost, because their merchant still pays. */
async function payRefund(
  world: World,
  { refunds, counts }: ChaosState,
  { refund: index, payment }: Step & { kind: "payRefund" },
): Promise<void> {
  const own = refunds.filter(({ plan }) => plan.index === index);
  for (const { chain, payments } of refundPayments(world, own, payment)) {
    counts.transactions += 1;
    addTo(counts.refunds, `sent ${payment}`, 1);
    await chain.send(payments);
  }
}

async function restore(world: World, { dump, created, refunds, counts }: ChaosState): Promise<void> {
  if (!dump) return;
  await restoreDump(world, dump);
  const isLostNow = ({ isLost }: CreatedOrder) => isLost;
  const before = [...created.values()].filter(isLostNow).length;
  for (const [index, order] of created) created.set(index, afterRestore(order, dump));
  for (const refund of refunds) refund.isLost = !dump.refunds.has(refund.id);
  counts.restores += 1;
  counts.lostOrders += [...created.values()].filter(isLostNow).length - before;
}

function exactPayment(world: World, { plan, address, baseUnits }: CreatedOrder): Sent {
  return { chain: chainOf(world, plan.network), payment: { currency: plan.currency, to: address, baseUnits } };
}

function toPayment(world: World, order: CreatedOrder, part: PaymentPlan["part"]): Sent {
  const { chain, payment } = exactPayment(world, order);
  const target = part.isOtherNetwork ? siblingOf(world, chain) : chain;
  const otherToken = target.network.tokens.find((token) => token.currency !== payment.currency);
  const currency = part.isOtherCurrency && otherToken ? otherToken.currency : payment.currency;
  const from = getToken(chain.network, payment.currency).decimals;
  const to = getToken(target.network, currency).decimals;
  const asked =
    (payment.baseUnits * BigInt(part.percent)) / 100n + BigInt(part.plus) * 10n ** BigInt(from - PLUS_DECIMALS);
  const baseUnits = to >= from ? asked * 10n ** BigInt(to - from) : asked / 10n ** BigInt(from - to);
  return { chain: target, payment: { currency, to: payment.to, baseUnits } };
}

/**
 * Returns a different chain of the same family, on which the address also belongs to the merchant, or the chain itself if there is none.
 */
function siblingOf(world: World, chain: ChaosChain): ChaosChain {
  const { family, id } = chain.network;
  return world.chains.find(({ network }) => network.family === family && network.id !== id) ?? chain;
}

/** Halts the head or the finality of a chain, or resumes both if `what` is null. */
export async function hold({ still }: ChaosState, chain: ChaosChain, what: Standstill | null): Promise<void> {
  if (what === "head") still.add(chain.network.id);
  else still.delete(chain.network.id);
  await chain.holdFinal?.(what === "final");
}

async function mine(world: World, { still }: ChaosState, { network, blocks }: Step & { kind: "mine" }): Promise<void> {
  if (still.has(network)) return;
  const chain = chainOf(world, network);
  await chain.mine(blocks);
  await world.otherChains.mine(chain.network, blocks);
}

async function setFault(
  world: World,
  actions: ChaosState,
  { network, endpoint, fault }: Step & { kind: "fault" },
  random: Random,
): Promise<void> {
  const proxy = world.endpoints.get(network)?.[endpoint];
  if (!proxy) throw new Error(`There is no endpoint ${endpoint} of ${network}`);
  proxy.fault = fault === null ? undefined : await makeFault(world, actions, chainOf(world, network), fault, random);
}

async function makeFault(
  world: World,
  actions: ChaosState,
  chain: ChaosChain,
  name: string,
  random: Random,
): Promise<Fault> {
  const make = chain.falsifications[name] ?? TRANSPORT_FAULTS[name];
  if (make) return make(random);
  if (name === FALSE_TIMES) return falsifyTimes(random);
  if (name === FORGED_PAYMENT) {
    const waited = newestOf(world, actions, chain);
    return waited.length > 0 ? inventPayment(chain.network, random.pick(waited), random) : passOn;
  }
  if (name !== ANOTHER_CHAIN) throw new Error(`There is no fault "${name}" on ${chain.network.id}`);
  return swapEndpoint(await world.otherChains.of(chain.network), newestOf(world, actions, chain), random);
}

/** Returns the exact payments for the newest orders and refunds of a network. */
function newestOf(world: World, { created, refunds }: ChaosState, chain: ChaosChain): ChaosPayment[] {
  const { id } = chain.network;
  const orders = [...created.values()].filter(({ plan }) => plan.network === id);
  const sent = refunds.flatMap(({ due }) => (due?.network === id ? [due.payment] : []));
  return [
    ...orders.slice(-PAID_ELSEWHERE).map((order) => exactPayment(world, order).payment),
    ...sent.slice(-PAID_ELSEWHERE),
  ];
}
