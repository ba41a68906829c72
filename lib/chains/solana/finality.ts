import * as z from "zod";
import type { Endpoint } from "@/lib/chains/endpoints/endpoint";
import type { Endpoints } from "@/lib/chains/endpoints/endpoints";
import {
  createSharedReads,
  isSamePayment,
  type Look,
  lookAtHead,
  withOwnTime,
} from "@/lib/chains/endpoints/finality-check";
import type { Opinion } from "@/lib/chains/endpoints/finality-rules";
import {
  contradiction,
  createHeightReader,
  createRisingReader,
  disputeHighest,
  type HeightReader,
  requireFinal,
} from "@/lib/chains/endpoints/heights";
import { ChainError, type HeadAsked, type HeadReader, type SlotBlock } from "@/lib/chains/endpoints/source";
import { type Commitment, SlotReader } from "@/lib/chains/solana/blocks";
import { transactionParams } from "@/lib/chains/solana/protocol";
import { mintGains } from "@/lib/chains/solana/transfers";
import { IncludedTransaction, Slot } from "@/lib/chains/solana/wire";
import type { Network } from "@/lib/domain/networks";
import { type BlockClock, createBlockClock } from "@/lib/domain/networks/finality";

const BLOCK_OLD_MS = 5_000;
/**
 * The limits within which heights alone identify the cluster: the time since the last verification, and the deviation from the height
 * expected for the elapsed time. Block times are whole seconds, so the expected height can be wrong by up to five slots.
 */
const LIKENESS = { awake: { oldMs: 10_000, slots: 10 }, idle: { oldMs: 300_000, slots: 150 } };

type Slots = Pick<SlotReader, "newest">;

interface HeadClock {
  clock: BlockClock;
  blockMs: () => number;
}

/** Creates a reader of the head: the newest confirmed block, and the newest finalized slot. */
export function createSolanaHeadReader(
  endpoints: Endpoints,
  slots: Slots,
  now: () => Date,
  timing: HeadClock,
): HeadReader {
  const head = new SolanaHead(endpoints, slots, now, timing);
  return Object.assign((asked?: HeadAsked) => head.read(asked), { forget: () => head.forget() });
}

class SolanaHead {
  readonly #endpoints: Endpoints;
  readonly #slots: Slots;
  readonly #now: () => Date;
  readonly #timing: HeadClock;
  readonly #heights: HeightReader;
  readonly #final: () => Promise<number | null>;
  /** The names of endpoints whose responses are not yet tied to this network. */
  readonly #unverified = new Set<string>();
  readonly #noteSource = ({ name }: Endpoint) => this.#unverified.add(name);
  #lastFinal = -1;
  #last: { slot: number; block: SlotBlock; readAt: Date } | null = null;
  #reported: { slot: number | null; at: Date } | null = null;
  #verified: { height: number; time: Date; at: Date } | null = null;

  constructor(endpoints: Endpoints, slots: Slots, now: () => Date, timing: HeadClock) {
    this.#endpoints = endpoints;
    this.#slots = slots;
    this.#now = now;
    this.#timing = timing;
    const { blockMs } = timing;
    const isTiedLater = true;
    const read = (result: unknown) => Slot.parse(result);
    const confirmed = { method: "getSlot", params: [{ commitment: "confirmed" }], read, blockMs, isTiedLater };
    this.#heights = createHeightReader(endpoints, confirmed, now);
    const parse = (result: unknown, endpoint: Endpoint) => this.#parseFinal(result, endpoint);
    const finalized = { method: "getSlot", params: [{ commitment: "finalized" }], parse, isTiedLater };
    const byOne = () => endpoints.ask(finalized);
    const byAll = () => endpoints.askAll(finalized);
    this.#final = createRisingReader({ byOne, byAll, blockMs }, now);
  }

  async read({ isIdle = false, finalMayBeMs = 0 }: HeadAsked = {}) {
    const { clock } = this.#timing;
    const slot = await this.#heights.read();
    const block = await this.#readBlock(slot);
    const finalizedSlot = await this.#finalSlot(finalMayBeMs);
    if (this.#isAsExpected(block, isIdle ? LIKENESS.idle : LIKENESS.awake)) {
      for (const name of this.#unverified) this.#endpoints.noteTied(name);
      this.#unverified.clear();
    } else {
      await this.#verifyAll();
      this.#verified = { height: block.height, time: block.time, at: this.#now() };
    }
    this.#heights.note(slot);
    clock.note(block);
    this.#lastFinal = Math.max(this.#lastFinal, finalizedSlot ?? -1);
    const { height, hash, parentHash, time } = block;
    return {
      height,
      hash,
      parentHash,
      time,
      finalizedHeight: finalizedSlot === null ? null : Math.min(finalizedSlot, height),
      blockMs: clock.blockMs(),
    };
  }

  forget(): void {
    this.#last = null;
  }

  #parseFinal(result: unknown, endpoint: Endpoint): number {
    const slot = Slot.parse(result);
    const known = { head: this.#last?.slot ?? slot, final: this.#lastFinal < 0 ? null : this.#lastFinal };
    requireFinal("getSlot finalized", slot, known, this.#timing.blockMs());
    if (slot > this.#lastFinal) this.#noteSource(endpoint);
    return slot;
  }

  async #readBlock(slot: number): Promise<SlotBlock> {
    const last = this.#last;
    if (last?.slot === slot && this.#now().getTime() - last.readAt.getTime() < BLOCK_OLD_MS) return last.block;
    const block = await this.#slots.newest(slot, this.#noteSource).catch((error: unknown) => {
      disputeHighest(this.#endpoints, error);
      throw error;
    });
    this.#last = { slot, block, readAt: this.#now() };
    return block;
  }

  /**
   * Verifies the chain ids of all endpoints that were used: slots of another chain would make transfers final too
   * early.
   */
  async #verifyAll(): Promise<void> {
    try {
      await this.#endpoints.verifyChainId(this.#unverified);
    } catch (error) {
      this.#last = null;
      this.#reported = null;
      this.#verified = null;
      throw error;
    } finally {
      this.#unverified.clear();
    }
  }

  /** Returns the last final slot if an endpoint contradicts it: final slots stay final. */
  #knownFinal(error: unknown): number {
    const isInconsistent = error instanceof ChainError && error.kind === "inconsistent";
    if (this.#lastFinal >= 0 && isInconsistent) return this.#lastFinal;
    throw error;
  }

  /** Returns the newest finalized slot, at most `mayBeMs` old. */
  async #finalSlot(mayBeMs: number): Promise<number | null> {
    const reported = this.#reported;
    if (reported && this.#now().getTime() - reported.at.getTime() < mayBeMs) return reported.slot;
    const slot = await this.#final().catch((error: unknown) => this.#knownFinal(error));
    this.#reported = { slot, at: this.#now() };
    return slot;
  }

  /**
   * Returns true if a block has about the height expected for the elapsed time. A different cluster has a different height at the same
   * time.
   */
  #isAsExpected({ height, time }: SlotBlock, { oldMs, slots }: (typeof LIKENESS)["idle"]): boolean {
    const verified = this.#verified;
    if (!verified || this.#now().getTime() - verified.at.getTime() >= oldMs) return false;
    const passed = (time.getTime() - verified.time.getTime()) / this.#timing.blockMs();
    return passed >= 0 && Math.abs(height - verified.height - passed) <= slots + passed / 2;
  }
}

const NullableTransaction = z.nullable(IncludedTransaction);

/**
 * Creates a function that reads one Solana endpoint's opinion on a transfer from its transaction and the header of its block. If the
 * endpoint does not have the transaction, the opinion is read from the block of the transfer's slot. That block is read as finalized if
 * the endpoint's own heights make it final.
 */
export function createSolanaLook(network: Network): Look {
  const blockMs = () => network.blockMs;
  const slotsOf = (single: Endpoints) => new SlotReader(single, single.now, blockMs);
  const readHead = lookAtHead((single) =>
    createSolanaHeadReader(single, slotsOf(single), single.now, { clock: createBlockClock(), blockMs }),
  );
  const share = createSharedReads<SlotBlock | null>();
  return async (single, transfer, isFinal, isSole): Promise<Opinion> => {
    const { head, isPast } = await readHead(single, isFinal);
    const own = { head, isPast };
    const commitment = isPast ? "finalized" : "confirmed";
    const slots = slotsOf(single);
    const found = await readTransaction(single, transfer.txId, commitment);
    if (!found) {
      if (head && head.height < transfer.blockHeight) return { ...own, kind: "behind" };
      const isDenied = await slots.isAbsent(transfer.blockHeight, transfer.txId, commitment);
      if (isDenied) return { ...own, kind: "denies" };
      const message = `getTransaction: the node does not have ${transfer.txId}, though its block contains it`;
      single.onError({ endpoint: single.all[0]?.name ?? "", kind: "inconsistent", message });
      return { ...own, kind: "lacks" };
    }
    const gains = mintGains(found, transfer.token, new Set([transfer.to]));
    if (!gains.some((gain) => isSamePayment(gain, transfer))) return { ...own, kind: "denies" };
    const block = await share(single, `${found.slot} ${commitment} ${isSole}`, async () => {
      const header = await slots.header(found.slot, { commitment, mustExist: true, mustVerifyChainId: true });
      if (header && isSole) await slots.requireBetweenNeighbours(header, commitment);
      return header;
    });
    if (!block) return { ...own, kind: "lacks" };
    const { height, hash, time } = block;
    if (hash !== transfer.blockHash) return { ...own, kind: "moved", height, hash, time };
    const shown = await readHead(single, withOwnTime(isFinal, time));
    return { head: shown.head, isPast: isPast && shown.isPast, kind: "shows", time };
  };
}

async function readTransaction(
  single: Endpoints,
  signature: string,
  commitment: Commitment,
): Promise<IncludedTransaction | null> {
  return single.ask<IncludedTransaction | null>({
    method: "getTransaction",
    ...transactionParams(signature, commitment),
    mustVerifyChainId: () => true,
    parse: (result) => {
      const found = NullableTransaction.parse(result);
      if (found && found.signature !== signature)
        throw contradiction("getTransaction", "signatures: the transaction is not the requested one");
      return found;
    },
  });
}
