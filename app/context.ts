import { type DbPool, openDb } from "@/db/client";
import { type Env, readEnv } from "@/lib/env";
import { createLog, type Log } from "@/lib/log";

/** What a door hands to stories: settings, database, clock and log of this process. */
export interface Context {
  env: Env;
  pool: DbPool;
  log: Log;
  now(): Date;
}

declare global {
  var stablegateContext: Context | undefined;
}

/** The one Context of a web process, shared by `server.ts` and the handlers that Next bundles on its own. Only doors call it. */
export function getContext(): Context {
  if (globalThis.stablegateContext) return globalThis.stablegateContext;
  const env = readEnv(process.env);
  const context: Context = {
    env,
    pool: openDb(env.databaseUrl, { max: 16, applicationName: "stablegate-web" }),
    log: createLog("web", env.logLevel),
    now: () => new Date(),
  };
  globalThis.stablegateContext = context;
  return context;
}
