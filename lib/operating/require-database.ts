import type { Db } from "@/db/client";
import { requireServerVersion, ServerVersionError } from "@/db/server-version";
import { isDatabaseAway } from "@/db/unavailable";
import { reasonOf, refusalOf } from "@/db/wait";
import type { AppSecret } from "@/lib/domain/keys/app-secret";
import type { Log } from "@/lib/log";
import { AppSecretError, requireAppSecret } from "@/lib/merchants/check-app-secret";

const RETRY_MS = 1_000;
const LOG_EVERY_MS = 30_000;

interface StartOptions {
  log: Log;
  /** Called if the database refuses the process only after it started, because the database was unavailable before. */
  onRefused: (error: Error) => void;
}

/** The database check that starts with a process. */
export interface DatabaseCheck {
  /** Returns true once the database was reached and fits this process. */
  isDone(): boolean;
  /** Resolves when `isDone` becomes true, or when the retries end. */
  settled: Promise<void>;
  /** Ends the retries. */
  end(): void;
}

/**
 * Checks at startup that the database server is new enough and that APP_SECRET is the installation's. While the database is unavailable or
 * its schema does not exist yet, the process starts anyway, and the check is repeated every second until it has a result.
 * @throws ServerVersionError, AppSecretError, DatabaseRefusal
 */
export async function requireDatabase(
  db: Db,
  appSecret: AppSecret,
  { log, onRefused }: StartOptions,
): Promise<DatabaseCheck> {
  const startedAt = performance.now();
  const { promise: settled, resolve } = Promise.withResolvers<void>();
  let isEnded = false;
  let isDone = false;
  let loggedAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  async function check(): Promise<void> {
    try {
      await requireServerVersion(db);
      await requireAppSecret(db, appSecret);
    } catch (error) {
      if (isEnded) return;
      const refusal = refusalOf(error);
      if (refusal) throw refusal;
      if (error instanceof ServerVersionError || error instanceof AppSecretError) throw error;
      logWaiting(error);
      timer = setTimeout(() => void check().catch(onRefused), RETRY_MS);
      return;
    }
    if (Number.isFinite(loggedAt))
      log.info({ waitedSeconds: secondsSince(startedAt) }, "the database is available and matches this process");
    isDone = true;
    resolve();
  }

  function logWaiting(error: unknown): void {
    if (performance.now() - loggedAt < LOG_EVERY_MS) return;
    loggedAt = performance.now();
    const message = isDatabaseAway(error)
      ? "the database is unavailable; retrying every second"
      : "the database schema is not ready for this version; waiting for npm run migrate";
    log.warn({ reason: reasonOf(error), waitedSeconds: secondsSince(startedAt) }, message);
  }

  await check();
  return {
    isDone: () => isDone,
    settled,
    end: () => {
      isEnded = true;
      resolve();
      clearTimeout(timer);
    },
  };
}

function secondsSince(startedAt: number): number {
  return Math.round((performance.now() - startedAt) / 1_000);
}
