import type { DbPool } from "@/db/client";
import type { Env } from "@/lib/env";
import type { KeyRing } from "@/lib/http/key-ring";
import type { RateLimiter } from "@/lib/http/rate-limit";
import type { Log } from "@/lib/log";

/** What the handlers of the merchants' API need of their process. */
export interface ApiContext {
  env: Env;
  pool: DbPool;
  log: Log;
  keyRing: KeyRing;
  rateLimiter: RateLimiter;
  /** Whether a receiving address is still the one its merchant added. */
  isGenuineAddress(row: { merchantId: string; network: string; address: string; kind: string; mac: string }): boolean;
  /** By the database's clock. */
  now(): Date;
}
