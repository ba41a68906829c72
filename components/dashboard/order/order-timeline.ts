import { transferText } from "@/components/dashboard/frame/amount";
import type { TimelineEntry } from "@/components/dashboard/order/timeline";
import type { Translate } from "@/components/messages/translate";
import type { TokenRef, TransferStatus } from "@/lib/domain/transfers/transfer";

interface AuditLine {
  id: string;
  action: string;
  detail: Record<string, unknown>;
  at: Date;
  by: string | null;
}

interface TransferLine extends TokenRef {
  id: string;
  baseUnits: bigint;
  status: TransferStatus;
  seenAt: Date;
  confirmedAt: Date | null;
}

interface OrderHistory {
  createdAt: Date;
  events: readonly AuditLine[];
  transfers: readonly TransferLine[];
  deliveredAt: Date | null;
}

type Text = Translate<"history">;

const WORDS: Readonly<Record<string, { text: Exclude<Parameters<Text>[0], "by">; tone: TimelineEntry["tone"] }>> = {
  "order.pending": { text: "pending", tone: "warn" },
  "order.confirming": { text: "confirming", tone: "info" },
  "order.paid": { text: "paid", tone: "good" },
  "order.expired": { text: "expired", tone: "neutral" },
  "order.cancelled": { text: "cancelled", tone: "neutral" },
  "order.made_by_hand": { text: "madeByHand", tone: "neutral" },
  "order.chosen": { text: "chosen", tone: "info" },
  "order.switched": { text: "switched", tone: "info" },
  "order.extended": { text: "extended", tone: "info" },
  "order.changed": { text: "changed", tone: "info" },
  "order.renewed": { text: "renewed", tone: "info" },
  "transfer.assigned": { text: "assigned", tone: "info" },
  "transfer.linked_as_part": { text: "linkedAsPart", tone: "warn" },
  "transfer.unlinked": { text: "unlinked", tone: "warn" },
  "transfer.lost": { text: "lost", tone: "bad" },
  "transfer.lost_acknowledged": { text: "lostAcknowledged", tone: "info" },
  "refund.noted": { text: "refundNoted", tone: "info" },
  "refund.final": { text: "refundFinal", tone: "good" },
  "refund.refused": { text: "refundRefused", tone: "bad" },
  "refund.never": { text: "refundNever", tone: "warn" },
  "callback.failed": { text: "callbackFailed", tone: "bad" },
  "callback.resent": { text: "callbackResent", tone: "info" },
};

/** Returns the history of an order, newest first: actions of users, status changes, transfers and the callback. */
export function orderTimeline(history: OrderHistory, t: Text): TimelineEntry[] {
  const entries: TimelineEntry[] = [
    { key: "created", at: history.createdAt, text: t("created"), tone: "neutral" },
    ...history.transfers.flatMap((transfer) => fromTransfer(transfer, t)),
    ...history.events.toSorted(movesLast).map((event) => fromEvent(event, t)),
  ];
  if (history.deliveredAt)
    entries.push({ key: "delivered", at: history.deliveredAt, text: t("callbackDelivered"), tone: "good" });
  return entries
    .map((entry, index) => ({ entry, index }))
    .sort(newestFirst)
    .map(({ entry }) => entry);
}

/**
 * Compares audit lines: status changes of an order come after other events, so that a status change follows its cause if both happened at
 * the same time.
 */
function movesLast(a: AuditLine, b: AuditLine): number {
  return Number(a.action.startsWith("order.")) - Number(b.action.startsWith("order."));
}

interface Numbered {
  entry: TimelineEntry;
  index: number;
}

function newestFirst(a: Numbered, b: Numbered): number {
  return b.entry.at.getTime() - a.entry.at.getTime() || b.index - a.index;
}

function fromTransfer(transfer: TransferLine, t: Text): TimelineEntry[] {
  const note = transferText(transfer);
  const seen = { key: `${transfer.id}-seen`, at: transfer.seenAt, text: t("seen"), note, tone: "info" } as const;
  if (!transfer.confirmedAt) return [seen];
  const text = t("transferConfirmed");
  return [seen, { key: `${transfer.id}-confirmed`, at: transfer.confirmedAt, text, note, tone: "good" }];
}

function fromEvent({ id, action, detail, at, by }: AuditLine, t: Text): TimelineEntry {
  const known = WORDS[action];
  const [text, tone] = known ? [t(known.text), known.tone] : [action, "neutral" as const];
  const reason = ["reason", "error"].map((name) => detail[name]).find((value) => typeof value === "string");
  const note = [by && t("by", { who: by }), reason].filter(Boolean).join(": ");
  return { key: id, at, text, note: note || undefined, tone };
}
