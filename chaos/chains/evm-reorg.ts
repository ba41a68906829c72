import * as z from "zod";
import { quantity } from "@/chaos/faults/evm-falsifications";
import type { Random } from "@/chaos/plan/random";
import type { EvmNode } from "@/sandbox/nodes/evm-node";

/** A transaction of a block that a reorg reverts. */
interface Undone {
  /** The raw transaction. */
  raw: string;
  /** The distance of its block from the first replaced one. */
  offset: number;
}

const Block = z.object({ transactions: z.array(z.string()) });

/** Returns the transactions of all blocks in a range of heights whose raw bytes are in `raws`. */
export async function listUndone(
  call: EvmNode["call"],
  raws: ReadonlyMap<string, string>,
  from: number,
  to: number,
): Promise<Undone[]> {
  const found: Undone[] = [];
  for (let height = from; height <= to; height++) {
    const { transactions } = Block.parse(await call("eth_getBlockByNumber", [quantity(height), false]));
    found.push(...transactions.flatMap((txId) => raws.get(txId) ?? []).map((raw) => ({ raw, offset: height - from })));
  }
  return found;
}

/**
 * Selects the outcome of each transaction: included in one of the `blocks` new blocks but not earlier than before, included in a later
 * one, or dropped.
 */
export function drawFates(
  undone: readonly Undone[],
  blocks: number,
  random: Random,
): { again: string[][]; later: string[] } {
  const again = Array.from({ length: blocks }, (): string[] => []);
  const later: string[] = [];
  for (const { raw, offset } of undone) {
    const fate = random.weighted({ again: 4, later: 3, never: 3 });
    if (fate === "again") again[random.int(Math.min(offset, blocks - 1), blocks - 1)]?.push(raw);
    if (fate === "later") later.push(raw);
  }
  return { again, later };
}
