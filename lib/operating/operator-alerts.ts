import type { Db } from "@/db/client";
import { listCursors } from "@/db/queries/networks/cursors";
import {
  claimMessages,
  deleteAlert,
  deleteMessage,
  deleteMessages,
  insertMessages,
  listReports,
  lockAlerts,
  type OperatorMessage,
  postponeMessage,
  type StoredAlert,
  takeRound,
  writeAlert,
  writeReport,
} from "@/db/queries/operating/alerts";
import { listFailingMerchants, listNetworkOrders } from "@/db/queries/operating/outcomes";
import { newId } from "@/lib/domain/id";
import { getNetwork } from "@/lib/domain/networks";
import { behindBlocks } from "@/lib/domain/networks/health";
import { ALERT_LIMITS, type FoundAlert, findAlerts, type InstallationFacts } from "@/lib/domain/operating/conditions";
import { inEnglish } from "@/lib/domain/problems/in-english";
import type { Log } from "@/lib/log";
import type { Email, PostOffice, Target } from "@/lib/notifications/mail-transport";
import type { ReadMachine } from "@/lib/operating/read-machine";

/** The transports by which the operator is reached: email, Telegram, or both. */
export type OperatorTargets = readonly Extract<Target, { way: "email" | "telegram" }>[];

export interface OperatorAlertContext {
  publicUrl: string;
  networks: readonly string[];
  targets: OperatorTargets;
  office: PostOffice;
  log: Log;
  /** The name of this machine, and the function that reads its state; null if another process on it reports the state. */
  machine: { name: string; read: ReadMachine } | null;
}

/**
 * The time between two evaluations. The first process that is due evaluates the conditions, and the others skip the evaluation until then.
 */
const ROUND_MS = 30_000;
const REMIND_MS = 86_400_000;
const LEASE_MS = 90_000;
const FIRST_RETRY_MS = 30_000;
const LONGEST_RETRY_MS = 900_000;
/** The time after which a message that could not be sent is dropped: a week. */
const KEPT_MS = 7 * REMIND_MS;

/**
 * Writes this machine's report, evaluates the alert conditions if no other process did, and sends due messages. Safe to repeat in any
 * process.
 */
export async function tickOperatorAlerts(db: Db, ctx: OperatorAlertContext, now: Date): Promise<void> {
  if (ctx.machine) await writeReport(db, ctx.machine.name, await ctx.machine.read(now), now);
  if (ctx.targets.length === 0) return;
  if (await takeRound(db, ROUND_MS, now)) await evaluateAlerts(db, ctx, await readFacts(db, ctx, now), now);
  await sendMessages(db, ctx, now);
}

/** Reads the facts that the alert conditions depend on. */
export async function readFacts(
  db: Db,
  { networks, publicUrl }: Pick<OperatorAlertContext, "networks" | "publicUrl">,
  now: Date,
): Promise<InstallationFacts> {
  const [cursors, orders, failingMerchants, machines] = await Promise.all([
    listCursors(db, networks),
    listNetworkOrders(db, now),
    listFailingMerchants(db),
    listReports(db, now),
  ]);
  const readings = networks.map((network) => {
    const row = cursors.find((one) => one.network === network);
    const { leaseUntil, closedAt, blockMs } = row ?? {};
    return {
      network,
      isClosed: closedAt != null,
      isLeased: leaseUntil != null && leaseUntil > now,
      behindBlocks: behindBlocks(getNetwork(network), row ?? null, now),
      blockSeconds: (blockMs ?? getNetwork(network).blockMs) / 1_000,
    };
  });
  const isOpen = ({ network }: { network: string }) => networks.includes(network);
  return {
    orders: orders.filter(isOpen),
    networks: readings,
    failingMerchants,
    machines,
    host: new URL(publicUrl).host,
  };
}

/**
 * Compares the conditions found now with the stored ones. A condition that has lasted long enough starts an alert, a lasting condition is
 * reported again daily, and one that no longer applies ends its alert. State and messages are written in one transaction.
 */
export async function evaluateAlerts(
  db: Db,
  ctx: Pick<OperatorAlertContext, "publicUrl" | "targets">,
  facts: InstallationFacts,
  now: Date,
): Promise<void> {
  const found = findAlerts(facts, now);
  await db.transaction(async (tx) => {
    const stored = await lockAlerts(tx);
    for (const alert of found) {
      const before = stored.find((one) => isSame(one, alert));
      const { row, kind } = nextState(before, alert, now);
      await writeAlert(tx, row);
      if (kind) await insertMessages(tx, messagesOf(ctx, kind, alert, now));
    }
    for (const over of stored.filter((one) => !found.some((alert) => isSame(one, alert)))) {
      await deleteAlert(tx, over);
      if (over.startedAt) await insertMessages(tx, messagesOf(ctx, "resolved", resolvedOf(over), now));
    }
  });
}

type Kind = "started" | "lasts" | "resolved";
type Key = Pick<StoredAlert, "condition" | "subject">;
const isSame = (one: Key, other: Key) => one.condition === other.condition && one.subject === other.subject;

function nextState(before: StoredAlert | undefined, alert: FoundAlert, now: Date): { row: StoredAlert; kind?: Kind } {
  const { condition, subject } = alert;
  const row = before ?? { condition, subject, foundAt: now, startedAt: null, notifiedAt: null };
  if (row.startedAt === null) {
    const hasLasted = now.getTime() - row.foundAt.getTime() >= ALERT_LIMITS[condition].forMs;
    return hasLasted ? { row: { ...row, startedAt: now, notifiedAt: now }, kind: "started" } : { row };
  }
  const isRepeatDue = now.getTime() - (row.notifiedAt ?? row.startedAt).getTime() >= REMIND_MS;
  return isRepeatDue ? { row: { ...row, notifiedAt: now }, kind: "lasts" } : { row };
}

const NAMES: Record<FoundAlert["condition"], string> = {
  paymentsStopped: "Orders without payments",
  networkUnread: "Network without a worker",
  networkBehind: "Network behind its head",
  callbacksFailing: "Failing callbacks of merchant",
  dumpOld: "Old dump on",
  diskFull: "Full disk:",
  certificateExpires: "Expiring certificate of",
};
const resolvedOf = ({ condition, subject }: StoredAlert): FoundAlert => ({
  condition,
  subject,
  title: `${NAMES[condition]} ${subject}`,
  advice: "",
});
const STATES: Record<Kind, string> = { started: "Alert", lasts: "Still", resolved: "Resolved" };

function messagesOf(
  { publicUrl, targets }: Pick<OperatorAlertContext, "publicUrl" | "targets">,
  kind: Kind,
  { title, advice }: FoundAlert,
  now: Date,
): OperatorMessage[] {
  const text = [`${STATES[kind]}: ${title}.`, advice, `${publicUrl} · ${now.toISOString()}`].filter(
    (part) => part !== "",
  );
  const base = { title: `${STATES[kind]}: ${title}`, text: text.join("\n\n"), createdAt: now, dueAt: now, attempts: 0 };
  return targets.map(({ way }) => ({ ...base, id: newId(now), way }));
}

/** Sends the due messages of each transport in the order in which they were written. An unavailable transport does not delay the others. */
export async function sendMessages(
  db: Db,
  { targets, office, log }: Pick<OperatorAlertContext, "targets" | "office" | "log">,
  now: Date,
): Promise<void> {
  const ways = targets.map(({ way }) => way);
  const dropped = await deleteMessages(db, { before: new Date(now.getTime() - KEPT_MS), ways });
  if (dropped > 0)
    log.error({ count: dropped }, "messages to the operator could not be sent for a week and were dropped");
  const sendOne = async (message: OperatorMessage): Promise<void> => {
    const target = targets.find(({ way }) => way === message.way);
    if (!target) return;
    const delivery = await office.send(target, emailOf(message), now);
    if (delivery.kind === "sent") return deleteMessage(db, message.id);
    log.warn({ way: message.way, problem: inEnglish(delivery.problem) }, "a message to the operator could not be sent");
    const waitMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (message.attempts - 1));
    await postponeMessage(db, message, new Date(now.getTime() + Math.max(waitMs, delivery.retryAfterMs ?? 0)));
  };
  for (;;) {
    const messages = await claimMessages(db, ways, new Date(now.getTime() + LEASE_MS), now);
    if (messages.length === 0) return;
    await Promise.all(messages.map(sendOne));
  }
}

function emailOf({ id, title, text }: OperatorMessage): Email {
  const lines = text.split("\n\n").map((line) => `<p>${escapeHtml(line)}</p>`);
  const mailHtml = `<!doctype html><html><body>${lines.join("")}</body></html>`;
  return {
    id,
    title,
    text,
    mailText: `${text}\n`,
    mailHtml,
    unsubscribeUrl: null,
    kind: "operatorAlert",
    shop: "",
    facts: [],
  };
}

const ESCAPED: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => ESCAPED[sign] ?? sign);
