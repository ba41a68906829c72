import type { Network } from "@/lib/domain/networks";
import { startGuarded } from "@/sandbox/guarded-program";
import { anvilBinary } from "@/sandbox/nodes/anvil-binary";
import { type CallAll, jsonRpc, jsonRpcAll } from "@/sandbox/nodes/json-rpc";
import { installTokens } from "@/sandbox/token/install";
import { PAYERS_COUNT, PAYERS_MNEMONIC } from "@/sandbox/wallets/payers";

export interface EvmNode {
  networkId: string;
  /** The URL for eth_*, evm_* and anvil_* calls. */
  url: string;
  /** The id of the process that owns the node. */
  pid: number;
  /** Sends a JSON-RPC call. @throws Error with the node's message */
  call(method: string, params?: readonly unknown[]): Promise<unknown>;
  /** Sends many calls in few requests. */
  callAll: CallAll;
  /** Resolves when the node has ended, for any reason. */
  ended: Promise<void>;
  /** Stops the node, and preserves its chain if it has a state file. */
  stop(): Promise<void>;
}

interface EvmNodeOptions {
  /** The milliseconds between blocks; null: blocks are mined only by evm_mine. */
  blockMs: number | null;
  /** The file that stores the chain between starts. Without it, every start creates a new chain. */
  stateFile?: string;
  /**
   * The number of blocks whose state stays in memory, which limits the depth of reorgs. Each stored state slows down every block of a long
   * chain.
   */
  statesKept?: number;
}

/** The default number of stored states. Without a limit, anvil fills the disk. */
const STATES_KEPT = 300;
/** The last hardfork without the contract that keeps the hashes of 8,191 blocks, all of which anvil hashes again at every block. */
const HARDFORK = "cancun";
const SAVE_EVERY_S = 20;

/** The properties of a network that its local chain needs. */
export type LocalChain = Pick<Network, "id" | "chainId" | "tokens" | "lookAlikes">;

/**
 * Starts a real EVM node with the network's chain id on a free loopback port, with its tokens at their real addresses. `finalized` is four
 * blocks behind the head. The node ends with this process, even if this process is killed.
 */
export async function startEvmNode(network: LocalChain, options: EvmNodeOptions): Promise<EvmNode> {
  const args = anvilArguments(network, options);
  const { address, ...program } = await startGuarded(`The local chain of ${network.id}`, anvilBinary(), args);
  const url = `http://${address}`;
  const call = (method: string, params: readonly unknown[] = []) => jsonRpc(url, method, params);
  const callAll: CallAll = (calls) => jsonRpcAll(url, calls);
  try {
    await call("anvil_setLoggingEnabled", [false]);
    await installTokens({ call, callAll }, network);
  } catch (error) {
    await program.stop();
    throw error;
  }
  return { networkId: network.id, url, call, callAll, ...program };
}

function anvilArguments(network: LocalChain, options: EvmNodeOptions): string[] {
  const { blockMs, stateFile, statesKept = STATES_KEPT } = options;
  const mining = blockMs === null ? ["--no-mining"] : ["--block-time", String(blockMs / 1_000)];
  const keeping = stateFile ? ["--state", stateFile, "--state-interval", String(SAVE_EVERY_S)] : [];
  return [
    ...["--port", "0", "--chain-id", network.chainId, "--hardfork", HARDFORK, "--slots-in-an-epoch", "2"],
    ...["--mnemonic", PAYERS_MNEMONIC, "--accounts", String(PAYERS_COUNT), "--balance", "1000000"],
    ...(statesKept > 0 ? ["--prune-history", String(statesKept)] : ["--prune-history"]),
    ...mining,
    ...keeping,
  ];
}
