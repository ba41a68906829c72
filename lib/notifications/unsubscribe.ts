import { createHmac } from "node:crypto";
import type { Db } from "@/db/client";
import { deleteChoice } from "@/db/queries/notifications/channels";
import { NOTIFICATION_KINDS, type NotificationKind } from "@/lib/domain/notifications/notification";
import { deriveKey, isEqual } from "@/lib/merchants/vault";

/** What a channel tells. */
export interface Choice {
  merchantId: string;
  channelId: string;
  kind: NotificationKind;
}

/** Where one click ends that a channel tells a kind: whoever has the link may do that, and nothing else. */
export function unsubscribeUrl(ctx: { appSecret: string; publicUrl: string }, choice: Choice): string {
  return `${ctx.publicUrl}/unsubscribe/${tokenOf(ctx.appSecret, choice)}`;
}

function tokenOf(appSecret: string, { merchantId, channelId, kind }: Choice): string {
  const text = `${merchantId}.${channelId}.${kind}`;
  const mac = createHmac("sha256", deriveKey(appSecret, "unsubscribe")).update(text).digest("base64url");
  return `${text}.${mac}`;
}

/** What a link is for; null when it was not made here. */
export function readUnsubscribeToken(appSecret: string, token: string): Choice | null {
  const [merchantId = "", channelId = "", name = ""] = token.split(".");
  const kind = NOTIFICATION_KINDS.find((one) => one === name);
  const choice = kind && { merchantId, channelId, kind };
  return choice && isEqual(tokenOf(appSecret, choice), token) ? choice : null;
}

/**
 * Ends what a link is for. Safe to repeat.
 * @returns the kind that is told no more; null when the link was not made here
 */
export async function unsubscribe(db: Db, appSecret: string, token: string): Promise<NotificationKind | null> {
  const choice = readUnsubscribeToken(appSecret, token);
  if (!choice) return null;
  await deleteChoice(db, choice);
  return choice.kind;
}
