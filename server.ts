import { readdir } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import path from "node:path";
import type { Duplex } from "node:stream";
import type { NextServer } from "next/dist/server/next";
import { type Context, createContext } from "@/app/context";
import { examineDatabaseUrls } from "@/db/pooler";
import { type Env, readEnv } from "@/lib/config/env";
import { newId } from "@/lib/domain/id";
import { inEnglish } from "@/lib/domain/problems/in-english";
import { problem } from "@/lib/domain/problems/problem";
import { plainHttpProblem } from "@/lib/domain/public-url";
import type { RoutedIntegrations } from "@/lib/http/integration-routes";
import { endWhenRead, lingerOn } from "@/lib/http/linger";
import { createListener, createRouter, pathOf, type Route } from "@/lib/http/listener";
import { answerHeaders, guardPage } from "@/lib/http/page-guard";
import { retryHeaders } from "@/lib/http/public-problem";
import { describeListening, type Listening } from "@/lib/listening";
import { hasMetrics } from "@/lib/metrics/metrics-access";
import { countAnswers, type Gather, startMetrics } from "@/lib/metrics/web-metrics";
import { createOperatorTicker, startOperatorTicker } from "@/lib/operating/operator-ticker";
import { type DatabaseCheck, requireDatabase } from "@/lib/operating/require-database";
import type { WebTracing } from "@/lib/tracing/web-tracing";
import { API_ALIAS, mountedRoutes } from "@/mounted-routes";
import packageJson from "@/package.json" with { type: "json" };

export interface WebOptions {
  /** The settings; defaults to those of the process environment. */
  env?: Env;
  /** The folder of the build; defaults to the current folder. */
  folder?: string;
  /** Additional routes, matched before all others. */
  routes?: readonly Route[];
  /** The integrations of this process; defaults to those of the release. */
  integrations?: RoutedIntegrations;
  /** True if Next handles requests that match no route; if false, no build is needed. */
  hasPages?: boolean;
  /** Merges the metrics of all web processes on this port; without it, only those of this process are reported. */
  gather?: Gather;
  /** Pages that the caller prepares and closes; defaults to those of the build. */
  pages?: Pages;
  /** The tracing of requests and queries, if enabled. */
  tracing?: WebTracing;
  /**
   * Called if a database that was unreachable at startup turns out to be incompatible with this process; without it,
   * the error is thrown.
   */
  onRefused?: (error: Error) => void;
}

export interface WebServer {
  /** The URL of the server from this machine: "http://127.0.0.1:3000". */
  url: string;
  /**
   * The address on which the server listens: "http://127.0.0.1:3000", or "http://0.0.0.0:3000 (all IPv4 addresses of
   * this machine)".
   */
  listensAt: string;
  port: number;
  /** Resolves once the database was reached and is compatible with this process, or once this process closes. */
  checked: Promise<void>;
  /**
   * Stops accepting requests, lets running ones finish (16 s), then closes. For `leaveMs` before that, it still accepts
   * all requests, but its responses announce that connections close and that it is no longer ready.
   */
  close(how?: { leaveMs?: number }): Promise<void>;
}

type Fallback = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/** The time allowed for running requests, longer than any response takes. */
const CLOSE_MS = 16_000;
const CLOSE_IDLE_MS = 100;
const UNSUPPORTED_EXPECTATION = "The request has an unsupported expectation; Expect must be 100-continue";
const CLIENT_ERRORS: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "The request's headers are larger than 16 KiB"],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "The request did not arrive within 30 s"],
};

/**
 * Starts the web process: it serves API and payment page directly on node:http, and everything else with Next.
 * @throws Error with a message for operators if the port is in use, the database server is too old, or APP_SECRET is not the
 * installation's
 */
export async function startWeb({
  env = readEnv(process.env),
  folder = path.resolve("."),
  routes = [],
  integrations,
  hasPages = true,
  pages: givenPages,
  gather,
  tracing,
  onRefused = rethrow,
}: WebOptions = {}): Promise<WebServer> {
  const examined = examineDatabaseUrls(env);
  // The rejection is reported below, once the rest is prepared.
  examined.catch(() => {});
  const context = createContext(env, { tracing, integrations });
  globalThis.stablegateContext = context;
  context.metrics = hasMetrics(env) ? await startMetrics(context, gather) : null;
  const pages = givenPages ?? (hasPages ? await startPages(env, { folder }) : null);
  const hooks = [context.metrics && countAnswers(context.metrics.counted), tracing?.found].filter((hook) => !!hook);
  const routed = createListener({
    router: createRouter([...routes, ...mountedRoutes(context.integrations)], API_ALIAS),
    fallback: limitViews(context, pages),
    refuse: (incoming, outgoing, message) => refuseHead(context, [incoming, outgoing], 400, message),
    trustedProxies: env.trustedProxies,
    log: context.log,
    logScope: context.logScope,
    now: context.now,
    leaving: context.leaving,
    // Payment pages send this header too, because many browsers never open a different page of this host.
    headers: answerHeaders(guardOf(env)),
    ...(hooks.length > 0 && { onFound: (...found) => hooks.forEach((hook) => void hook(...found)) }),
  });
  const listener = tracing ? tracing.requests(routed) : routed;
  const timeouts = { requestTimeout: 30_000, headersTimeout: 15_000, keepAliveTimeout: 65_000 };
  // Node itself rejects both kinds of requests below without a message, and without waiting for clients that are still sending.
  const server = createServer({ ...timeouts, requireHostHeader: false }, listener);
  server.on("checkExpectation", (incoming, outgoing) =>
    refuseHead(context, [incoming, outgoing], 417, UNSUPPORTED_EXPECTATION),
  );
  server.on("clientError", (error, socket) => answerClientError(context, error, socket));
  const upgraded = givenPages ? passUpgrades(server, givenPages) : null;
  let check: DatabaseCheck | undefined;
  const alerts: (() => Promise<void>)[] = [];
  try {
    const [warnings] = await Promise.all([examined, context.keepTime()]);
    for (const warning of [plainHttpProblem(env.publicUrl), ...warnings]) if (warning) context.log.warn(warning);
    const started = await requireDatabase(context.pool.db, env.appSecret, { log: context.ownLog, onRefused });
    check = started;
    context.isChecked = started.isDone;
    const { port, ...address } = await listen(server, env);
    alerts.push(...startAlerts(context));
    return {
      ...address,
      port,
      checked: started.settled,
      close: ({ leaveMs = 0 } = {}) => {
        started.end();
        upgraded?.end();
        return close(server, context, givenPages ? null : pages, { leaveMs, alerts });
      },
    };
  } catch (error) {
    check?.end();
    await close(server, context, givenPages ? null : pages, { leaveMs: 0, alerts });
    throw error;
  }
}

/** Starts the alerts to the operator. @returns the functions that stop them */
function startAlerts({ pool, ownLog: log, env, now }: Context): (() => Promise<void>)[] {
  const tick = createOperatorTicker(pool.db, { env, log, version: packageJson.version, now });
  return tick ? [startOperatorTicker(tick, log)] : [];
}

const guardOf = ({ publicUrl }: Env) => ({ isHttps: publicUrl.startsWith("https:") });

function rethrow(error: Error): never {
  throw error;
}

/** The pages that Next renders. */
export interface Pages {
  handle: Fallback;
  /** Returns true if a target is a script, style or font of the build. */
  isFile(target: string): boolean;
  /** Handles upgraded connections, over which browsers receive page changes in development. */
  upgrade: ReturnType<NextServer["getUpgradeHandler"]>;
  close(): Promise<void>;
}

/**
 * Passes upgraded connections to the pages. @returns a function that closes them, because a closing server waits for
 * them
 */
function passUpgrades(server: Server, pages: Pages): { end(): void } {
  const sockets = new Set<Duplex>();
  server.on("upgrade", (incoming, socket, head) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    void pages.upgrade(incoming, socket, head);
  });
  return { end: () => sockets.forEach((socket) => void socket.destroy()) };
}

/**
 * Prepares the pages of the build, or with `isDev` pages that Next compiles on request and again when their files
 * change. The pages of a build are loaded at their first request, because a process that serves only the API and payment pages needs a third
 * of the memory without them.
 * @throws Error if there is no build
 */
export async function startPages(
  env: Pick<Env, "host" | "port">,
  { folder = path.resolve("."), isDev = false } = {},
): Promise<Pages> {
  const files = isDev ? null : await readStaticFiles(path.join(folder, ".next", "static"));
  let loading: ReturnType<typeof loadNext> | null = null;
  const load = () => {
    loading ??= loadNext(env, folder, isDev).catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const app = await load();
    await app.getRequestHandler()(incoming, outgoing);
  };
  if (isDev) await load();
  return {
    handle: (incoming, outgoing) => void serve(incoming, outgoing).catch((error) => answerFailure(outgoing, error)),
    isFile: (target) => files?.has(pathOf(target)) ?? target.startsWith("/_next/"),
    upgrade: async (...upgraded) => {
      const app = await load();
      await app.getUpgradeHandler()(...upgraded);
    },
    close: async () => {
      const app = await loading?.catch(() => null);
      await app?.close();
    },
  };
}

async function loadNext({ host, port }: Pick<Env, "host" | "port">, dir: string, dev: boolean) {
  const { default: next } = await import("next");
  const app = next({ dev, dir, hostname: host, port });
  await app.prepare();
  return app;
}

/** Responds to a request whose page could not be loaded or rendered. */
function answerFailure(outgoing: ServerResponse, error: unknown): void {
  console.error(error);
  if (outgoing.headersSent) return void outgoing.destroy();
  outgoing.writeHead(500, { "Content-Type": "text/plain; charset=utf-8" }).end("Internal Server Error\n");
}

function listen(server: Server, env: Env): Promise<Listening> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(new Error(listenMessage(error, env), { cause: error })),
    );
    server.listen(env.listenFd === null ? { port: env.port, host: env.host } : { fd: env.listenFd }, () => {
      resolve(describeListening(server.address()));
    });
  });
}

function listenMessage(error: NodeJS.ErrnoException, { port, host }: Env): string {
  if (error.code === "EADDRINUSE") {
    return `Port ${port} is used by another program. Stop it, or choose another port, for example: PORT=${port + 1}`;
  }
  if (error.code === "EACCES")
    return `Port ${port} cannot be opened by this user; choose one from 1024 on, for example: PORT=3000`;
  return `Cannot listen on ${host}:${port}: ${error.message}`;
}

async function close(
  server: Server,
  context: Context,
  pages: { close(): Promise<void> } | null,
  { leaveMs, alerts }: { leaveMs: number; alerts: readonly (() => Promise<void>)[] },
): Promise<void> {
  context.leaving.begin();
  // Closing the subscriptions ends the event streams, which would otherwise stay open indefinitely.
  context.orderChanges.close();
  // A client with a busy connection is notified in a response that the connection closes, so that no connection closes during a request.
  if (leaveMs > 0) await new Promise((resolve) => setTimeout(resolve, leaveMs));
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), CLOSE_MS);
    // A connection with a running response stays open afterwards; it is closed once it is idle.
    const closing = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_MS);
    server.close(() => {
      clearTimeout(timer);
      clearInterval(closing);
      resolve();
    });
    server.closeIdleConnections();
  });
  await pages?.close();
  await Promise.all(alerts.map((end) => end()));
  await context.close();
  if (globalThis.stablegateContext === context) globalThis.stablegateContext = undefined;
}

/**
 * Counts and limits every request that Next handles, except requests for the files of its build. A request for a missing file returns a
 * page, so it counts as a page. Next's image optimizer can fetch any path of this host itself, bypassing the count, and no page uses it.
 */
function limitViews({ env, visitors, now }: Context, pages: Pages | null): Fallback {
  return (incoming, outgoing) => {
    const target = incoming.url ?? "/";
    if (pathOf(target) === IMAGE_OPTIMIZER) return answerNothing(incoming, outgoing);
    if (pages?.isFile(target)) return pages.handle(incoming, outgoing);
    const header = (name: string) => String(incoming.headers[name] ?? "") || null;
    const wait = visitors.view({ header }, now());
    if (wait === 0) {
      guardPage(incoming, outgoing, guardOf(env));
      return (pages?.handle ?? answerNothing)(incoming, outgoing);
    }
    const headers = { "Content-Type": "text/plain; charset=utf-8", ...retryHeaders(wait) };
    outgoing.writeHead(429, headers).end(`${inEnglish(problem("too_many_views", { seconds: wait }))}\n`);
  };
}

const IMAGE_OPTIMIZER = "/_next/image";

/** Returns the paths under which Next serves the files of a build. */
async function readStaticFiles(folder: string): Promise<ReadonlySet<string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => path.join(parentPath, name));
  const segments = files.map((file) => path.relative(folder, file).split(path.sep).map(encodeURIComponent));
  return new Set(segments.map((parts) => `/_next/static/${parts.join("/")}`));
}

function answerNothing(_incoming: IncomingMessage, outgoing: ServerResponse): void {
  outgoing.writeHead(404, { "Content-Type": "text/plain; charset=utf-8" }).end("Not Found\n");
}

/** Rejects a request because of its headers, in the API's envelope, on any path. */
function refuseHead(
  { log, now }: Context,
  [incoming, outgoing]: [IncomingMessage, ServerResponse],
  status: number,
  message: string,
): void {
  const requestId = String(outgoing.getHeader("X-Request-Id") ?? newId(now()));
  log.info({ requestId, status }, "a request was rejected because of its headers");
  const body = JSON.stringify({ code: 10001, message, request_id: requestId });
  const length = Buffer.byteLength(body);
  outgoing.setHeader("X-Request-Id", requestId);
  const headers = { "Content-Type": "application/json", "Content-Length": length, Connection: "close" };
  outgoing.writeHead(status, headers).write(body);
  endWhenRead(incoming, outgoing);
}

/** Responds to data that is not HTTP, or that arrived too slowly, in the API's envelope, although it cannot be routed. */
function answerClientError({ env, log, now }: Context, error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET") return void socket.destroy();
  // Any data that still arrives is not HTTP either.
  if (!lingerOn(socket) || !socket.writable) return;
  const [status, message] = CLIENT_ERRORS[error.code ?? ""] ?? ["400 Bad Request", "This is not a valid HTTP request"];
  const requestId = newId(now());
  log.info({ requestId, status: Number.parseInt(status, 10) }, "a request could not be read and was rejected");
  const body = JSON.stringify({ code: 10001, message, request_id: requestId });
  const headers = { "Content-Type": "application/json", "X-Request-Id": requestId, ...answerHeaders(guardOf(env)) };
  const head = [`HTTP/1.1 ${status}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join(
    "\r\n",
  );
  socket.end(`${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`);
}
