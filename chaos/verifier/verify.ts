import { isNotNull, isNull, sql } from "drizzle-orm";
import type { TrueTransfer } from "@/chaos/chains/chain";
import type { CreatedOrder } from "@/chaos/create-orders";
import type { ChaosState } from "@/chaos/run-steps";
import { verifyCallbacks, verifyDeliveredAmounts } from "@/chaos/verifier/callbacks";
import { verifyAttempts, verifyCancelled } from "@/chaos/verifier/cancellations";
import { verifyHolds } from "@/chaos/verifier/holds";
import {
  keyOf,
  type LedgerRow,
  type OwnSum,
  type Unreadable,
  verifyLedger,
  verifySums,
  verifySweeps,
  verifyTimes,
  verifyUnreadable,
} from "@/chaos/verifier/ledger";
import { verifyLost, verifyMisdirected, verifyOrders, verifyTooLate } from "@/chaos/verifier/orders";
import { type RefundVerdict, verifyRefunds } from "@/chaos/verifier/refunds";
import type { World } from "@/chaos/world";
import {
  auditEvents,
  callbacks,
  orders,
  receivingAddresses,
  refundRequests,
  refundTransfers,
  transfers,
  unreadableTransactions,
} from "@/db/schema";
import { getNetwork } from "@/lib/domain/networks";
import { toMicro } from "@/lib/domain/refunds/amounts";

export interface Verdict {
  transfers: number;
  /** The number of orders by status and exception. */
  outcomes: Readonly<Record<string, number>>;
  unmatched: number;
  /** The number of final transfers by the version of their transaction, on chains with several versions. */
  versions: Readonly<Record<string, number>>;
  /** The number of final transactions of other accounts that no node returns. */
  unreadable: number;
  /** The number of callback events for orders. */
  events: number;
  /** The number of orders by the source of their addresses. */
  sources: Readonly<Record<string, number>>;
  /** The number of orders whose own address had been used by an earlier order. */
  served: number;
  /** The number of final sweeps between addresses of the same merchant. */
  sweeps: number;
  /** The number of refunds by status. */
  refunds: Readonly<Record<string, number>>;
  /** The number of refunds that a transfer to a receiving address of another merchant completed. */
  refundsToReceivers: number;
  /** The number of times that a reorg returned a sent or completed refund to `approved`. */
  refundsUndone: number;
  lost: string[];
  double: string[];
  /** Transfers that were sent inside the hold of the order that they were meant for, but credited to a different order. */
  misdirected: string[];
  /** All other problems. */
  invalid: string[];
}

/** The state of the chains, which does not change once everything is final. */
export interface ExpectedState {
  /** The transfers to the merchants' addresses. */
  transfers: TrueTransfer[];
  /** The transactions on the merchants' addresses that no node returns. */
  unreadable: Unreadable[];
  /** The transfers from derived addresses to other addresses of the same merchant. */
  sweeps: TrueTransfer[];
  /** The balances of derived addresses. */
  own: OwnSum[];
  /** The transfers to the addresses of approved refunds. */
  refundTransfers: TrueTransfer[];
}

export async function readExpected(
  world: World,
  { created, swept }: Pick<ChaosState, "created" | "swept">,
): Promise<ExpectedState> {
  const rows = await world.pool.db
    .select({ network: receivingAddresses.network, address: receivingAddresses.address })
    .from(receivingAddresses);
  const found = await Promise.all(
    world.chains.map((chain) => {
      const ours = rows.filter((row) => row.network === chain.network.id).map(({ address }) => address);
      return chain.expected(new Set(ours));
    }),
  );
  const unreadable = world.chains.map(async (chain) => {
    const txIds = (await chain.unreadable?.()) ?? [];
    return txIds.map((txId) => ({ network: chain.network.id, txId }));
  });
  const transfers = found.flat();
  const sweepers = new Set(swept.map(({ network, address }) => `${network} ${address}`));
  // After a restore, the service no longer has the lost addresses, so transfers from them do not count as sweeps.
  const known = new Set(rows.map(({ network, address }) => `${getNetwork(network).family} ${address}`));
  const isKnown = (network: string, address: string) => known.has(`${getNetwork(network).family} ${address}`);
  const sweeps = transfers.filter(
    ({ network, from = "" }) => sweepers.has(`${network} ${from}`) && isKnown(network, from),
  );
  const orders = [...created.values()].filter(({ plan, address }) => isKnown(plan.network, address));
  return {
    transfers,
    sweeps,
    own: await readOwn(world.chains, orders),
    unreadable: (await Promise.all(unreadable)).flat(),
    refundTransfers: await readRefundTransfers(world),
  };
}

async function readRefundTransfers({ pool: { db }, chains }: World): Promise<TrueTransfer[]> {
  const rows = await db
    .select({ family: refundRequests.family, address: refundRequests.address })
    .from(refundRequests)
    .where(isNotNull(refundRequests.approvedAt));
  const found = chains.map((chain) => {
    const own = rows.flatMap(({ family, address }) => (family === chain.network.family && address ? [address] : []));
    return own.length > 0 ? chain.expected(new Set(own)) : [];
  });
  return (await Promise.all(found)).flat();
}

/**
 * Returns the balances of all derived addresses that orders of a family have used, on each chain of the family. Funds on the wrong chain
 * also belong to these orders.
 */
async function readOwn(chains: World["chains"], created: readonly CreatedOrder[]): Promise<OwnSum[]> {
  const own = created.filter(({ source }) => source === "xpub" || source === "receiver");
  const sums: OwnSum[] = [];
  for (const chain of chains) {
    const { id, family } = chain.network;
    const addresses = new Set(
      own.flatMap(({ plan, address }) => (getNetwork(plan.network).family === family ? [address] : [])),
    );
    for (const { currency } of addresses.size > 0 ? chain.network.tokens : []) {
      let held = 0n;
      for (const address of addresses) held += (await chain.owners?.held(address, currency)) ?? 0n;
      sums.push({ network: id, currency, held, addresses });
    }
  }
  return sums;
}

/** Compares the database and the callbacks with the state of the chains. */
export async function verify(
  world: World,
  actions: ChaosState,
  { transfers: all, unreadable, sweeps, own, refundTransfers: ofRefunds }: ExpectedState,
): Promise<Verdict> {
  const { db } = world.pool;
  const swept = new Set(sweeps);
  const created = [...actions.created.values()];
  const kept = created.filter(({ isLost }) => !isLost);
  const ledger = (await db.select().from(transfers)).map((row) => ({ ...row, isVerified: row.matchedAt !== null }));
  const rows = await db.select().from(orders);
  const refunds = await checkRefunds(world, actions, ofRefunds, ledger, rows);
  const expected = all.filter((transfer) => !swept.has(transfer) && !refunds.excluded.has(keyOf(transfer)));
  const events = (await db.select().from(callbacks)).flatMap(({ orderId, ...event }) =>
    orderId ? [{ ...event, orderId }] : [],
  );
  const [clock] = await db.execute<{ ms: string }>(
    sql`select (extract(epoch from clock_timestamp()) * 1000)::bigint::text as ms`,
  );
  const { lost, double, unclear } = verifyLedger(all, ledger);
  const orderFindings = verifyOrders(created, rows, expected, ledger, new Date(Number(clock?.ms)));
  const tooLate = verifyTooLate(created, expected, ledger);
  const paid = new Set(rows.filter(({ status }) => status === "paid").map(({ id }) => id));
  const waiting = await db.select().from(unreadableTransactions).where(isNull(unreadableTransactions.resolvedAt));
  const untold = verifyUnreadable(unreadable, waiting, ledger);
  const reported = verifyCallbacks(created, paid, events, world.shop.reported, world.shop.deliveredBefore);
  const refused = world.shop.refused > 0 ? [`${world.shop.refused} callbacks had an invalid signature or body`] : [];
  return {
    transfers: expected.length,
    sources: countBy(created.map(({ source }) => source)),
    served: countServed(created),
    sweeps: sweeps.length,
    refunds: refunds.byStatus,
    refundsToReceivers: refunds.toReceivers,
    refundsUndone: refunds.undone,
    versions: countBy(expected.flatMap(({ version }) => version ?? [])),
    unreadable: unreadable.length,
    outcomes: countBy(rows.map(({ status, exception }) => (exception ? `${status} ${exception}` : status))),
    events: events.length,
    unmatched: ledger.filter(({ orderId, isSweep }) => orderId === null && !isSweep).length,
    lost: [...lost, ...reported.missing, ...untold.lost, ...refunds.lost],
    double: [...double, ...reported.double, ...refunds.double],
    misdirected: verifyMisdirected(created, expected, ledger),
    invalid: [
      ...unclear,
      ...untold.invalid,
      ...refunds.invalid,
      ...orderFindings,
      ...tooLate,
      ...verifyCancelled(created, rows, expected, ledger),
      ...verifyTimes(all, ledger),
      ...verifySweeps(sweeps, expected, ledger),
      ...verifySums(own, sweeps, ledger),
      ...verifyLost(created, rows),
      ...reported.contradicted,
      ...verifyDeliveredAmounts(kept, rows, world.shop.reported),
      ...verifyDeliveredAmounts(kept, rows, world.shop.deliveredBefore),
      ...refused,
    ],
  };
}

interface CheckedRefunds extends RefundVerdict {
  byStatus: Record<string, number>;
  undone: number;
}

async function checkRefunds(
  { pool: { db } }: World,
  { refunds: created }: ChaosState,
  onChain: readonly TrueTransfer[],
  ledger: readonly (LedgerRow & typeof transfers.$inferSelect)[],
  orderRows: readonly (typeof orders.$inferSelect)[],
): Promise<CheckedRefunds> {
  const rows = await db.select().from(refundRequests);
  const found = await db.select().from(refundTransfers);
  const byId = new Map(orderRows.map((row) => [row.id, row]));
  const transfersById = new Map(ledger.map((row) => [row.id, row]));
  const receivedOf = (subject: string) => {
    const { network, currency, paidUnits } = byId.get(subject) ?? {};
    if (network && currency && paidUnits !== undefined) return toMicro(network, currency, paidUnits);
    const transfer = transfersById.get(subject);
    return transfer?.currency ? toMicro(transfer.network, transfer.currency, transfer.baseUnits) : undefined;
  };
  const actions = await db.select({ action: auditEvents.action }).from(auditEvents);
  return {
    ...verifyRefunds({ created, rows, transfers: found, onChain, ledger, receivedOf }),
    byStatus: countBy(rows.map(({ status }) => status)),
    undone: actions.filter(({ action }) => action === "refund.unsent" || action === "refund.reversed").length,
  };
}

/** Verifies the actions of the run, whose results cannot change afterward. */
export function verifyActions({
  created,
  cancelAttempts,
  invalid,
}: ChaosState): Pick<Verdict, "misdirected" | "invalid"> {
  const orders = [...created.values()];
  return { misdirected: verifyHolds(orders), invalid: [...invalid, ...verifyAttempts(cancelAttempts, orders)] };
}

function countServed(created: readonly CreatedOrder[]): number {
  const served = created.flatMap(({ source, plan, address }) =>
    source === "shared" ? [] : [`${getNetwork(plan.network).family} ${address}`],
  );
  return served.length - new Set(served).size;
}

function countBy(names: readonly string[]): Record<string, number> {
  const groups = Map.groupBy(names.toSorted(), (name) => name);
  return Object.fromEntries([...groups].map(([name, same]) => [name, same.length]));
}
