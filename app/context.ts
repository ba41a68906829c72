import { type DbPool, openDb } from "@/db/client";
import { createDbClock, type DbClock } from "@/lib/clock";
import { installNetworks } from "@/lib/domain/networks";
import { type Env, readEnv } from "@/lib/env";
import type { ApiContext } from "@/lib/http/api-context";
import { createKeyRing } from "@/lib/http/key-ring";
import { createRateLimiter } from "@/lib/http/rate-limit";
import { createLog, type Log } from "@/lib/log";
import { addressVerifier } from "@/lib/merchants/vault";
import { tellChanges } from "@/lib/networks-file";
import { createOrderChanges, type OrderChanges } from "@/lib/orders/order-changes";

/** What a door hands to stories: settings, database, clock and log of this process. */
export interface Context extends ApiContext {
  env: Env;
  pool: DbPool;
  log: Log;
  /** News of changed orders for the payment pages that this process serves. */
  orderChanges: OrderChanges;
  now(): Date;
  /** Compares this machine's clock with the database's; done again every minute from then on. */
  keepTime(): Promise<void>;
  /** Ends every watch and connection of this process. */
  close(): Promise<void>;
}

declare global {
  var stablegateContext: Context | undefined;
}

const POOL_SIZE = 16;
const COMPARE_CLOCKS_EVERY_MS = 60_000;

/** Makes the Context of a process, and the networks of its settings those of the process. Nothing connects before it is used. */
export function createContext(env: Env): Context {
  const pool = openDb(env.databaseUrl, { max: POOL_SIZE, applicationName: "stablegate-web" });
  const log = createLog("web", env.logLevel);
  installNetworks(env.networks);
  tellChanges(log, env.networkChanges);
  const clock = createDbClock(pool.db, Date.now);
  let timer: NodeJS.Timeout | undefined;
  const orderChanges = createOrderChanges(pool, log);
  return {
    ...{ env, pool, log, orderChanges },
    keyRing: createKeyRing(pool.db, { appSecret: env.appSecret, log }),
    rateLimiter: createRateLimiter(pool.db),
    isGenuineAddress: addressVerifier(env.appSecret),
    now: clock.now,
    async keepTime() {
      timer ??= setInterval(() => void syncClock(clock, log), COMPARE_CLOCKS_EVERY_MS).unref();
      await syncClock(clock, log);
    },
    async close() {
      clearInterval(timer);
      orderChanges.close();
      await pool.close();
    },
  };
}

/** Without the database there is nothing to compare with: the process goes on and tries again. */
async function syncClock(clock: DbClock, log: Log): Promise<void> {
  try {
    await clock.sync();
  } catch (error) {
    log.error({ err: error }, "the database's clock could not be asked");
  }
}

/** The one Context of a web process, shared by `server.ts` and the handlers that Next bundles on its own. Only doors call it. */
export function getContext(): Context {
  globalThis.stablegateContext ??= createContext(readEnv(process.env));
  return globalThis.stablegateContext;
}
