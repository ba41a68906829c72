import { AsyncLocalStorage } from "node:async_hooks";
import { type DbPool, openDb, webName } from "@/db/client";
import { createListReader, type ListReader } from "@/db/replica";
import { createPluginKeyOpener } from "@/lib/callbacks/plugin-key-opener";
import { createDbClock, type DbClock } from "@/lib/clock";
import { type Env, readEnv } from "@/lib/config/env";
import { tellChanges } from "@/lib/config/networks-file";
import { type DepositReader, readDepositsTogether } from "@/lib/deposits/find-page";
import { cellOfId } from "@/lib/domain/id";
import { installNetworks } from "@/lib/domain/networks";
import type { ApiCall } from "@/lib/http/api-call";
import type { ApiContext } from "@/lib/http/api-route";
import { createKeyRing } from "@/lib/http/authenticate";
import { type AnswerAnywhere, answerByProof, chooseByKey } from "@/lib/http/choose-cell";
import { createHtmlPages, type HtmlPages } from "@/lib/http/html-pages";
import { createLeaving, type Leaving } from "@/lib/http/listener";
import { createOrderStreams, type OrderStreams } from "@/lib/http/order-events";
import { createRateLimiter } from "@/lib/http/rate-limit";
import { createVisitors, type Visitors } from "@/lib/http/visitors";
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
import type { WebTracing } from "@/lib/tracing/web-tracing";
import type { Cells } from "@/lib/users/cells/come-in";

/** What a door hands to stories: settings, database, clock and log of this process. */
export interface Context extends ApiContext, PageReader, DepositReader {
  env: Env;
  orders: ApiContext["orders"];
  /** Of pages, streams and the back office with its reports. */
  pool: DbPool;
  /** Of lists, reports and files, which nothing is decided by: a replica where there is one and it shows everything. */
  lists: ListReader;
  /** The same with connections of its own: whatever pages wait for, merchants' requests do not. */
  api: ApiContext;
  /** Of each cell that this process serves, this one among them; null: there is one. */
  cells: ReadonlyMap<string, Context> | null;
  /** Finds the cell of a request of the merchants' API; null: there is one. */
  chooseApi: ((call: ApiCall) => ApiContext | Promise<ApiContext>) | null;
  /** Answers a request in another protocol; null: there is one. */
  answerAnywhere: AnswerAnywhere | null;
  visitors: Visitors;
  pages: HtmlPages;
  orderStreams: OrderStreams;
  /** Whether the database was reached and fits this process; before that it is not ready. */
  isChecked(): boolean;
  /** What becomes of connections once this process is to stop. */
  leaving: Leaving;
  /** Numbers for whoever watches over this; null where nobody may read them. */
  metrics: WebMetrics | null;
  log: Log;
  /** For lines of what goes on for all, and belongs to no request. */
  ownLog: Log;
  /** Which request a line belongs to. */
  logScope: LogScope;
  findOrderVersion: FindOrderVersion;
  /** News of changed orders for the payment pages that this process serves. */
  orderChanges: OrderChanges;
  now(): Date;
  /** Compares this machine's clock with the database's; done again every minute from then on. */
  keepTime(): Promise<void>;
  /** Ends every watch and connection of this process. */
  close(): Promise<void>;
}

export interface WebMetrics {
  counted: ProcessMetrics;
  /** Those of all web processes on this port, and of the installation. */
  read(now: Date): Promise<string>;
}

declare global {
  var stablegateContext: Context | undefined;
}

const API_CONNECTIONS = 8;
const PAGE_CONNECTIONS = 4;
const LIST_CONNECTIONS = 4;
const COMPARE_CLOCKS_EVERY_MS = 60_000;

/** What the cells of a process have in common: limits by where visitors are, and pages by what they show. */
type Shared = Pick<Context, "visitors" | "pages" | "leaving" | "logScope">;
type Traced = WebTracing | undefined;

/** Lines of requests, and of what goes on for all: it began with somebody's request, and belongs to none. */
type Logs = Record<"log" | "ownLog", Log>;

/**
 * Makes the Context of a process, and the networks of its settings those of the process. Nothing connects before it is used.
 * Where the settings list several cells it is the one of the first, which has those of the others beside it.
 */
export function createContext(env: Env, tracing?: WebTracing): Context {
  const logScope: LogScope = new AsyncLocalStorage();
  const destination = createBatches();
  const facts = tracing && { facts: tracing.traceOfLine };
  const log = createLog("web", env.logLevel, { scope: logScope, destination, ...facts });
  const ownLog = createLog("web", env.logLevel, { destination });
  installNetworks(env.networks);
  tellChanges(ownLog, env.networkChanges);
  const shared = { visitors: createVisitors(env, log), pages: createHtmlPages(), leaving: createLeaving(), logScope };
  const [first, ...others] = env.cells;
  const home = createCell(env, shared, { log, ownLog }, tracing);
  if (first === undefined || others.length === 0) return home;
  const places = others.map(({ cell, ...urls }) => [cell, { ...env, ...urls }] as const);
  const logsOf = (cell: string): Logs => ({ log: log.child({ cell }), ownLog: ownLog.child({ cell }) });
  const beside = places.map(([cell, own]) => [cell, createCell(own, shared, logsOf(cell), tracing)] as const);
  const cells = new Map([[first.cell, home], ...beside]);
  const all = [...cells.values()];
  const apis = all.map(({ api }) => api);
  return Object.assign(home, {
    cells,
    chooseApi: chooseByKey(apis),
    answerAnywhere: answerByProof(apis),
    keepTime: inAll(all.map(({ keepTime }) => keepTime)),
    close: inAll(all.map(({ close }) => close)),
  });
}

/** Does the same in all cells, at once. */
function inAll(each: readonly (() => Promise<void>)[]): () => Promise<void> {
  return async () => void (await Promise.all(each.map((run) => run())));
}

function createCell(env: Env, shared: Shared, { log, ownLog }: Logs, tracing: Traced): Context {
  const open = (work: "api" | "pages", max: number) =>
    openDb(env.databaseUrl, {
      work,
      max,
      applicationName: webName(work),
      isPooled: env.databaseDirectUrl !== null,
      directoryUrl: work === "pages" ? env.directoryUrl : null,
      watch: tracing?.watchStatement,
    });
  const apiPool = open("api", API_CONNECTIONS);
  const pool = open("pages", PAGE_CONNECTIONS);
  // It only listens, over a connection of its own that begins with the first page.
  const listener = openDb(env.databaseDirectUrl ?? env.databaseUrl, {
    work: "pages",
    max: 1,
    applicationName: webName("listener"),
  });
  const replica =
    env.databaseReplicaUrl === null
      ? null
      : openDb(env.databaseReplicaUrl, { work: "pages", max: LIST_CONNECTIONS, applicationName: "stablegate-lists" });
  const clock = createDbClock(pool.db, Date.now);
  let timer: NodeJS.Timeout | undefined;
  const orderChanges = createOrderChanges(pool, ownLog, listener);
  const insert = insertTogether(apiPool.db);
  const api: ApiContext = {
    env,
    log,
    requestLog: withoutRedaction(log),
    pool: apiPool,
    now: clock.now,
    keyRing: createKeyRing(apiPool.db, { appSecret: env.appSecret, log }),
    rateLimiter: createRateLimiter(apiPool.db),
    openPluginKey: createPluginKeyOpener({ appSecret: env.appSecret, log }),
    orders: {
      log,
      rateSources: env.rateSources,
      publicUrl: env.publicUrl,
      isGenuineAddress: addressVerifier(env.appSecret),
      insertOrder: tracing ? tracing.making(insert) : insert,
    },
    ...(tracing && { onOrder: tracing.noteOrder }),
    findOrder: findTogether(apiPool.db),
  };
  return {
    ...api,
    api,
    pool,
    orderChanges,
    ownLog,
    lists: createListReader({
      primary: pool.db,
      replica,
      now: clock.now,
      onRest: (why, err) =>
        ownLog.warn({ why, err }, "lists are read from the primary for a while, not from the replica"),
    }),
    ...shared,
    cells: null,
    chooseApi: null,
    answerAnywhere: null,
    findCheckoutRow: findCheckoutsTogether(pool.db),
    findOrderVersion: findVersionsTogether(pool.db),
    ...readDepositsTogether(pool.db),
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

/** The Context of the merchants' API, in the cell whose key a request carries. */
export function getApiContext(call: ApiCall): ApiContext | Promise<ApiContext> {
  const { api, chooseApi } = getContext();
  return chooseApi === null ? api : chooseApi(call);
}

/**
 * Answers a request in another protocol in the cell whose plugin asks.
 * @param name what the request names the plugin by; null: nothing that is worth keeping
 */
export function answerPlugin<T>(name: string | null, answer: (cell: ApiContext) => Promise<T>): Promise<T> {
  const { api, answerAnywhere } = getContext();
  return answerAnywhere === null ? answer(api) : answerAnywhere(name, answer);
}

/** The Context of a cell; of one that this process does not serve the first, which knows nothing of it. */
export function getCellContext(cell: string): Context {
  const home = getContext();
  return home.cells?.get(cell) ?? home;
}

/** The Context of the cell that an order's id names; of an unknown one the first, which knows no such order. */
export const getOrderContext = (tradeId: string): Context => getCellContext(cellOfId(tradeId));

/** The databases of all cells, the first one's first: who comes in may have an account in any. */
export function getAllCells(): Cells {
  const home = getContext();
  const others = [...(home.cells?.values() ?? [])].filter((one) => one !== home);
  return [home.pool.db, ...others.map(({ pool }) => pool.db)];
}
