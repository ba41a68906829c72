import { inEnglish } from "@/lib/domain/problems/in-english";
import { AppError } from "@/lib/errors";
import { claimRefund } from "@/lib/refunds/claim-refund";
import { approveRefund, cancelRefund } from "@/lib/refunds/decide-refund";
import { requestRefund } from "@/lib/refunds/request-refund";
import type { Command } from "@/testing/properties/command";
import type { OrderRow, RefundRow, Snapshot } from "@/testing/properties/snapshot";
import { WALLET, type World } from "@/testing/properties/world";

type Of<T extends Command["do"]> = Extract<Command, { do: T }>;

/** The addresses of customers who claim refunds. */
const CUSTOMERS = [`0x${"c1".repeat(20)}`, `0x${"c2".repeat(20)}`] as const;

const newest = <T>(list: readonly T[], index: number): T | null =>
  list.at(-1 - (index % Math.max(1, list.length))) ?? null;

/** Requests, claims and approves a refund of an order that received a payment. Each step can be refused. */
export async function refundOrder(world: World, { order: pick, part, claim, network, crash }: Of<"refund">) {
  const paid = [...world.snapshot.orders.values()].filter(({ paidUnits }) => paidUnits > 0n);
  const order = newest(paid, pick);
  if (!order) return null;
  const { actor } = world.merchantOf(order.merchantId);
  const amount = part === 0 ? "all" : ({ microUnits: BigInt(part) * 2_000_000n } as const);
  const subject = { orderId: order.id, transferId: null };
  const terms = { subject, amount, reason: null, email: null, mchRefundId: null, expiresInSeconds: 3_600 } as const;
  try {
    const { refund } = await world.withCrash(crash, () => requestRefund(world.db, actor, terms, world.now()));
    const address =
      claim === "customer"
        ? (CUSTOMERS[pick % 2] ?? "")
        : world.addressOf(claim === "own" ? order.merchantId : null, order.merchantId);
    const on = world.chains[network]?.network.id ?? "";
    const input = { network: on, address, check: "", confirmation: address.slice(-4) };
    const refused = await world.withCrash(crash, () =>
      claimRefund(world.db, world.context, refund.id, input, world.now()),
    );
    if (refused?.errors[0]) return `claim: ${inEnglish(refused.errors[0])}`;
    const done = await world.withCrash(crash, () =>
      approveRefund(world.db, world.context, actor, refund.id, world.now()),
    );
    return done ? `approval: ${inEnglish(done.problem)}` : `approved ${refund.microUnits} on ${on}`;
  } catch (error) {
    if (error instanceof AppError) return `refused: ${error.message}`;
    throw error;
  }
}

/** Sends the amount of an approved refund, or another one, to its address. */
export function payRefund(world: World, { refund: pick, sum, isMined }: Of<"payRefund">): string | null {
  const refund = newest(
    world.snapshot.refunds.filter(({ address, token }) => address !== null && token !== null),
    pick,
  );
  if (!refund?.address || !refund.token || !refund.network || refund.baseUnits === null) return null;
  const to = world.chain(refund.network);
  const baseUnits = sum === "exact" ? refund.baseUnits : refund.baseUnits + 1n;
  to.chain.send([{ token: refund.token, from: WALLET, to: refund.address, baseUnits }], world.nowMs);
  world.changedNetwork = refund.network;
  if (isMined) world.mine(to, 1);
  return `${baseUnits} on ${refund.network}`;
}

/** Cancels a refund. */
export async function cancelOneRefund(world: World, { refund: pick, crash }: Of<"cancelRefund">) {
  const refund = newest(world.snapshot.refunds, pick);
  if (!refund) return null;
  const { actor } = world.merchantOf(refund.merchantId);
  const what = { id: refund.id, reason: "" };
  const done = await world.withCrash(crash, () => cancelRefund(world.db, world.context, actor, what, world.now()));
  return done ? inEnglish(done.problem) : "cancelled";
}

const COUNTED = new Set(["requested", "claimed", "approved", "sent", "completed"]);

/** Returns the broken invariants of refunds. @param before the snapshot before the last command */
export function refundViolations({ snapshot }: World, before: Snapshot): string[] {
  const known = new Map(before.refunds.map((refund) => [refund.id, refund]));
  return [
    ...snapshot.refunds.flatMap((refund) => pairViolations(snapshot, refund)),
    ...snapshot.refunds
      .filter(({ id, status }) => status === "approved" && known.get(id)?.status === "claimed")
      .flatMap((refund) => sumViolations(snapshot, refund)),
    ...creditedViolations(snapshot),
  ];
}

const short = (id: string) => `…${id.slice(-6)}`;

/** A sent or completed refund has exactly one transfer, which is equal to it; any other has none. */
function pairViolations({ refundTransfers }: Snapshot, refund: RefundRow): string[] {
  const what = `Refund ${short(refund.id)} (${refund.status})`;
  const own = refundTransfers.filter(({ refundId, matchedMs }) => refundId === refund.id && matchedMs !== null);
  const isWaiting = refundTransfers.some(({ refundId, matchedMs }) => refundId === refund.id && matchedMs === null);
  if (isWaiting) return [];
  const isSent = refund.status === "sent" || refund.status === "completed";
  if (own.length !== (isSent ? 1 : 0)) return [`${what} has ${own.length} transfers`];
  return own.flatMap((transfer) => {
    const isEqual =
      transfer.network === refund.network &&
      transfer.token === refund.token &&
      transfer.to === refund.address &&
      transfer.baseUnits === refund.baseUnits;
    const isState = transfer.status === (refund.status === "completed" ? "confirmed" : "seen");
    return isEqual && isState
      ? []
      : [`${what} has the transfer ${transfer.txId} of ${transfer.baseUnits}, ${transfer.status}`];
  });
}

/** The sum of the refunds of an order never exceeds what it received, at the time of an approval. */
function sumViolations({ refunds, orders, quotes }: Snapshot, { orderId }: RefundRow): string[] {
  const order = orders.get(orderId ?? "");
  const received = order && receivedMicro(order, quotes);
  if (received === undefined) return [];
  const sum = refunds
    .filter((one) => one.orderId === orderId && COUNTED.has(one.status))
    .reduce((total, { microUnits }) => total + microUnits, 0n);
  return sum <= received ? [] : [`The refunds of ${short(orderId ?? "")} are ${sum}; it received ${received}`];
}

function receivedMicro({ paidUnits, quoteId }: OrderRow, quotes: Snapshot["quotes"]): bigint | undefined {
  const quote = quotes.get(quoteId ?? "");
  if (!quote) return undefined;
  return (paidUnits * quote.microUnits) / quote.baseUnits;
}

/** A transfer that completes a refund is credited to no order, unless a user assigned it. */
function creditedViolations({ transfers, refundTransfers }: Snapshot): string[] {
  const completing = new Set(
    refundTransfers.flatMap(({ network, txId, refundId, matchedMs }) =>
      refundId !== null && matchedMs !== null ? [`${network} ${txId}`] : [],
    ),
  );
  return transfers
    .filter(({ network, txId }) => completing.has(`${network} ${txId}`))
    .filter(({ orderId, isAssigned, matchedMs }) => orderId !== null && !isAssigned && matchedMs !== null)
    .map(({ txId, orderId }) => `Transfer ${txId} completes a refund and counts for ${short(orderId ?? "")}`);
}

/** Returns the refunds whose transfer is final on its chain and that are not completed, and completed ones without one. */
export function unfinishedRefunds(world: World): string[] {
  const { refunds, refundTransfers } = world.snapshot;
  const sent = refunds
    .filter(({ status }) => status === "sent")
    .map(({ id }) => `Refund ${short(id)} is sent for ever`);
  const forged = refundTransfers
    .filter(({ status, refundId }) => status !== "dropped" && refundId !== null)
    .filter(({ network, txId }) => world.chain(network).chain.find(txId) === null)
    .map(({ txId }) => `Transfer ${txId} completes a refund and is on no chain`);
  const missed = refunds
    .filter(({ status }) => status === "approved")
    .flatMap((refund) => {
      const { chain } = world.chain(refund.network ?? "");
      const found = chain.all().find(({ transaction, block }) => {
        const isEqual = transaction.sends.some(
          ({ to, token, baseUnits }) =>
            to === refund.address && token === refund.token && baseUnits === refund.baseUnits,
        );
        const isFree = !refundTransfers.some(({ txId, refundId }) => txId === transaction.id && refundId !== null);
        return isEqual && isFree && block.time.getTime() >= Math.floor((refund.approvedMs ?? 0) / 1_000) * 1_000;
      });
      return found ? [`Refund ${short(refund.id)} is approved, though ${found.transaction.id} pays it`] : [];
    });
  return [...sent, ...forged, ...missed];
}
