import type { SenderContext } from "@/lib/callbacks/callback-sender";
import { isAcknowledged } from "@/lib/domain/callbacks/callback";
import type { Log } from "@/lib/log";
import type { ProcessMetrics } from "@/lib/metrics/process-metrics";

/**
 * Counts and logs attempts at callbacks. Neither address nor body nor answer is logged: a merchant may keep secrets in all of them.
 * @param metrics null: nothing is counted
 */
export function noteAttempts(log: Log, metrics: ProcessMetrics | null): NonNullable<SenderContext["onAttempt"]> {
  return (outcome, { id: callbackId, orderId: tradeId, seriesAttempts, format }) => {
    const isAnswered = outcome.kind === "answered";
    const httpStatus = isAnswered ? outcome.httpStatus : null;
    if (outcome.kind !== "unsigned") metrics?.attempt(`${httpStatus ?? outcome.kind}`, outcome.durationMs / 1_000);
    const facts = { callbackId, tradeId, attempt: seriesAttempts + 1, outcome: outcome.kind, httpStatus };
    if (isAnswered && isAcknowledged(format, outcome.httpStatus, outcome.text))
      log.info(facts, "a callback was delivered");
    else log.warn(facts, "a callback was not taken");
  };
}
