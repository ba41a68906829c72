import type { Refund } from "@/lib/domain/refunds/refund";

type Recorded = Pick<Refund, "walletAskedAt" | "walletStartedAt" | "walletSentAt" | "exportedAt">;

/** Returns true if a payment may be on its way: a wallet was asked for it, or the refund is in a batch file. */
export function mayBePaid({ walletStartedAt, exportedAt }: Pick<Recorded, "walletStartedAt" | "exportedAt">): boolean {
  return walletStartedAt !== null || exportedAt !== null;
}

/**
 * Returns a short name of the recorded payments of a refund. A user who pays confirms exactly this name, so that a payment that another
 * user began in the meantime is noticed.
 */
export function paymentMark({ walletAskedAt, walletStartedAt, walletSentAt, exportedAt }: Recorded): string {
  return [walletAskedAt, walletStartedAt, walletSentAt, exportedAt].map((at) => at?.getTime() ?? "").join("-");
}
