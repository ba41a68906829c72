import { isDatabaseBusy } from "@/db/failure";
import { isDatabaseAway } from "@/db/unavailable";
import { AppError } from "@/lib/errors";
import type { Log } from "@/lib/log";

/** What went wrong, as whoever asked may hear it; what they may not goes to the log. @param known what the log says of the request */
export function inWords({ log }: { log: Log }, known: { requestId: string }, err: unknown): AppError {
  if (err instanceof AppError) return err;
  const all = { err, ...known };
  if (isDatabaseAway(err)) {
    log.error(all, "the database is away");
    return new AppError(10006, "The database cannot be reached at the moment; please try again in a few seconds");
  }
  if (isDatabaseBusy(err)) {
    log.error(all, "the database is too busy");
    const message = "The database is too busy at the moment; repeat the request with the same values, that is safe";
    return new AppError(10006, message, { retryAfterSeconds: 2 });
  }
  log.error(all, "request failed");
  const { requestId } = known;
  return new AppError(10099, `Something went wrong on our side; please tell the operator the request_id ${requestId}`);
}
