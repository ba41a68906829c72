import { copyFile, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { getNetwork, type Network } from "@/lib/domain/networks";
import { type LocalNode, localEvm, localSolana, localTron } from "@/sandbox/launcher/local-node";
import { type EvmNode, type LocalChain, startEvmNode } from "@/sandbox/nodes/evm-node";
import { type SolanaNode, startSolanaNode } from "@/sandbox/nodes/solana-node";
import { openTronNode } from "@/sandbox/nodes/tron-node";
import { TRON_CHAIN } from "@/sandbox/tron/network";

/** Returns the networks that have local chains in the sandbox. */
export function sandboxNetworks(): Network[] {
  return ["ethereum", "bsc", "tron", "solana"].map(getNetwork);
}

/** The largest state of a chain, about two days of blocks. A larger chain takes too long to load. */
const MAX_STATE_BYTES = 300 * 1024 * 1024;

/** The ratio of block time to slot time, as on the real chains. */
const SLOTS_PER_BLOCK = 2.5;
const SHORTEST_SLOT_MS = 10;

interface ChainOptions {
  /** The folder that contains the chains of all networks. */
  folder: string;
  blockMs: number;
  print(text: string): void;
}

/** Resumes the local chain of a network where it stopped. */
export async function startChain(network: Network, options: ChainOptions): Promise<LocalNode> {
  switch (network.family) {
    case "evm":
      return localEvm(await startKept(network, network.name, options));
    case "tron": {
      const evm = await startKept(TRON_CHAIN, network.name, options);
      return localTron(await openTronNode(evm, { bookFile: bookFileOf(stateFileOf(network, options)) }));
    }
    case "solana":
      return localSolana(await startKeptSolana(network, options));
  }
}

/**
 * Starts a chain from its stored state. If the state was truncated while it was written, uses the copy from the previous start, or creates
 * a new chain if there is no copy.
 */
async function startKept(chain: LocalChain, name: string, options: ChainOptions): Promise<EvmNode> {
  const { blockMs, print } = options;
  const stateFile = stateFileOf(chain, options);
  const older = `${stateFile}.older`;
  const size = await sizeOf(stateFile);
  if (size > MAX_STATE_BYTES) {
    print(tooLong(name));
    await rm(stateFile);
    await rm(bookFileOf(stateFile), { force: true });
  }
  try {
    const node = await startEvmNode(chain, { blockMs, stateFile });
    if (size > 0) await copyFile(stateFile, older).catch(() => {});
    return await withFreshHead(node);
  } catch (error) {
    if (size === 0) throw error;
    print(`The local chain of ${name} could not be read; going back to the previous copy.`);
    await rename(older, stateFile).catch(() => rm(stateFile, { force: true }));
    return await withFreshHead(await startEvmNode(chain, { blockMs, stateFile }));
  }
}

/**
 * Mines blocks, because the last ones may be days old and a worker would conclude that the network has stopped. TRON shows only the
 * next-to-last block.
 */
async function withFreshHead(node: EvmNode): Promise<EvmNode> {
  await node.call("anvil_mine", ["0x2"]);
  return node;
}

async function startKeptSolana(
  network: Network,
  { folder: parent, blockMs, print }: ChainOptions,
): Promise<SolanaNode> {
  const folder = path.join(parent, network.id);
  const slotMs = Math.max(SHORTEST_SLOT_MS, Math.round(blockMs / SLOTS_PER_BLOCK));
  const size = await sizeOf(path.join(folder, "journal.jsonl"));
  if (size > MAX_STATE_BYTES) {
    print(tooLong(network.name));
    await rm(folder, { recursive: true });
  }
  try {
    return await startSolanaNode({ slotMs, folder });
  } catch (error) {
    if (size === 0) throw error;
    const aside = `${folder}.unreadable`;
    print(`The local chain of ${network.name} could not be read; a new one starts, and the old one is in ${aside}.`);
    await rm(aside, { recursive: true, force: true });
    await rename(folder, aside);
    return startSolanaNode({ slotMs, folder });
  }
}

const stateFileOf = ({ id }: Pick<Network, "id">, { folder }: ChainOptions) => path.join(folder, `${id}.json`);

/** Returns the file with the transactions of TRON's API; other chains have none. */
const bookFileOf = (stateFile: string) => `${stateFile}.transactions.jsonl`;

const tooLong = (name: string) => `The local chain of ${name} has become too long to load quickly; a new one starts.`;

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => null))?.size ?? 0;
}

/**
 * Returns the milliseconds between blocks, from SANDBOX_BLOCK_MS.
 * @returns null if it is not a usable number
 */
export function readBlockMs(text: string | undefined): number | null {
  const typed = text?.trim() || "1000";
  const value = Number(typed);
  return /^\d+$/.test(typed) && value >= 10 && value <= 600_000 ? value : null;
}
