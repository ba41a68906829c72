import type { Endpoints } from "@/lib/chains/endpoints";
import { createHeightReader } from "@/lib/chains/height-reader";
import { createRisingReader } from "@/lib/chains/rising-reader";
import type { createSlotReader, SlotBlock } from "@/lib/chains/solana-blocks";
import { Slot } from "@/lib/chains/solana-wire";
import type { Head } from "@/lib/domain/block";
import type { Network } from "@/lib/domain/networks";

const BLOCK_OLD_MS = 5_000;

/** Reads the head: the newest confirmed block, and the newest finalized slot. */
export function createSolanaHeadReader(
  network: Network,
  endpoints: Endpoints,
  slots: Pick<ReturnType<typeof createSlotReader>, "newest">,
  now: () => Date,
): () => Promise<Head> {
  const read = (result: unknown) => Slot.parse(result);
  const question = { method: "getSlot", params: [{ commitment: "confirmed" }], read, blockMs: network.blockMs };
  const finalized = { method: "getSlot", params: [{ commitment: "finalized" }], parse: read };
  const { blockMs } = network;
  const byAll = () => endpoints.askAll(finalized);
  const final = createRisingReader({ byOne: () => endpoints.ask(finalized), byAll, blockMs }, now);
  const heights = createHeightReader(endpoints, question, now);
  let last: { slot: number; block: SlotBlock; readAt: Date } | null = null;

  async function readBlock(slot: number): Promise<SlotBlock> {
    if (last?.slot === slot && now().getTime() - last.readAt.getTime() < BLOCK_OLD_MS) return last.block;
    last = { slot, block: await slots.newest(slot), readAt: now() };
    return last.block;
  }

  return async () => {
    const slot = await heights.read();
    const block = await readBlock(slot);
    heights.note(slot);
    const finalizedSlot = await final();
    const { height, hash, parentHash, time } = block;
    return {
      height,
      hash,
      parentHash,
      time,
      finalizedHeight: finalizedSlot === null ? null : Math.min(finalizedSlot, height),
    };
  };
}
