import { createHmac } from "node:crypto";
import type { Db } from "@/db/client";
import { deleteChoice } from "@/db/queries/notifications/channels";
import type { AppSecret } from "@/lib/domain/keys/app-secret";
import { NOTIFICATION_KINDS, type NotificationKind } from "@/lib/domain/notifications/notification";
import { deriveKey, deriveKeys, isEqual } from "@/lib/merchants/vault";

/** A channel's subscription to one kind of event. */
export interface Choice {
  merchantId: string;
  channelId: string;
  kind: NotificationKind;
}

/** Returns the URL that unsubscribes from an event of a channel with one click, and has no other effect. */
export function unsubscribeUrl(ctx: { appSecret: AppSecret; publicUrl: string }, choice: Choice): string {
  return `${ctx.publicUrl}/unsubscribe/${tokenOf(deriveKey(ctx.appSecret, "unsubscribe"), choice)}`;
}

function tokenOf(key: Buffer, { merchantId, channelId, kind }: Choice): string {
  const text = `${merchantId}.${channelId}.${kind}`;
  const mac = createHmac("sha256", key).update(text).digest("base64url");
  return `${text}.${mac}`;
}

/** Returns the subscription that an unsubscribe token names; null if this installation did not create the token. */
export function readUnsubscribeToken(appSecret: AppSecret, token: string): Choice | null {
  const [merchantId = "", channelId = "", name = ""] = token.split(".");
  const kind = NOTIFICATION_KINDS.find((one) => one === name);
  const choice = kind && { merchantId, channelId, kind };
  const keys = deriveKeys(appSecret, "unsubscribe");
  return choice && keys.some((key) => isEqual(tokenOf(key, choice), token)) ? choice : null;
}

/**
 * Ends the subscription that an unsubscribe token names. Safe to repeat.
 * @returns the kind that is no longer sent; null if this installation did not create the token
 */
export async function unsubscribe(db: Db, appSecret: AppSecret, token: string): Promise<NotificationKind | null> {
  const choice = readUnsubscribeToken(appSecret, token);
  if (!choice) return null;
  await deleteChoice(db, choice);
  return choice.kind;
}
