import { AsyncLocalStorage } from "node:async_hooks";
import { type DbPool, openDb, webName } from "@/db/client";
import { createListReader, type ListReader } from "@/db/replica";
import { createPluginKeyOpener } from "@/lib/callbacks/plugin-key-opener";
import { createDbClock, type DbClock } from "@/lib/clock";
import { type Env, readEnv } from "@/lib/config/env";
import { logNetworkChanges } from "@/lib/config/networks-file";
import { type DepositReader, readDepositsTogether } from "@/lib/deposits/find-page";
import { installNetworks } from "@/lib/domain/networks";
import type { ApiContext } from "@/lib/http/api-route";
import { createKeyRing } from "@/lib/http/authenticate";
import { createHtmlPages, type HtmlPages } from "@/lib/http/html-pages";
import type { RoutedIntegrations } from "@/lib/http/integration-routes";
import { createLeaving, type Leaving } from "@/lib/http/listener";
import { createOrderStreams, type OrderStreams } from "@/lib/http/order-events";
import { createRateLimiter } from "@/lib/http/rate-limit";
import { createVisitors, type Visitors } from "@/lib/http/visitors";
import { INSTALLED } from "@/lib/integrations/installed";
import { createBatches, createLog, type Log, type LogScope, withoutRedaction } from "@/lib/log";
import { addressVerifier } from "@/lib/merchants/vault";
import type { ProcessMetrics } from "@/lib/metrics/process-metrics";
import { insertTogether } from "@/lib/orders/create-order";
import {
  type FindOrderVersion,
  findCheckoutsTogether,
  findVersionsTogether,
  type PageReader,
} from "@/lib/orders/find-checkout";
import { createOrderChanges, type OrderChanges } from "@/lib/orders/order-changes";
import { findTogether } from "@/lib/orders/query-order";
import { type ClaimReader, readClaimsTogether } from "@/lib/refunds/find-claim-page";
import type { WebTracing } from "@/lib/tracing/web-tracing";

/** The dependencies of handlers and use cases: settings, database, clock and log of this process. */
export interface Context extends ApiContext, PageReader, DepositReader, ClaimReader {
  env: Env;
  integrations: RoutedIntegrations;
  orders: ApiContext["orders"];
  /** The connections for pages, streams and the back office with its reports. */
  pool: DbPool;
  /**
   * The reader for lists, reports and files, whose data is not used for decisions. It reads from a replica that has caught up, or from the
   * primary if there is none.
   */
  lists: ListReader;
  /** The context of the merchants' API. It has its own connections, so that slow pages do not delay merchants' requests. */
  api: ApiContext;
  visitors: Visitors;
  pages: HtmlPages;
  orderStreams: OrderStreams;
  /** Returns true once the database has been reached and is compatible with this process. Until then the process is not ready. */
  isChecked(): boolean;
  /** The state of connections while this process is draining. */
  leaving: Leaving;
  /** The metrics for the operator's monitoring; null if no client may read them. */
  metrics: WebMetrics | null;
  log: Log;
  /** The log for lines that belong to no request. */
  ownLog: Log;
  /** The request to which a log line belongs. */
  logScope: LogScope;
  findOrderVersion: FindOrderVersion;
  /** Notifications of changed orders for the payment pages that this process serves. */
  orderChanges: OrderChanges;
  now(): Date;
  /** Compares this machine's clock with the database's, once immediately and then every minute. */
  keepTime(): Promise<void>;
  /** Closes every subscription and connection of this process. */
  close(): Promise<void>;
}

export interface WebMetrics {
  counted: ProcessMetrics;
  /** Returns the metrics of all web processes on this port, and of the installation. */
  read(now: Date): Promise<string>;
}

declare global {
  var stablegateContext: Context | undefined;
}

const API_CONNECTIONS = 8;
const PAGE_CONNECTIONS = 4;
const LIST_CONNECTIONS = 4;
/** The database connections of a process that runs the worker, too. */
const SINGLE_PROCESS = { api: 3, pages: 2 };
const COMPARE_CLOCKS_EVERY_MS = 60_000;

interface ContextOptions {
  tracing?: WebTracing | undefined;
  /** The integrations of this process; defaults to those of the release. */
  integrations?: RoutedIntegrations | undefined;
}

/** Creates the context of a process and installs the networks from its settings. The database connection opens with the first query. */
export function createContext(env: Env, { tracing, integrations = INSTALLED }: ContextOptions = {}): Context {
  const logScope: LogScope = new AsyncLocalStorage();
  const destination = createBatches();
  const facts = tracing && { facts: tracing.traceOfLine };
  const log = createLog("web", env.logLevel, { scope: logScope, destination, ...facts });
  const ownLog = createLog("web", env.logLevel, { destination });
  installNetworks(env.networks);
  logNetworkChanges(ownLog, env.networkChanges);
  const { api: apiPool, pages: pool, listener, replica } = openPools(env, tracing);
  const clock = createDbClock(pool.db, Date.now);
  const api = createApiContext(env, { pool: apiPool, log, now: clock.now, tracing, integrations });
  const orderChanges = createOrderChanges(pool, ownLog, listener);
  let timer: NodeJS.Timeout | undefined;
  return {
    ...api,
    api,
    integrations,
    pool,
    orderChanges,
    ownLog,
    lists: createListReader({
      primary: pool.db,
      replica,
      now: clock.now,
      onUnavailable: (why, err) =>
        ownLog.warn({ why, err }, "lists are temporarily read from the primary, not from the replica"),
    }),
    visitors: createVisitors(env, log),
    pages: createHtmlPages(),
    leaving: createLeaving(),
    logScope,
    findCheckoutRow: findCheckoutsTogether(pool.db),
    findOrderVersion: findVersionsTogether(pool.db),
    ...readDepositsTogether(pool.db),
    ...readClaimsTogether(pool.db),
    orderStreams: createOrderStreams(orderChanges),
    metrics: null,
    isChecked: () => true,
    async keepTime() {
      timer ??= setInterval(() => void syncClock(clock, ownLog), COMPARE_CLOCKS_EVERY_MS).unref();
      await syncClock(clock, ownLog);
    },
    async close() {
      clearInterval(timer);
      orderChanges.close();
      await Promise.all([pool.close(), apiPool.close(), listener.close(), replica?.close()]);
    },
  };
}

/**
 * Opens the pools of a process: for merchants' requests, pages, notifications, and lists if a replica is configured.
 */
function openPools(env: Env, tracing: WebTracing | undefined) {
  const max = env.isOneProcess ? SINGLE_PROCESS : { api: API_CONNECTIONS, pages: PAGE_CONNECTIONS };
  const open = (work: "api" | "pages") =>
    openDb(env.databaseUrl, {
      work,
      max: max[work],
      applicationName: webName(work),
      isPooled: env.databaseDirectUrl !== null,
      watch: tracing?.watchStatement,
    });
  const lists = { work: "pages", max: LIST_CONNECTIONS, applicationName: "stablegate-lists" } as const;
  return {
    api: open("api"),
    pages: open("pages"),
    // This pool is used only for LISTEN on its own connection, which opens with the first page.
    listener: openDb(env.databaseDirectUrl ?? env.databaseUrl, {
      work: "pages",
      max: 1,
      applicationName: webName("listener"),
    }),
    replica: env.databaseReplicaUrl === null ? null : openDb(env.databaseReplicaUrl, lists),
  };
}

interface ApiParts extends Pick<ApiContext, "pool" | "log" | "now" | "integrations"> {
  tracing: WebTracing | undefined;
}

function createApiContext(env: Env, { pool, log, now, tracing, integrations }: ApiParts): ApiContext {
  const insert = insertTogether(pool.db);
  return {
    env,
    log,
    requestLog: withoutRedaction(log),
    pool,
    now,
    keyRing: createKeyRing(pool.db, { appSecret: env.appSecret, log }),
    rateLimiter: createRateLimiter(pool.db),
    openPluginKey: createPluginKeyOpener({ appSecret: env.appSecret, log }),
    integrations,
    orders: {
      log,
      rateSources: env.rateSources,
      publicUrl: env.publicUrl,
      isVerifiedAddress: addressVerifier(env.appSecret),
      insertOrder: tracing ? tracing.making(insert) : insert,
    },
    ...(tracing && { onOrder: tracing.noteOrder }),
    findOrder: findTogether(pool.db),
  };
}

/** Compares the clocks. If the database is unavailable, the process continues and the next run tries again. */
async function syncClock(clock: DbClock, log: Log): Promise<void> {
  try {
    await clock.sync();
  } catch (error) {
    log.error({ err: error }, "the clock of the database could not be read");
  }
}

/**
 * Returns the one Context of a web process, shared by `server.ts` and the handlers that Next bundles separately. Only
 * entry points call it.
 */
export function getContext(): Context {
  globalThis.stablegateContext ??= createContext(readEnv(process.env));
  return globalThis.stablegateContext;
}

/** Returns the Context of the merchants' API. */
export function getApiContext(): ApiContext {
  return getContext().api;
}
