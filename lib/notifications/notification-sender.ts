import type { Db } from "@/db/client";
import {
  type DueChannel,
  type DueFact,
  leaseFacts,
  listDueFacts,
  listSentTimes,
  lockDueChannel,
  postponeFacts,
  type Settled,
  settleMessage,
} from "@/db/queries/notifications/outbox";
import { newId } from "@/lib/domain/id";
import type { AppSecret } from "@/lib/domain/keys/app-secret";
import {
  type Fact,
  includedCount,
  type NotificationKind,
  retryAfterMs,
  WAYS,
  type Way,
  waitsUntil,
} from "@/lib/domain/notifications/notification";
import { problem } from "@/lib/domain/problems/problem";
import type { Log } from "@/lib/log";
import { open } from "@/lib/merchants/vault";
import { type Delivery, type Email, type PostOffice, Target } from "@/lib/notifications/mail-transport";
import { unsubscribeUrl } from "@/lib/notifications/unsubscribe";

/** The content of a message: facts of one kind, a test, or the code that verifies a channel. */
export type NotificationMessage =
  | { type: "facts"; kind: NotificationKind; facts: readonly Fact[] }
  | { type: "test" }
  | { type: "code"; code: string };

/** Renders a message. `unsubscribeUrl`: null if there is nothing to unsubscribe from. */
export type RenderNotification = (
  message: NotificationMessage,
  to: { language: string; shop: string; unsubscribeUrl: string | null },
) => Pick<Email, "title" | "text" | "mailText" | "mailHtml">;

export interface NotificationContext {
  appSecret: AppSecret;
  publicUrl: string;
  office: PostOffice;
  write: RenderNotification;
  log: Log;
  now(): Date;
  /** Returns the jitter, from 0 to 1; Math.random by default. */
  random?: () => number;
  /** The duration of a claim, well beyond the longest attempt. */
  leaseMs?: number;
}

/** A sender of due messages, a few at a time for each transport, so that an unavailable mail server delays no chat. */
export interface NotificationSender {
  /**
   * Claims due messages of a transport and starts sending them, without waiting for responses.
   * @returns the number of messages whose sending started
   */
  tick(way: Way): Promise<number>;
  /** Waits until no message is being sent. */
  settled(): Promise<void>;
  /** Stops sending new messages and waits for those in progress. */
  drain(): Promise<void>;
}

const LEASE_MS = 90_000;
/** The maximum number of concurrent messages of one transport in a process, each of a different channel. */
const CONCURRENCY = 8;

/**
 * Creates a sender for one process; any number of processes share the work through the database. When an attempt to send a message ends,
 * the next message is sent.
 */
export function createNotificationSender(db: Db, ctx: NotificationContext): NotificationSender {
  let isDraining = false;
  const underWay = Object.fromEntries(WAYS.map((way) => [way, new Map<string, Promise<void>>()])) as Record<
    Way,
    Map<string, Promise<void>>
  >;
  /** The last round of each transport, so that rounds run one after another. */
  const last = new Map<Way, Promise<number>>();

  const round = async (way: Way): Promise<number> => {
    let started = 0;
    const busy = underWay[way];
    while (!isDraining && busy.size < CONCURRENCY) {
      const claimed = await claimMessage(db, ctx, { way, except: [...busy.keys()] });
      if (!claimed) break;
      busy.set(claimed.channel.id, send(way, claimed));
      started += 1;
    }
    return started;
  };

  const send = (way: Way, claimed: Claimed): Promise<void> =>
    sendMessage(db, ctx, claimed)
      .catch((err: unknown) => ctx.log.error({ err, messageId: claimed.messageId }, "a notification was not recorded"))
      .then(async () => {
        underWay[way].delete(claimed.channel.id);
        await tick(way).catch((err: unknown) => ctx.log.error({ err }, "notifications could not be claimed"));
      });

  const tick = (way: Way): Promise<number> => {
    if (!ctx.office.isOpen(way)) return Promise.resolve(0);
    const next = (last.get(way) ?? Promise.resolve(0)).catch(() => 0).then(() => round(way));
    last.set(way, next);
    return next;
  };

  const settled = async () => {
    const all = () => WAYS.flatMap((way) => [...underWay[way].values()]);
    while (all().length > 0) await Promise.all(all());
  };

  return {
    tick,
    settled,
    async drain() {
      isDraining = true;
      await Promise.allSettled(last.values());
      await settled();
    },
  };
}

/** A message that is to be sent before its lease ends. */
interface Claimed {
  channel: DueChannel;
  facts: DueFact[];
  messageId: string;
  /** The number of attempts, including the current one. */
  attempts: number;
  until: Date;
}

/**
 * Claims the next message of a transport. Frequent facts of a kind are delayed and combined in one message. A message that was started
 * before keeps its facts and its id, even if a different process started it.
 */
async function claimMessage(
  db: Db,
  ctx: NotificationContext,
  which: { way: Way; except: readonly string[] },
): Promise<Claimed | null> {
  for (;;) {
    const claimed = await db.transaction(async (tx) => {
      const now = ctx.now();
      const channel = await lockDueChannel(tx, which, now);
      if (!channel) return null;
      const due = await listDueFacts(tx, channel, now);
      const [first] = due;
      if (!first) return "again" as const;
      const facts = first.messageId ? due : await chooseFacts(tx, channel, due, now);
      if (facts.length === 0) return "again" as const;
      const messageId = first.messageId ?? newId(now);
      const until = new Date(now.getTime() + (ctx.leaseMs ?? LEASE_MS));
      await leaseFacts(tx, channel, { ids: facts.map(({ id }) => id), messageId, until });
      return { channel, facts, messageId, attempts: first.attempts + 1, until };
    });
    if (claimed !== "again") return claimed;
  }
}

/**
 * Returns the facts of the next message. Returns none if too many messages of the kind were sent recently; all facts are then sent later.
 */
async function chooseFacts(tx: Db, channel: DueChannel, due: DueFact[], now: Date): Promise<DueFact[]> {
  const [first] = due;
  if (!first) return [];
  const { kind, isHeld } = first;
  const sentAt = await listSentTimes(tx, channel, kind, now);
  const wait = waitsUntil(sentAt, now);
  if (wait) await postponeFacts(tx, channel, kind, wait);
  return wait ? [] : due.slice(0, includedCount(sentAt.length, due.length, isHeld));
}

async function sendMessage(db: Db, ctx: NotificationContext, claimed: Claimed): Promise<void> {
  const { channel, messageId, until } = claimed;
  const delivery = await attempt(ctx, claimed);
  const settled = settle(claimed, delivery, ctx.now(), (ctx.random ?? Math.random)());
  const failure = delivery.kind === "sent" ? null : delivery.problem;
  const isOwn = await db.transaction((tx) =>
    settleMessage(tx, channel, { messageId, until, settled, problem: failure }),
  );
  if (!isOwn) ctx.log.warn({ messageId }, "a notification was claimed by another sender, or its channel was removed");
}

async function attempt(ctx: NotificationContext, { channel, facts, messageId }: Claimed): Promise<Delivery> {
  const { way, language, shop, merchantId, id: channelId } = channel;
  const kind = facts[0]?.kind;
  try {
    if (!kind) throw new Error("a message must contain at least one event");
    const target = openTarget(ctx.appSecret, channel);
    const url = unsubscribeUrl(ctx, { merchantId, channelId, kind });
    const reported = facts.map((one) => ({ kind: one.kind, facts: one.facts }) as unknown as Fact);
    const email = ctx.write({ type: "facts", kind, facts: reported }, { language, shop, unsubscribeUrl: url });
    const programs = { kind, shop, facts: facts.map((one) => one.facts) };
    return await ctx.office.send(target, { ...email, ...programs, id: messageId, unsubscribeUrl: url }, ctx.now());
  } catch (error) {
    ctx.log.error({ err: error, messageId, way }, "a notification could not be rendered");
    return { kind: "failed", problem: problem("delivery_not_written"), isFinal: false };
  }
}

/**
 * Decrypts the destination of a channel.
 * @throws Error if APP_SECRET is different, or the row was changed
 */
export function openTarget(
  appSecret: AppSecret,
  { id, targetCipher }: Pick<DueChannel, "id" | "targetCipher">,
): Target {
  return Target.parse(JSON.parse(open(appSecret, `notification_channels:${id}`, targetCipher)));
}

const MAX_WAIT_MS = 3_600_000;

function settle({ attempts }: Claimed, delivery: Delivery, now: Date, random: number): Settled {
  if (delivery.kind === "sent") return { sentAt: now };
  const waitMs = delivery.isFinal ? null : retryAfterMs(attempts, random);
  if (waitMs === null) return { failedAt: now };
  const asked = Math.min(delivery.retryAfterMs ?? 0, MAX_WAIT_MS);
  return { dueAt: new Date(now.getTime() + Math.max(waitMs, asked)) };
}
