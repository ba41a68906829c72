import type { Db } from "@/db/client";
import { requireServerVersion, ServerVersionError } from "@/db/server-version";
import type { AppSecret } from "@/lib/domain/keys/app-secret";
import type { Log } from "@/lib/log";
import { AppSecretError, requireAppSecret } from "@/lib/merchants/check-app-secret";

const RETRY_MS = 1_000;

interface StartOptions {
  log: Log;
  /** Called when the database refuses the process only after it started, because it could not be asked before. */
  onRefused: (error: Error) => void;
}

/**
 * Checks, when a process starts, that the database server is new enough and that APP_SECRET is the installation's. While the database
 * cannot be asked, the process starts, and the check is repeated every second until it has an answer.
 * @returns a function that ends the repeating
 * @throws ServerVersionError, AppSecretError
 */
export async function requireDatabase(
  db: Db,
  appSecret: AppSecret,
  { log, onRefused }: StartOptions,
): Promise<() => void> {
  let timer: NodeJS.Timeout | undefined;
  let isEnded = false;
  const repeat = () => {
    if (!isEnded) timer = setTimeout(() => void check().then((isDone) => isDone || repeat(), onRefused), RETRY_MS);
  };
  async function check(): Promise<boolean> {
    try {
      await requireServerVersion(db);
      await requireAppSecret(db, appSecret);
      return true;
    } catch (error) {
      if (isEnded) return true;
      if (error instanceof ServerVersionError || error instanceof AppSecretError) throw error;
      log.debug({ err: error }, "the database cannot be asked yet whether this process fits it");
      return false;
    }
  }
  if (!(await check())) {
    log.warn(
      "the database cannot be asked yet whether APP_SECRET is the one of this installation; it is asked every second",
    );
    repeat();
  }
  return () => {
    isEnded = true;
    clearTimeout(timer);
  };
}
