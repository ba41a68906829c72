import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { problem } from "@/lib/domain/problems/problem";
import { type Deadline, OutboundFailure } from "@/lib/outbound/guarded-connect";

/** A connection to a vetted address. It carries one request at a time. */
export interface Connection {
  socket: Socket;
  agent: Agent;
  /** The time when the connection was opened, from performance.now(). */
  openedAtMs: number;
}

/** A store of idle connections, each for the next request to its server. */
export interface KeptConnections {
  /**
   * Returns an idle connection for `key` whose peer is one of `addresses`. The name resolves to these addresses now, and they were just
   * vetted. Closes idle connections to other addresses.
   */
  take(key: string, addresses: readonly string[]): Connection | null;
  /**
   * Stores a connection for the next request.
   * @param key scheme, host, port and trusted certificates; a connection is never used for a different key
   */
  keep(key: string, connection: Connection): void;
  /** Closes the idle connections. Later calls of `keep` close theirs too. */
  close(): void;
}

/** The longest idle time of a connection. Servers commonly close an idle connection after 5 s. */
const IDLE_MS = 2_000;
/**
 * The longest lifetime of a busy connection, so that the certificate and the choice of the load balancer are renewed.
 */
const LIFE_MS = 60_000;
const MAX_WAITING = 256;
/** Events that end an idle connection. Unsolicited data is never the response to the next request. */
const SIGNS_OF_END = ["timeout", "data", "end", "error", "close"] as const;

/** Creates the store of a process for one address policy. */
export function keepConnections(): KeptConnections {
  const waiting = new Map<string, Map<Connection, () => void>>();
  let count = 0;
  let isClosed = false;

  const remove = (key: string, connection: Connection) => {
    const line = waiting.get(key);
    const drop = line?.get(connection);
    if (!line || !drop) return;
    for (const sign of SIGNS_OF_END) connection.socket.removeListener(sign, drop);
    connection.socket.setTimeout(0);
    line.delete(connection);
    if (line.size === 0) waiting.delete(key);
    count -= 1;
  };

  const add = (key: string, connection: Connection) => {
    const drop = () => {
      remove(key, connection);
      connection.socket.destroy();
    };
    const line = waiting.get(key) ?? new Map();
    waiting.set(key, line.set(connection, drop));
    count += 1;
    connection.socket.setTimeout(IDLE_MS);
    for (const sign of SIGNS_OF_END) connection.socket.on(sign, drop);
  };

  return {
    take(key, addresses) {
      for (const connection of [...(waiting.get(key)?.keys() ?? [])]) {
        remove(key, connection);
        const { remoteAddress, writable } = connection.socket;
        if (writable && addresses.includes(remoteAddress ?? "")) return connection;
        connection.socket.destroy();
      }
      return null;
    },
    keep(key, connection) {
      const isOld = performance.now() - connection.openedAtMs > LIFE_MS;
      if (isClosed || isOld || count >= MAX_WAITING || !connection.socket.writable) connection.socket.destroy();
      else add(key, connection);
    },
    close() {
      isClosed = true;
      for (const line of [...waiting.values()]) for (const drop of [...line.values()]) drop();
    },
  };
}

/** An agent that sends every request over one socket. The owner of the socket closes it. */
class OneSocket extends Agent {
  readonly #socket: Socket;

  constructor(socket: Socket) {
    super({ keepAlive: true });
    this.#socket = socket;
  }

  addRequest(request: ClientRequest): void {
    request.onSocket(this.#socket);
  }
}

/** Returns a connection over a socket that is ready for writing. */
export function toConnection(socket: Socket): Connection {
  return { socket, agent: new OneSocket(socket), openedAtMs: performance.now() };
}

/**
 * The largest number of 1xx responses before the final response. Node limits the size of each, but not their number.
 */
const MAX_INTERIM = 16;

export interface Exchange {
  method: "POST" | "GET";
  url: URL;
  headers: Readonly<Record<string, string>>;
  /** The body of a POST. */
  body: string;
  headersMs: number;
  maxReadBytes: number;
  /** Called when the headers of the response have arrived. */
  onAnswer?: () => void;
  /** Called when the connection can carry another request. Null: the connection is closed after this request. */
  keep: (() => void) | null;
}

export interface Answer {
  httpStatus: number;
  retryAfter: string | null;
  /** The Content-Encoding of the response. */
  encoding: string | null;
  /** The part of the body that was read. */
  bytes: Buffer;
  /** True if `bytes` is the whole body. */
  isWhole: boolean;
}

/**
 * Sends one request over a connection. Closes the connection unless `keep` is set and the response was read completely. Redirects and
 * proxies are not supported. Succeeds once the headers have arrived. If the body is endless, slow, incomplete or malformed, the received
 * part is returned.
 * @throws OutboundFailure if the headers do not arrive in time; or the error of the socket or the parser
 */
export function exchange({ socket, agent }: Connection, spec: Exchange, deadline: Deadline): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const { signal } = deadline;
  const { keep, maxReadBytes } = spec;
  const request = toRequest(agent, spec);
  const tooLate = problem("outbound_response_timeout", { seconds: spec.headersMs / 1000 });
  deadline.begin({ ms: spec.headersMs, problem: tooLate });
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  let isAnswered = false;
  let isFree = false;
  // Node emits this event when request and response are complete and neither side closes the connection.
  socket.once("free", () => {
    isFree = true;
  });
  const answered = async (response: IncomingMessage) => {
    isAnswered = true;
    spec.onAnswer?.();
    signal.removeEventListener("abort", abort);
    deadline.begin();
    const bytes = await readBody(response, maxReadBytes, signal);
    resolve(toAnswer(response, bytes, maxReadBytes));
  };
  let interim = 0;
  request.on("information", () => {
    interim += 1;
    if (interim > MAX_INTERIM) reject(new OutboundFailure(problem("outbound_interim_responses")));
  });
  request.on("response", (response) => void answered(response).catch(reject));
  request.on("upgrade", (response) => resolve(toAnswer(response, Buffer.alloc(0), maxReadBytes)));
  request.on("error", (error) => {
    if (!isAnswered) reject(error);
  });
  return promise.finally(() => {
    signal.removeEventListener("abort", abort);
    if (keep && isFree) return keep();
    request.destroy();
    socket.destroy();
  });
}

/** Starts a request and sends its body. */
function toRequest(agent: Agent, { method, url, headers, body, keep }: Exchange): ClientRequest {
  const bytes = Buffer.from(body);
  const length = method === "POST" ? { "content-length": bytes.length } : {};
  const request = httpRequest({
    agent,
    method,
    path: url.pathname + url.search,
    headers: { ...headers, host: url.host, ...length, connection: keep ? "keep-alive" : "close" },
    setHost: false,
    insecureHTTPParser: false,
  });
  request.end(bytes);
  return request;
}

function toAnswer(response: IncomingMessage, bytes: Buffer, maxBytes: number): Answer {
  return {
    httpStatus: response.statusCode ?? 0,
    retryAfter: response.headers["retry-after"] ?? null,
    encoding: response.headers["content-encoding"] ?? null,
    bytes,
    isWhole: response.complete && bytes.length < maxBytes,
  };
}

function readBody(response: IncomingMessage, maxBytes: number, total: AbortSignal): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const keep = (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= maxBytes) finish();
    };
    // Thousands of chunks may already be buffered. Concatenating all of them after each chunk would block the process.
    const finish = () => {
      response.off("data", keep);
      total.removeEventListener("abort", finish);
      resolve(Buffer.concat(chunks.splice(0)).subarray(0, maxBytes));
    };
    response.on("data", keep);
    for (const end of ["end", "close", "error"]) response.once(end, finish);
    total.addEventListener("abort", finish, { once: true });
    if (total.aborted) finish();
  });
}
