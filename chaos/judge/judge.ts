import { isNull, sql } from "drizzle-orm";
import type { TrueTransfer } from "@/chaos/chains/chain";
import { judgeCallbacks, judgeToldAmounts } from "@/chaos/judge/callbacks";
import { judgeAttempts, judgeCancelled } from "@/chaos/judge/cancellations";
import { judgeHolds } from "@/chaos/judge/holds";
import {
  judgeLedger,
  judgeSums,
  judgeSweeps,
  judgeTimes,
  judgeUnreadable,
  type OwnSum,
  type Unreadable,
} from "@/chaos/judge/ledger";
import { judgeLost, judgeMisgiven, judgeOrders, judgeTooLate } from "@/chaos/judge/orders";
import type { PlacedOrder } from "@/chaos/place-orders";
import type { Deeds } from "@/chaos/run-steps";
import type { World } from "@/chaos/world";
import { callbacks, orders, receivingAddresses, transfers, unreadableTransactions } from "@/db/schema";
import { getNetwork } from "@/lib/domain/networks";

export interface Verdict {
  transfers: number;
  /** Orders by status and exception. */
  outcomes: Readonly<Record<string, number>>;
  unmatched: number;
  /** Final transfers by the version of their transaction, where there are several. */
  versions: Readonly<Record<string, number>>;
  /** Final transactions of other accounts that no node returns. */
  unreadable: number;
  /** The pending and sent callbacks, each once. */
  events: number;
  /** Orders by where their addresses came from. */
  sources: Readonly<Record<string, number>>;
  /** Orders whose own address had served another before. */
  served: number;
  /** Final sweeps of the merchants' own addresses to others of theirs. */
  sweeps: number;
  lost: string[];
  double: string[];
  /** Sent inside the hold of the order it was meant for, and credited to another. */
  misgiven: string[];
  /** Everything else that is not as it should be. */
  wrong: string[];
}

/** The state of the chains, which does not change once everything is final. */
export interface Truth {
  /** The transfers to the merchants' addresses. */
  transfers: TrueTransfer[];
  /** The transactions on the merchants' addresses that no node returns. */
  unreadable: Unreadable[];
  /** The transfers from derived addresses to other addresses of the same merchant. */
  sweeps: TrueTransfer[];
  /** The balances of derived addresses. */
  own: OwnSum[];
}

export async function readTruth(world: World, { placed, swept }: Pick<Deeds, "placed" | "swept">): Promise<Truth> {
  const rows = await world.pool.db
    .select({ network: receivingAddresses.network, address: receivingAddresses.address })
    .from(receivingAddresses);
  const found = await Promise.all(
    world.chains.map((chain) => {
      const ours = rows.filter((row) => row.network === chain.network.id).map(({ address }) => address);
      return chain.truth(new Set(ours));
    }),
  );
  const unreadable = world.chains.map(async (chain) => {
    const txIds = (await chain.unreadable?.()) ?? [];
    return txIds.map((txId) => ({ network: chain.network.id, txId }));
  });
  const transfers = found.flat();
  const sweepers = new Set(swept.map(({ network, address }) => `${network} ${address}`));
  // What leaves an address that a restore lost is nothing of the merchant's that the service knows.
  const known = new Set(rows.map(({ network, address }) => `${getNetwork(network).family} ${address}`));
  const isKnown = (network: string, address: string) => known.has(`${getNetwork(network).family} ${address}`);
  const sweeps = transfers.filter(
    ({ network, from = "" }) => sweepers.has(`${network} ${from}`) && isKnown(network, from),
  );
  const orders = [...placed.values()].filter(({ plan, address }) => isKnown(plan.network, address));
  return {
    transfers,
    sweeps,
    own: await readOwn(world.chains, orders),
    unreadable: (await Promise.all(unreadable)).flat(),
  };
}

/** All that orders were ever given on a family, on each of its chains: money on the wrong one is theirs, too. */
async function readOwn(chains: World["chains"], placed: readonly PlacedOrder[]): Promise<OwnSum[]> {
  const own = placed.filter(({ source }) => source === "xpub" || source === "receiver");
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

/** Compares database and callbacks with the truth of the chains. */
export async function judge(
  world: World,
  deeds: Deeds,
  { transfers: all, unreadable, sweeps, own }: Truth,
): Promise<Verdict> {
  const { db } = world.pool;
  const swept = new Set(sweeps);
  const truth = all.filter((transfer) => !swept.has(transfer));
  const placed = [...deeds.placed.values()];
  const kept = placed.filter(({ isLost }) => !isLost);
  const ledger = (await db.select().from(transfers)).map((row) => ({ ...row, isJudged: row.matchedAt !== null }));
  const rows = await db.select().from(orders);
  const events = (await db.select().from(callbacks)).flatMap(({ orderId, ...event }) =>
    orderId ? [{ ...event, orderId }] : [],
  );
  const [clock] = await db.execute<{ ms: string }>(
    sql`select (extract(epoch from clock_timestamp()) * 1000)::bigint::text as ms`,
  );
  const { lost, double, unclear } = judgeLedger(all, ledger);
  const wrongOrders = judgeOrders(placed, rows, truth, ledger, new Date(Number(clock?.ms)));
  const tooLate = judgeTooLate(placed, truth, ledger);
  const paid = new Set(rows.filter(({ status }) => status === "paid").map(({ id }) => id));
  const waiting = await db.select().from(unreadableTransactions).where(isNull(unreadableTransactions.resolvedAt));
  const untold = judgeUnreadable(unreadable, waiting, ledger);
  const told = judgeCallbacks(placed, paid, events, world.shop.told, world.shop.toldBefore);
  const refused = world.shop.refused > 0 ? [`${world.shop.refused} callbacks had an invalid signature or body`] : [];
  return {
    transfers: truth.length,
    sources: countBy(placed.map(({ source }) => source)),
    served: countServed(placed),
    sweeps: sweeps.length,
    versions: countBy(truth.flatMap(({ version }) => version ?? [])),
    unreadable: unreadable.length,
    outcomes: countBy(rows.map(({ status, exception }) => (exception ? `${status} ${exception}` : status))),
    events: events.length,
    unmatched: ledger.filter(({ orderId, isSweep }) => orderId === null && !isSweep).length,
    lost: [...lost, ...told.missing, ...untold.lost],
    double: [...double, ...told.double],
    misgiven: judgeMisgiven(placed, truth, ledger),
    wrong: [
      ...unclear,
      ...untold.wrong,
      ...wrongOrders,
      ...tooLate,
      ...judgeCancelled(placed, rows, truth, ledger),
      ...judgeTimes(all, ledger),
      ...judgeSweeps(sweeps, truth, ledger),
      ...judgeSums(own, sweeps, ledger),
      ...judgeLost(placed, rows),
      ...told.contradicted,
      ...judgeToldAmounts(kept, rows, world.shop.told),
      ...judgeToldAmounts(kept, rows, world.shop.toldBefore),
      ...refused,
    ],
  };
}

/** Judges what was done while the run went on, which nothing can change afterwards. */
export function judgeActions({ placed, cancelAttempts, wrong }: Deeds): Pick<Verdict, "misgiven" | "wrong"> {
  const orders = [...placed.values()];
  return { misgiven: judgeHolds(orders), wrong: [...wrong, ...judgeAttempts(cancelAttempts, orders)] };
}

function countServed(placed: readonly PlacedOrder[]): number {
  const places = placed.flatMap(({ source, plan, address }) =>
    source === "shared" ? [] : [`${getNetwork(plan.network).family} ${address}`],
  );
  return places.length - new Set(places).size;
}

function countBy(names: readonly string[]): Record<string, number> {
  const groups = Map.groupBy(names.toSorted(), (name) => name);
  return Object.fromEntries([...groups].map(([name, same]) => [name, same.length]));
}
