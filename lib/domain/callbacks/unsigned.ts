import { type CallbackFormat, isKeyFormat } from "@/lib/domain/keys/key-rules";
import { type Problem, problem } from "@/lib/domain/problems/problem";

/**
 * The reasons why a callback cannot be signed: its merchant has no live key, its key or the secret of its webhook cannot be decrypted, its
 * webhook is disabled or was deleted, or this process does not have the integration that the callback belongs to.
 */
export const UNSIGNED_REASONS = [
  "no_key",
  "unreadable_key",
  "unreadable_secret",
  "webhook_off",
  "webhook_deleted",
  "not_installed",
] as const;
export type UnsignedReason = (typeof UNSIGNED_REASONS)[number];

const FIRST_WAIT_MS = 10_000;
const LONGEST_WAIT_MS = 30 * 60_000;
const JITTER = 0.2;

/** Returns true if a callback stays pending until it can be signed. A deleted webhook cannot be restored. */
export function canBeSignedLater(reason: UnsignedReason): boolean {
  return reason !== "webhook_deleted";
}

/**
 * Returns the delay before signing is retried: equal to the time that the callback has been pending, from 10 s to 30 min. A new key
 * triggers a retry immediately.
 * @param random from 0 to 1: spreads the wait by ±20%
 */
export function unsignedWaitMs(waitedMs: number, random: number): number {
  const waitMs = Math.min(LONGEST_WAIT_MS, Math.max(FIRST_WAIT_MS, waitedMs));
  return Math.round(waitMs * (1 - JITTER + 2 * JITTER * random));
}

/** Returns the problem for a reason. */
export function unsignedProblem(reason: UnsignedReason, format: CallbackFormat): Problem {
  const isOfKey = isKeyFormat(format);
  switch (reason) {
    case "no_key":
      return isOfKey ? problem("unsigned_without_key") : problem("unsigned_without_plugin_key");
    case "unreadable_key":
      return isOfKey ? problem("unsigned_unreadable_key") : problem("unsigned_unreadable_plugin_key");
    case "unreadable_secret":
      return problem("unsigned_unreadable_webhook");
    case "webhook_off":
      return problem("unsigned_webhook_off");
    case "webhook_deleted":
      return problem("unsigned_webhook_deleted");
    case "not_installed":
      return problem("unsigned_not_installed", { integration: format });
  }
}
