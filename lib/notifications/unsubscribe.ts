import { createHmac } from "node:crypto";
import type { Db } from "@/db/client";
import { deleteChoice } from "@/db/queries/notifications/channels";
import type { AppSecret } from "@/lib/domain/keys/app-secret";
import { NOTIFICATION_KINDS, type NotificationKind } from "@/lib/domain/notifications/notification";
import { deriveKey, deriveKeys, isEqual } from "@/lib/merchants/vault";

/** An event of a channel. */
export interface Choice {
  merchantId: string;
  channelId: string;
  kind: NotificationKind;
}

/** Returns the URL that unsubscribes from an event of a channel with one click, and does nothing else. */
export function unsubscribeUrl(ctx: { appSecret: AppSecret; publicUrl: string }, choice: Choice): string {
  return `${ctx.publicUrl}/unsubscribe/${tokenOf(deriveKey(ctx.appSecret, "unsubscribe"), choice)}`;
}

function tokenOf(key: Buffer, { merchantId, channelId, kind }: Choice): string {
  const text = `${merchantId}.${channelId}.${kind}`;
  const mac = createHmac("sha256", key).update(text).digest("base64url");
  return `${text}.${mac}`;
}

/** Returns the choice of a link; null if it was not created here. */
export function readUnsubscribeToken(appSecret: AppSecret, token: string): Choice | null {
  const [merchantId = "", channelId = "", name = ""] = token.split(".");
  const kind = NOTIFICATION_KINDS.find((one) => one === name);
  const choice = kind && { merchantId, channelId, kind };
  const keys = deriveKeys(appSecret, "unsubscribe");
  return choice && keys.some((key) => isEqual(tokenOf(key, choice), token)) ? choice : null;
}

/**
 * Ends the choice of a link. Safe to repeat.
 * @returns the kind that is no longer sent; null if the link was not created here
 */
export async function unsubscribe(db: Db, appSecret: AppSecret, token: string): Promise<NotificationKind | null> {
  const choice = readUnsubscribeToken(appSecret, token);
  if (!choice) return null;
  await deleteChoice(db, choice);
  return choice.kind;
}
