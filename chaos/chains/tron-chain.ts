import type { ChaosChain } from "@/chaos/chains/chain";
import { openEvmChaosChain } from "@/chaos/chains/evm-chain";
import { tronLies } from "@/chaos/faults/tron-lies";
import type { Network } from "@/lib/domain/networks";
import { jsonRpc } from "@/sandbox/nodes/json-rpc";
import { startTronNode } from "@/sandbox/nodes/tron-node";
import { TRON_CHAIN, toBase58Address } from "@/sandbox/tron/network";

/** The solid block is so far behind the head. */
const SOLID_LAG = 8;

/** A TRON chain that mines only when told to, behind one endpoint of each kind. It pays and reorganises as the EVM node under it. */
export async function startTronChaosChain(network: Network): Promise<ChaosChain> {
  const node = await startTronNode({ blockMs: null, lag: { solid: SOLID_LAG, receipts: 1 } });
  const machine = {
    local: TRON_CHAIN,
    urls: [node.jsonRpcUrl, node.url],
    call: (method: string, params: readonly unknown[] = []) => jsonRpc(node.controlUrl, method, params),
    stop: node.stop,
  };
  return openEvmChaosChain(network, machine, {
    deepest: SOLID_LAG,
    depth: SOLID_LAG,
    rewrite: (call) => call,
    lies: tronLies,
    newAddress: toBase58Address,
  });
}
