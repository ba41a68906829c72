import { isTimeout } from "@/lib/chains/endpoints/rpc";
import type { ChainError } from "@/lib/chains/endpoints/source";

/** What some nodes cannot do; learned from their answers. */
export type Feature =
  | "logs"
  | "logsByHash"
  | "finalizedTag"
  | "blockReceipts"
  | "anyVersion"
  | "versionOne"
  | "consensusSwitch";

const FIRST_REST_MS = 500;
const LONGEST_REST_MS = 30_000;
const RATE_LIMIT_REST_MS = 2_000;
const DOUBT_MS = 5_000;
const DISPUTE_MS = 15_000;
/** A node that hangs may only hang for a while: that the range was too large is hardly more than a guess. */
const LONGEST_GUESS_MS = 60_000;
const PROBE_AGAIN_AFTER_ERRORS = 5;
const PROBE_AGAIN_MS = 30_000;
/** Forks of one chain have a past in common, but not their id. */
const ASK_ID_AGAIN_MS = 600_000;

/** One RPC URL as it has behaved so far. Plain data, changed only by the functions beside it. */
export interface Endpoint {
  url: string;
  /** Sent with every call; secrets. */
  headers: Readonly<Record<string, string>>;
  /** Host and port: what people and logs see, for paths often carry an API key. */
  name: string;
  /** What it says it serves (networks table, chainId); null until that was read. */
  chainId: string | null;
  chainIdReadAt: Date | null;
  /** When it last showed what belongs to this network. */
  tiedAt: Date | null;
  /** That it serves another chain. */
  isStranger: BackOff | null;
  /** Errors in a row. */
  errors: number;
  restsUntil: Date | null;
  /** Set when it contradicted what is known: asked last for a while. */
  doubtedUntil: Date | null;
  /** Set when what it told did not stand up to what others say: asked after those who are only doubted. */
  disputedUntil: Date | null;
  /** Moving average of its answers. */
  latencyMs: number;
  /** The highest block that it has shown with receipts. */
  height: number;
  /** That a range of so many blocks is too large for it. */
  spanCap: (BackOff & { blocks: number }) | null;
  lacks: Map<Feature, BackOff>;
}

/** An endpoint of which nothing is known yet. */
export function newEndpoint(url: string, headers: Endpoint["headers"] = {}, name = new URL(url).host): Endpoint {
  return {
    url,
    headers,
    name,
    chainId: null,
    chainIdReadAt: null,
    tiedAt: null,
    isStranger: null,
    errors: 0,
    restsUntil: null,
    doubtedUntil: null,
    disputedUntil: null,
    latencyMs: 0,
    height: -1,
    spanCap: null,
    lacks: new Map(),
  };
}

/**
 * Whether its chain id must be read (again) before it is believed: new, just back from trouble, or nothing has tied it to the
 * network for a while.
 * @param isTiedLater its answer will be tied to the network, or its chain id read after it
 */
export function mustProbe(endpoint: Endpoint, chainId: string, now: Date, isTiedLater = false): boolean {
  if (endpoint.chainId === null || endpoint.errors >= PROBE_AGAIN_AFTER_ERRORS) return true;
  if (endpoint.chainId !== chainId) return !isBackingOff(endpoint.isStranger, now);
  const readAt = endpoint.chainIdReadAt?.getTime() ?? 0;
  const tiedAt = Math.max(readAt, endpoint.tiedAt?.getTime() ?? 0);
  return now.getTime() - readAt >= ASK_ID_AGAIN_MS || (!isTiedLater && now.getTime() - tiedAt >= PROBE_AGAIN_MS);
}

/** It said which chain it serves; `expected` is the one it should. Heights of another chain say nothing. */
export function noteChainId(endpoint: Endpoint, chainId: string, expected: string, now: Date): void {
  endpoint.chainId = chainId;
  endpoint.chainIdReadAt = now;
  if (chainId !== expected) endpoint.height = -1;
  endpoint.isStranger = chainId === expected ? null : nextBackOff(endpoint.isStranger, now);
}

/**
 * Lower is asked first: errors, then doubt, then how many of the `wanted` features it lacks, then how far it lags behind
 * `bestHeight`, then latency in coarse steps.
 */
export function rank(endpoint: Endpoint, bestHeight: number, now: Date, wanted: readonly Feature[] = []): number {
  const lag = endpoint.height < 0 ? 0 : Math.min(Math.max(0, bestHeight - endpoint.height), 100);
  const { doubtedUntil, disputedUntil } = endpoint;
  const doubt = [doubtedUntil, disputedUntil].filter((until) => until !== null && until > now).length;
  const lacking = wanted.filter((feature) => lacks(endpoint, feature, now)).length;
  const trouble = endpoint.errors * 20_000 + doubt * 10_000 + Math.min(lacking, 2) * 4_500;
  return trouble + lag * 40 + Math.floor(endpoint.latencyMs / 250);
}

export function isResting(endpoint: Endpoint, now: Date): boolean {
  return endpoint.restsUntil !== null && endpoint.restsUntil > now;
}

/** Whether it is known to be unable to serve a call, with `blocks` the span of a log query. */
export function isUnable(endpoint: Endpoint, feature: Feature | undefined, blocks: number, now: Date): boolean {
  if (feature && lacks(endpoint, feature, now)) return true;
  return endpoint.spanCap !== null && blocks >= endpoint.spanCap.blocks && isBackingOff(endpoint.spanCap, now);
}

/** Whether its answers taught that it cannot do something. */
export function lacks(endpoint: Endpoint, feature: Feature, now: Date): boolean {
  return isBackingOff(endpoint.lacks.get(feature), now);
}

/** It answered: what was believed against it is forgotten, as far as this answer shows the contrary. */
export function noteSuccess(endpoint: Endpoint, tookMs: number, feature?: Feature, blocks = 0): void {
  endpoint.errors = 0;
  endpoint.restsUntil = null;
  if (feature) endpoint.lacks.delete(feature);
  if (endpoint.spanCap && blocks >= endpoint.spanCap.blocks) endpoint.spanCap = null;
  endpoint.latencyMs = endpoint.latencyMs === 0 ? tookMs : endpoint.latencyMs * 0.8 + tookMs * 0.2;
}

/** What an error teaches: rest, doubt, a smaller range, or a feature it lacks. What is unreadable is not its fault. */
export function noteError(
  endpoint: Endpoint,
  error: ChainError,
  feature: Feature | undefined,
  blocks: number,
  now: Date,
) {
  if (error.kind === "unreadable") return;
  if (isTooMuch(error, blocks)) {
    noteSpanCap(endpoint, blocks, now, isTimeout(error) ? LONGEST_GUESS_MS : undefined);
    if (!isTimeout(error)) return;
  }
  if (error.kind === "inconsistent") {
    endpoint.doubtedUntil = after(now, DOUBT_MS);
    return;
  }
  if (feature && (error.kind === "refused" || error.kind === "rangeTooLarge")) {
    noteLack(endpoint, feature, now);
    return;
  }
  endpoint.errors += 1;
  endpoint.restsUntil = after(now, restMs(endpoint, error));
}

/** What it told did not stand up; the height that it showed counts no more. */
export function noteDispute(endpoint: Endpoint, now: Date): void {
  endpoint.doubtedUntil = after(now, DOUBT_MS);
  endpoint.disputedUntil = after(now, DISPUTE_MS);
  endpoint.height = -1;
}

/** It cannot do something, as far as it says now. */
export function noteLack(endpoint: Endpoint, feature: Feature, now: Date): void {
  endpoint.lacks.set(feature, nextBackOff(endpoint.lacks.get(feature), now));
}

/** A search for what it takes asks for less and less: that lowers the cap, but says nothing of how long it lasts. */
function noteSpanCap(endpoint: Endpoint, refused: number, now: Date, longestMs: number | undefined): void {
  const { spanCap } = endpoint;
  const blocks = spanCap && isBackingOff(spanCap, now) ? Math.min(spanCap.blocks, refused) : refused;
  endpoint.spanCap = { ...nextBackOff(spanCap, now, longestMs), blocks };
}

/** Whether fewer blocks might be answered: nodes word their limits in many ways, so any refusal of several counts. */
export function isTooMuch(error: ChainError, blocks: number): boolean {
  return blocks > 1 && (error.kind === "rangeTooLarge" || error.kind === "refused" || isTimeout(error));
}

function restMs(endpoint: Endpoint, error: ChainError): number {
  const base = error.kind === "rateLimited" ? RATE_LIMIT_REST_MS : FIRST_REST_MS;
  const grown = Math.min(LONGEST_REST_MS, base * 2 ** Math.min(endpoint.errors - 1, 10));
  return Math.max(grown, error.retryAfterMs ?? 0);
}

function after(now: Date, ms: number): Date {
  return new Date(now.getTime() + ms);
}

/** Something that an endpoint's answers taught about it, and until when it is believed. */
export interface BackOff {
  until: Date;
  /** For how long it was believed from the last time on. */
  ms: number;
}

const FIRST_BACK_OFF_MS = 5_000;
const LONGEST_BACK_OFF_MS = 600_000;

/**
 * What an answer taught is believed for some seconds at first, for what was refused may have been refused
 * only for a moment, and twice as long whenever the endpoint is tried again and answers the same. Calls that were on
 * their way together teach it once.
 */
export function nextBackOff(old: BackOff | null | undefined, now: Date, longestMs = LONGEST_BACK_OFF_MS): BackOff {
  if (old && isBackingOff(old, now)) return old;
  const ms = old ? Math.min(longestMs, old.ms * 2) : FIRST_BACK_OFF_MS;
  return { until: new Date(now.getTime() + ms), ms };
}

/** Whether what was taught counts now; what never was does not. */
export function isBackingOff(taught: BackOff | null | undefined, now: Date): boolean {
  return taught ? taught.until > now : false;
}
