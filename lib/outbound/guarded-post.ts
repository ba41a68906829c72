import { isIP, type Socket } from "node:net";
import { performance } from "node:perf_hooks";
import { type AddressPolicy, hostOf, validateCallbackUrl } from "@/lib/domain/callbacks/address-rule";
import { type Problem, problem } from "@/lib/domain/problems/problem";
import { parseRetryAfter } from "@/lib/domain/retry-after";
import { type Answer, type Connection, exchange, type KeptConnections, toConnection } from "@/lib/outbound/connection";
import {
  beforeAbort,
  connectToVetted,
  type Deadline,
  OutboundFailure,
  type Resolve,
  resolveName,
  startDeadline,
  toOutboundProblem,
  vetHost,
} from "@/lib/outbound/guarded-connect";

export interface OutboundLimits {
  dnsMs: number;
  connectMs: number;
  /** The limit from the connection to the end of the response headers. */
  headersMs: number;
  /** The limit of the whole request, including the body. */
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

export interface OutboundOptions extends AddressPolicy {
  resolve?: Resolve;
  limits?: Partial<OutboundLimits>;
  /** Trusted certificates in PEM, instead of those of the system. */
  ca?: string;
  /** The store of idle connections. Without it, each request opens a connection. */
  kept?: KeptConnections;
}

export interface Post {
  /** The method, POST by default. A GET has no body. */
  method?: "POST" | "GET";
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** The code of the problem if the URL is not allowed, by default that of a notify_url. */
  urlProblem?: UrlProblem;
}

/** The problem codes of a URL that is not allowed. Each refers to the URL by the term that its reader uses. */
type UrlProblem = "outbound_notify_url_invalid" | "outbound_channel_address_invalid" | "outbound_address_invalid";

/**
 * The duration of each stage in milliseconds; null for a stage that was not reached or not needed. An attempt with a
 * peer but without a connect time reused a connection.
 */
export interface StageTimes {
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  /** The time from the connection to the first byte of the response. */
  firstByteMs: number | null;
}

/** The result of a request. `answer` is sanitized text. `peer` is the connected address. */
export type PostResult =
  | {
      kind: "answered";
      httpStatus: number;
      retryAfterMs: number | null;
      answer: string;
      /** The body as far as it was read. */
      text: string;
      peer: string;
      durationMs: number;
      times: StageTimes;
    }
  | { kind: "failed"; error: Problem; peer: string | null; durationMs: number; times: StageTimes };

/**
 * Posts to a merchant's server. All HTTP requests to merchants' servers use this function. Checks the URL and every
 * address of its host, connects to a checked address, checks the peer again, and limits the time of every stage. Never
 * throws.
 */
export async function guardedPost(post: Post, options: OutboundOptions, now: Date): Promise<PostResult> {
  const limits = { ...OUTBOUND_LIMITS, ...options.limits };
  const asked = await askVetted({ method: "POST", urlProblem: "outbound_notify_url_invalid", ...post }, options);
  if (asked.kind === "failed") return asked;
  const { answer, peer, durationMs, times } = asked;
  return { kind: "answered", ...toResult(answer, limits, now), peer, durationMs, times };
}

/** A complete request. */
interface Question extends Post {
  method: "POST" | "GET";
  urlProblem: UrlProblem;
}

export interface Asked {
  kind: "answered";
  answer: Answer;
  peer: string;
  durationMs: number;
  times: StageTimes;
}

/** Sends a request to a server that a user or another third party specified. All such requests use this function. Never throws. */
export async function askVetted(
  question: Question,
  options: OutboundOptions,
): Promise<Asked | Extract<PostResult, { kind: "failed" }>> {
  const limits = { ...OUTBOUND_LIMITS, ...options.limits };
  const durationMs = stopwatch();
  const times: StageTimes = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null };
  const tooLate = problem("outbound_timeout", { seconds: limits.totalMs / 1000 });
  const deadline = startDeadline({ ms: limits.totalMs, problem: tooLate });
  const asking: Asking = { question, options, limits, deadline, times, peer: null };
  try {
    const answer = await ask(asking, validatedUrl(question, options));
    return { kind: "answered", answer, peer: asking.peer ?? "", durationMs: durationMs(), times };
  } catch (error) {
    return { kind: "failed", error: toOutboundProblem(error), peer: asking.peer, durationMs: durationMs(), times };
  } finally {
    deadline.end();
  }
}

/** The state of a request in progress. */
interface Asking {
  question: Question;
  options: OutboundOptions;
  limits: OutboundLimits;
  deadline: Deadline;
  times: StageTimes;
  /** The connected address. */
  peer: string | null;
}

/**
 * Sends a request. The server may have just closed a reused connection; the request is then sent once more over a new
 * connection.
 */
async function ask(asking: Asking, url: URL): Promise<Answer> {
  const { options } = asking;
  const addresses = await findAddresses(asking, hostOf(url));
  const key = `${url.origin} ${options.ca ?? ""}`;
  const kept = options.kept?.take(key, addresses);
  if (kept) {
    try {
      return await askOver(asking, url, key, kept);
    } catch (error) {
      if (!isClosed(error)) throw error;
    }
  }
  return askOver(asking, url, key, toConnection(await connect(asking, url, addresses)));
}

function askOver(asking: Asking, url: URL, key: string, connection: Connection): Promise<Answer> {
  const { question, options, limits, deadline, times } = asking;
  const { kept } = options;
  asking.peer = connection.socket.remoteAddress ?? "";
  const sinceReady = stopwatch();
  const onAnswer = () => {
    times.firstByteMs = sinceReady();
  };
  const keep = kept ? () => kept.keep(key, connection) : null;
  return exchange(connection, { ...question, ...limits, url, onAnswer, keep }, deadline);
}

const CLOSED = new Set(["ECONNRESET", "EPIPE"]);
const isClosed = (error: unknown) => error instanceof Error && "code" in error && CLOSED.has(String(error.code));

/**
 * Returns the beginning of a response as sanitized text: valid UTF-8 of at most `maxBytes`, with control characters
 * replaced.
 */
export function keptText(bytes: Uint8Array, maxBytes: number): string {
  if (bytes.length === 0) return "";
  const text = cutText(bytes, maxBytes)
    .replace(/\r\n?/g, "\n")
    .replace(/[^\P{C}\t\n]/gu, "\uFFFD");
  return Buffer.byteLength(text) > maxBytes ? cutText(Buffer.from(text), maxBytes) : text;
}

function cutText(bytes: Uint8Array, maxBytes: number): string {
  const isCut = bytes.length > maxBytes;
  return new TextDecoder().decode(bytes.subarray(0, maxBytes), { stream: isCut });
}

function validatedUrl({ url, urlProblem }: Question, policy: AddressPolicy): URL {
  const reason = validateCallbackUrl(url, policy);
  if (reason) throw new OutboundFailure(problem(urlProblem, { reason }));
  return new URL(url);
}

/** Returns a function that returns the whole milliseconds since this call. */
function stopwatch(): () => number {
  const startedMs = performance.now();
  return () => Math.round(performance.now() - startedMs);
}

/** Resolves a name for each request and vets all of its addresses. An IP address is only vetted. */
async function findAddresses({ options, limits, deadline, times }: Asking, host: string): Promise<readonly string[]> {
  const sinceLookUp = stopwatch();
  const tooLate = problem("outbound_dns_timeout", { host, seconds: limits.dnsMs / 1000 });
  deadline.begin({ ms: limits.dnsMs, problem: tooLate });
  const vetting = vetHost(host, options, options.resolve ?? resolveName, deadline.signal);
  const addresses = await (isIP(host) === 0 ? beforeAbort(deadline.signal, vetting) : vetting);
  times.dnsMs = sinceLookUp();
  return addresses;
}

async function connect(asking: Asking, url: URL, addresses: readonly string[]): Promise<Socket> {
  const { options, limits, deadline, times } = asking;
  const isTls = url.protocol === "https:";
  const port = Number(url.port || (isTls ? 443 : 80));
  const sinceVetted = stopwatch();
  const onConnected = () => {
    times.connectMs = sinceVetted();
  };
  const target = {
    host: hostOf(url),
    port,
    isTls,
    onConnected,
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  };
  const tooLate = problem("outbound_connect_timeout", { seconds: limits.connectMs / 1000 });
  deadline.begin({ ms: limits.connectMs, problem: tooLate });
  const socket = await connectToVetted(target, addresses, options, deadline.signal);
  if (isTls) times.tlsMs = sinceVetted() - (times.connectMs ?? 0);
  return socket;
}

function toResult(answer: Answer, limits: OutboundLimits, now: Date) {
  return {
    httpStatus: answer.httpStatus,
    retryAfterMs: answer.retryAfter === null ? null : parseRetryAfter(answer.retryAfter, now),
    answer: keptText(answer.bytes, limits.maxKeptBytes),
    text: answer.bytes.toString("utf8"),
  };
}
