import type { ChaosChain } from "@/chaos/chains/chain";
import { openEvmChaosChain } from "@/chaos/chains/evm-chain";
import { BIG_PURSE } from "@/chaos/chains/evm-payers";
import { evmFalsifications, quantity } from "@/chaos/faults/evm-falsifications";
import type { Rewrite } from "@/chaos/faults/fault-proxy";
import { DEPLOYMENT_PROXY, FACTORY_DEPLOYMENT, RECEIVER_FACTORY } from "@/lib/domain/addresses/receiver";
import type { Network } from "@/lib/domain/networks";
import { type EvmNode, startEvmNode } from "@/sandbox/nodes/evm-node";

const UNUSED_ADDRESS = `0x${"0b".repeat(20)}`;
/** The distance of the `finalized` tag from the head, on chains whose finality is defined by the tag. */
const TAG_LAG = 8;
/**
 * The distance of the `finalized` tag below the finality depth, on chains whose finality is defined by a depth. As on the real chains, the
 * tag is well below that depth.
 */
const TAG_BELOW_DEPTH = 4;
/** The deepest reorg on chains with time-based finality, where many fast blocks are replaced at the same time. */
const DEEPEST_BY_TIME = 60;

interface EvmChaosOptions {
  endpoints?: number;
  /** The number of accounts that are funded at a time. */
  purse?: number;
  /** Accounts that are funded to pay for one transaction each. */
  owners?: readonly string[];
  /** True if the receiver factory is deployed. */
  hasReceivers?: boolean;
}

/** Starts an EVM chain that mines only on request, behind several endpoints. */
export async function startEvmChaosChain(network: Network, options: EvmChaosOptions = {}): Promise<ChaosChain> {
  const { endpoints = 2, purse = BIG_PURSE, owners = [], hasReceivers = false } = options;
  const node = await startEvmNode(network, { blockMs: null });
  if (hasReceivers) await deployFactory(node);
  const isByDepth = network.finality.by === "depth";
  const { call, callAll, stop } = node;
  const machine = { local: network, urls: Array<string>(endpoints).fill(node.url), call, callAll, stop };
  const depth = isByDepth ? network.finality.depth - 1 : TAG_LAG;
  const finalMs = (isByDepth && network.finality.ms) || 0;
  const deepest = finalMs > 0 ? DEEPEST_BY_TIME : depth;
  const below = isByDepth ? TAG_BELOW_DEPTH : 0;
  // The node's own `finalized` tag is only four blocks behind its head.
  const rewrite: Rewrite = (call) => {
    if (call.params[0] !== "finalized") return call;
    return { ...call, params: [quantity(Math.max(0, chain.minHeight - below)), ...call.params.slice(1)] };
  };
  const chain = await openEvmChaosChain(network, machine, {
    deepest,
    depth,
    finalMs,
    purse,
    owners,
    rewrite,
    falsifications: evmFalsifications,
    newAddress: (hex) => hex,
  });
  return chain;
}

/** Deploys the factory from an unrelated account, in a block that no reorg can reach. */
async function deployFactory({ call, stop }: EvmNode): Promise<void> {
  try {
    await call("anvil_impersonateAccount", [UNUSED_ADDRESS]);
    await call("anvil_setBalance", [UNUSED_ADDRESS, quantity(10 ** 18)]);
    const deployment = {
      from: UNUSED_ADDRESS,
      to: DEPLOYMENT_PROXY,
      data: FACTORY_DEPLOYMENT,
      gas: quantity(2_000_000),
    };
    await call("eth_sendTransaction", [deployment]);
    await call("anvil_mine", [quantity(1)]);
    if ((await call("eth_getCode", [RECEIVER_FACTORY, "latest"])) === "0x") throw new Error("The factory is missing");
  } catch (error) {
    await stop();
    throw error;
  }
}
