import type { Db } from "@/db/client";
import { allEnded } from "@/db/pipeline";
import { targetOf } from "@/db/queries/credit-targets";
import { forEachIsolated, forgetFailures } from "@/db/queries/many-rows";
import { lockOrders } from "@/db/queries/orders/order-moves";
import { listRefundsAmong } from "@/db/queries/refunds/refund-transfers";
import {
  findHolders,
  findMeantOrders,
  findUnmatchedReasons,
  type Holder,
  listNoLongerPaying,
  listSweeps,
  listToMatch,
  lockToMatch,
  type MatchResult,
  type PublicUnits,
  type StoredTransfer,
  type UnmatchedAmounts,
  writeMatches,
} from "@/db/queries/transfers/matches";
import { listShortPayments, type ShortPayment } from "@/db/queries/transfers/short-payments";
import { canonicalAddress } from "@/lib/domain/addresses/address";
import { type CreditTarget, type FundsChange, isSameTarget } from "@/lib/domain/credit-target";
import { formatUnits, parseUnits } from "@/lib/domain/money";
import { allNetworks, getNetwork } from "@/lib/domain/networks";
import { tokenOf, type UnmatchedReason } from "@/lib/domain/transfers/transfer";
import { afterFundsChanged, findStandingTargets } from "@/lib/ledger/credit-targets";
import { requestRests } from "@/lib/ledger/link-short-payments";
import { type OrderContext, touchOrders } from "@/lib/orders/move-order";

const BATCH = 500;

/**
 * Matches the transfers that the scanner stored. A new transfer pays the order that held its amount when it was sent; otherwise it is
 * unmatched, and the reason is stored; if the merchant allows it, a transfer of too little pays in part the order that alone can have been
 * meant. A sweep from the merchant's own address pays no order. A transfer that a reorg removed is unlinked
 * from its order, and one that returned with different contents is matched again. At most 500 transfers are matched at a time, with all
 * their orders, in one transaction. The number of statements is the same as for one transfer. A transfer that cannot be matched is logged
 * and retried, and does not delay others.
 * @returns the number of matched transfers
 */
export async function matchTransfers(db: Db, ctx: OrderContext, network: string, now: Date): Promise<number> {
  const items = (await listToMatch(db, network, now, BATCH)).map((id) => ({ id }));
  let count = 0;
  const work = async (some: readonly { id: string }[]) => {
    const ids = some.map(({ id }) => id);
    const { matches: matched, moved } = await db.transaction((tx) => matchEach(tx, ctx, ids, now));
    ctx.onOrders?.("match transfer", moved);
    count += matched.length;
    for (const match of matched) if (match.reason) logUnmatched(ctx, match);
  };
  await forEachIsolated(db, ctx, { name: "match", items, work }, now);
  return count;
}

/** A transfer and the result of matching it. */
interface Match extends MatchResult {
  transfer: StoredTransfer;
}

/** The data looked up for transfers, by their ids, before any order is locked. */
interface Findings {
  /** Transfers linked to an order whose quote they no longer pay. */
  left: ReadonlySet<string>;
  holders: ReadonlyMap<string, Holder>;
  /** The targets that every transfer to their address credits, for the transfers that no quote holds. */
  standing: ReadonlyMap<string, CreditTarget>;
  reasons: ReadonlyMap<string, UnmatchedReason>;
  /** The transfers from one of the merchant's own addresses to another of them. */
  sweeps: ReadonlySet<string>;
  meant: ReadonlyMap<string, string>;
  /** The transfers of too little whose order alone can have been meant, if the merchant allows to link them. */
  shorts: readonly ShortPayment[];
}

async function matchEach(tx: Db, ctx: OrderContext, ids: readonly string[], now: Date) {
  const found = await lockToMatch(tx, ids);
  const findings = await lookUp(tx, found);
  const orders = await lockOrders(tx, ordersOf(found, findings));
  const statuses = new Map(orders.map(({ id, status }) => [id, status]));
  const parts = await requestRests(tx, findings.shorts, orders, now);
  const matches = found.flatMap((transfer) => matchOf(transfer, { ...findings, parts }, statuses) ?? []);
  await allEnded([
    writeMatches(
      tx,
      matches.map(({ transfer: _, ...result }) => result),
      now,
    ),
    forgetFailures(tx, "match", idsOf(matches)),
  ]);
  const moved = await afterFundsChanged(tx, ctx, matches.flatMap(changesOf), now);
  await touchOrders(tx, [...new Set(matches.flatMap(newlyMeant))], now);
  return { matches, moved };
}

async function lookUp(tx: Db, found: readonly StoredTransfer[]): Promise<Findings> {
  const linked = found.filter(({ orderId, isAssigned }) => orderId !== null && !isAssigned).filter(isThere);
  // A transfer that completes a refund since it was matched pays no order.
  const gone = await allEnded([listNoLongerPaying(tx, idsOf(linked)), listRefundsAmong(tx, idsOf(linked))]);
  const left = new Set(gone.flat());
  const open = found.filter(({ id, orderId }) => orderId === null || left.has(id)).filter(isMatchable);
  const ofCurrency = open.filter(({ currency }) => currency !== null);
  const networks = networksOf(open[0]);
  const [ofRefunds, swept, held] = await allEnded([
    listRefundsAmong(tx, idsOf(open)),
    listSweeps(tx, idsOf(open), networks),
    findHolders(tx, idsOf(ofCurrency)),
  ]);
  const refunds = new Set(ofRefunds);
  const sweeps = new Set(swept);
  const paying = ofCurrency.filter(({ id }) => !sweeps.has(id) && !refunds.has(id));
  const isPaying = new Set(idsOf(paying));
  const holders = new Map(
    held.flatMap((one) => (isPaying.has(one.transferId) ? [[one.transferId, one] as const] : [])),
  );
  const unheld = paying.filter(({ id }) => !holders.has(id));
  const standing = await findStandingTargets(tx, idsOf(unheld));
  const unmatched = open
    .filter(({ id }) => !holders.has(id) && !standing.has(id) && !sweeps.has(id) && !refunds.has(id))
    .map(toUnmatchedAmounts);
  const lookAlikes = new Set(idsOf(open.filter(({ currency }) => currency === null)));
  const nearly = await findUnmatchedReasons(
    tx,
    unmatched.filter(({ id }) => !lookAlikes.has(id)),
  );
  const reasonOf = (id: string) => (lookAlikes.has(id) ? "look_alike" : (nearly.get(id) ?? "no_such_amount"));
  const reasons = new Map(unmatched.map(({ id }) => [id, reasonOf(id)]));
  for (const id of refunds) reasons.set(id, "refund");
  const misdirected = unmatched.filter(({ id }) => MISDIRECTED.has(reasonOf(id)));
  const shorts = await listShortPayments(
    tx,
    idsOf(unmatched).filter((id) => reasonOf(id) === "no_such_amount"),
  );
  return { left, holders, standing, reasons, sweeps, meant: await findMeantOrders(tx, misdirected), shorts };
}

const MISDIRECTED: ReadonlySet<UnmatchedReason> = new Set(["other_currency", "other_network", "look_alike"]);
/** Returns the networks of a transfer's family; none if there is no transfer. All transfers in a round are on the same network. */
const networksOf = (transfer: StoredTransfer | undefined) =>
  transfer
    ? allNetworks().flatMap(({ id, family }) => (family === getNetwork(transfer.network).family ? [id] : []))
    : [];
const isThere = ({ status }: StoredTransfer) => status !== "dropped";
/** Returns true if a transfer can be matched automatically. A transfer that a user unlinked can be assigned only by a user. */
const isMatchable = (transfer: StoredTransfer) => isThere(transfer) && transfer.unlinkedAt === null;
const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
const toUnmatchedAmounts = (transfer: StoredTransfer): UnmatchedAmounts => ({
  id: transfer.id,
  elsewhere: sameAmountElsewhere(transfer),
});

/**
 * Returns every order that changes or has an event. They are all locked in one fixed sequence, so that concurrent matches never deadlock.
 */
function ordersOf(found: readonly StoredTransfer[], { holders, meant, shorts }: Findings): string[] {
  const own = found.flatMap(({ id, orderId, meantOrderId }) => [
    orderId,
    meantOrderId,
    holders.get(id)?.orderId,
    meant.get(id),
  ]);
  return [...new Set([...own, ...shorts.map(({ orderId }) => orderId)].flatMap((orderId) => orderId ?? []))];
}

/**
 * Decides what a transfer credits. Returns null if the order that held the amount was withdrawn before it was locked:
 * it was never returned to its caller, and the next round matches the transfer again.
 */
function matchOf(
  transfer: StoredTransfer,
  findings: Findings & { parts: ReadonlyMap<string, ShortPayment> },
  statuses: ReadonlyMap<string, string>,
): Match | null {
  const { id, orderId, status } = transfer;
  const none = { id, transfer, target: null, quoteId: null, reason: null, meantOrderId: null, isSweep: false };
  const asBefore = { ...none, target: targetOf(transfer), quoteId: transfer.quoteId };
  if (orderId !== null && !findings.left.has(id)) {
    // The locked status decides, because the order may have been cancelled since. A transfer that a user assigned stays with its order.
    if (transfer.isAssigned || statuses.get(orderId) !== "cancelled") return asBefore;
    return status === "dropped"
      ? { ...none, reason: "taken_back" }
      : { ...none, reason: "order_cancelled", meantOrderId: orderId };
  }
  // A dropped transfer to a standing target stays linked in case it returns, like a dropped transfer to an order.
  if (status === "dropped") return asBefore.target ? asBefore : { ...none, reason: "taken_back" };
  if (transfer.unlinkedAt) return { ...none, reason: "unlinked" };
  if (findings.sweeps.has(id)) return { ...none, isSweep: true };
  const holder = findings.holders.get(id);
  if (!holder) {
    const target = findings.standing.get(id);
    if (target) return { ...none, target };
    const part = findings.parts.get(id);
    if (part) return { ...none, target: { kind: "order", id: part.orderId }, quoteId: part.quoteId };
    return { ...none, reason: findings.reasons.get(id) ?? null, meantOrderId: findings.meant.get(id) ?? null };
  }
  const orderStatus = statuses.get(holder.orderId);
  if (orderStatus === undefined) return null;
  if (orderStatus === "cancelled") return { ...none, reason: "order_cancelled", meantOrderId: holder.orderId };
  return { ...none, target: { kind: "order", id: holder.orderId }, quoteId: holder.quoteId };
}

/** Returns the changes of a match for its target, and for the target that the transfer had before. */
function changesOf({ transfer, target }: Match): FundsChange[] {
  const { id: transferId, status } = transfer;
  const before = targetOf(transfer);
  const changes: FundsChange[] = [];
  if (before && !isSameTarget(before, target)) changes.push({ type: "unmatched", transferId, target: before });
  if (target) changes.push({ type: status === "confirmed" ? "confirmed" : "matched", transferId, target });
  return changes;
}

/**
 * Returns the orders whose pages must be refreshed: those for which a transfer is newly meant, and those for which it is no longer meant.
 */
function newlyMeant({ transfer, meantOrderId }: Match): string[] {
  if (transfer.meantOrderId === meantOrderId) return [];
  return [transfer.meantOrderId, meantOrderId].flatMap((orderId) => orderId ?? []);
}

function logUnmatched({ log }: OrderContext, { transfer, reason, meantOrderId }: Match): void {
  const { id: transferId, txId, network } = transfer;
  log.warn({ transferId, txId, network, reason, tradeId: meantOrderId }, "a transfer is unmatched");
}

/** Returns the transfer's public amount in every other token of every network. The payer may have intended to pay with one of them. */
function sameAmountElsewhere(transfer: StoredTransfer): PublicUnits[] {
  const text = formatUnits(transfer.baseUnits, tokenOf(transfer).decimals);
  return allNetworks().flatMap((network) =>
    network.tokens.flatMap((token) => {
      const contract = canonicalAddress(network.family, token.contract);
      const baseUnits = parseUnits(text, token.decimals);
      const isSame = network.id === transfer.network && contract === transfer.token;
      return isSame || baseUnits === null ? [] : [{ network: network.id, token: contract, baseUnits }];
    }),
  );
}
