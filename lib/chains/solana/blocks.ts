import * as z from "zod";
import type { Endpoint } from "@/lib/chains/endpoints/endpoint";
import type { Endpoints } from "@/lib/chains/endpoints/endpoints";
import { contradiction, requireTime, requireTimeOrder } from "@/lib/chains/endpoints/heights";
import { ChainError, isUnreadable, type SlotBlock } from "@/lib/chains/endpoints/source";
import { inAnyVersion, isSkipped } from "@/lib/chains/solana/protocol";
import { Signature, Slot, SolanaBlock, SolanaHeader } from "@/lib/chains/solana/wire";
import { blocksIn } from "@/lib/domain/networks";

export type Commitment = "confirmed" | "finalized";

export interface Asked {
  commitment?: Commitment;
  /** True if the chain has a block in the slot, so that a node that reports the slot as skipped is wrong. */
  mustExist?: boolean;
  /** The name of an endpoint to query last. */
  notFirst?: string;
  /**
   * True if the endpoint must verify its chain id, because no surrounding block ties the block to this network, as with
   * all finalized blocks.
   */
  mustVerifyChainId?: boolean;
  /** Called with the endpoint that responded, to tie it to this network. */
  noteSource?: ((endpoint: Endpoint) => void) | undefined;
  /** True to avoid the endpoint that first returned the block, if a different one can return it. */
  again?: boolean;
}

/** The longest run of skipped slots; leaders skip slots for seconds only. */
const MAX_SKIP_MS = 90_000;
const SOURCES_KEPT_MS = 1_800_000;
const Signatures = z.object({ signatures: z.array(Signature) });

interface SlotContent {
  block: SlotBlock;
  transactions: z.infer<typeof SolanaBlock>["transactions"];
  /** The name of the endpoint that returned the block. */
  endpoint: string;
}

const BLOCK_TIME = "getBlock: blockTime";

/**
 * A reader of blocks by slot. It returns null if a node reports that the slot was skipped; only the parent of the next block proves that
 * the slot was skipped. A block with a transaction that no endpoint can return is unreadable as a whole, but its header and its signatures
 * remain readable (Agave's encode_with_options checks versions for `full` and `accounts` only).
 */
export class SlotReader {
  readonly #endpoints: Endpoints;
  readonly #blockMs: () => number;
  readonly #slotSources: ReturnType<typeof createSlotSources>;
  readonly #consensus: ReturnType<typeof createConsensusReader>;

  constructor(endpoints: Endpoints, now: () => Date, blockMs: () => number) {
    this.#endpoints = endpoints;
    this.#blockMs = blockMs;
    this.#slotSources = createSlotSources(blockMs);
    this.#consensus = createConsensusReader(endpoints, now);
  }

  header(slot: number, asked: Asked = {}): Promise<SlotBlock | null> {
    return this.#ask(slot, "none", asked, (result) => this.#toHeader(slot, result));
  }

  /**
   * Returns a block with its transactions. While validators vote by transactions, every block of the real chain contains some, so a block
   * that one node returns empty is also read from a different node.
   */
  async content(slot: number, asked: Asked = {}): Promise<SlotContent | null> {
    if (asked.again) return this.#contentAgain(slot, asked);
    const found = await this.#contentBy(slot, asked);
    if (!found) return found;
    this.#slotSources.note(slot, found.endpoint);
    if (found.transactions.length > 0 || this.#endpoints.all.length < 2) return found;
    if (await this.#consensus.hasNoVotes(slot, found.endpoint)) return found;
    const other = await this.#contentBy(slot, { ...asked, notFirst: found.endpoint }).catch(noneIfChainError);
    return other?.block.hash === found.block.hash ? other : found;
  }

  /** Returns the newest confirmed block up to a slot. `noteSource` receives the endpoint that returned it. */
  async newest(slot: number, noteSource: Asked["noteSource"]): Promise<SlotBlock> {
    const found = await this.header(slot, { noteSource });
    if (found) return found;
    const last = (await this.#list(Math.max(0, slot - this.#maxSkips()), slot, "confirmed")).at(-1);
    const block = last === undefined ? null : await this.header(last, { mustExist: true, noteSource });
    if (block) return block;
    throw new ChainError("inconsistent", `A node is at slot ${slot}, but returns no block near it`);
  }

  /** Returns the signatures of the transactions in a slot's block; null where a node reports that it was skipped. */
  signatures(slot: number, asked: Asked = {}): Promise<string[] | null> {
    return this.#ask(slot, "signatures", asked, (result) => Signatures.parse(result).signatures);
  }

  /** Returns true if the chain certainly does not have a transaction in a slot; false when that is not proven. */
  async isAbsent(slot: number, txId: string, commitment: Commitment = "finalized"): Promise<boolean> {
    const found = await this.signatures(slot, { commitment });
    if (found) return !found.includes(txId);
    const next = (await this.#list(slot, slot + this.#maxSkips(), commitment)).find((other) => other > slot);
    const after = next === undefined ? null : await this.header(next, { commitment });
    return after !== null && after.parentHeight < slot;
  }

  /**
   * Throws for a block whose time does not lie between the times of the blocks before and after it; several blocks may
   * have the same time. The newest block has no next block.
   * @throws ChainError("inconsistent")
   */
  async requireBetweenNeighbours(block: SlotBlock, commitment: Commitment): Promise<void> {
    await Promise.all([this.#requireAfterParent(block, commitment), this.#requireBeforeChild(block, commitment)]);
  }

  async #requireAfterParent(block: SlotBlock, commitment: Commitment): Promise<void> {
    if (block.parentHeight >= block.height) return;
    await this.#ask(block.parentHeight, "none", { commitment, mustExist: true }, (result) => {
      const parent = this.#toHeader(block.parentHeight, result);
      if (parent.hash !== block.parentHash)
        throw contradiction("getBlock", `blockhash ${parent.hash} is not the parent blockhash of slot ${block.height}`);
      requireTimeOrder(BLOCK_TIME, parent, block);
    });
  }

  async #requireBeforeChild(block: SlotBlock, commitment: Commitment): Promise<void> {
    const [next] = await this.#list(block.height + 1, block.height + this.#maxSkips(), commitment);
    if (next === undefined) return;
    await this.#ask(next, "none", { commitment, mustExist: true }, (result) => {
      const child = this.#toHeader(next, result);
      if (child.parentHash !== block.hash)
        throw contradiction("getBlock", `previousBlockhash: slot ${next} does not follow slot ${block.height}`);
      requireTimeOrder(BLOCK_TIME, block, child);
    });
  }

  #contentBy(slot: number, asked: Asked): Promise<SlotContent | null> {
    return this.#ask(slot, "accounts", asked, (result, endpoint) => {
      const { transactions, ...rest } = SolanaBlock.parse(result);
      const block = toBlock(slot, rest, this.#endpoints.now());
      if (new Set(transactions.map(({ signature }) => signature)).size < transactions.length)
        throw contradiction("getBlock", `signatures: a transaction of slot ${slot} is listed twice`);
      return { block, transactions, endpoint: endpoint.name };
    });
  }

  /** Reads a block again. An endpoint that cannot return it does not count as a second source. */
  async #contentAgain(slot: number, asked: Asked): Promise<SlotContent | null> {
    return this.#contentBy(slot, asked).catch((error) => {
      if (isUnreadable(error)) return this.#contentBy(slot, { ...asked, again: false });
      throw error;
    });
  }

  async #ask<T>(
    slot: number,
    details: string,
    asked: Asked,
    parse: (result: unknown, endpoint: Endpoint) => T,
  ): Promise<T | null> {
    const { commitment = "confirmed", mustExist = false, again = false, notFirst, noteSource } = asked;
    const { mustVerifyChainId = commitment === "finalized" } = asked;
    const form = { commitment, transactionDetails: details, rewards: false, encoding: "json" };
    return this.#endpoints.ask<T | null>({
      method: "getBlock",
      ...inAnyVersion((maxSupportedTransactionVersion) => [slot, { ...form, maxSupportedTransactionVersion }]),
      notFirst,
      except: again ? this.#slotSources.of(slot) : undefined,
      mustVerifyChainId: () => mustVerifyChainId,
      isTiedLater: noteSource !== undefined,
      parse: (result, endpoint) => {
        if (result === null)
          throw new ChainError("inconsistent", `getBlock: this node does not have the block of slot ${slot}`);
        const found = parse(result, endpoint);
        noteSource?.(endpoint);
        return found;
      },
      parseError: (code) => (isSkipped(code) && !mustExist ? null : undefined),
    });
  }

  /** Returns the slots with blocks, both ends inclusive, in ascending order. */
  #list(from: number, to: number, commitment: Commitment): Promise<number[]> {
    return this.#endpoints.ask({
      method: "getBlocks",
      params: [from, to, { commitment }],
      mustVerifyChainId: () => commitment === "finalized",
      parse: (result) => {
        const slots = z.array(Slot).parse(result);
        const isRising = slots.every((slot, index) => slot > (slots[index - 1] ?? from - 1) && slot <= to);
        if (!isRising)
          throw contradiction("getBlocks", `expected slots from ${from} to ${to}, each once and in ascending order`);
        return slots;
      },
    });
  }

  #toHeader(slot: number, result: unknown): SlotBlock {
    return toBlock(slot, SolanaHeader.parse(result), this.#endpoints.now());
  }

  #maxSkips(): number {
    return blocksIn(MAX_SKIP_MS, { blockMs: this.#blockMs() });
  }
}

function noneIfChainError(error: unknown): null {
  if (error instanceof ChainError) return null;
  throw error;
}

/** Creates a record of the endpoint that returned each slot; for an unknown slot, it returns the endpoint of the last recorded slot. */
function createSlotSources(blockMs: () => number) {
  const names = new Map<number, string>();
  let last: string | undefined;
  return {
    of: (slot: number) => names.get(slot) ?? last,
    note(slot: number, name: string): void {
      last = name;
      names.delete(slot);
      names.set(slot, name);
      const [oldest] = names.keys();
      if (names.size > blocksIn(SOURCES_KEPT_MS, { blockMs: blockMs() }) && oldest !== undefined) names.delete(oldest);
    },
  };
}

function toBlock(slot: number, header: z.infer<typeof SolanaHeader>, now: Date): SlotBlock {
  if (header.parentSlot >= slot && slot > 0)
    throw contradiction("getBlock", `slot ${slot} cannot follow parentSlot ${header.parentSlot}`);
  requireTime("getBlock: blockTime", { height: slot, time: header.blockTime }, now);
  const { blockhash: hash, previousBlockhash: parentHash, parentSlot: parentHeight, blockTime: time } = header;
  return { height: slot, hash, parentHash, parentHeight, time };
}

/** The certificate over the first Alpenglow block; null before (solana.com/docs/rpc/http/getaggenesiscert). */
const Certificate = z.object({ block: z.object({ slot: Slot.min(1) }) }).nullable();

const METHOD_NOT_FOUND = -32601;
const ASK_AGAIN_MS = 600_000;

/**
 * Creates a reader that checks whether validators still vote by transactions. With Alpenglow they do not, and blocks may be empty; the
 * chain then has a certificate of the first such slot. The switch is permanent, so the slot that an endpoint returned is cached. If a node
 * does not respond or does not support the method, validators are assumed to vote by transactions, and the node is queried again ten
 * minutes later.
 */
export function createConsensusReader(endpoints: Endpoints, now: () => Date) {
  /** The first slot without votes, by endpoint. */
  const begins = new Map<string, number>();
  const askAgainAt = new Map<string, Date>();

  async function ask(source: string): Promise<void> {
    askAgainAt.set(source, new Date(now().getTime() + ASK_AGAIN_MS));
    const parse = (result: unknown, endpoint: Endpoint) => {
      const certificate = Certificate.parse(result);
      if (certificate) begins.set(endpoint.name, certificate.block.slot + 1);
      return null;
    };
    const parseError = (code: number) => (code === METHOD_NOT_FOUND ? null : undefined);
    const request = { method: "getAgGenesisCert", params: [], except: source, feature: "consensusSwitch" as const };
    await endpoints
      .ask<null>({ ...request, parse, parseError, mustVerifyChainId: () => true })
      .catch(nothingIfChainError);
  }

  return {
    /** Returns true if an endpoint other than `source`, which returned the block, reports that the block of a slot may contain no votes. */
    async hasNoVotes(slot: number, source: string): Promise<boolean> {
      const isKnown = () => [...begins].some(([name, first]) => name !== source && slot >= first);
      if (!isKnown() && (askAgainAt.get(source) ?? new Date(0)) <= now()) await ask(source);
      return isKnown();
    },
  };
}

function nothingIfChainError(error: unknown): null {
  if (error instanceof ChainError) return null;
  throw error;
}
