import * as z from "zod";
import type { Endpoint } from "@/lib/chains/endpoints/endpoint";
import type { Endpoints } from "@/lib/chains/endpoints/endpoints";
import {
  contradiction,
  createHeightReader,
  createRisingReader,
  disputeHighest,
  requireFinal,
  requireTime,
} from "@/lib/chains/endpoints/heights";
import { ChainError, type HeadAsked, type HeadReader, type SeenHead } from "@/lib/chains/endpoints/source";
import { Header, quantity } from "@/lib/chains/evm/logs";
import type { Network } from "@/lib/domain/networks";
import { type Block, createBlockClock } from "@/lib/domain/networks/finality";

const NullableHeader = z.nullable(Header);
const HEADER_OLD_MS = 5_000;
const NEWEST_KEPT = 16;
/**
 * The largest plausible step from one head to the next, in blocks, in addition to LEAP_FACTOR times the blocks that the elapsed time
 * allows.
 */
const LEAP_BLOCKS = 64;
const LEAP_FACTOR = 20;
const FINALIZED_OLD_MS = 60_000;
/** The longest lag of the finalized height, in block time, if it only bounds reorgs. */
const FINALIZED_LAG_MS = 90_000;

/** A block and the name of the endpoint that returned it. */
interface Reported {
  block: Block;
  by: string;
}

/** The head's block and the endpoint that returned it; null when no endpoint was queried again. */
type ReportedHead = Pick<Reported, "block"> & { by: string | null };

/** The state of a reader of heads. */
interface HeadState {
  network: Network;
  endpoints: Endpoints;
  now: () => Date;
  /** The newest blocks by hash, with the endpoints that returned them. */
  newest: Map<string, Reported>;
  /** The blocks that were returned during this read. */
  reported: Reported[];
  header: { block: Block; readAt: Date } | null;
  finalized: { height: number | null; readAt: Date; atHeight: number } | null;
  /** Returns the current duration of a block. */
  blockMs: () => number;
  /** The endpoints whose responses are not yet tied to this network. */
  unverified: Set<string>;
  /** The endpoints that were tied to this network during this read. */
  tied: Set<string>;
  /** The height of the head that is being read. */
  height: number;
}

/**
 * Creates a reader of the head, the newest block with receipts. It ties the endpoint that returned the head to this network: by the head's
 * parent, by the block after the known one, or else by the chain id.
 */
export function createHeadReader(network: Network, endpoints: Endpoints, now: () => Date): HeadReader {
  const clock = createBlockClock();
  const blockMs = () => clock.blockMs() ?? network.blockMs;
  const memory = { newest: new Map(), reported: [], header: null, finalized: null, height: -1 };
  const state: HeadState = { network, endpoints, now, blockMs, ...memory, unverified: new Set(), tied: new Set() };
  const heights = createHeightReader(endpoints, { ...LATEST, read: createTopReader(state), blockMs }, now);
  const askFinalized = createFinalizedReader(state);
  const readHead = async ({ known = null, finalMayBeMs = 0 }: HeadAsked = {}) => {
    state.reported = [];
    state.tied.clear();
    state.height = await heights.read();
    const reported = await readHeader(state);
    const { block } = reported;
    const next = await tie(state, reported, known);
    const finalizedHeight = await readFinalized(state, finalMayBeMs, askFinalized);
    await verifyChainIds(state);
    state.header = { block, readAt: now() };
    heights.note(state.height);
    clock.note(block);
    const final = finalizedHeight === null ? null : Math.min(finalizedHeight, block.height);
    return { ...block, finalizedHeight: final, blockMs: clock.blockMs(), next };
  };
  const forget = () => {
    state.header = null;
    state.newest.clear();
  };
  // Concurrent reads run one after another, because they share the state.
  let before: Promise<unknown> = Promise.resolve();
  const inTurn = (asked?: HeadAsked): Promise<SeenHead> => {
    const mine = before.then(() => readHead(asked));
    before = mine.catch(() => undefined);
    return mine;
  };
  return Object.assign(inTurn, { forget });
}

/**
 * Verifies the chain ids of endpoints, and clears the state if that fails: heights of another chain would make
 * transfers final too early.
 */
async function verifyChainIds(state: HeadState): Promise<void> {
  const { endpoints, unverified } = state;
  try {
    await endpoints.verifyChainId(unverified);
  } catch (error) {
    [state.header, state.finalized] = [null, null];
    state.newest.clear();
    throw error;
  } finally {
    unverified.clear();
  }
}

/** Creates a parser that records the newest block and returns the height of the newest block with receipts. */
function createTopReader(state: HeadState) {
  const { endpoints, now } = state;
  return (result: unknown, { name }: Endpoint): number => {
    const block = Header.parse(result);
    requireTime("eth_getBlockByNumber latest: timestamp", block, now());
    state.reported.push(keep(state, { block, by: name }));
    return Math.max(0, block.height - endpoints.receiptLag);
  };
}

function keep({ newest }: HeadState, reported: Reported): Reported {
  newest.delete(reported.block.hash);
  newest.set(reported.block.hash, reported);
  for (const oldest of newest.keys()) if (newest.size > NEWEST_KEPT) newest.delete(oldest);
  return reported;
}

/** Returns the head's block: the block just returned, or, if that is not plausible, the block read by its number. */
async function readHeader(state: HeadState): Promise<ReportedHead> {
  const { header, height, now } = state;
  const reported = findReported(state);
  if (reported && isPlausible(state, reported.block)) return reported;
  if (header?.block.height === height && age(header.readAt, now()) < HEADER_OLD_MS)
    return { block: header.block, by: null };
  return askHeader(state);
}

function findReported({ reported, newest, height, endpoints: { receiptLag } }: HeadState): Reported | null {
  const top = reported.find(({ block }) => Math.max(0, block.height - receiptLag) === height);
  if (!top || top.block.height === height) return top ?? null;
  const parent = receiptLag === 1 ? newest.get(top.block.parentHash) : undefined;
  return parent?.block.height === height ? { block: parent.block, by: top.by } : null;
}

/**
 * Returns true if a height is plausible given the last head and the time since then. For an implausible height, the block must also be
 * requested by its number.
 */
function isPlausible({ header, blockMs }: HeadState, { height, time }: Block): boolean {
  if (header === null) return false;
  const ms = Math.max(0, time.getTime() - header.block.time.getTime());
  return height - header.block.height <= LEAP_BLOCKS + (LEAP_FACTOR * ms) / blockMs();
}

function isTied({ header }: HeadState, { hash, parentHash }: Block): boolean {
  return header !== null && (hash === header.block.hash || parentHash === header.block.hash);
}

async function askHeader(state: HeadState): Promise<Reported> {
  const { endpoints, height, now } = state;
  return endpoints
    .ask({
      method: "eth_getBlockByNumber",
      params: [quantity(height), false],
      isTiedLater: true,
      parse: (result, endpoint) => {
        const found = NullableHeader.parse(result);
        if (!found) throw new ChainError("inconsistent", `This node lags: it does not have block ${height} yet`);
        if (found.height !== height)
          throw contradiction("eth_getBlockByNumber", `number ${found.height}, not ${height}`);
        requireTime("eth_getBlockByNumber: timestamp", found, now());
        endpoints.noteShown(endpoint, height);
        return keep(state, { block: found, by: endpoint.name });
      },
    })
    .catch((error: unknown) => {
      disputeHighest(endpoints, error);
      throw error;
    });
}

/**
 * Ties the endpoint that returned the head to this network: its block follows a block of the network, or it returns the
 * block after the known one. Otherwise its chain id must be verified.
 * @returns the block after the known one, regardless of its parent; null when it was not read, or no endpoint returned it
 */
async function tie(state: HeadState, { block, by }: ReportedHead, known: HeadAsked["known"]): Promise<Block | null> {
  const follows = known && (block.hash === known.hash || block.parentHash === known.hash);
  const mustProve = by !== null && !isTied(state, block) && !follows;
  const isNextRead = known != null && block.height > known.height + 1;
  const next = isNextRead ? await askNext(state, known.height + 1, mustProve ? by : undefined) : null;
  if (by === null) return next;
  if (mustProve && (!next || next.parentHash !== known?.hash)) state.unverified.add(by);
  else {
    state.tied.add(by);
    state.endpoints.noteTied(by);
  }
  return next;
}

/** Reads the next block. A failed read is not an error, because the code that needs the block reads it again. */
async function askNext({ endpoints, now }: HeadState, height: number, only: string | undefined): Promise<Block | null> {
  const method = "eth_getBlockByNumber";
  return endpoints
    .askOrNull({
      method,
      params: [quantity(height), false],
      isTiedLater: true,
      isOpinion: true,
      only,
      parse: (result) => {
        const found = NullableHeader.parse(result);
        if (found && found.height !== height) throw contradiction(method, `number ${found.height}, not ${height}`);
        if (found) requireTime(`${method}: timestamp`, found, now());
        return found;
      },
    })
    .catch((error: unknown) => {
      if (error instanceof ChainError) return null;
      throw error;
    });
}

/**
 * Reads the height of the `finalized` tag. It is read at every new head only if it makes transfers final and transfers are pending.
 * Returns null if no node supports the tag.
 */
async function readFinalized(
  state: HeadState,
  mayBeMs: number,
  askFinalized: () => Promise<number | null>,
): Promise<number | null> {
  const { network, finalized, height, now } = state;
  const mayLag = network.finality.by === "depth" ? Math.ceil(FINALIZED_LAG_MS / state.blockMs()) : 1;
  if (finalized && age(finalized.readAt, now()) < mayBeMs) return finalized.height;
  const isFresh = finalized !== null && age(finalized.readAt, now()) < FINALIZED_OLD_MS;
  if (finalized && isFresh && Math.abs(height - finalized.atHeight) < mayLag) return finalized.height;
  const known = await askFinalized().catch((error: unknown) => {
    if (error instanceof ChainError) return finalized?.height ?? null;
    throw error;
  });
  state.finalized = { height: known, readAt: now(), atHeight: height };
  return known;
}

function createFinalizedReader(state: HeadState) {
  const { endpoints, now, unverified, blockMs } = state;
  const request = {
    method: "eth_getBlockByNumber",
    params: ["finalized", false],
    feature: "finalizedTag" as const,
    parse: (result: unknown, { name }: Endpoint) => {
      const found = NullableHeader.parse(result);
      if (!found) return null;
      const known = { head: state.height, final: state.finalized?.height ?? null };
      requireTime("eth_getBlockByNumber: timestamp", found, now());
      requireFinal("eth_getBlockByNumber finalized: number", found.height, known, blockMs());
      if (!state.tied.has(name)) unverified.add(name);
      return found.height;
    },
  };
  const byOne = () => endpoints.askOrNull(request);
  return createRisingReader({ byOne, byAll: () => endpoints.askAll(request), blockMs }, now);
}

const LATEST = { method: "eth_getBlockByNumber", params: ["latest", false], isTiedLater: true };

function age(at: Date, now: Date): number {
  return now.getTime() - at.getTime();
}
