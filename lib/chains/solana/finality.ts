import { z } from "zod";
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
  requireFinal,
} from "@/lib/chains/endpoints/heights";
import { ChainError, type HeadAsked, type HeadReader, type SlotBlock } from "@/lib/chains/endpoints/source";
import { type Commitment, createSlotReader } from "@/lib/chains/solana/blocks";
import { transactionParams } from "@/lib/chains/solana/protocol";
import { mintGains } from "@/lib/chains/solana/transfers";
import { PlacedTransaction, Slot } from "@/lib/chains/solana/wire";
import type { Network } from "@/lib/domain/networks";
import { type BlockClock, createBlockClock } from "@/lib/domain/networks/finality";

const BLOCK_OLD_MS = 5_000;
/**
 * For so long, and as long as heights differ by no more than this from what the passed time lets expect, a cluster may be
 * believed to be the same by its heights alone. Block times are whole seconds, which is up to five slots.
 */
const LIKENESS = { awake: { oldMs: 10_000, slots: 10 }, idle: { oldMs: 300_000, slots: 150 } };

/** Reads the head: the newest confirmed block, and the newest finalized slot. */
export function createSolanaHeadReader(
  endpoints: Endpoints,
  slots: Pick<ReturnType<typeof createSlotReader>, "newest">,
  now: () => Date,
  { clock, blockMs }: { clock: BlockClock; blockMs: () => number },
): HeadReader {
  const read = (result: unknown) => Slot.parse(result);
  const isTiedLater = true;
  const question = { method: "getSlot", params: [{ commitment: "confirmed" }], read, blockMs, isTiedLater };
  const unverified = new Set<string>();
  const noteSource = ({ name }: Endpoint) => unverified.add(name);
  let lastFinal = -1;
  const readFinal = (result: unknown, endpoint: Endpoint) => {
    const slot = read(result);
    const known = { head: last?.slot ?? slot, final: lastFinal < 0 ? null : lastFinal };
    requireFinal("getSlot finalized", slot, known, blockMs());
    if (slot > lastFinal) noteSource(endpoint);
    return slot;
  };
  const finalized = { method: "getSlot", params: [{ commitment: "finalized" }], parse: readFinal, isTiedLater };
  const byAll = () => endpoints.askAll(finalized);
  const final = createRisingReader({ byOne: () => endpoints.ask(finalized), byAll, blockMs }, now);
  const heights = createHeightReader(endpoints, question, now);
  let last: { slot: number; block: SlotBlock; readAt: Date } | null = null;
  let told: { slot: number | null; at: Date } | null = null;
  let verified: { height: number; time: Date; at: Date } | null = null;

  async function readBlock(slot: number): Promise<SlotBlock> {
    if (last?.slot === slot && now().getTime() - last.readAt.getTime() < BLOCK_OLD_MS) return last.block;
    const block = await slots.newest(slot, noteSource).catch((error: unknown) => {
      disputeHighest(endpoints, error);
      throw error;
    });
    last = { slot, block, readAt: now() };
    return last.block;
  }

  /** Slots of another chain would make payments final that are not. */
  async function verifyAll(): Promise<void> {
    try {
      await endpoints.verifyChainId(unverified);
    } catch (error) {
      [last, told, verified] = [null, null, null];
      throw error;
    } finally {
      unverified.clear();
    }
  }

  /** What was final stays so, whatever is said of it now. */
  function knownFinal(error: unknown): number {
    if (lastFinal >= 0 && error instanceof ChainError && error.kind === "inconsistent") return lastFinal;
    throw error;
  }

  /** Final slots are asked for as often as somebody needs them. */
  async function finalSlot(mayBeMs: number): Promise<number | null> {
    if (told && now().getTime() - told.at.getTime() < mayBeMs) return told.slot;
    told = { slot: await final().catch(knownFinal), at: now() };
    return told.slot;
  }

  /** Another cluster is at another height at the same time; and in the end everyone is asked. */
  function isAsExpected({ height, time }: SlotBlock, { oldMs, slots }: (typeof LIKENESS)["idle"]): boolean {
    if (!verified || now().getTime() - verified.at.getTime() >= oldMs) return false;
    const passed = (time.getTime() - verified.time.getTime()) / blockMs();
    return passed >= 0 && Math.abs(height - verified.height - passed) <= slots + passed / 2;
  }

  const readHead = async ({ isIdle = false, finalMayBeMs = 0 }: HeadAsked = {}) => {
    const slot = await heights.read();
    const block = await readBlock(slot);
    const finalizedSlot = await finalSlot(finalMayBeMs);
    if (isAsExpected(block, isIdle ? LIKENESS.idle : LIKENESS.awake)) {
      for (const name of unverified) endpoints.noteTied(name);
      unverified.clear();
    } else {
      await verifyAll();
      verified = { height: block.height, time: block.time, at: now() };
    }
    heights.note(slot);
    clock.note(block);
    lastFinal = Math.max(lastFinal, finalizedSlot ?? -1);
    const { height, hash, parentHash, time } = block;
    return {
      height,
      hash,
      parentHash,
      time,
      finalizedHeight: finalizedSlot === null ? null : Math.min(finalizedSlot, height),
      blockMs: clock.blockMs(),
    };
  };
  const forget = () => {
    last = null;
  };
  return Object.assign(readHead, { forget });
}

const NullableTransaction = z.nullable(PlacedTransaction);

/**
 * What one Solana endpoint says of a transfer: by its transaction and the header of its block and, where it does not know the
 * transaction, by the block of its slot, finalized where its own heights say so.
 */
export function createSolanaLook(network: Network): Look {
  const blockMs = () => network.blockMs;
  const slotsOf = (alone: Endpoints) => createSlotReader(alone, alone.now, blockMs);
  const readHead = lookAtHead((alone) =>
    createSolanaHeadReader(alone, slotsOf(alone), alone.now, { clock: createBlockClock(), blockMs }),
  );
  const share = createSharedReads<SlotBlock | null>();
  return async (alone, transfer, isFinal, isSole): Promise<Opinion> => {
    const { head, isPast } = await readHead(alone, isFinal);
    const own = { head, isPast };
    const commitment = isPast ? "finalized" : "confirmed";
    const slots = slotsOf(alone);
    const found = await readTransaction(alone, transfer.txId, commitment);
    if (!found) {
      if (head && head.height < transfer.blockHeight) return { ...own, kind: "behind" };
      const isDenied = await slots.isAbsent(transfer.blockHeight, transfer.txId, commitment);
      if (isDenied) return { ...own, kind: "denies" };
      const message = `getTransaction: the node does not have ${transfer.txId}, though its block is not without it`;
      alone.tell({ endpoint: alone.all[0]?.name ?? "", kind: "inconsistent", message });
      return { ...own, kind: "lacks" };
    }
    const gains = mintGains(found, transfer.token, new Set([transfer.to]));
    if (!gains.some((gain) => isSamePayment(gain, transfer))) return { ...own, kind: "denies" };
    const block = await share(alone, `${found.slot} ${commitment} ${isSole}`, async () => {
      const header = await slots.header(found.slot, { commitment, mustExist: true, mustVerifyChainId: true });
      if (header && isSole) await slots.requireBetweenNeighbours(header, commitment);
      return header;
    });
    if (!block) return { ...own, kind: "lacks" };
    const { height, hash, time } = block;
    if (hash !== transfer.blockHash) return { ...own, kind: "moved", height, hash, time };
    const shown = await readHead(alone, withOwnTime(isFinal, time));
    return { head: shown.head, isPast: isPast && shown.isPast, kind: "shows", time };
  };
}

async function readTransaction(
  alone: Endpoints,
  signature: string,
  commitment: Commitment,
): Promise<PlacedTransaction | null> {
  return alone.ask<PlacedTransaction | null>({
    method: "getTransaction",
    ...transactionParams(signature, commitment),
    mustVerifyChainId: () => true,
    parse: (result) => {
      const found = NullableTransaction.parse(result);
      if (found && found.signature !== signature)
        throw contradiction("getTransaction", "signatures: another transaction than was asked for");
      return found;
    },
  });
}
