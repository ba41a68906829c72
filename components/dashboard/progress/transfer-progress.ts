import { callbackStep, type ReportedCallback } from "@/components/dashboard/progress/order-progress";
import type { ProgressStep } from "@/components/dashboard/progress/progress";
import { blockText, type DepthFacts, depthText } from "@/components/dashboard/transfers/transfer-text";
import type { Translate } from "@/components/messages/translate";
import type { NamedTarget } from "@/lib/domain/credit-target";
import type { OrderStatus } from "@/lib/domain/orders/order";
import type { UnmatchedReason } from "@/lib/domain/transfers/transfer";

interface Transfer extends DepthFacts {
  blockTime: Date;
  seenAt: Date;
  confirmedAt: Date | null;
  lostAt: Date | null;
  orderStatus: OrderStatus | null;
  mchOrderId: string | null;
  target: NamedTarget | null;
  unmatchedReason: UnmatchedReason | null;
  isSweep: boolean;
}

interface TransferProgress {
  transfer: Transfer;
  /** The callback of the order that the transfer credits; null if none is enqueued. */
  callback: ReportedCallback | null;
  /** True if that order has a URL for its callback. */
  hasUrl: boolean;
}

interface Texts {
  t: Translate<"progress">;
  list: Translate<"transfers">;
}

/** Returns the steps of a transfer: in a block, detected, confirmed, credited, and the callback of its order. */
export function transferProgress({ transfer, callback, hasUrl }: TransferProgress, texts: Texts): ProgressStep[] {
  const { t, list } = texts;
  const steps: ProgressStep[] = [
    { key: "block", text: t("inBlock"), state: "done", at: transfer.blockTime, note: blockText(transfer, list) },
    { key: "detected", text: t("detected"), state: "done", at: transfer.seenAt },
    confirmedStep(transfer, texts),
  ];
  if (transfer.status === "dropped") return steps;
  steps.push(creditedStep(transfer, t));
  if (transfer.orderStatus !== null)
    steps.push(callbackStep({ callback, hasUrl, isPaid: transfer.orderStatus === "paid" }, t));
  return steps;
}

function confirmedStep(transfer: Transfer, { t, list }: Texts): ProgressStep {
  const key = "confirmed";
  if (transfer.status === "dropped") return { key, text: t("dropped"), state: "stopped", at: transfer.lostAt };
  if (transfer.status === "confirmed") return { key, text: t("confirmed"), state: "done", at: transfer.confirmedAt };
  return { key, text: t("confirming"), state: "current", at: null, note: depthText(transfer, list) };
}

function creditedStep(transfer: Transfer, t: Translate<"progress">): ProgressStep {
  const key = "credited";
  const { mchOrderId, target, unmatchedReason, isSweep } = transfer;
  if (mchOrderId !== null) return { key, text: t("credited"), state: "done", at: null, note: mchOrderId };
  if (target) return { key, text: t("credited"), state: "done", at: null, note: target.reference };
  if (unmatchedReason !== null) return { key, text: t("unmatched"), state: "stopped", at: null };
  return isSweep
    ? { key, text: t("swept"), state: "skipped", at: null }
    : { key, text: t("matching"), state: "current", at: null };
}
