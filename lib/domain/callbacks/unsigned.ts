import type { CallbackFormat } from "@/lib/domain/keys/key-rules";

/**
 * Why a callback cannot be signed: no key or webhook of its merchant is live, what is stored of it cannot be decrypted, or its webhook
 * is switched off or was deleted.
 */
export const UNSIGNED_REASONS = ["no_key", "unreadable_key", "webhook_off", "webhook_deleted"] as const;
export type UnsignedReason = (typeof UNSIGNED_REASONS)[number];

const FIRST_WAIT_MS = 10_000;
const LONGEST_WAIT_MS = 30 * 60_000;
const JITTER = 0.2;

/** Returns whether a callback waits until it can be signed. A deleted webhook does not come back. */
export function canBeSignedLater(reason: UnsignedReason): boolean {
  return reason !== "webhook_deleted";
}

/**
 * Returns how long an unsigned callback waits until it is tried again: as long as it has waited so far, from 10 s to 30 min. A new key
 * ends the wait at once.
 * @param random from 0 to 1: spreads the wait by ±20 %
 */
export function unsignedWaitMs(waitedMs: number, random: number): number {
  const waitMs = Math.min(LONGEST_WAIT_MS, Math.max(FIRST_WAIT_MS, waitedMs));
  return Math.round(waitMs * (1 - JITTER + 2 * JITTER * random));
}

/** Returns a sentence about a reason, without a full stop. */
export function unsignedMessage(reason: UnsignedReason, format: CallbackFormat): string {
  const isOfKey = format === "standard" || format === "plugin-v1";
  switch (reason) {
    case "no_key":
      return isOfKey
        ? "there is no live API key to sign with; create one under Settings → API keys"
        : "the plugin has no live key to sign with; issue one under Settings → Plugins";
    case "unreadable_key":
      if (isOfKey) return "the secrets to sign with cannot be opened; create a new API key";
      return format === "greenfield"
        ? "the webhook's secret cannot be opened; delete it, and have the plugin make a new one"
        : "the plugin's key cannot be opened; issue a new one under Settings → Plugins";
    case "webhook_off":
      return "the webhook was switched off by its shop's plugin";
    case "webhook_deleted":
      return "the webhook was deleted by its shop's plugin";
  }
}
