import { type DbPool, openDb } from "@/db/client";
import { type Env, readEnv } from "@/lib/env";
import { createLog, type Log } from "@/lib/log";
import { createOrderChanges, type OrderChanges } from "@/lib/orders/order-changes";

/** What a door hands to stories: settings, database, clock and log of this process. */
export interface Context {
  env: Env;
  pool: DbPool;
  log: Log;
  /** News of changed orders for the payment pages that this process serves. */
  orderChanges: OrderChanges;
  now(): Date;
}

declare global {
  var stablegateContext: Context | undefined;
}

/** The one Context of a web process, shared by `server.ts` and the handlers that Next bundles on its own. Only doors call it. */
export function getContext(): Context {
  if (globalThis.stablegateContext) return globalThis.stablegateContext;
  const env = readEnv(process.env);
  const pool = openDb(env.databaseUrl, { max: 16, applicationName: "stablegate-web" });
  const log = createLog("web", env.logLevel);
  const context: Context = {
    env,
    pool,
    log,
    orderChanges: createOrderChanges(pool, log),
    now: () => new Date(),
  };
  globalThis.stablegateContext = context;
  return context;
}
