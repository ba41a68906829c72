import type { Payment } from "@/bench/catch-up/local-day";
import type { transfers } from "@/db/schema";

/** A transfer as stored in the ledger. */
export type Found = Pick<typeof transfers.$inferSelect, "txId" | "toAddress" | "baseUnits">;

/**
 * Returns the differences between ledger and chain. The ledger must contain every payment once, with its receiver and amount, and no other
 * transfers.
 */
export function compareLedger(payments: readonly Payment[], found: readonly Found[]): string[] {
  const text = (txId: string, to: string, baseUnits: bigint) => `${baseUnits} to ${to} in ${txId}`;
  const left = new Set(payments.map(({ txId, to, baseUnits }) => text(txId, to, baseUnits)));
  const strange = found
    .map(({ txId, toAddress, baseUnits }) => text(txId, toAddress, baseUnits))
    .filter((transfer) => !left.delete(transfer));
  return [...[...left].map((one) => `lost: ${one}`), ...strange.map((one) => `more than was paid: ${one}`)];
}
