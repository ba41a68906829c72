import { z } from "zod";
import type { Endpoints } from "@/lib/chains/endpoints/endpoints";
import { isSamePayment, type Look, lookAtHead } from "@/lib/chains/endpoints/finality-check";
import type { Opinion } from "@/lib/chains/endpoints/finality-rules";
import { contradiction } from "@/lib/chains/endpoints/heights";
import { type Commitment, createSlotReader } from "@/lib/chains/solana/blocks";
import { transactionParams } from "@/lib/chains/solana/dialect";
import { createSolanaHeadReader } from "@/lib/chains/solana/head";
import { mintGains } from "@/lib/chains/solana/transfers";
import { PlacedTransaction } from "@/lib/chains/solana/wire";
import type { Network } from "@/lib/domain/networks";
import { createBlockClock } from "@/lib/domain/networks/finality";

const NullableTransaction = z.nullable(PlacedTransaction);

/**
 * What one Solana endpoint says of a transfer: by its transaction and, where it does not know that, by the block of its slot,
 * finalized where its own heights say so.
 */
export function createSolanaLook(network: Network): Look {
  const blockMs = () => network.blockMs;
  const slotsOf = (alone: Endpoints) => createSlotReader(alone, alone.now, blockMs);
  const readHead = lookAtHead((alone) =>
    createSolanaHeadReader(alone, slotsOf(alone), alone.now, { clock: createBlockClock(), blockMs }),
  );
  return async (alone, transfer, isFinal): Promise<Opinion> => {
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
    const block = await slots.header(found.slot, { commitment, mustExist: true, mustVerifyChainId: true });
    if (!block) return { ...own, kind: "lacks" };
    if (block.hash === transfer.blockHash) return { ...own, kind: "shows" };
    return { ...own, kind: "moved", height: block.height, hash: block.hash, time: block.time };
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
