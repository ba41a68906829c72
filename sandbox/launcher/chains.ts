import { copyFile, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { getNetwork, type Network } from "@/lib/domain/networks";
import { type EvmNode, startEvmNode } from "@/sandbox/evm-node";

/** Networks that the sandbox has local chains for. */
export const SANDBOX_NETWORKS: readonly Network[] = ["ethereum", "bsc"].map(getNetwork);

/** About two days of blocks; a larger chain takes too long to load. */
const MAX_STATE_BYTES = 300 * 1024 * 1024;

/**
 * Starts the local chain of a network where it stopped. The chain of the start before that is at hand as well, should
 * the last one have been cut short while it was written; failing that a new chain begins.
 */
export async function startChain(
  network: Network,
  folder: string,
  blockMs: number,
  say: (text: string) => void,
): Promise<EvmNode> {
  const stateFile = path.join(folder, `${network.id}.json`);
  const older = `${stateFile}.older`;
  const size = (await stat(stateFile).catch(() => null))?.size ?? 0;
  if (size > MAX_STATE_BYTES) {
    say(`The local chain of ${network.name} has become too long to load quickly; a new one begins.`);
    await rm(stateFile);
  }
  try {
    const node = await startEvmNode(network, { blockMs, stateFile });
    if (size > 0) await copyFile(stateFile, older).catch(() => {});
    return await withFreshHead(node);
  } catch (error) {
    if (size === 0) throw error;
    say(`The local chain of ${network.name} could not be read; going back to the one before.`);
    await rename(older, stateFile).catch(() => rm(stateFile, { force: true }));
    return await withFreshHead(await startEvmNode(network, { blockMs, stateFile }));
  }
}

/** The last block may be days old; a worker would rightly think that the network stands still. */
async function withFreshHead(node: EvmNode): Promise<EvmNode> {
  await node.call("evm_mine");
  return node;
}

/** Milliseconds between blocks, from SANDBOX_BLOCK_MS. @returns null when it is no sensible number. */
export function readBlockMs(text: string | undefined): number | null {
  const typed = text?.trim() || "1000";
  const value = Number(typed);
  return /^\d+$/.test(typed) && value >= 10 && value <= 600_000 ? value : null;
}
