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

export interface OutboundOptions extends AddressPolicy {
  resolve?: Resolve;
  limits?: Partial<OutboundLimits>;
  /** Certificates to trust instead of the system's, in PEM. */
  ca?: string;
  /** Where connections wait for the next question to their server; without it each question has one of its own. */
  kept?: KeptConnections;
}

export interface Post {
  /** Left out: POST. A GET has no body. */
  method?: "POST" | "GET";
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** The code of the problem when the URL is not allowed. Left out: that of a notify_url. */
  urlProblem?: UrlProblem;
}

/** The problems of a URL that is not allowed. Each names the URL as its reader knows it. */
type UrlProblem = "outbound_notify_url_invalid" | "outbound_channel_address_invalid" | "outbound_address_invalid";

/**
 * How long each stage took, in milliseconds; null where it was not reached, or was not needed: an attempt that has a peer and no
 * time to connect went over a connection that was there already.
 */
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
      /** All that was read of the body. */
      text: string;
      peer: string;
      durationMs: number;
      times: StageTimes;
    }
  | { kind: "failed"; error: Problem; peer: string | null; durationMs: number; times: StageTimes };

/**
 * Posts to a merchant's server: the only way HTTP leaves to one. The URL and every address of its host are checked, the
 * connection goes to a checked address and is checked again, and every stage has its time. Never throws.
 */
export async function guardedPost(post: Post, options: OutboundOptions, now: Date): Promise<PostResult> {
  const limits = { ...OUTBOUND_LIMITS, ...options.limits };
  const asked = await askVetted({ method: "POST", urlProblem: "outbound_notify_url_invalid", ...post }, options);
  if (asked.kind === "failed") return asked;
  const { answer, peer, durationMs, times } = asked;
  return { kind: "answered", ...toResult(answer, limits, now), peer, durationMs, times };
}

/** A request of which every part is given. */
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

/** The door itself: everything that leaves to a server that somebody else named goes through here. Never throws. */
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

/** A question that is under way, and what is known of it so far. */
interface Asking {
  question: Question;
  options: OutboundOptions;
  limits: OutboundLimits;
  deadline: Deadline;
  times: StageTimes;
  /** The address that was connected to. */
  peer: string | null;
}

/** A kept connection may have been closed by its server a moment ago: then the question is asked once more, over a new one. */
async function ask(asking: Asking, url: URL): Promise<Answer> {
  const { options } = asking;
  const addresses = await findAddresses(asking, hostOf(url));
  const place = `${url.origin} ${options.ca ?? ""}`;
  const kept = options.kept?.take(place, addresses);
  if (kept) {
    try {
      return await askOver(asking, url, place, kept);
    } catch (error) {
      if (!isClosed(error)) throw error;
    }
  }
  return askOver(asking, url, place, toConnection(await connect(asking, url, addresses)));
}

function askOver(asking: Asking, url: URL, place: string, connection: Connection): Promise<Answer> {
  const { question, options, limits, deadline, times } = asking;
  const { kept } = options;
  asking.peer = connection.socket.remoteAddress ?? "";
  const sinceReady = stopwatch();
  const onAnswer = () => {
    times.firstByteMs = sinceReady();
  };
  const keep = kept ? () => kept.keep(place, connection) : null;
  return exchange(connection, { ...question, ...limits, url, onAnswer, keep }, deadline);
}

const CLOSED = new Set(["ECONNRESET", "EPIPE"]);
const isClosed = (error: unknown) => error instanceof Error && "code" in error && CLOSED.has(String(error.code));

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

function validatedUrl({ url, urlProblem }: Question, policy: AddressPolicy): URL {
  const reason = validateCallbackUrl(url, policy);
  if (reason) throw new OutboundFailure(problem(urlProblem, { reason }));
  return new URL(url);
}

/** Whole milliseconds since now. */
function stopwatch(): () => number {
  const startedMs = performance.now();
  return () => Math.round(performance.now() - startedMs);
}

/** Names are looked up anew for each question, and all that they lead to is vetted; a literal address is vetted alone. */
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
