import { type EvmNode, startEvmNode } from "@/sandbox/nodes/evm-node";
import { jsonRpc } from "@/sandbox/nodes/json-rpc";
import { type ChainLag, EvmChain } from "@/sandbox/tron/evm-chain";
import { TRON_CHAIN } from "@/sandbox/tron/network";
import { serveTron } from "@/sandbox/tron/serve";
import { TransactionBook } from "@/sandbox/tron/transaction-book";

export interface TronNode {
  networkId: "tron";
  /** The URL for /wallet/* and /walletsolidity/*. */
  url: string;
  /** The URL of TRON's variant of Ethereum's JSON-RPC. */
  jsonRpcUrl: string;
  /** The URL for tron_mine, tron_reorg, tron_setLag, tron_setBalance and the EVM node's own anvil_*, eth_*, evm_*. */
  controlUrl: string;
  /** The id of the process that owns the chain. */
  pid: number;
  /** Sends a JSON-RPC call; tron_*, anvil_* and evm_* go to the control URL. @throws Error with the node's message */
  call(method: string, params?: readonly unknown[]): Promise<unknown>;
  /** Resolves when the chain has ended, for any reason. */
  ended: Promise<void>;
  /** Stops the node, and preserves its chain if it has a state file. */
  stop(): Promise<void>;
}

interface TronNodeOptions {
  /** The milliseconds between blocks; null: blocks are mined only by tron_mine. */
  blockMs: number | null;
  /** The file that stores the chain between starts. Without it, every start creates a new chain. */
  stateFile?: string;
  /** The number of blocks whose state stays in memory, as for an EVM node. */
  statesKept?: number;
  lag?: ChainLag;
}

/** The lag of the real chain: a block is solid when 19 of 27 producers built on it; the newest block's receipts are available a block later. */
const LAG: ChainLag = { solid: 19, receipts: 1 };
const CONTROL = /^(tron|anvil|evm)_/;

/** Starts a TRON node with mainnet's chain id on a free loopback port, with USDT at its real address. */
export async function startTronNode({ lag = LAG, ...options }: TronNodeOptions): Promise<TronNode> {
  const evm = await startEvmNode(TRON_CHAIN, options);
  const { stateFile } = options;
  try {
    return await openTronNode(evm, { lag, ...(stateFile ? { bookFile: `${stateFile}.transactions.jsonl` } : {}) });
  } catch (error) {
    await evm.stop();
    throw error;
  }
}

interface FaceOptions {
  /** The file with the transactions that were sent through TRON's API, beside the chain's state. */
  bookFile?: string;
  lag?: ChainLag;
}

/** Serves a running EVM node as a TRON node. Stopping the TRON node stops both. */
export async function openTronNode(evm: EvmNode, { bookFile, lag = LAG }: FaceOptions): Promise<TronNode> {
  await evm.call("anvil_autoImpersonateAccount", [true]);
  const chain = new EvmChain(evm, lag);
  // TRON transactions reference a block by its number. The first block has no number, so at least one more block must exist.
  if ((await chain.head()) === 0) await evm.call("anvil_mine", ["0x1"]);
  const server = await serveTron(chain, new TransactionBook(bookFile ?? null), risingClock());
  const controlUrl = `${server.url}/control`;
  const jsonRpcUrl = `${server.url}/jsonrpc`;
  return {
    networkId: "tron",
    url: server.url,
    jsonRpcUrl,
    controlUrl,
    pid: evm.pid,
    call: (method, params = []) => jsonRpc(CONTROL.test(method) ? controlUrl : jsonRpcUrl, method, params),
    ended: evm.ended,
    stop: async () => {
      await server.close();
      await evm.stop();
    },
  };
}

/** Returns a clock whose times strictly increase. Two equal times would make otherwise identical transactions indistinguishable. */
function risingClock(): () => number {
  let last = 0;
  return () => {
    last = Math.max(last + 1, Date.now());
    return last;
  };
}
