import { isDatabaseBusy } from "@/db/failure";
import { isDatabaseAway } from "@/db/unavailable";
import { problem } from "@/lib/domain/problems/problem";
import { AppError } from "@/lib/errors";
import type { Log } from "@/lib/log";

/**
 * Returns the public error for a failure; internal details go to the log.
 * @param known the request's fields in the log
 */
export function toPublicError({ log }: { log: Log }, known: { requestId: string }, err: unknown): AppError {
  if (err instanceof AppError) return err;
  const all = { err, ...known };
  if (isDatabaseAway(err)) {
    log.error(all, "the database is unavailable");
    return new AppError(problem("database_unreachable"));
  }
  if (isDatabaseBusy(err)) {
    log.error(all, "the database is too busy");
    return new AppError(problem("database_busy"), { retryAfterSeconds: 2 });
  }
  log.error(all, "request failed");
  return new AppError(problem("internal_error", { requestId: known.requestId }));
}
