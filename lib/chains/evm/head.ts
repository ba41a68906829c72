import { z } from "zod";
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
/** Chains change their pace, but not so much from one head to the next. */
const LEAP_BLOCKS = 64;
const LEAP_FACTOR = 20;
const FINALIZED_OLD_MS = 60_000;
/** By blocks that passed, where it only says how far a reorg may reach. */
const FINALIZED_LAG_MS = 90_000;

/** A block and the name of the endpoint that told it. */
interface Told {
  block: Block;
  by: string;
}

/** The head's block, and who told it; null where nobody was asked again. */
type ToldHead = Pick<Told, "block"> & { by: string | null };

/** What a reader of heads remembers. */
interface HeadState {
  network: Network;
  endpoints: Endpoints;
  now: () => Date;
  /** Newest blocks by hash, as they were told. */
  newest: Map<string, Told>;
  /** Those that were told in this reading. */
  told: Told[];
  header: { block: Block; readAt: Date } | null;
  finalized: { height: number | null; readAt: Date; atHeight: number } | null;
  /** How long blocks take now. */
  blockMs: () => number;
  /** Who showed what is not tied to this network yet. */
  unverified: Set<string>;
  /** Who was tied to it in this reading. */
  tied: Set<string>;
  /** The height of the head that is being read. */
  height: number;
}

/**
 * Reads the head, the newest block with receipts, and ties whoever told it to this network: by its parent, by the block after
 * the one that is known already, or else by the chain id.
 */
export function createHeadReader(network: Network, endpoints: Endpoints, now: () => Date): HeadReader {
  const clock = createBlockClock();
  const blockMs = () => clock.blockMs() ?? network.blockMs;
  const memory = { newest: new Map(), told: [], header: null, finalized: null, height: -1 };
  const state: HeadState = { network, endpoints, now, blockMs, ...memory, unverified: new Set(), tied: new Set() };
  const heights = createHeightReader(endpoints, { ...LATEST, read: createTopReader(state), blockMs }, now);
  const askFinalized = createFinalizedReader(state);
  const readHead = async ({ known = null, finalMayBeMs = 0 }: HeadAsked = {}) => {
    state.told = [];
    state.tied.clear();
    state.height = await heights.read();
    const told = await readHeader(state);
    const { block } = told;
    const next = await tie(state, told, known);
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
  // A reading and what it remembers are one: who asks meanwhile waits.
  let before: Promise<unknown> = Promise.resolve();
  const inTurn = (asked?: HeadAsked): Promise<SeenHead> => {
    const mine = before.then(() => readHead(asked));
    before = mine.catch(() => undefined);
    return mine;
  };
  return Object.assign(inTurn, { forget });
}

/** Heights of another chain would make payments final that are not: what was read is forgotten unless the chain id of those who told it is verified. */
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

/** Reads the newest block as the height of the newest that has receipts, and keeps it. */
function createTopReader(state: HeadState) {
  const { endpoints, now } = state;
  return (result: unknown, { name }: Endpoint): number => {
    const block = Header.parse(result);
    requireTime("eth_getBlockByNumber latest: timestamp", block, now());
    state.told.push(keep(state, { block, by: name }));
    return Math.max(0, block.height - endpoints.receiptLag);
  };
}

function keep({ newest }: HeadState, told: Told): Told {
  newest.delete(told.block.hash);
  newest.set(told.block.hash, told);
  for (const oldest of newest.keys()) if (newest.size > NEWEST_KEPT) newest.delete(oldest);
  return told;
}

/** The block of the head, as it was just told, or as it is asked for where that is not enough to believe in it. */
async function readHeader(state: HeadState): Promise<ToldHead> {
  const { header, height, now } = state;
  const told = findTold(state);
  if (told && isPlausible(state, told.block)) return told;
  if (header?.block.height === height && age(header.readAt, now()) < HEADER_OLD_MS)
    return { block: header.block, by: null };
  return askHeader(state);
}

function findTold({ told, newest, height, endpoints: { receiptLag } }: HeadState): Told | null {
  const top = told.find(({ block }) => Math.max(0, block.height - receiptLag) === height);
  if (!top || top.block.height === height) return top ?? null;
  const parent = receiptLag === 1 ? newest.get(top.block.parentHash) : undefined;
  return parent?.block.height === height ? { block: parent.block, by: top.by } : null;
}

/** A height that is far from where the last head was, for the time that passed, must be shown by its number, too. */
function isPlausible({ header, blockMs }: HeadState, { height, time }: Block): boolean {
  if (header === null) return false;
  const ms = Math.max(0, time.getTime() - header.block.time.getTime());
  return height - header.block.height <= LEAP_BLOCKS + (LEAP_FACTOR * ms) / blockMs();
}

function isTied({ header }: HeadState, { hash, parentHash }: Block): boolean {
  return header !== null && (hash === header.block.hash || parentHash === header.block.hash);
}

async function askHeader(state: HeadState): Promise<Told> {
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
 * ties who told the head to this network: its block follows one of the network, or it shows the block after the one that is
 * known. Where it does not, its chain id is read.
 * @returns the block after the known one, whoever its parent is; null where nothing was asked, or it cannot be shown
 */
async function tie(state: HeadState, { block, by }: ToldHead, known: HeadAsked["known"]): Promise<Block | null> {
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

/** That it cannot be shown is no trouble here: whoever needs it asks again. */
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
 * By the `finalized` tag; read at every new head only where transfers become final by it, and somebody waits for that. Null
 * where no node has it.
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
