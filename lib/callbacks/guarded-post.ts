import type { Socket } from "node:net";
import { performance } from "node:perf_hooks";
import { connectToVetted } from "@/lib/callbacks/guarded-connect";
import { type Answer, exchange } from "@/lib/callbacks/http-exchange";
import { PostFailure, within, wordsOf } from "@/lib/callbacks/post-failure";
import { type Resolve, resolveName, vetHost } from "@/lib/callbacks/vet-host";
import { type AddressPolicy, hostOf, validateCallbackUrl } from "@/lib/domain/callbacks/address-rule";
import { parseRetryAfter } from "@/lib/domain/callbacks/callback";

export interface PostLimits {
  dnsMs: number;
  connectMs: number;
  /** From the connection to the end of the answer's headers. */
  headersMs: number;
  /** Everything together, the body included. */
  totalMs: number;
  maxReadBytes: number;
  maxKeptBytes: number;
}

export const POST_LIMITS: PostLimits = {
  dnsMs: 2_000,
  connectMs: 5_000,
  headersMs: 10_000,
  totalMs: 15_000,
  maxReadBytes: 65_536,
  maxKeptBytes: 1_024,
};

export interface PostOptions extends AddressPolicy {
  resolve?: Resolve;
  limits?: Partial<PostLimits>;
  /** Certificates to trust instead of the system's, in PEM. */
  ca?: string;
}

export interface Post {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
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
    }
  | { kind: "failed"; error: string; peer: string | null; durationMs: number };

/**
 * Posts to a merchant's server: the only way HTTP leaves to one. The URL and every address of its host are judged, the
 * connection goes to a judged address and is judged again, and every stage has its time. Never throws.
 */
export async function guardedPost(post: Post, options: PostOptions, now: Date): Promise<PostResult> {
  const limits = { ...POST_LIMITS, ...options.limits };
  const startedMs = performance.now();
  const durationMs = () => Math.round(performance.now() - startedMs);
  const total = new AbortController();
  const late = new PostFailure(`nothing was finished within ${limits.totalMs / 1000} seconds`);
  const timer = setTimeout(() => total.abort(late), limits.totalMs);
  let peer: string | null = null;
  try {
    const url = validatedUrl(post.url, options);
    const socket = await connect(url, options, limits, total.signal);
    peer = socket.remoteAddress ?? "";
    const spec = { ...post, ...limits, url };
    const answer = await exchange(socket, spec, total.signal);
    return { kind: "answered", ...toResult(answer, limits, now), peer, durationMs: durationMs() };
  } catch (error) {
    return { kind: "failed", error: wordsOf(error), peer, durationMs: durationMs() };
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

function validatedUrl(text: string, policy: AddressPolicy): URL {
  const problem = validateCallbackUrl(text, policy);
  if (problem) throw new PostFailure(`notify_url ${problem}`);
  return new URL(text);
}

async function connect(url: URL, options: PostOptions, limits: PostLimits, total: AbortSignal): Promise<Socket> {
  const host = hostOf(url);
  const resolve = options.resolve ?? resolveName;
  const dns = { ms: limits.dnsMs, problem: `the name ${host} was not looked up within ${limits.dnsMs / 1000} seconds` };
  const addresses = await within(dns, total, (signal) => vetHost(host, options, resolve, signal));
  const isTls = url.protocol === "https:";
  const port = Number(url.port || (isTls ? 443 : 80));
  const target = { host, port, isTls, ...(options.ca === undefined ? {} : { ca: options.ca }) };
  const tcp = { ms: limits.connectMs, problem: `no connection within ${limits.connectMs / 1000} seconds` };
  return within(tcp, total, (signal) => connectToVetted(target, addresses, options, signal));
}

function toResult(answer: Answer, limits: PostLimits, now: Date) {
  return {
    httpStatus: answer.httpStatus,
    retryAfterMs: answer.retryAfter === null ? null : parseRetryAfter(answer.retryAfter, now),
    answer: keptText(answer.bytes, limits.maxKeptBytes),
  };
}
