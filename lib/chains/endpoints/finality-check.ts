import {
  ChainError,
  type ChainSource,
  isUnreadable,
  type KnownTransfer,
  type ReceiptTransfer,
  type Standing,
} from "@/lib/chains/endpoints/source";

/** How a transfer stands on a network of blocks with logs: told by its receipt, and by its block when there is none. */
export async function checkByReceipt(
  source: Pick<ChainSource, "receipt" | "block">,
  transfer: KnownTransfer,
): Promise<Standing> {
  const receipt = await source.receipt(transfer.txId);
  const found = receipt?.isSuccess
    ? receipt.transfers.find((candidate) => isSamePayment(candidate, transfer))
    : undefined;
  if (found?.blockHash === transfer.blockHash) return { kind: "final" };
  if (found) return { kind: "moved", height: found.blockHeight, hash: found.blockHash, time: found.blockTime };
  const block = await source.block({ height: transfer.blockHeight, mustVerifyChainId: true });
  if (!block) return { kind: "unclear" };
  const isContradicted = receipt !== null && receipt.blockHash === block.hash;
  return block.hash !== transfer.blockHash || isContradicted ? { kind: "gone" } : { kind: "unclear" };
}

/** Whether what a chain shows now is the payment in the ledger, to the last unit. */
export function isSamePayment(
  candidate: Pick<ReceiptTransfer, "position" | "token" | "to" | "baseUnits">,
  transfer: Pick<KnownTransfer, "position" | "token" | "to" | "baseUnits">,
): boolean {
  return (
    candidate.position === transfer.position &&
    candidate.token === transfer.token &&
    candidate.to === transfer.to &&
    candidate.baseUnits === transfer.baseUnits
  );
}

/**
 * Endpoints that contradict each other, or have a transaction that they cannot show, settle nothing; that is no reason to
 * leave other transfers waiting.
 */
export function unclearIfInDoubt(error: unknown): Standing {
  if (isUnreadable(error)) return { kind: "unclear" };
  if (error instanceof ChainError && error.kind === "inconsistent") return { kind: "unclear" };
  throw error;
}
