import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { problem } from "@/lib/domain/problems/problem";
import { type Deadline, OutboundFailure } from "@/lib/outbound/guarded-connect";

/** A connection to an address that was vetted. It serves one question at a time. */
export interface Connection {
  socket: Socket;
  agent: Agent;
  /** By performance.now(). */
  openedAtMs: number;
}

/** Connections that wait for the next question to the server that they lead to. */
export interface KeptConnections {
  /**
   * A waiting one of this place, if it leads to one of `addresses`: what a name leads to now was vetted a moment ago, and those
   * that lead elsewhere are closed.
   */
  take(place: string, addresses: readonly string[]): Connection | null;
  /** @param place scheme, host, port and the certificates that are trusted: connections never serve another */
  keep(place: string, connection: Connection): void;
  /** Closes those that wait, and keeps no more. */
  close(): void;
}

/** Servers commonly close a silent connection after 5 s: this is well before. */
const IDLE_MS = 2_000;
/** A certificate and a balancer's choice are looked at anew after this time, however busy a connection is. */
const LIFE_MS = 60_000;
const MOST_WAITING = 256;
/** Whatever a server says unasked, it is not the answer to the next question. */
const SIGNS_OF_END = ["timeout", "data", "end", "error", "close"] as const;

/** Makes a store of connections for one process and one rule for addresses. */
export function keepConnections(): KeptConnections {
  const waiting = new Map<string, Map<Connection, () => void>>();
  let count = 0;
  let isClosed = false;

  const remove = (place: string, connection: Connection) => {
    const line = waiting.get(place);
    const drop = line?.get(connection);
    if (!line || !drop) return;
    for (const sign of SIGNS_OF_END) connection.socket.removeListener(sign, drop);
    connection.socket.setTimeout(0);
    line.delete(connection);
    if (line.size === 0) waiting.delete(place);
    count -= 1;
  };

  const add = (place: string, connection: Connection) => {
    const drop = () => {
      remove(place, connection);
      connection.socket.destroy();
    };
    const line = waiting.get(place) ?? new Map();
    waiting.set(place, line.set(connection, drop));
    count += 1;
    connection.socket.setTimeout(IDLE_MS);
    for (const sign of SIGNS_OF_END) connection.socket.on(sign, drop);
  };

  return {
    take(place, addresses) {
      for (const connection of [...(waiting.get(place)?.keys() ?? [])]) {
        remove(place, connection);
        const { remoteAddress, writable } = connection.socket;
        if (writable && addresses.includes(remoteAddress ?? "")) return connection;
        connection.socket.destroy();
      }
      return null;
    },
    keep(place, connection) {
      const isOld = performance.now() - connection.openedAtMs > LIFE_MS;
      if (isClosed || isOld || count >= MOST_WAITING || !connection.socket.writable) connection.socket.destroy();
      else add(place, connection);
    },
    close() {
      isClosed = true;
      for (const line of [...waiting.values()]) for (const drop of [...line.values()]) drop();
    },
  };
}

/** Hands one socket to every request, and leaves its life to us. */
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

/** A connection of a socket that is ready to write to. */
export function toConnection(socket: Socket): Connection {
  return { socket, agent: new OneSocket(socket), openedAtMs: performance.now() };
}

/** Answers with a status 1xx before the answer: Node bounds the size of each, not their number. */
const MAX_INTERIM = 16;

export interface Exchange {
  method: "POST" | "GET";
  url: URL;
  headers: Readonly<Record<string, string>>;
  /** Of a POST. */
  body: string;
  headersMs: number;
  maxReadBytes: number;
  /** Told when the head of the answer is there. */
  onAnswer?: () => void;
  /** Told when the connection can serve another question; null: it is ended after this one. */
  keep: (() => void) | null;
}

export interface Answer {
  httpStatus: number;
  retryAfter: string | null;
  /** How the body is compressed, as the answer says. */
  encoding: string | null;
  /** What was read of the body. */
  bytes: Buffer;
  /** Whether that is all of it. */
  isWhole: boolean;
}

/**
 * Asks once over a connection, and ends it unless it is to be kept and the answer was read to its end. Redirects and proxies do
 * not exist here. Once the headers are there it always succeeds: a body that is endless, slow, broken off or no HTTP is kept as
 * far as it came.
 * @throws OutboundFailure when no headers came in time, or the socket's or the parser's error.
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
  // Node says so when both messages are over and neither side wants to close.
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

/** Begun, with its body. */
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
    // A flood goes on for thousands of chunks that are already here: putting them together at each would stop the process.
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
