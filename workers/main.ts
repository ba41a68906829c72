import { AsyncLocalStorage } from "node:async_hooks";
import { hostname } from "node:os";
import { type Db, type DbPool, newOwner, openDb, workerName } from "@/db/client";
import { examineDatabaseUrls } from "@/db/pooler";
import { type CallbackSender, createCallbackSender } from "@/lib/callbacks/callback-sender";
import { createCallbackSigner } from "@/lib/callbacks/sign-callback";
import { writeWaitingCallbacks } from "@/lib/callbacks/write-for-integrations";
import { FAMILIES } from "@/lib/chains/families";
import { createDbClock } from "@/lib/clock";
import type { Env } from "@/lib/config/env";
import { logNetworkChanges } from "@/lib/config/networks-file";
import { CALLBACK_DUE } from "@/lib/domain/channels";
import type { Integrations } from "@/lib/domain/integrations/integration";
import { installNetworks, type Network } from "@/lib/domain/networks";
import { endpointNames } from "@/lib/domain/networks/health";
import { WAYS } from "@/lib/domain/notifications/notification";
import { type Log, type LogScope, withoutRedaction } from "@/lib/log";
import { createAddressTender } from "@/lib/merchants/derive-addresses";
import { createHashRemover } from "@/lib/merchants/key-hashes";
import { hasMetrics } from "@/lib/metrics/metrics-access";
import { createProcessMetrics, type ProcessMetrics } from "@/lib/metrics/process-metrics";
import { collectNotifications } from "@/lib/notifications/collect-notifications";
import type { NotificationSender } from "@/lib/notifications/notification-sender";
import { createOperatorTicker, OPERATOR_TICK_MS } from "@/lib/operating/operator-ticker";
import { requireDatabase } from "@/lib/operating/require-database";
import { expireOrders } from "@/lib/orders/expire-orders";
import { keepRetention } from "@/lib/orders/keep-retention";
import { releaseHolds } from "@/lib/orders/release-holds";
import { guardedGet } from "@/lib/outbound/guarded-get";
import { refreshRates } from "@/lib/rates/refresh-rates";
import { expireRefunds } from "@/lib/refunds/expire-refunds";
import { countTotals } from "@/lib/reports/count-totals";
import type { WorkerTracing } from "@/lib/tracing/worker-tracing";
import { type CallMeter, createCallMeter } from "@/lib/watch/call-meter";
import { createNetworkReader, freeHeldByLost } from "@/lib/watch/network-reader";
import { recordCalls } from "@/lib/watch/record-calls";
import packageJson from "@/package.json" with { type: "json" };
import { noteAttempts } from "@/workers/attempts";
import { createEndpointErrorLog, createEndpointLog } from "@/workers/endpoint-log";
import { createHeadWakes, type HeadEvent } from "@/workers/head-wakes";
import { type Loop, startLoop } from "@/workers/loop";
import { createMailer, createNotifier } from "@/workers/mailer";
import { serveMetrics } from "@/workers/metrics-server";
import { stopAll } from "@/workers/stop-all";
import { type StartLoop, watchLoops } from "@/workers/watch-loops";
import { createNetworkWatcher, listenForLookups, type NetworkWatcher } from "@/workers/watch-network";

const CLOCK_EVERY_MS = 30_000;
const TICK_MS = 1_000;
const SILENT_EVERY_MS = 2_000;
/** The interval for storing counts of calls; a killed process loses the counts since then. */
const CALLS_EVERY_MS = 10_000;
const TOTALS_EVERY_MS = 60_000;
const REFUNDS_EVERY_MS = 30_000;
const RETENTION_EVERY_MS = 300_000;
/** The interval for releasing callbacks that waited for an integration that this worker supports. */
const WAITING_EVERY_MS = 10_000;
/** The longest delay until a price in a new currency is noticed. */
const RATES_EVERY_MS = 2_000;
/** The longest delay of notifications. */
const NOTIFICATIONS_EVERY_MS = 2_000;
const MAX_COOL_DOWN_MS = 5_000;
/** The number of database connections for the clock, expiry, release, delivery and notifications. */
const CONNECTIONS = 5;
/** The same if the worker shares its process with the web process. */
const SINGLE_PROCESS_CONNECTIONS = 2;
/** The number of database connections for all networks together. Each network has at least one connection. */
const NETWORK_CONNECTIONS = 9;
/**
 * The maximum number of database connections for one network. It exceeds the number that the network uses concurrently: one for new
 * blocks, and one for the second read of final blocks.
 */
const MAX_PER_NETWORK = 3;

export interface Worker {
  /**
   * Finishes the work in progress, releases the networks and closes the database. Takes seconds, or as long as an attempt at a callback.
   */
  stop(): Promise<void>;
}

/** The options of a worker. */
export interface WorkerOptions {
  env: Env;
  log: Log;
  /** The integrations whose orders this worker sends callbacks for. */
  integrations: Integrations;
  /** The scope that adds the network to each line of `log`. */
  logScope?: LogScope;
  /** The tracing of the worker's operations, if enabled. */
  tracing?: WorkerTracing | null;
  /**
   * Called if a database that was unreachable at startup turns out to be incompatible with this process; without it, the error is thrown.
   */
  onRefused?: (error: Error) => void;
}

interface Role {
  env: Env;
  log: Log;
  integrations: Integrations;
  tracing: WorkerTracing | null;
  pool: DbPool;
  /** A connection that bypasses all poolers, for leases and notifications. */
  vital: DbPool;
  now: () => Date;
  /** The unique name of this worker among all workers on the database. */
  owner: string;
  signal: AbortSignal;
}

/** The senders of a worker; they finish their current attempts before it stops. */
interface Senders {
  callbacks: CallbackSender;
  notifier: NotificationSender;
  mailer: ReturnType<typeof createMailer>;
}

/**
 * Starts all loops of a worker: every enabled network, expiry, delivery. The worker can start without a database; the loops start once the
 * database is reachable and compatible with this process.
 * @throws Error if the database server is too old, or if APP_SECRET is not the installation's
 */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { env, log, integrations, logScope = new AsyncLocalStorage(), tracing = null, onRefused = rethrow } = options;
  installNetworks(env.networks);
  logNetworkChanges(log, env.networkChanges);
  const networks = env.networks.filter((network) => env.rpcUrls.has(network.id));
  const owner = newOwner(hostname(), process.pid);
  const warnings = await examineDatabaseUrls(env);
  for (const warning of warnings) log.warn(warning);
  const { pool, vital, pools } = openPools(env, { owner, tracing, networkCount: networks.length });
  const check = await requireDatabase(pool.db, env.appSecret, { log, onRefused }).catch(async (error: unknown) => {
    await Promise.all([pool, vital, ...pools].map((one) => one.close()));
    throw error;
  });
  const clock = createDbClock(pool.db, Date.now);
  const begin = check.settled
    .then(() => (check.isDone() ? clock.sync() : undefined))
    .catch((error) => log.warn({ err: error }, "the clock of the database cannot be read yet"));
  const stopping = new AbortController();
  const role: Role = { env, log, integrations, tracing, pool, vital, now: clock.now, owner, signal: stopping.signal };
  const metrics = env.workerMetricsPort !== null && hasMetrics(env) ? await createProcessMetrics(null) : null;
  const shown = env.workerMetricsPort === null ? null : serveMetrics(env, metrics, log);
  const loop = createLoopStarter({ log, logScope, tracing, metrics, begin, check });

  if (check.isDone()) await begin;
  const senders: Senders = {
    callbacks: createSender(role, metrics),
    notifier: createNotifier(pool.db, role),
    mailer: createMailer(pool.db, role),
  };
  const meters = new Map(networks.map(({ id }) => [id, meterOf(role, id)]));
  const recordAll = () => recordCalls(pool.db, [...meters.values()], clock.now());
  const watchers = createWatchers(role, networks, pools, { meters, metrics });
  const loops: Loop[] = [
    loop("clock", () => clock.sync().then(() => CLOCK_EVERY_MS)),
    ...watchLoops({ ...role, syncClock: clock.sync, watchers, alwaysActive: env.idleReading === "always" }, loop),
    ...answerLoops(role, watchers, loop),
    ...orderLoops(role, loop),
    ...maintenanceLoops(role, loop),
    loop("calls", () => recordAll().then(() => CALLS_EVERY_MS)),
    ...deliverLoops(role, senders.callbacks, loop),
    ...rateLoops(role, loop),
    ...notifyLoops(role, senders, loop),
  ];
  log.info({ networks: networks.map(({ id }) => id), owner }, "the worker is running");
  return {
    stop: async () => {
      check.end();
      await stopAll(log, stopping, {
        loops,
        watchers: [...watchers.values()],
        recordAll,
        senders: Object.values(senders),
        pools: [pool, vital, ...pools],
      });
      await shown?.close();
    },
  };
}

interface PoolOptions extends Pick<Role, "owner" | "tracing"> {
  networkCount: number;
}

/**
 * Opens the pools of a worker: a shared one, one for leases and notifications, and one for each network, so that networks do not wait for
 * each other.
 */
function openPools(env: Env, { owner, tracing, networkCount }: PoolOptions) {
  const named = { work: "worker", applicationName: workerName(owner) } as const;
  const isPooled = env.databaseDirectUrl !== null;
  const watch = tracing?.watchStatement;
  const openPool = (max: number) => openDb(env.databaseUrl, { ...named, max, isPooled, watch, preparesRepeated: true });
  const shared = env.isOneProcess ? SINGLE_PROCESS_CONNECTIONS : CONNECTIONS;
  const perNetwork = env.isOneProcess
    ? 1
    : Math.min(MAX_PER_NETWORK, Math.max(1, Math.floor(NETWORK_CONNECTIONS / networkCount)));
  return {
    pool: openPool(shared),
    // A separate session whose name shows other workers that this one is running.
    vital: openDb(env.databaseDirectUrl ?? env.databaseUrl, { ...named, max: 1 }),
    pools: Array.from({ length: networkCount }, () => openPool(perNetwork)),
  };
}

interface LoopContext {
  log: Log;
  logScope: LogScope;
  tracing: Role["tracing"];
  metrics: ProcessMetrics | null;
  /** Resolves when the loops may run. */
  begin: Promise<void>;
  check: Awaited<ReturnType<typeof requireDatabase>>;
}

/**
 * Returns a function that starts loops, which are idle until the database is reachable and compatible with this
 * process.
 */
function createLoopStarter({ log, logScope, tracing, metrics, begin, check }: LoopContext): StartLoop {
  const rounds = { log, maxWaitMs: MAX_COOL_DOWN_MS, ...(metrics && { onRound: metrics.round }) };
  return (name, run, network) => {
    const started = () => begin.then(() => (check.isDone() ? run() : 0));
    const round = tracing ? () => tracing.round(name, network ?? null, started) : started;
    return logScope.run(network ? { network } : {}, startLoop, { ...rounds, name, run: round });
  };
}

/** Creates one watcher for each network, each with its own pool. */
function createWatchers(
  role: Role,
  networks: readonly Network[],
  pools: readonly DbPool[],
  { meters, metrics }: { meters: ReadonlyMap<string, CallMeter>; metrics: ProcessMetrics | null },
): ReadonlyMap<string, NetworkWatcher> {
  return new Map(
    networks.map((network, index) => {
      const options = watchOptions(role, network, pools[index]?.db ?? role.pool.db, meters.get(network.id));
      return [network.id, createNetworkWatcher({ ...options, openHeads: headOpener(role, network, metrics) })];
    }),
  );
}

/** Returns a function that creates the sockets of a network; undefined if none are set. */
function headOpener({ env, log, now }: Role, network: Network, metrics: ProcessMetrics | null) {
  const names = endpointNames(env.rpcUrls.get(network.id) ?? []);
  const headers = env.rpcHeaders.get(network.id) ?? [];
  const sockets = (env.socketUrls.get(network.id) ?? []).flatMap((url, index) =>
    url === null ? [] : [{ url, name: names[index] ?? "", headers: headers[index] ?? {} }],
  );
  const { heads } = FAMILIES[network.family].protocol;
  if (heads === null || sockets.length === 0) return undefined;
  const count = (event: HeadEvent) => metrics?.socket(network.id, event);
  return (wake: () => void) => createHeadWakes({ network: network.id, sockets, heads, log, now, wake, count });
}

/** Starts the loops that change orders as time passes. */
function orderLoops(role: Role, loop: StartLoop): Loop[] {
  const { pool, now } = role;
  return [
    loop("expire", () => expireOrders(pool.db, scenario(role), now()).then(delayAfter)),
    loop("expire refunds", async () =>
      (await expireRefunds(pool.db, scenario(role), now())) > 0 ? TICK_MS : REFUNDS_EVERY_MS,
    ),
    loop("release", () => releaseHolds(pool.db, scenario(role), now()).then(delayAfter)),
    loop("totals", async () => ((await countTotals(pool.db, now())) > 0 ? TICK_MS : TOTALS_EVERY_MS)),
    loop("retention", () => tidy(role)),
  ];
}

/** Starts the loops that maintain addresses and keys, check the database, and alert the operator. */
function maintenanceLoops(role: Role, loop: StartLoop): Loop[] {
  const { env, log, pool, vital, now } = role;
  const tendAddresses = createAddressTender(pool.db, { appSecret: env.appSecret, log });
  const removeHashes = createHashRemover(pool.db, { appSecret: env.appSecret, log });
  const alertOperator = createOperatorTicker(pool.db, { env, log, version: packageJson.version, now });
  const alerts = alertOperator ? [loop("operator alerts", () => alertOperator().then(() => OPERATOR_TICK_MS))] : [];
  return [
    loop("addresses", () => tendAddresses(now())),
    loop("key hashes", () => removeHashes(now())),
    loop("silent sessions", () => endSilent(vital.db, log, now())),
    ...alerts,
  ];
}

function rethrow(error: Error): never {
  throw error;
}

/** Returns the wait after a round: no wait while there is more to do. */
const delayAfter = (done: number) => (done > 0 ? 0 : TICK_MS);

/** Deletes old orders, one batch per second, so that the load stays low. */
async function tidy({ pool, env, now }: Role): Promise<number> {
  return (await keepRetention(pool.db, env.retentionDays, now())) > 0 ? TICK_MS : RETENTION_EVERY_MS;
}

/** Releases the locks and callbacks of processes that stopped in the middle of a statement. */
async function endSilent(db: Db, log: Log, now: Date): Promise<number> {
  const { sessions, callbacks } = await freeHeldByLost(db, now);
  if (sessions > 0)
    log.warn({ count: sessions }, "connections of processes that were idle in a transaction were closed");
  if (callbacks > 0)
    log.warn({ count: callbacks }, "callbacks claimed by a worker that died will be sent by the others");
  return SILENT_EVERY_MS;
}

/** Starts the loops that look up transactions for payers: one per network, immediately after a notification. */
function answerLoops({ vital }: Role, watchers: ReadonlyMap<string, NetworkWatcher>, loop: StartLoop): Loop[] {
  const byNetwork = new Map(
    [...watchers].map(([id, watcher]) => [
      id,
      [loop(`answer ${id}`, watcher.answer, id), loop(`answer merchants ${id}`, watcher.answerMerchants, id)],
    ]),
  );
  const wakers = new Map(
    [...byNetwork].map(([id, loops]) => [id, { wake: () => loops.forEach((one) => void one.wake()) }]),
  );
  let isListening = false;
  const listen = loop("listen for lookups", async () => {
    if (!isListening) await listenForLookups(vital, wakers);
    isListening = true;
    return CLOCK_EVERY_MS;
  });
  return [...[...byNetwork.values()].flat(), listen];
}

function createSender(
  { env, log, integrations, tracing, pool, now, owner }: Role,
  metrics: ProcessMetrics | null,
): CallbackSender {
  const { appSecret, callbackAllowCidrs: allowCidrs } = env;
  const environment = env.isSandbox ? "sandbox" : "production";
  const sign = createCallbackSigner(pool.db, { appSecret, environment, log, integrations });
  const note = noteAttempts(withoutRedaction(log), metrics);
  return createCallbackSender(pool.db, {
    sign,
    integrations,
    allowCidrs,
    version: packageJson.version,
    owner,
    log,
    now,
    onAttempt: tracing ? tracing.attempts(note) : note,
  });
}

/** Starts the loops that deliver callbacks: every second, and immediately after the notification of a new callback. */
function deliverLoops({ vital, pool, integrations, now }: Role, sender: CallbackSender, loop: StartLoop): Loop[] {
  const deliver = loop("deliver", () => sender.tick().then(() => TICK_MS));
  let isListening = false;
  const written = loop("waiting callbacks", async () => {
    const count = await writeWaitingCallbacks(pool.db, integrations, now());
    return count > 0 ? TICK_MS : WAITING_EVERY_MS;
  });
  const listen = loop("listen", async () => {
    if (!isListening) await vital.sql.listen(CALLBACK_DUE, () => deliver.wake());
    isListening = true;
    return CLOCK_EVERY_MS;
  });
  return [deliver, written, listen];
}

/** Starts one loop for each rate source, so that a slow one delays no other. */
function rateLoops({ env, log, pool, now, owner }: Role, loop: StartLoop): Loop[] {
  const options = { allowCidrs: env.callbackAllowCidrs };
  const get = (url: string) => guardedGet(url, `Stablegate/${packageJson.version}`, options);
  const context = { sources: env.rateSources, owner, log, get, now };
  return env.rateSources.map((source) =>
    loop(`rates ${source.id}`, () => refreshRates(pool.db, context, source).then(() => RATES_EVERY_MS)),
  );
}

/**
 * Starts the loops for notifications: events are collected every two seconds and sent in one loop per channel, so that a slow mail server
 * does not delay chat messages.
 */
function notifyLoops({ env, pool, now }: Role, { notifier, mailer }: Senders, loop: StartLoop): Loop[] {
  const networks = [...env.rpcUrls.keys()];
  const senders = WAYS.map((way) =>
    loop(`notify by ${way}`, () => notifier.tick(way).then(() => NOTIFICATIONS_EVERY_MS)),
  );
  const collect = loop("news", async () => {
    if ((await collectNotifications(pool.db, networks, now())) > 0) for (const sender of senders) sender.wake();
    return NOTIFICATIONS_EVERY_MS;
  });
  const mail = loop("mail people", () => mailer.tick().then(() => NOTIFICATIONS_EVERY_MS));
  return [collect, ...senders, mail];
}

function meterOf({ env, now }: Role, network: string): CallMeter {
  const endpoints = endpointNames(env.rpcUrls.get(network) ?? []);
  return createCallMeter({ network, endpoints, budgets: env.budgets.get(network) ?? [], now });
}

function watchOptions(role: Role, network: Network, db: Db, meter: CallMeter | undefined) {
  const { env, log, tracing, now, owner, signal } = role;
  const urls = env.rpcUrls.get(network.id) ?? [];
  const headers = env.rpcHeaders.get(network.id) ?? [];
  const quorum = env.quorums.get(network.id) ?? 1;
  const print = createEndpointErrorLog(log, network.id, now);
  const endpoints = createEndpointLog(urls, now);
  const onEndpointError: typeof print = (endpointError) => {
    endpoints.note(endpointError);
    if (endpointError.kind !== "rangeTooLarge") meter?.noteError(endpointError.endpoint);
    print(endpointError);
  };
  const options = { urls, headers, quorum, now, signal, onEndpointError, meter, watchCall: tracing?.watchCall };
  const reader = createNetworkReader(db, network, options, { owner, ...scenario(role) });
  const hasOwnPace = env.isSandbox;
  const isSpent = () => meter?.isSpent() ?? false;
  const isReadOften = env.idleReading === "often";
  const pace = { hasOwnPace, isReadOften, isSpent };
  return { db, ctx: scenario(role), reader, network, owner, now, endpoints: endpoints.read, ...pace };
}

function scenario({ env, log, integrations, tracing }: Role) {
  return { publicUrl: env.publicUrl, log, integrations, onOrders: tracing?.onOrders };
}
