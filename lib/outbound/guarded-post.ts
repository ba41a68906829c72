import { request as httpRequest, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { performance } from "node:perf_hooks";
import { type AddressPolicy, hostOf, validateCallbackUrl } from "@/lib/domain/callbacks/address-rule";
import { parseRetryAfter } from "@/lib/domain/retry-after";
import {
  connectToVetted,
  OutboundFailure,
  type Resolve,
  resolveName,
  vetHost,
  within,
  wordsOf,
} from "@/lib/outbound/guarded-connect";

export interface OutboundLimits {
  dnsMs: number;
  connectMs: number;
  /** From the connection to the end of the answer's headers. */
  headersMs: number;
  /** Everything together, the body included. */
  totalMs: number;
  maxReadBytes: number;
  maxKeptBytes: number;
}

export const OUTBOUND_LIMITS: OutboundLimits = {
  dnsMs: 2_000,
  connectMs: 5_000,
  headersMs: 10_000,
  totalMs: 15_000,
  maxReadBytes: 65_536,
  maxKeptBytes: 1_024,
};

/** Answers with a status 1xx before the answer: Node bounds the size of each, not their number. */
const MAX_INTERIM = 16;

export interface OutboundOptions extends AddressPolicy {
  resolve?: Resolve;
  limits?: Partial<OutboundLimits>;
  /** Certificates to trust instead of the system's, in PEM. */
  ca?: string;
}

export interface Post {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** How long each stage took, in milliseconds; null where it was not reached, or was not needed. */
export interface StageTimes {
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  /** From the connection to the first byte of the answer. */
  firstByteMs: number | null;
}

/** What came of a post. `answer` is harmless text; `peer` is the address that was connected to. */
export type PostResult =
  | {
      kind: "answered";
      httpStatus: number;
      retryAfterMs: number | null;
      answer: string;
      peer: string;
      durationMs: number;
      times: StageTimes;
    }
  | { kind: "failed"; error: string; peer: string | null; durationMs: number; times: StageTimes };

/**
 * Posts to a merchant's server: the only way HTTP leaves to one. The URL and every address of its host are checked, the
 * connection goes to a checked address and is checked again, and every stage has its time. Never throws.
 */
export async function guardedPost(post: Post, options: OutboundOptions, now: Date): Promise<PostResult> {
  const limits = { ...OUTBOUND_LIMITS, ...options.limits };
  const asked = await askVetted({ ...post, method: "POST", what: "notify_url" }, options);
  if (asked.kind === "failed") return asked;
  const { answer, peer, durationMs, times } = asked;
  return { kind: "answered", ...toResult(answer, limits, now), peer, durationMs, times };
}

/** What is sent through the door; `what` names the URL in words. */
interface Question extends Post {
  method: "POST" | "GET";
  what: string;
}

export interface Asked {
  kind: "answered";
  answer: Answer;
  peer: string;
  durationMs: number;
  times: StageTimes;
}

/** The door itself: everything that leaves to a server that somebody else named goes through here. Never throws. */
export async function askVetted(
  question: Question,
  options: OutboundOptions,
): Promise<Asked | Extract<PostResult, { kind: "failed" }>> {
  const limits = { ...OUTBOUND_LIMITS, ...options.limits };
  const durationMs = stopwatch();
  const times: StageTimes = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null };
  const total = new AbortController();
  const late = new OutboundFailure(`nothing was finished within ${limits.totalMs / 1000} seconds`);
  const timer = setTimeout(() => total.abort(late), limits.totalMs);
  let peer: string | null = null;
  try {
    const url = validatedUrl(question, options);
    const socket = await connect(url, options, limits, total.signal, times);
    peer = socket.remoteAddress ?? "";
    const sinceReady = stopwatch();
    const onAnswer = () => {
      times.firstByteMs = sinceReady();
    };
    const answer = await exchange(socket, { ...question, ...limits, url, onAnswer }, total.signal);
    return { kind: "answered", answer, peer, durationMs: durationMs(), times };
  } catch (error) {
    return { kind: "failed", error: wordsOf(error), peer, durationMs: durationMs(), times };
  } finally {
    clearTimeout(timer);
  }
}

/** The beginning of an answer as harmless text: valid UTF-8 of at most `maxBytes`, control characters replaced. */
export function keptText(bytes: Uint8Array, maxBytes: number): string {
  const text = cutText(bytes, maxBytes)
    .replace(/\r\n?/g, "\n")
    .replace(/[^\P{C}\t\n]/gu, "\uFFFD");
  return cutText(Buffer.from(text), maxBytes);
}

function cutText(bytes: Uint8Array, maxBytes: number): string {
  const isCut = bytes.length > maxBytes;
  return new TextDecoder().decode(bytes.subarray(0, maxBytes), { stream: isCut });
}

function validatedUrl({ url, what }: Question, policy: AddressPolicy): URL {
  const problem = validateCallbackUrl(url, policy);
  if (problem) throw new OutboundFailure(`${what} ${problem}`);
  return new URL(url);
}

/** Whole milliseconds since now. */
function stopwatch(): () => number {
  const startedMs = performance.now();
  return () => Math.round(performance.now() - startedMs);
}

async function connect(
  url: URL,
  options: OutboundOptions,
  limits: OutboundLimits,
  total: AbortSignal,
  times: StageTimes,
): Promise<Socket> {
  const host = hostOf(url);
  const resolve = options.resolve ?? resolveName;
  const dns = { ms: limits.dnsMs, problem: `the name ${host} was not looked up within ${limits.dnsMs / 1000} seconds` };
  const sinceLookUp = stopwatch();
  const addresses = await within(dns, total, (signal) => vetHost(host, options, resolve, signal));
  times.dnsMs = sinceLookUp();
  const isTls = url.protocol === "https:";
  const port = Number(url.port || (isTls ? 443 : 80));
  const sinceVetted = stopwatch();
  const onConnected = () => {
    times.connectMs = sinceVetted();
  };
  const target = { host, port, isTls, onConnected, ...(options.ca === undefined ? {} : { ca: options.ca }) };
  const tcp = { ms: limits.connectMs, problem: `no connection within ${limits.connectMs / 1000} seconds` };
  const socket = await within(tcp, total, (signal) => connectToVetted(target, addresses, options, signal));
  if (isTls) times.tlsMs = sinceVetted() - (times.connectMs ?? 0);
  return socket;
}

function toResult(answer: Answer, limits: OutboundLimits, now: Date) {
  return {
    httpStatus: answer.httpStatus,
    retryAfterMs: answer.retryAfter === null ? null : parseRetryAfter(answer.retryAfter, now),
    answer: keptText(answer.bytes, limits.maxKeptBytes),
  };
}

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
 * Asks once over a socket that is already connected and ends it. Redirects, proxies and kept connections do not exist here.
 * Once the headers are there it always succeeds: a body that is endless, slow, broken off or no HTTP is kept as far as it came.
 * @throws OutboundFailure when no headers came in time, or the socket's or the parser's error.
 */
export function exchange(socket: Socket, spec: Exchange, total: AbortSignal): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const body = Buffer.from(spec.body);
  const length = spec.method === "POST" ? { "content-length": body.length } : {};
  const request = httpRequest({
    createConnection: () => socket,
    method: spec.method,
    path: spec.url.pathname + spec.url.search,
    headers: { ...spec.headers, host: spec.url.host, ...length, connection: "close" },
    setHost: false,
    insecureHTTPParser: false,
  });
  const late = () => reject(new OutboundFailure(`no answer came within ${spec.headersMs / 1000} seconds`));
  const timer = setTimeout(late, spec.headersMs);
  const abort = () => reject(total.reason);
  total.addEventListener("abort", abort, { once: true });
  let isAnswered = false;
  const answered = (response: IncomingMessage) => {
    isAnswered = true;
    spec.onAnswer?.();
    clearTimeout(timer);
    total.removeEventListener("abort", abort);
    readBody(response, spec.maxReadBytes, total).then(
      (bytes) => resolve(toAnswer(response, bytes, spec.maxReadBytes)),
      reject,
    );
  };
  let interim = 0;
  request.on("information", () => {
    interim += 1;
    if (interim > MAX_INTERIM) reject(new OutboundFailure("interim answers (status 1xx) came without an end"));
  });
  request.on("response", answered);
  request.on("upgrade", (response) => resolve(toAnswer(response, Buffer.alloc(0), spec.maxReadBytes)));
  request.on("error", (error) => {
    if (!isAnswered) reject(error);
  });
  request.end(body);
  return promise.finally(() => {
    clearTimeout(timer);
    total.removeEventListener("abort", abort);
    request.destroy();
    socket.destroy();
  });
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
