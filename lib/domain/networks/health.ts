import type { Network } from "@/lib/domain/networks";

/** The time for which a network may be behind before it stops accepting new orders. */
const BEHIND_MS = 180_000;
const MISSED_BLOCKS = 20;
/** The time after which a missed quorum no longer counts. A payment without a quorum is checked every few seconds. */
const RECENT_MS = 60_000;
const HOUR_MS = 3_600_000;

/** The scan state of a network. */
export interface NetworkWatch {
  /** The time when the cursor last reached the head; null if never. */
  caughtUpAt: Date | null;
  /** The time of the last response of a node; null if never. */
  respondedAt: Date | null;
  /** The time since which this worker has been trying to read the network. */
  watchedSince: Date;
  /** The block time of the head. */
  headTime: Date | null;
  /** The time since which too few endpoints agree on a payment, and the time when this was last observed. */
  quorumMiss?: { quorum: number; since: Date; at: Date } | null | undefined;
  /** The time when the final height last rose; null if only the depth makes a block final. */
  finalizedAt?: Date | null | undefined;
  /** The newest height of each endpoint without errors. */
  heads?: readonly number[] | undefined;
}

/** The state of one endpoint of a network, for display. */
export interface EndpointHealth {
  /** The name: host and port. */
  name: string;
  /** The number of failed calls within the hour before this state was recorded. */
  errors: number;
  /** The last failed call: kind, message, and time (ISO 8601); null if none. */
  last: { kind: string; message: string; at: string } | null;
}

/** Returns the display names of a network's endpoints: their hosts, numbered if one host serves several. */
export function endpointNames(urls: readonly string[]): string[] {
  const hosts = urls.map((url) => new URL(url).host);
  return hosts.map((host, index) => {
    const before = hosts.slice(0, index).filter((other) => other === host).length;
    return before > 0 ? `${host} (${before + 1})` : host;
  });
}

/** Returns the number of failed calls of an endpoint within the last hour; zero if the last was earlier, in any process. */
export function recentErrors({ errors, last }: EndpointHealth, now: Date): number {
  return last !== null && !isOlder(new Date(last.at), HOUR_MS, now) ? errors : 0;
}

/**
 * The delay between the end of a network's lease and the time when the network counts as not read. A lease lasts 6 s, so a network whose
 * worker is frozen counts as not read within 14 s. A takeover by a different worker is faster.
 */
const UNLEASED_MS = 7_000;
/** The time without a response after which endpoints may count as failed. It is longer than a successful request takes. */
const UNHEARD_MS = 10_000;

/** The stored state of reading a network: the worker's lease and the position. */
export interface StoredReading {
  leaseUntil: Date | null;
  respondedAt: Date | null;
  endpoints: readonly EndpointHealth[];
  height: number | null;
  headHeight: number | null;
  blockMs: number | null;
}

/**
 * Returns the reason why a network is not being read at the moment; null if it is being read. Unlike `behindProblem`, it does not need a
 * running worker. Either no worker holds the network's lease, or every endpoint has failed since the last response.
 */
export function unreadProblem(
  { name }: Pick<Network, "name">,
  reading: StoredReading | null,
  now: Date,
): string | null {
  const { leaseUntil = null, respondedAt = null, endpoints = [] } = reading ?? {};
  if (leaseUntil === null) return `No worker reads ${name}. Start one that has an RPC URL for this network.`;
  if (isOlder(leaseUntil, UNLEASED_MS, now))
    return `No worker has read ${name} since ${note(leaseUntil)}. Payments will be detected once one does.`;
  if (respondedAt === null || !isOlder(respondedAt, UNHEARD_MS, now)) return null;
  const haveAllFailed = endpoints.length > 0 && endpoints.every(({ last }) => last && new Date(last.at) > respondedAt);
  return haveAllFailed
    ? `No endpoint of ${name} has responded since ${note(respondedAt)}. Payments will be detected once one does.`
    : null;
}

/**
 * Returns the number of blocks between a chain's head and the last block read; null before the first read of the chain. While the network
 * is not read, the blocks since the last read are estimated from the block time.
 */
export function behindBlocks(network: Named, reading: StoredReading | null, now: Date): number | null {
  const { height = null, headHeight = null, respondedAt = null, blockMs = null } = reading ?? {};
  if (height === null || headHeight === null) return null;
  const known = Math.max(0, headHeight - height);
  if (respondedAt === null || unreadProblem(network, reading, now) === null) return known;
  return known + Math.max(0, Math.floor((now.getTime() - respondedAt.getTime()) / (blockMs ?? network.blockMs)));
}

type Named = Pick<Network, "name" | "blockMs">;

/**
 * Returns the reason why a network should accept no new orders because it is behind; null if it is not behind. The text changes only if
 * the reason changes.
 */
export function behindProblem(network: Named, watch: NetworkWatch, now: Date): string | null {
  const caughtUpAt = watch.caughtUpAt ?? watch.watchedSince;
  if (isOlder(caughtUpAt, BEHIND_MS, now)) {
    const respondedAt = watch.respondedAt ?? caughtUpAt;
    return isOlder(respondedAt, BEHIND_MS, now) ? silent(network, respondedAt) : slow(network, caughtUpAt);
  }
  const { quorumMiss } = watch;
  const isMissed =
    quorumMiss != null && isOlder(quorumMiss.since, BEHIND_MS, now) && !isOlder(quorumMiss.at, RECENT_MS, now);
  if (isMissed) return split(network, quorumMiss);
  if (isStuck(network, watch, now)) return stuck(network, watch);
  return isOlder(watch.finalizedAt ?? now, limitMs(network), now) ? unfinal(network, watch.finalizedAt ?? now) : null;
}

/** Returns true if the head is too old and this worker has been watching for long enough. A node that stopped syncing still responds. */
function isStuck(network: Named, { headTime, watchedSince }: NetworkWatch, now: Date): boolean {
  const ms = limitMs(network);
  return headTime !== null && isOlder(headTime, ms, now) && isOlder(watchedSince, ms, now);
}

function limitMs({ blockMs }: Named): number {
  return Math.max(BEHIND_MS, MISSED_BLOCKS * blockMs);
}

function silent(network: Named, since: Date): string {
  return `No endpoint of ${network.name} has given a valid response since ${note(since)}. Orders on the network stay pending until one does.`;
}

function slow(network: Named, since: Date): string {
  return `Reads of ${network.name} have been behind its head since ${note(since)}. Payments will be detected as reading continues.`;
}

/**
 * Returns the reason for a head that does not rise. If the chain itself has halted, all endpoints return the same head; with one endpoint
 * the two cases cannot be distinguished.
 */
function stuck({ name }: Named, { headTime, heads = [] }: NetworkWatch): string {
  const since = headTime ? note(headTime) : "long ago";
  const goesOn = "Open orders stay open, and new ones are accepted once the chain continues.";
  if (heads.length === 1)
    return `The newest block returned by the endpoint of ${name} is from ${since}: the chain has halted, or the endpoint no longer follows it. ${goesOn}`;
  if (heads.length > 1 && new Set(heads).size === 1)
    return `${name} has halted: all its endpoints return the same newest block, from ${since}. ${goesOn}`;
  return `The newest block returned by the endpoints of ${name} is from ${since}: they no longer follow the chain.`;
}

function unfinal({ name }: Named, since: Date): string {
  return `No block of ${name} has become final since ${note(since)}, though its endpoints respond. Payments are detected but not confirmed; new orders are accepted once blocks become final again.`;
}

function split(network: Named, { quorum, since }: { quorum: number; since: Date }): string {
  const cause = `Fewer than ${quorum} endpoints of ${network.name} have agreed on a payment since ${note(since)}`;
  return `${cause}, but its quorum requires ${quorum}. Payments are detected, and are confirmed once ${quorum} agree.`;
}

function isOlder(at: Date, ms: number, now: Date): boolean {
  return now.getTime() - at.getTime() >= ms;
}

function note(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
