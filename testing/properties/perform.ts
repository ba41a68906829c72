import { markPrunable, pruneOrders } from "@/db/queries/orders/retention";
import { assignDepositAddress } from "@/lib/deposits/give-address";
import { getToken, type Network } from "@/lib/domain/networks";
import { inEnglish } from "@/lib/domain/problems/in-english";
import { AppError } from "@/lib/errors";
import { answerRefunds } from "@/lib/ledger/answer-refunds";
import { assignTransfer } from "@/lib/ledger/assign-transfer";
import { noteRefund } from "@/lib/ledger/note-refund";
import { unlinkTransfer } from "@/lib/ledger/unlink-transfer";
import { closeNetwork, reopenNetwork } from "@/lib/networks/close-network";
import { cancelOrder } from "@/lib/orders/cancel-order";
import { chooseMethod } from "@/lib/orders/choose-method";
import { createCheckout } from "@/lib/orders/create-checkout";
import { createOrder } from "@/lib/orders/create-order";
import { expireOrders } from "@/lib/orders/expire-orders";
import { markOrderPaid } from "@/lib/orders/mark-order-paid";
import { releaseHolds } from "@/lib/orders/release-holds";
import { extendOrder } from "@/lib/orders/renew-order";
import { expireRefunds } from "@/lib/refunds/expire-refunds";
import { mustRefuseCancel } from "@/testing/properties/cancel-rule";
import {
  AMOUNTS,
  BOTH,
  CHANGED,
  type Command,
  type Elsewhere,
  type FaultKind,
  type Sum,
} from "@/testing/properties/command";
import { cancelOneRefund, payRefund, refundOrder } from "@/testing/properties/refunds";
import type { Fault } from "@/testing/properties/scripted-endpoint";
import { copyTables, restoreTables } from "@/testing/properties/table-copies";
import {
  ALL_ENDPOINTS,
  type Hold,
  SWEPT_FROM,
  unlessOfChain,
  type WatchedChain,
  type World,
} from "@/testing/properties/world";

const CURRENCIES = ["USDT", "USDC"] as const;
const NOTHING = { notifyUrl: "https://shop.example.com/paid", redirectUrl: null, locale: null };
const PAYER = `0x${"99".repeat(20)}`;

type Of<T extends Command["do"]> = Extract<Command, { do: T }>;

/** A short description of a command's result; null if there was no entity to apply it to. */
type Outcome = string | null;

/** Performs a command. @returns its outcome, and whether the database may have changed */
export async function perform(world: World, command: Command): Promise<{ outcome: Outcome; isStored: boolean }> {
  const stored = async (outcome: Promise<Outcome>) => ({ outcome: await outcome, isStored: true });
  const unstored = (outcome: Outcome) => ({ outcome, isStored: false });
  switch (command.do) {
    case "create":
      return stored(create(world, command));
    case "checkout":
      return stored(checkout(world, command));
    case "deposit":
      return stored(deposit(world, command));
    case "pay":
      return unstored(pay(world, command));
    case "payDeposit":
      return unstored(payDeposit(world, command));
    case "sweep":
      return unstored(sweep(world, command));
    case "mine":
      for (const one of chainsOf(world, command.network))
        world.mine(one, command.blocks, command.isLate, command.aheadSeconds * 1_000);
      return unstored("");
    case "reorg":
      return unstored(reorganise(world, command));
    case "watch":
      return stored(world.withCrash(command.crash, () => watch(world, command)));
    case "scan":
      return stored(world.withCrash(command.crash, () => scan(world, command)));
    case "answer":
      return stored(world.withCrash(command.crash, () => answer(world, command)));
    case "tick":
      return stored(world.withCrash(command.crash, () => tick(world)));
    case "wait":
      return wait(world, command);
    case "cancel":
      return stored(cancel(world, command));
    case "extend":
      return stored(extend(world, command));
    case "switch":
      return stored(switchMethod(world, command));
    case "markPaid":
      return stored(markPaid(world, command));
    case "assign":
      return stored(assign(world, command));
    case "unlink":
      return stored(unlink(world, command));
    case "noteRefund":
      return stored(refund(world, command));
    case "refund":
      return stored(refundOrder(world, command));
    case "payRefund":
      return unstored(payRefund(world, command));
    case "cancelRefund":
      return stored(cancelOneRefund(world, command));
    case "prune":
      return stored(world.withCrash(command.crash, () => prune(world, command)));
    case "dump":
      world.dump = { tables: await copyTables(world.sql), atMs: world.nowMs };
      return unstored("");
    case "restore":
      return stored(restore(world));
    case "fault":
      return unstored(setFault(world, command));
    case "close":
      return stored(close(world, command));
    case "reopen":
      return stored(reopen(world, command));
    case "restart":
      world.restart();
      return unstored("");
    case "setClockBack":
      world.setClockBack(command.seconds * 1_000);
      return unstored("");
  }
}

/** Returns the element with an index from the end, modulo the length; null if there is none. */
function choose<T>(all: Iterable<T>, pick: number): T | null {
  const list = [...all];
  return list.at(list.length - 1 - (pick % Math.max(1, list.length))) ?? null;
}

const at = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

function chainsOf(world: World, network: number): readonly WatchedChain[] {
  if (network === BOTH) return world.chains;
  return [network === CHANGED ? world.chain(world.changedNetwork) : at(world.chains, network)];
}

const chainOf = (world: World, network: number) => at(chainsOf(world, network), 0);

/**
 * Returns the result of a use case, or the error message if the use case refused the request.
 * @throws every other error
 */
async function answerOf(work: Promise<string>): Promise<string> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError && error.code !== 10_099) return `refused: ${error.message}`;
    throw error;
  }
}

function micro(network: Network, currency: string, microUnits: bigint): bigint {
  return microUnits * 10n ** BigInt(getToken(network, currency).decimals - 6);
}

async function create(world: World, { merchant, network, currency, amount, seconds, crash }: Of<"create">) {
  const { id: merchantId, keyId: apiKeyId } = at(world.merchants, merchant);
  const row = at(world.chains, network).network;
  const token = getToken(row, at(CURRENCIES, currency));
  const terms = {
    ...NOTHING,
    mchOrderId: `order ${++world.asked}`,
    network: row,
    token,
    amountUnits: micro(row, token.currency, at(AMOUNTS, amount)),
    expiresInSeconds: seconds,
  };
  return world.withCrash(crash, () =>
    answerOf(
      createOrder(world.db, world.choosing, { merchantId, apiKeyId }, terms, world.now()).then(
        ({ order: { id, quote } }) =>
          `${name(id)}: ${quote.baseUnits} of ${token.currency} on ${row.id}, ${quote.kind}`,
      ),
    ),
  );
}

async function checkout(world: World, { merchant, amount, crash }: Of<"checkout">) {
  const { id: merchantId, keyId: apiKeyId } = at(world.merchants, merchant);
  const request = {
    ...NOTHING,
    mchOrderId: `order ${++world.asked}`,
    checkout: { network: null, currency: null, amount: at(["10", "25"], amount), price: null },
    subject: null,
    metadata: null,
    expiresInSeconds: 300,
  };
  return world.withCrash(crash, () =>
    answerOf(
      createCheckout(world.db, world.choosing, { merchantId, apiKeyId }, request, world.now()).then(
        ({ order: { id } }) => name(id),
      ),
    ),
  );
}

async function deposit(world: World, { merchant, network, customer, crash }: Of<"deposit">) {
  const { id: merchantId, keyId: apiKeyId } = at(world.merchants, merchant);
  const asked = { customerRef: `customer ${customer}`, network: at(world.chains, network).network, notifyUrl: null };
  return world.withCrash(crash, () =>
    answerOf(
      assignDepositAddress(world.db, world.choosing, { merchantId, apiKeyId }, asked, world.now()).then(
        ({ address }) => address.address,
      ),
    ),
  );
}

/** Returns the network and currency that a payer uses for a hold. */
function targetOf(world: World, hold: Hold, elsewhere: Elsewhere): { to: WatchedChain; currency: string } {
  const isOtherNetwork = elsewhere === "network" || elsewhere === "both";
  const isOtherCurrency = elsewhere === "currency" || elsewhere === "both";
  const to = world.chains.find(({ network }) => (network.id === hold.network) !== isOtherNetwork);
  const currency = CURRENCIES.find((one) => (one === hold.currency) !== isOtherCurrency);
  if (!to || !currency) throw new Error("There is no other network or currency");
  return { to, currency };
}

function sumOf(world: World, { microUnits }: Hold, sum: Sum, pick: number): bigint {
  // The rest of an order can be a millionth, and no transfer is of nothing.
  const part = (times: bigint, of: bigint) => (microUnits * times) / of || 1n;
  switch (sum) {
    case "exact":
      return microUnits;
    case "short":
      return part(3n, 5n);
    case "excess":
      return part(7n, 5n);
    case "dust":
      return part(1n, 200n);
    case "other":
      return choose(world.holds.values(), pick + 1)?.microUnits ?? microUnits;
  }
}

function pay(world: World, { hold: pick, sum, elsewhere, times, isMined }: Of<"pay">): Outcome {
  const hold = choose(world.holds.values(), pick);
  if (!hold) return null;
  const { to, currency } = targetOf(world, hold, elsewhere);
  const microUnits = sumOf(world, hold, sum, pick);
  const sent = { microUnits, to: hold.address, from: PAYER };
  send(
    world,
    to,
    currency,
    Array.from({ length: times }, () => sent),
    isMined,
  );
  return `${times} × ${microUnits} µ${currency} on ${to.network.id} for ${name(hold.orderId)}`;
}

function payDeposit(world: World, { deposit, network, currency, amount, isMined }: Of<"payDeposit">): Outcome {
  const found = choose(world.snapshot.deposits, deposit);
  if (!found) return null;
  const to = at(world.chains, network);
  const microUnits = at(AMOUNTS, amount);
  send(world, to, at(CURRENCIES, currency), [{ microUnits, to: found.address, from: PAYER }], isMined);
  return `${microUnits} on ${to.network.id}`;
}

function sweep(world: World, { network, currency, amount }: Of<"sweep">): Outcome {
  const to = choose(world.holds.values(), 0)?.address;
  if (to === undefined) return null;
  const microUnits = at(AMOUNTS, amount);
  send(world, at(world.chains, network), at(CURRENCIES, currency), [{ microUnits, to, from: SWEPT_FROM }], true);
  return `${microUnits}`;
}

function send(
  world: World,
  to: WatchedChain,
  currency: string,
  parts: readonly { microUnits: bigint; to: string; from: string }[],
  isMined: boolean,
): void {
  const { network, chain } = to;
  const token = getToken(network, currency).contract.toLowerCase();
  const sends = parts.map(({ microUnits, ...rest }) => ({
    ...rest,
    token,
    baseUnits: micro(network, currency, microUnits),
  }));
  chain.send(sends, world.nowMs);
  world.changedNetwork = to.network.id;
  if (isMined) world.mine(to, 1);
}

function reorganise(world: World, { network, depth, fate }: Of<"reorg">): Outcome {
  const { chain } = chainOf(world, network);
  world.changedNetwork = chain.network.id;
  chain.reorganise(depth, fate);
  world.pass(Math.max(0, chain.headMs - world.nowMs));
  return chain.network.id;
}

async function watch(world: World, { network, isIdle }: Of<"watch">): Promise<Outcome> {
  for (const one of chainsOf(world, network)) await world.watch(one.network.id, isIdle);
  return "";
}

/** Reads blocks into the ledger without matching them, like a worker that crashes in between. */
async function scan(world: World, { network }: Of<"scan">): Promise<Outcome> {
  const { reader } = chainOf(world, network);
  for (let steps = 0; steps < 10; steps++) {
    const step = await reader.step(world.now()).catch(unlessOfChain);
    if (step === null || step.isCaughtUp || step.kind === "idle") return "";
  }
  return "";
}

/** Checks the recorded refunds on the chains. */
async function answer(world: World, { network }: Of<"answer">): Promise<Outcome> {
  for (const { network: row, reader } of chainsOf(world, network)) {
    const asked = { network: row, head: reader.head, checker: reader.checker, receipt: reader.receipt, log: world.log };
    await answerRefunds(world.db, asked, world.now()).catch(unlessOfChain);
  }
  return "";
}

async function tick(world: World): Promise<Outcome> {
  const expired = await expireOrders(world.db, world.context, world.now());
  const released = await releaseHolds(world.db, world.context, world.now());
  const refunds = await expireRefunds(world.db, world.context, world.now());
  return `${expired} expired, ${released} released, ${refunds} refunds expired`;
}

async function wait(world: World, { seconds, isWatched }: Of<"wait">) {
  world.pass(seconds * 1_000);
  if (!isWatched) return { outcome: "", isStored: false };
  for (const one of world.chains) world.mine(one);
  for (const { network } of world.chains) await world.watch(network.id, true);
  return { outcome: "", isStored: true };
}

async function cancel(world: World, { order: pick, by, crash }: Of<"cancel">): Promise<Outcome> {
  const order = choose(world.snapshot.orders.values(), pick);
  if (!order) return null;
  const { id, keyId, actor } = world.merchantOf(order.merchantId);
  const who = by === "user" ? actor : { merchantId: id, apiKeyId: keyId };
  const why = by === "key" ? mustRefuseCancel(world, order.id) : null;
  const done = await world.withCrash(crash, () => cancelOrder(world.db, world.context, who, order.id, world.now()));
  if (why && "status" in done && order.status !== "cancelled")
    world.violations.push(`The API cancelled ${name(order.id)}, though ${why}`);
  return `${name(order.id)}: ${"status" in done ? done.status : inEnglish(done.problem)}`;
}

async function extend(world: World, { order: pick, crash }: Of<"extend">): Promise<Outcome> {
  const order = choose(world.snapshot.orders.values(), pick);
  if (!order) return null;
  const asked = { tradeId: order.id, extensions: order.extensions };
  const isLonger = await world.withCrash(crash, () => extendOrder(world.db, asked, world.now()));
  return `${name(order.id)}: ${isLonger ? "longer" : "refused"}`;
}

async function switchMethod(world: World, { order: pick, network, currency, crash }: Of<"switch">): Promise<Outcome> {
  const order = choose(world.snapshot.orders.values(), pick);
  if (!order) return null;
  const method = { network: at(world.chains, network).network.id, currency: at(CURRENCIES, currency) };
  const chosen = await world.withCrash(crash, () =>
    chooseMethod(world.db, world.choosing, order.id, method, world.now()),
  );
  return `${name(order.id)}: ${chosen && "isQuoted" in chosen ? "quoted" : (chosen?.problem ?? "refused")}`;
}

async function markPaid(world: World, { order: pick, crash }: Of<"markPaid">): Promise<Outcome> {
  const order = choose(world.snapshot.orders.values(), pick);
  if (!order) return null;
  const { actor } = world.merchantOf(order.merchantId);
  const marked = { orderId: order.id, reason: "seen elsewhere" };
  const done = await world.withCrash(crash, () => markOrderPaid(world.db, world.context, actor, marked, world.now()));
  return `${name(order.id)}: ${"status" in done ? done.status : inEnglish(done.problem)}`;
}

async function assign(world: World, { transfer: pick, order: orderPick, crash }: Of<"assign">): Promise<Outcome> {
  const unmatched = world.snapshot.transfers.filter(({ orderId, depositId }) => orderId === null && depositId === null);
  const transfer = choose(unmatched, pick);
  const own = [...world.snapshot.orders.values()].filter(({ merchantId }) => merchantId === transfer?.merchantId);
  const order = choose(own, orderPick);
  if (!transfer || !order) return null;
  const { actor } = world.merchantOf(order.merchantId);
  const given = { transferId: transfer.id, orderId: order.id };
  const done = await world.withCrash(crash, () => assignTransfer(world.db, world.context, actor, given, world.now()));
  return `${name(order.id)}: ${"status" in done ? done.status : "problem" in done ? inEnglish(done.problem) : "changed"}`;
}

async function unlink(world: World, { transfer: pick, crash }: Of<"unlink">): Promise<Outcome> {
  const transfer = choose(
    world.snapshot.transfers.filter(({ orderId }) => orderId !== null),
    pick,
  );
  if (!transfer?.orderId) return null;
  const { actor } = world.merchantOf(transfer.merchantId);
  const asked = { transferId: transfer.id, orderId: transfer.orderId, reason: "paid elsewhere" };
  const done = await world.withCrash(crash, () => unlinkTransfer(world.db, world.context, actor, asked, world.now()));
  return `${name(transfer.orderId)}: ${"status" in done ? done.status : inEnglish(done.problem)}`;
}

/** Records a refund, and sends it from the address that was paid. */
async function refund(world: World, { transfer: pick, crash }: Of<"noteRefund">): Promise<Outcome> {
  const paid = world.snapshot.transfers.filter(({ status }) => status === "confirmed");
  const transfer = choose(paid, pick);
  if (!transfer) return null;
  const { actor } = world.merchantOf(transfer.merchantId);
  const { chain } = world.chain(transfer.network);
  world.changedNetwork = transfer.network;
  const { token, to: from, baseUnits } = transfer;
  const { id: text } = chain.send([{ token, from, to: PAYER, baseUnits }], world.nowMs);
  const noted = { transferId: transfer.id, text };
  const done = await world.withCrash(crash, () => noteRefund(world.db, actor, noted, world.now()));
  return done ? inEnglish(done.problem) : "noted";
}

async function prune(world: World, { hours }: Of<"prune">): Promise<Outcome> {
  const before = new Date(world.nowMs - hours * 3_600_000);
  await markPrunable(world.db, { before }, 100);
  // Simulates that a minute has passed on the database's clock; marked orders are deleted after that.
  await world.sql`update used_order_numbers set used_at = used_at - interval '2 minutes'`;
  return `${await pruneOrders(world.db, { before }, 100)} orders`;
}

async function restore(world: World): Promise<Outcome> {
  if (!world.dump) return null;
  const { tables, atMs } = world.dump;
  const before = world.snapshot;
  await restoreTables(world.sql, tables, world.now());
  await world.refresh();
  for (const id of before.quotes.keys()) if (!world.snapshot.quotes.has(id)) world.lostQuotes.add(id);
  // The dump does not contain the amounts that were offered after the first restore, so restoring it twice would reuse them.
  world.dump = null;
  world.restart();
  return `as of ${new Date(atMs).toISOString()}`;
}

const OPERATOR = { userId: null, name: "command line" };

async function close(world: World, { network, crash }: Of<"close">): Promise<Outcome> {
  const asked = { network: at(world.chains, network).network.id, reason: "", by: OPERATOR };
  const done = await world.withCrash(crash, () => closeNetwork(world.db, asked, world.now()));
  return "problem" in done ? inEnglish(done.problem) : `${done.network} is closed`;
}

async function reopen(world: World, { network, crash }: Of<"reopen">): Promise<Outcome> {
  const asked = { network: at(world.chains, network).network.id, by: OPERATOR };
  const done = await world.withCrash(crash, () => reopenNetwork(world.db, asked, world.now()));
  return "problem" in done ? inEnglish(done.problem) : `${done.network} is open`;
}

const FAULTS: Readonly<Record<FaultKind, Fault | null>> = {
  none: null,
  silent: { kind: "silent" },
  outage: { kind: "silent" },
  behind: { kind: "behind", blocks: 6 },
  falseReceipt: { kind: "falseReceipt" },
  noReceipt: { kind: "noReceipt" },
  hoursEarly: { kind: "falseTime", seconds: -6 * 3_600 },
  minutesLate: { kind: "falseTime", seconds: 600 },
};

/**
 * Sets or removes a fault of an endpoint. Restarts the workers if a different endpoint was faulty before: while that endpoint cools down
 * after errors, only the newly faulty one would be left.
 */
function setFault(world: World, { network, endpoint, kind }: Of<"fault">): Outcome {
  const one = chainOf(world, network);
  const fault = FAULTS[kind];
  if (one.fault && one.fault.endpoint !== endpoint) world.restart();
  one.fault = fault && { endpoint: kind === "outage" ? ALL_ENDPOINTS : endpoint, fault };
  return one.network.id;
}

/** Returns the end of an id, because ids that were created at the same time start with the same characters. */
export const name = (id: string) => `…${id.slice(-6)}`;
