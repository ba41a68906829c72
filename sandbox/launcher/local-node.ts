import * as z from "zod";
import type { EvmNode } from "@/sandbox/nodes/evm-node";
import type { SolanaNode } from "@/sandbox/nodes/solana-node";
import type { TronNode } from "@/sandbox/nodes/tron-node";

/** A running local chain of any family. */
export interface LocalNode {
  networkId: string;
  /** The URL for wallets. */
  rpcUrl: string;
  /** The URLs for the service: all endpoints of the chain, the fastest first. */
  serviceUrls: readonly string[];
  /** The URL for calls that only a local chain supports: reorgs, forks, lag. */
  controlUrl: string;
  /** Returns true if the chain currently contains this block. */
  hasBlock(block: { height: number; hash: string }): Promise<boolean>;
  /** Resolves when the chain has ended, for any reason. */
  ended: Promise<void>;
  /** Stops the node and preserves its chain. */
  stop(): Promise<void>;
}

const Block = z.object({ hash: z.string() }).nullable();
const SolanaBlock = z.object({ blockhash: z.string() }).nullable();

/** Returns an EVM node as one of the sandbox's chains. */
export function localEvm(node: EvmNode): LocalNode {
  const { networkId, url, ended, stop } = node;
  const urls = { rpcUrl: url, serviceUrls: [url], controlUrl: url };
  return { networkId, ...urls, hasBlock: ({ hash }) => hasEvmBlock(node, hash), ended, stop };
}

/** Returns the TRON node as one of the sandbox's chains. The service may use both of its interfaces. */
export function localTron(node: TronNode): LocalNode {
  const { networkId, url, jsonRpcUrl, controlUrl, ended, stop } = node;
  const urls = { rpcUrl: url, serviceUrls: [jsonRpcUrl, url], controlUrl };
  return { networkId, ...urls, hasBlock: ({ hash }) => hasEvmBlock(node, hash), ended, stop };
}

/** Returns the Solana node as one of the sandbox's chains. */
export function localSolana(node: SolanaNode): LocalNode {
  const { networkId, url, controlUrl, ended, stop } = node;
  const urls = { rpcUrl: url, serviceUrls: [url], controlUrl };
  return { networkId, ...urls, hasBlock: (block) => hasSolanaBlock(node, block), ended, stop };
}

async function hasEvmBlock(node: Pick<EvmNode, "call">, hash: string): Promise<boolean> {
  return Block.parse(await node.call("eth_getBlockByHash", [hash, false])) !== null;
}

/** Returns true if the node has this block. The node returns errors for skipped and future slots. */
async function hasSolanaBlock(node: SolanaNode, { height, hash }: { height: number; hash: string }): Promise<boolean> {
  const options = { transactionDetails: "none", rewards: false, commitment: "confirmed" };
  try {
    return SolanaBlock.parse(await node.call("getBlock", [height, options]))?.blockhash === hash;
  } catch (error) {
    if (error instanceof Error && error.message.startsWith("getBlock:")) return false;
    throw error;
  }
}
