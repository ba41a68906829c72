import { AsyncResource } from "node:async_hooks";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { newId } from "@/lib/domain/id";
import { type ApiCall, callOfIncoming, forwardedFor } from "@/lib/http/api-call";
import { endWhenRead } from "@/lib/http/linger";
import { MAX_UNREAD_BYTES, type Reply, type Streamed } from "@/lib/http/reply";
import type { Log, LogScope } from "@/lib/log";

/** A function that responds to a request; `params` are the decoded named parts of its path. A handler with `answer` needs no Request. */
export interface Handler {
  (request: Request, params: Readonly<Record<string, string>>): Response | Promise<Response>;
  answer?(call: ApiCall, params: Readonly<Record<string, string>>): Promise<Reply | Streamed>;
  /** True if it logs each request itself. */
  logsItself?: true;
}

/**
 * Method ("*": any other), path pattern and handler. `/pay/{tradeId}` matches one segment, `/files/{path...}` all remaining segments,
 * including none. Without a handler, the listener's fallback responds.
 */
export type Route = readonly [method: string, pattern: string, handler: Handler | null];

/** A prefix under which the exact paths below `canonical` are served too. */
export interface Alias {
  prefix: string;
  canonical: string;
}

export interface Match {
  handler: Handler;
  /** The pattern that matched. */
  pattern: string;
  params: Readonly<Record<string, string>>;
}

/** The result of routing a path: the handler, the allowed methods, or null if no route matches. */
export type Found = Match | { allowed: string[] } | null;

const REQUEST_ID = /^[\w.:-]{1,128}$/;
const FAILED = "Internal Server Error\n";
const NO_HOST = "The request has no Host header, which HTTP/1.1 requires";
const DOT_SEGMENT = 'The path has a segment "." or "..", or a backslash; send the normalized path';

type Methods = Map<string, Handler | null>;

interface RouteEntry {
  regex: RegExp;
  methods: Methods;
}

/** Creates a router that finds routes by path. It checks exact paths first, then those of the alias, then patterns in their order. */
export function createRouter(routes: readonly Route[], alias?: Alias): { find(method: string, path: string): Found } {
  const exact = new Map<string, Methods>();
  const entries = new Map<string, RouteEntry>();
  for (const [method, pattern, handler] of routes) {
    if (pattern.includes("{")) {
      const entry = entries.get(pattern) ?? { regex: regexOf(pattern), methods: new Map() };
      entry.methods.set(method, handler);
      entries.set(pattern, entry);
    } else {
      exact.set(pattern, (exact.get(pattern) ?? new Map()).set(method, handler));
    }
  }
  return {
    find(method, path) {
      const name = alias && !exact.has(path) ? canonicalPath(alias, path) : path;
      const exactMethods = exact.get(name);
      if (exactMethods) return choose(exactMethods, method, name, {});
      for (const [pattern, { regex, methods }] of entries) {
        const match = regex.exec(path);
        if (match) return choose(methods, method, pattern, decode(match.groups ?? {}));
      }
      return null;
    },
  };
}

function canonicalPath({ prefix, canonical }: Alias, path: string): string {
  return path.startsWith(prefix) ? canonical + path.slice(prefix.length) : path;
}

/** The connections of a server that is stopping: each ends with its pending response, which has `Connection: close`. */
export interface Leaving {
  /** Records a response that is being prepared. */
  note(outgoing: ServerResponse): void;
  /** Adds `Connection: close` to every response that is not yet being sent. */
  begin(): void;
  isLeaving(): boolean;
}

/** Creates the tracker of one server's connections. */
export function createLeaving(): Leaving {
  const open = new Set<ServerResponse>();
  let hasStarted = false;
  return {
    note(outgoing) {
      if (hasStarted) outgoing.shouldKeepAlive = false;
      open.add(outgoing);
      outgoing.once("close", () => open.delete(outgoing));
    },
    begin() {
      hasStarted = true;
      for (const outgoing of open) if (!outgoing.headersSent) outgoing.shouldKeepAlive = false;
    },
    isLeaving: () => hasStarted,
  };
}

interface ListenerOptions {
  router: ReturnType<typeof createRouter>;
  /** Handles requests that match no route. */
  fallback: (incoming: IncomingMessage, outgoing: ServerResponse) => void;
  /** Responds to a request with an invalid head, with status 400 and this message. */
  refuse: (incoming: IncomingMessage, outgoing: ServerResponse, message: string) => void;
  trustedProxies: number;
  log: Log;
  /** The log scope, which adds the request to each log line. */
  logScope: LogScope;
  now: () => Date;
  leaving?: Leaving;
  /** The headers of every response. */
  headers?: Readonly<Record<string, string>>;
  /** Called at the start of each request with the pattern of its route; null if there is none. */
  onFound?: (route: string | null, incoming: IncomingMessage, outgoing: ServerResponse) => void;
}

/** Returns a listener for node:http that calls API routes directly, and all other routes as handlers of Request and Response. */
export function createListener({
  router,
  fallback,
  refuse,
  trustedProxies,
  log,
  logScope,
  now,
  leaving,
  headers = {},
  onFound,
}: ListenerOptions): RequestListener {
  const find = ({ method = "GET", url = "/" }: IncomingMessage) => router.find(method, pathOf(url));
  const run = getRequestListener((request, { incoming }) => answerFound(find(incoming as IncomingMessage), request), {
    overrideGlobalObjects: false,
    hostname: "localhost",
    errorHandler(error) {
      if (isOfClient(error)) return new Response("Bad Request\n", { status: 400 });
      log.error({ err: error }, "a handler failed");
      return new Response(FAILED, { status: 500 });
    },
  });
  const defaults = Object.entries(headers);
  const answer: RequestListener = (incoming, outgoing) => {
    for (const [name, value] of defaults) outgoing.setHeader(name, value);
    leaving?.note(outgoing);
    // RFC 9112, section 3.2: every HTTP/1.1 request must have a Host header.
    if (incoming.httpVersion === "1.1" && incoming.headers.host === undefined)
      return refuse(incoming, outgoing, NO_HOST);
    incoming.url = originForm(incoming.url);
    if (hasDotSegment(incoming.url)) return refuse(incoming, outgoing, DOT_SEGMENT);
    const found = find(incoming);
    onFound?.(found && "pattern" in found ? found.pattern : null, incoming, outgoing);
    if (!(found && "handler" in found && found.handler.logsItself)) logWhenDone(log, found, incoming, outgoing);
    if (found && "handler" in found && found.handler.answer) {
      const answered = found.handler.answer(callOfIncoming(incoming, trustedProxies), found.params);
      return void send(answered, incoming, outgoing, log);
    }
    stampPeer(incoming, trustedProxies);
    if (!found) return fallback(incoming, outgoing);
    void run(incoming, outgoing);
  };
  return (incoming, outgoing) => {
    const requestId = stampId(incoming, trustedProxies, now());
    outgoing.setHeader("X-Request-Id", requestId);
    logScope.run({ requestId }, answer, incoming, outgoing);
  };
}

/** Returns the id that a trusted proxy set, or a new one. A client cannot choose the id of a request. */
function stampId(incoming: IncomingMessage, trustedProxies: number, now: Date): string {
  const given = trustedProxies > 0 ? incoming.headers["x-request-id"] : undefined;
  const requestId = typeof given === "string" && REQUEST_ID.test(given) ? given : newId(now);
  incoming.headers["x-request-id"] = requestId;
  return requestId;
}

/** Returns the path and query of a target. A target that includes a host, as sent to a proxy, is equivalent (RFC 9112, section 3.2.2). */
function originForm(target = "/"): string {
  if (target.startsWith("/")) return target;
  const [, rest] = /^https?:\/\/[^/?#]*(.*)$/i.exec(target) ?? [];
  if (rest === undefined) return target;
  return rest.startsWith("/") ? rest : `/${rest}`;
}

/** Returns the path of a target for routing. An encoded unreserved character is equal to its decoded form (RFC 3986, section 6.2.2.2). */
export function pathOf(target: string): string {
  const [path = "/"] = target.split("?", 1);
  if (!path.includes("%")) return path;
  return path.replace(/%[0-9a-f]{2}/gi, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : encoded;
  });
}

/**
 * Returns true if a target's path changes when it is normalized (RFC 3986, section 5.2.4), even if the dots are percent-encoded. Browsers
 * and clients resolve such paths themselves, so only a deliberately misleading request contains one.
 */
export function hasDotSegment(target: string): boolean {
  if (!/[.%\\]/.test(target)) return false;
  const path = target.split(/[?#]/, 1)[0] ?? "";
  return path.includes("\\") || path.split("/").some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
}

/** Returns true if an error is caused by a Host header or a path from which no Request can be created. */
function isOfClient(error: unknown): boolean {
  return error instanceof Error && error.name === "RequestError";
}

async function answerFound(found: Found, request: Request): Promise<Response> {
  if (found && "handler" in found) return found.handler(request, found.params);
  return new Response("Method Not Allowed\n", { status: 405, headers: { Allow: found?.allowed.join(", ") ?? "" } });
}

/** Sends head and body in one write. */
async function send(
  answered: Promise<Reply | Streamed>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  log: Log,
): Promise<void> {
  try {
    const reply = await answered;
    if ("begin" in reply) return stream(reply, incoming, outgoing);
    const { status, headers, body } = reply;
    outgoing.writeHead(status, status === 304 ? headers : { ...headers, "Content-Length": Buffer.byteLength(body) });
    if (incoming.complete || headers["Connection"] !== "close") return void outgoing.end(body);
    outgoing.write(body);
    endWhenRead(incoming, outgoing);
  } catch (error) {
    log.error({ err: error }, "a handler failed");
    if (!outgoing.headersSent) outgoing.writeHead(500, { "Content-Type": "text/plain; charset=utf-8" }).end(FAILED);
  }
}

/** Writes a stream directly to the socket, so that an open stream costs little more than its connection. */
function stream({ status, headers, begin, stop }: Streamed, incoming: IncomingMessage, outgoing: ServerResponse): void {
  if (outgoing.destroyed) {
    stop();
    return;
  }
  outgoing.writeHead(status, headers);
  outgoing.once("close", stop);
  if (incoming.method === "HEAD") {
    outgoing.end();
    return;
  }
  begin({
    write(text) {
      outgoing.write(text);
      return outgoing.writableLength <= MAX_UNREAD_BYTES;
    },
    end: () => void (outgoing.writableLength > 0 ? outgoing.destroy() : outgoing.end()),
  });
}

/** Logs a page at the debug level, with the pattern of its path only, because paths contain links that grant access. */
function logWhenDone(log: Log, found: Found, { method }: IncomingMessage, outgoing: ServerResponse): void {
  if (!log.isLevelEnabled("debug")) return;
  const startedAt = performance.now();
  const route = found && "pattern" in found ? found.pattern : "page";
  const logRequest = () => {
    const ms = Math.round(performance.now() - startedAt);
    log.debug({ method, route, status: outgoing.statusCode, ms }, "request");
  };
  outgoing.once("close", AsyncResource.bind(logRequest));
}

/** Sets the client's address in both forms of the headers: Next.js reads the object, Request the list. */
function stampPeer(incoming: IncomingMessage, trustedProxies: number): void {
  const isSent = incoming.headers["x-forwarded-for"] !== undefined;
  if (isSent && trustedProxies > 0) return;
  const isForwardedFor = (name: string | undefined) => name?.toLowerCase() === "x-forwarded-for";
  if (isSent) {
    incoming.rawHeaders = incoming.rawHeaders.filter((_text, index, all) => !isForwardedFor(all[index - (index % 2)]));
  }
  incoming.headers["x-forwarded-for"] = forwardedFor(incoming, 0);
  incoming.rawHeaders.push("X-Forwarded-For", incoming.headers["x-forwarded-for"]);
}

function choose(methods: Methods, method: string, pattern: string, params: Record<string, string>): Found {
  const found = [method, ...(method === "HEAD" ? ["GET"] : []), "*"].find((name) => methods.has(name));
  if (found === undefined) return { allowed: [...methods.keys()] };
  const handler = methods.get(found);
  return handler ? { handler, pattern, params } : null;
}

function regexOf(pattern: string): RegExp {
  const parts = pattern.split(/(\/\{\w+\.\.\.\}|\{\w+\})/);
  const source = parts.map((part) => {
    const rest = /^\/\{(\w+)\.\.\.\}$/.exec(part)?.[1];
    if (rest) return `(?:/(?<${rest}>.*))?`;
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    return name ? `(?<${name}>[^/]+)` : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  });
  return new RegExp(`^${source.join("")}$`);
}

/** Decodes the parts of a path. A part that is not valid percent-encoding is unchanged, because it identifies no existing resource. */
function decode(groups: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodePart(value ?? "")]));
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
