import type { Endpoint } from "@/lib/chains/endpoints/endpoint";
import type { Endpoints } from "@/lib/chains/endpoints/endpoints";
import { createHeightReader, createRisingReader, disputeHighest, requireFinal } from "@/lib/chains/endpoints/heights";
import { ChainError } from "@/lib/chains/endpoints/source";
import type { HeadReader } from "@/lib/chains/evm/finality";
import type { createSlotReader, SlotBlock } from "@/lib/chains/solana/blocks";
import { Slot } from "@/lib/chains/solana/wire";
import type { BlockClock } from "@/lib/domain/networks/finality";

const BLOCK_OLD_MS = 5_000;

/** Reads the head: the newest confirmed block, and the newest finalized slot. */
export function createSolanaHeadReader(
  endpoints: Endpoints,
  slots: Pick<ReturnType<typeof createSlotReader>, "newest">,
  now: () => Date,
  { clock, blockMs }: { clock: BlockClock; blockMs: () => number },
): HeadReader {
  const read = (result: unknown) => Slot.parse(result);
  const question = { method: "getSlot", params: [{ commitment: "confirmed" }], read, blockMs };
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
  const finalized = { method: "getSlot", params: [{ commitment: "finalized" }], parse: readFinal };
  const byAll = () => endpoints.askAll(finalized);
  const final = createRisingReader({ byOne: () => endpoints.ask(finalized), byAll, blockMs }, now);
  const heights = createHeightReader(endpoints, question, now);
  let last: { slot: number; block: SlotBlock; readAt: Date } | null = null;

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
      last = null;
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

  const readHead = async () => {
    const slot = await heights.read();
    const block = await readBlock(slot);
    const finalizedSlot = await final().catch(knownFinal);
    await verifyAll();
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
