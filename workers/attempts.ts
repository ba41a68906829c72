import type { Outcome, SenderContext } from "@/lib/callbacks/callback-sender";
import { hostOf } from "@/lib/domain/callbacks/address-rule";
import { canBeSignedLater } from "@/lib/domain/callbacks/unsigned";
import { orderIdOf } from "@/lib/domain/credit-target";
import { inEnglish } from "@/lib/domain/problems/in-english";
import type { Log } from "@/lib/log";
import type { ProcessMetrics } from "@/lib/metrics/process-metrics";

const MAX_REMEMBERED = 10_000;

/**
 * Counts and logs attempts at callbacks. The URL, the body and the response are not logged, because they can contain a merchant's secrets.
 * Callbacks that cannot be signed are logged once for each merchant and reason, until a callback of that merchant can be signed again.
 * @param metrics null: nothing is counted
 */
export function noteAttempts(log: Log, metrics: ProcessMetrics | null): NonNullable<SenderContext["onAttempt"]> {
  const unsigned = new Map<string, string>();
  return (outcome, { id: callbackId, merchantId, target, seriesAttempts, format, url }) => {
    const tradeId = orderIdOf(target);
    const signer = `${merchantId} ${format}`;
    if (outcome.kind === "unsigned" && canBeSignedLater(outcome.reason)) {
      if (unsigned.get(signer) === outcome.reason) return;
      if (unsigned.size >= MAX_REMEMBERED) unsigned.clear();
      unsigned.set(signer, outcome.reason);
      const facts = { merchantId, format, reason: outcome.reason, callbackId, tradeId };
      return log.warn(facts, "callbacks of a merchant cannot be signed and stay pending; no attempt is counted");
    }
    unsigned.delete(signer);
    const isAnswered = outcome.kind === "answered";
    const httpStatus = isAnswered ? outcome.httpStatus : null;
    if (outcome.kind !== "unsigned") metrics?.attempt(`${httpStatus ?? outcome.kind}`, outcome.durationMs / 1_000);
    const facts = { callbackId, tradeId, attempt: seriesAttempts + 1, outcome: outcome.kind, httpStatus };
    if (isAnswered && outcome.isAcknowledged) log.info(facts, "a callback was delivered");
    else log.warn({ ...facts, reason: reasonOf(outcome, url) }, "a callback was not acknowledged");
  };
}

/**
 * Returns the reason why an attempt failed: the HTTP status, or the error before a response. The merchant's host is removed from messages,
 * so that it is not logged.
 */
function reasonOf(outcome: Outcome, url: string): string {
  if (outcome.kind !== "answered") {
    const parsed = URL.parse(url);
    const text = inEnglish(outcome.error);
    return parsed ? text.replaceAll(hostOf(parsed), "the host") : text;
  }
  const { httpStatus } = outcome;
  if (httpStatus >= 300 && httpStatus < 400) return `HTTP ${httpStatus}: redirects are not followed`;
  return httpStatus === 200 ? "HTTP 200 without the acknowledgement text" : `HTTP ${httpStatus}`;
}
