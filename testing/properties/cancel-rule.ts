import { covers, fits } from "@/testing/properties/holds";
import type { QuoteRow } from "@/testing/properties/snapshot";
import type { World } from "@/testing/properties/world";

/**
 * Returns the reason why the API must refuse to cancel an order (specification §3.2): the ledger contains transfers above dust that fit
 * one of its holds, matched or not. Returns null if the order can be canceled.
 */
export function mustRefuseCancel({ snapshot }: World, orderId: string): string | null {
  const standing = snapshot.transfers.filter(
    ({ status, unlinkedMs, orderId: paid }) =>
      status !== "dropped" && unlinkedMs === null && (paid === null || paid === orderId),
  );
  for (const hold of snapshot.quotes.values()) {
    if (hold.orderId !== orderId) continue;
    const sum = standing
      .filter((transfer) => fits(hold, transfer) && covers(hold, Math.min(transfer.timeMs, transfer.seenMs)))
      .reduce((total, { baseUnits }) => total + baseUnits, 0n);
    if (sum > 0n && !isDust(hold, sum)) return `${sum} of ${hold.currency} for it is in the ledger`;
  }
  return null;
}

/** Returns true if a sum is dust on a dedicated address: less than one percent of the amount, and at most 0.1 token (specification §6). */
function isDust({ kind, baseUnits, microUnits }: QuoteRow, sum: bigint): boolean {
  const tenthOfToken = (baseUnits / microUnits) * 100_000n;
  return kind === "dedicated" && sum * 100n < baseUnits && sum <= tenthOfToken;
}
