import { transferText } from "@/components/dashboard/frame/amount";
import type { TimelineEntry } from "@/components/dashboard/order/timeline";
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

const WORDS: Readonly<Record<string, Pick<TimelineEntry, "text" | "tone">>> = {
  "order.pending": { text: "Back to pending", tone: "warn" },
  "order.confirming": { text: "Payment seen, confirming", tone: "info" },
  "order.paid": { text: "Paid", tone: "good" },
  "order.expired": { text: "Expired", tone: "neutral" },
  "order.cancelled": { text: "Cancelled", tone: "neutral" },
  "order.chosen": { text: "The payer chose how to pay", tone: "info" },
  "order.switched": { text: "The payer chose another way to pay", tone: "info" },
  "order.extended": { text: "The payer was given more time", tone: "info" },
  "transfer.assigned": { text: "Transfer assigned", tone: "info" },
  "transfer.lost": { text: "The chain took back a confirmed transfer", tone: "bad" },
  "transfer.lost_acknowledged": { text: "Somebody knows of the transfer that was taken back", tone: "info" },
  "callback.failed": { text: "Callback given up", tone: "bad" },
  "callback.resent": { text: "Callback sent again", tone: "info" },
};

/** The history of an order out of people's actions, its moves, its transfers and its callback, newest first. */
export function orderTimeline(history: OrderHistory): TimelineEntry[] {
  const entries: TimelineEntry[] = [
    { key: "created", at: history.createdAt, text: "Created", tone: "neutral" },
    ...history.transfers.flatMap(fromTransfer),
    ...history.events.toSorted(movesLast).map(fromEvent),
  ];
  if (history.deliveredAt)
    entries.push({ key: "delivered", at: history.deliveredAt, text: "Callback delivered", tone: "good" });
  return entries
    .map((entry, index) => ({ entry, index }))
    .sort(newestFirst)
    .map(({ entry }) => entry);
}

/** Of events of one instant, a move of the order follows what made it move. */
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

function fromTransfer(transfer: TransferLine): TimelineEntry[] {
  const note = transferText(transfer);
  const seen = { key: `${transfer.id}-seen`, at: transfer.seenAt, text: "Transfer seen", note, tone: "info" } as const;
  if (!transfer.confirmedAt) return [seen];
  const text = "Transfer confirmed";
  return [seen, { key: `${transfer.id}-confirmed`, at: transfer.confirmedAt, text, note, tone: "good" }];
}

function fromEvent({ id, action, detail, at, by }: AuditLine): TimelineEntry {
  const { text, tone } = WORDS[action] ?? { text: action, tone: "neutral" };
  const reason = ["reason", "error"].map((name) => detail[name]).find((value) => typeof value === "string");
  const note = [by && `by ${by}`, reason].filter(Boolean).join(": ");
  return { key: id, at, text, note: note || undefined, tone };
}
