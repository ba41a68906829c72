/**
 * The invariants of refunds (specification §10), which the property test and the fault-injection test check. They are written without the
 * service's own rules.
 */

/** The fields of a refund that the invariants read. Times are in milliseconds. */
export interface RefundFacts {
  id: string;
  /** The order that received the refunded amount, or the transfer if it credits no order; null if unknown. */
  subject: string | null;
  status: string;
  microUnits: bigint;
  network: string | null;
  address: string | null;
  token: string | null;
  baseUnits: bigint | null;
  approvedMs: number | null;
}

/** A transfer to an address of a refund, as the service stored it. `key` identifies it on its chain. */
export interface FoundTransfer {
  key: string;
  network: string;
  token: string;
  to: string;
  baseUnits: bigint;
  status: string;
  refundId: string | null;
  isMatched: boolean;
  /** True if it was stored as the second transfer of a refund, and is credited. */
  isRepeatedIncome: boolean;
}

/** A transfer on a chain. `key` is that of the same transfer in the database. */
export interface SentTransfer {
  key: string;
  network: string;
  token: string;
  to: string;
  baseUnits: bigint;
  timeMs: number;
}

const COUNTED = new Set(["requested", "claimed", "approved", "sent", "completed"]);

const nameOf = ({ id, status }: RefundFacts) => `Refund …${id.slice(-6)} (${status})`;

const isEqual = (
  refund: Pick<RefundFacts, "network" | "token" | "address" | "baseUnits">,
  transfer: Pick<SentTransfer, "network" | "token" | "to" | "baseUnits">,
) =>
  transfer.network === refund.network &&
  transfer.token === refund.token &&
  transfer.to === refund.address &&
  transfer.baseUnits === refund.baseUnits;

/** Block times have whole seconds, so an approval counts from the start of its second. */
const startMs = ({ approvedMs }: RefundFacts) => Math.floor((approvedMs ?? 0) / 1_000) * 1_000;

/**
 * Returns the refunds that do not have the transfers that their status needs: a sent or completed refund has exactly one, which is equal to
 * it, and any other has none. A refund whose transfer must be matched again is skipped.
 */
export function findPairProblems(refunds: readonly RefundFacts[], found: readonly FoundTransfer[]): string[] {
  const byRefund = Map.groupBy(found, ({ refundId }) => refundId ?? "");
  return refunds.flatMap((refund) => {
    const own = byRefund.get(refund.id) ?? [];
    if (own.some(({ isMatched }) => !isMatched)) return [];
    const isSent = refund.status === "sent" || refund.status === "completed";
    if (own.length !== (isSent ? 1 : 0)) return [`${nameOf(refund)} has ${own.length} transfers`];
    const status = refund.status === "completed" ? "confirmed" : "seen";
    return own
      .filter((transfer) => !isEqual(refund, transfer) || transfer.status !== status)
      .map(({ key, baseUnits, status: is }) => `${nameOf(refund)} has the transfer ${key} of ${baseUnits}, ${is}`);
  });
}

/**
 * Returns the orders and transfers whose refunds exceed what they received.
 * @param receivedOf returns the received amount in millionths; undefined if it is unknown
 */
export function findSumProblems(
  refunds: readonly Pick<RefundFacts, "subject" | "status" | "microUnits">[],
  receivedOf: (subject: string) => bigint | undefined,
): string[] {
  const counted = refunds.filter(({ subject, status }) => subject !== null && COUNTED.has(status));
  return [...Map.groupBy(counted, ({ subject }) => subject ?? "")].flatMap(([subject, own]) => {
    const received = receivedOf(subject);
    const sum = own.reduce((total, { microUnits }) => total + microUnits, 0n);
    if (received === undefined || sum <= received) return [];
    return [`The refunds of …${subject.slice(-6)} are ${sum}, but it received ${received}`];
  });
}

/**
 * Returns the approved refunds to which a transfer that completes no other is equal, once all transfers are final, and the refunds that
 * are still sent. A repeated transfer that was credited is income for good, also if the first one turns out to be none.
 * @param isOlder returns true if the service found the transfer before it approved the refund
 */
export function findMissedRefunds(
  refunds: readonly RefundFacts[],
  found: readonly FoundTransfer[],
  sent: readonly SentTransfer[],
  isOlder: (transfer: SentTransfer, refund: RefundFacts) => boolean = () => false,
): string[] {
  const used = new Set(found.filter((one) => one.refundId !== null || one.isRepeatedIncome).map(({ key }) => key));
  const free = Map.groupBy(
    sent.filter(({ key }) => !used.has(key)),
    ({ to }) => to,
  );
  return refunds.flatMap((refund) => {
    if (refund.status === "sent") return [`${nameOf(refund)} is never completed`];
    if (refund.status !== "approved") return [];
    const match = free
      .get(refund.address ?? "")
      ?.find((one) => isEqual(refund, one) && one.timeMs >= startMs(refund) && !isOlder(one, refund));
    return match ? [`${nameOf(refund)} is not completed, but ${match.key} pays it`] : [];
  });
}

/** Returns the transfers that complete a refund but are not on their chain. */
export function findForgedRefunds(
  found: readonly FoundTransfer[],
  isOnChain: (transfer: FoundTransfer) => boolean,
): string[] {
  return found
    .filter(({ status, refundId }) => status !== "dropped" && refundId !== null)
    .filter((transfer) => !isOnChain(transfer))
    .map(({ key, status }) => `Transfer ${key} (${status}) completes a refund, but is not on its chain`);
}

/** Returns the transfers that complete a refund and are credited to an order. */
export function findCreditedRefunds(
  found: readonly FoundTransfer[],
  credited: readonly { key: string; orderId: string }[],
): string[] {
  const completing = new Set(found.flatMap(({ key, refundId, isMatched }) => (refundId && isMatched ? [key] : [])));
  return credited
    .filter(({ key }) => completing.has(key))
    .map(({ key, orderId }) => `Transfer ${key} completes a refund, but counts for order …${orderId.slice(-6)}`);
}
