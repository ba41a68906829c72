import { isTimeout } from "@/lib/chains/endpoints/rpc";
import type { ChainError } from "@/lib/chains/endpoints/source";

/** A capability that some nodes lack, inferred from their responses. */
export type Feature =
  | "logs"
  | "logsByHash"
  | "finalizedTag"
  | "blockReceipts"
  | "anyVersion"
  | "versionOne"
  | "consensusSwitch";

const INITIAL_WAIT_MS = 500;
const MAX_COOL_DOWN_MS = 30_000;
const RATE_LIMIT_COOL_DOWN_MS = 2_000;
const DOUBT_MS = 5_000;
const DISPUTE_MS = 15_000;
/**
 * The longest duration of a block range cap after a timeout. A node may hang only temporarily, so the size of the range is only the
 * presumed cause.
 */
const LONGEST_GUESS_MS = 60_000;
const PROBE_AGAIN_AFTER_ERRORS = 5;
const PROBE_AGAIN_MS = 30_000;
/** The interval between reads of the chain id, because forks of a chain share its history but not its id. */
const ASK_ID_AGAIN_MS = 600_000;

/** An RPC URL and the observed behavior of its node. A plain object, changed only by the functions of this module. */
export interface Endpoint {
  url: string;
  /** The headers of every call, which contain secrets. */
  headers: Readonly<Record<string, string>>;
  /** Host and port, for users and logs, because paths often contain an API key. */
  name: string;
  /** The chain id that the endpoint reports (networks table, chainId); null until it is read. */
  chainId: string | null;
  chainIdReadAt: Date | null;
  /** The time when the endpoint last returned data that belongs to this network. */
  tiedAt: Date | null;
  /** Set while the endpoint is known to serve a different chain. */
  isStranger: BackOff | null;
  /** The number of consecutive errors. */
  errors: number;
  availableAt: Date | null;
  /** The time until which the endpoint is queried last because a response contradicted known data; null if none did. */
  doubtedUntil: Date | null;
  /**
   * The time until which the endpoint is ranked below endpoints that are only doubted, because a response failed a check or contradicted
   * other endpoints; null if none did.
   */
  disputedUntil: Date | null;
  /** The moving average of its response times. */
  latencyMs: number;
  /** The highest block that it has returned with receipts. */
  height: number;
  /** The smallest number of blocks in a range that is too large for the endpoint. */
  spanCap: (BackOff & { blocks: number }) | null;
  lacks: Map<Feature, BackOff>;
}

/** Creates an endpoint without any history. */
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
    availableAt: null,
    doubtedUntil: null,
    disputedUntil: null,
    latencyMs: 0,
    height: -1,
    spanCap: null,
    lacks: new Map(),
  };
}

/**
 * Returns true if the chain id of an endpoint must be read (again) before its responses are used: the endpoint is new, it recovers from
 * errors, or none of its recent responses was verified to belong to the network.
 * @param isTiedLater true if the response will be verified to belong to the network, or the chain id is read after it
 */
export function mustProbe(endpoint: Endpoint, chainId: string, now: Date, isTiedLater = false): boolean {
  if (endpoint.chainId === null || endpoint.errors >= PROBE_AGAIN_AFTER_ERRORS) return true;
  if (endpoint.chainId !== chainId) return !isBackingOff(endpoint.isStranger, now);
  const readAt = endpoint.chainIdReadAt?.getTime() ?? 0;
  const tiedAt = Math.max(readAt, endpoint.tiedAt?.getTime() ?? 0);
  return now.getTime() - readAt >= ASK_ID_AGAIN_MS || (!isTiedLater && now.getTime() - tiedAt >= PROBE_AGAIN_MS);
}

/**
 * Records the chain id that an endpoint reports; `expected` is that of the network. The heights of another chain are
 * discarded.
 */
export function noteChainId(endpoint: Endpoint, chainId: string, expected: string, now: Date): void {
  endpoint.chainId = chainId;
  endpoint.chainIdReadAt = now;
  if (chainId !== expected) endpoint.height = -1;
  endpoint.isStranger = chainId === expected ? null : nextBackOff(endpoint.isStranger, now);
}

/**
 * Returns the rank of an endpoint; the lowest is queried first. It depends on errors, then doubt, then the number of
 * `wanted` features that it lacks, then its lag behind `bestHeight`, then latency in coarse steps.
 */
export function rank(endpoint: Endpoint, bestHeight: number, now: Date, wanted: readonly Feature[] = []): number {
  const lag = endpoint.height < 0 ? 0 : Math.min(Math.max(0, bestHeight - endpoint.height), 100);
  const { doubtedUntil, disputedUntil } = endpoint;
  const doubt = [doubtedUntil, disputedUntil].filter((until) => until !== null && until > now).length;
  const lacking = wanted.filter((feature) => lacks(endpoint, feature, now)).length;
  const endpointError = endpoint.errors * 20_000 + doubt * 10_000 + Math.min(lacking, 2) * 4_500;
  return endpointError + lag * 40 + Math.floor(endpoint.latencyMs / 250);
}

export function isCoolingDown(endpoint: Endpoint, now: Date): boolean {
  return endpoint.availableAt !== null && endpoint.availableAt > now;
}

/** Returns true if an endpoint is known to be unable to serve a call; `blocks` is the span of a log query. */
export function isUnable(endpoint: Endpoint, feature: Feature | undefined, blocks: number, now: Date): boolean {
  if (feature && lacks(endpoint, feature, now)) return true;
  return endpoint.spanCap !== null && blocks >= endpoint.spanCap.blocks && isBackingOff(endpoint.spanCap, now);
}

/** Returns true if the responses of an endpoint showed that it lacks a feature. */
export function lacks(endpoint: Endpoint, feature: Feature, now: Date): boolean {
  return isBackingOff(endpoint.lacks.get(feature), now);
}

/** Records a successful response, and clears every limitation that the response disproves. */
export function noteSuccess(endpoint: Endpoint, tookMs: number, feature?: Feature, blocks = 0): void {
  endpoint.errors = 0;
  endpoint.availableAt = null;
  if (feature) endpoint.lacks.delete(feature);
  if (endpoint.spanCap && blocks >= endpoint.spanCap.blocks) endpoint.spanCap = null;
  endpoint.latencyMs = endpoint.latencyMs === 0 ? tookMs : endpoint.latencyMs * 0.8 + tookMs * 0.2;
}

/**
 * Records an error and its effect: a cool-down, doubt, a smaller range, or a missing feature. Unreadable data does not count against the
 * endpoint.
 */
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
  endpoint.availableAt = after(now, coolDownMs(endpoint, error));
}

/** Records a response that failed a check. The height that the endpoint returned no longer counts. */
export function noteDispute(endpoint: Endpoint, now: Date): void {
  endpoint.doubtedUntil = after(now, DOUBT_MS);
  endpoint.disputedUntil = after(now, DISPUTE_MS);
  endpoint.height = -1;
}

/** Records that an endpoint lacks a feature for now. */
export function noteLack(endpoint: Endpoint, feature: Feature, now: Date): void {
  endpoint.lacks.set(feature, nextBackOff(endpoint.lacks.get(feature), now));
}

/**
 * Records a range that was refused. A search for the accepted size sends smaller and smaller ranges: each lowers the
 * cap, but none extends its duration.
 */
function noteSpanCap(endpoint: Endpoint, refused: number, now: Date, longestMs: number | undefined): void {
  const { spanCap } = endpoint;
  const blocks = spanCap && isBackingOff(spanCap, now) ? Math.min(spanCap.blocks, refused) : refused;
  endpoint.spanCap = { ...nextBackOff(spanCap, now, longestMs), blocks };
}

/**
 * Returns true if the endpoint might accept fewer blocks. Nodes describe their limits differently, so any refusal of several blocks
 * counts.
 */
export function isTooMuch(error: ChainError, blocks: number): boolean {
  return blocks > 1 && (error.kind === "rangeTooLarge" || error.kind === "refused" || isTimeout(error));
}

function coolDownMs(endpoint: Endpoint, error: ChainError): number {
  const base = error.kind === "rateLimited" ? RATE_LIMIT_COOL_DOWN_MS : INITIAL_WAIT_MS;
  const grown = Math.min(MAX_COOL_DOWN_MS, base * 2 ** Math.min(endpoint.errors - 1, 10));
  return Math.max(grown, error.retryAfterMs ?? 0);
}

function after(now: Date, ms: number): Date {
  return new Date(now.getTime() + ms);
}

/** A conclusion from an endpoint's responses, and the time until which it holds. */
export interface BackOff {
  until: Date;
  /** The duration for which the conclusion last held. */
  ms: number;
}

const FIRST_BACK_OFF_MS = 5_000;
const LONGEST_BACK_OFF_MS = 600_000;

/**
 * Returns the next back-off. A refusal may be temporary, so the first back-off lasts some seconds. The duration doubles whenever the
 * endpoint is tried again with the same result. Concurrent calls count once.
 */
export function nextBackOff(old: BackOff | null | undefined, now: Date, longestMs = LONGEST_BACK_OFF_MS): BackOff {
  if (old && isBackingOff(old, now)) return old;
  const ms = old ? Math.min(longestMs, old.ms * 2) : FIRST_BACK_OFF_MS;
  return { until: new Date(now.getTime() + ms), ms };
}

/** Returns true if a back-off is in effect; false if there is none. */
export function isBackingOff(taught: BackOff | null | undefined, now: Date): boolean {
  return taught ? taught.until > now : false;
}
