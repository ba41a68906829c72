import type { ChaosChain } from "@/chaos/chains/chain";
import { openEvmChaosChain } from "@/chaos/chains/evm-chain";
import { BIG_PURSE } from "@/chaos/chains/evm-payers";
import { tronFalsifications } from "@/chaos/faults/tron-falsifications";
import type { Network } from "@/lib/domain/networks";
import { startEvmNode } from "@/sandbox/nodes/evm-node";
import { openTronNode } from "@/sandbox/nodes/tron-node";
import { TRON_CHAIN, toBase58Address } from "@/sandbox/tron/network";

/** The distance of the solid block from the head. */
const SOLID_LAG = 8;

interface TronChaosOptions {
  /** The number of accounts that are funded at a time. */
  purse?: number;
  /** Accounts that are funded to pay for one transaction each. */
  owners?: readonly string[];
}

/**
 * Starts a TRON chain that mines only on request, behind one endpoint of each kind. The underlying EVM node executes payments and reorgs.
 */
export async function startTronChaosChain(network: Network, options: TronChaosOptions = {}): Promise<ChaosChain> {
  const { purse = BIG_PURSE, owners = [] } = options;
  const evm = await startEvmNode(TRON_CHAIN, { blockMs: null });
  const node = await openTronNode(evm, { lag: { solid: SOLID_LAG, receipts: 1 } });
  const machine = { ...evm, local: TRON_CHAIN, urls: [node.jsonRpcUrl, node.url], stop: node.stop };
  return openEvmChaosChain(network, machine, {
    deepest: SOLID_LAG,
    depth: SOLID_LAG,
    purse,
    owners,
    rewrite: (call) => call,
    falsifications: tronFalsifications,
    newAddress: toBase58Address,
  });
}
