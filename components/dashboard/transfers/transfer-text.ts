import { transferText } from "@/components/dashboard/frame/amount";
import type { Translate } from "@/components/messages/translate";
import { getNetwork } from "@/lib/domain/networks";
import { requiredConfirmations } from "@/lib/domain/networks/finality";
import { confirmationsAt, type TokenRef, type TransferStatus } from "@/lib/domain/transfers/transfer";

/** The facts that determine how deep a transfer is in its chain. */
export interface DepthFacts {
  network: string;
  status: TransferStatus;
  blockHeight: number;
  headHeight: number | null;
  finalizedHeight: number | null;
  /** The measured time between blocks, in milliseconds. */
  blockMs: number | null;
  minConfirmations: number | null;
  minSeconds: number | null;
}

/** Returns "7 of 12 confirmations", or the block height once the transfer is confirmed or dropped. */
export function depthText(transfer: DepthFacts, t: Translate<"transfers">): string {
  const { status, headHeight, finalizedHeight, blockMs } = transfer;
  if (status === "dropped") return t("wasInBlock", { height: String(transfer.blockHeight) });
  if (status === "confirmed") return blockText(transfer, t);
  if (headHeight === null) return "";
  const head = { height: headHeight, finalizedHeight, blockMs };
  const needed = requiredConfirmations(getNetwork(transfer.network), head, transfer);
  return t("depth", { count: Math.min(confirmationsAt(headHeight, transfer.blockHeight), needed), needed });
}

/** Returns "block 123". */
export function blockText({ blockHeight }: { blockHeight: number }, t: Translate<"transfers">): string {
  return t("block", { height: String(blockHeight) });
}

/** Returns "10.00 USDT, block 123". */
export function transferNote(
  transfer: TokenRef & { baseUnits: bigint; blockHeight: number },
  t: Translate<"transfers">,
): string {
  return `${transferText(transfer)}, ${blockText(transfer, t)}`;
}
