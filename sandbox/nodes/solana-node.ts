import { startGuarded } from "@/sandbox/guarded-program";
import { type CallAll, jsonRpc, jsonRpcAll } from "@/sandbox/nodes/json-rpc";
import { solanaNode } from "@/sandbox/root";

export interface SolanaNode {
  networkId: "solana";
  /** The URL for Solana's JSON-RPC. */
  url: string;
  /** The URL for the calls named solana_…: see docs/sandbox.md. */
  controlUrl: string;
  /** The id of the process that owns the node. */
  pid: number;
  /** Sends a JSON-RPC call; solana_* go to the control URL. @throws Error with the node's message */
  call(method: string, params?: readonly unknown[]): Promise<unknown>;
  /** Sends many of Solana's own calls in few requests. */
  callAll: CallAll;
  /** Resolves when the node has ended, for any reason. */
  ended: Promise<void>;
  /** Stops the node, and preserves its chain if it has a folder. */
  stop(): Promise<void>;
}

interface SolanaNodeOptions {
  /** The milliseconds between slots; null: slots pass only when solana_advance is called. */
  slotMs: number | null;
  /** The folder that stores the chain between starts. Without it, every start creates a new chain. */
  folder?: string;
  /** The distances of `confirmed` and `finalized` from the head, in slots. */
  lag?: { confirmed: number; finalized: number };
}

const LAG = { confirmed: 1, finalized: 32 };

/**
 * Starts a Solana node with mainnet's genesis hash on a free loopback port, in a separate process, with USDC and USDT at their real mints.
 * The node ends with this process, even if this process is killed.
 */
export async function startSolanaNode({ slotMs, folder, lag = LAG }: SolanaNodeOptions): Promise<SolanaNode> {
  const settings = [
    String(slotMs ?? "manual"),
    String(lag.confirmed),
    String(lag.finalized),
    ...(folder ? [folder] : []),
  ];
  const args = [...solanaNode(), ...settings];
  const { address, ...program } = await startGuarded("The local Solana chain", process.execPath, args);
  const url = `http://${address}`;
  const controlUrl = `${url}/control`;
  const call = (method: string, params: readonly unknown[] = []) =>
    jsonRpc(method.startsWith("solana_") ? controlUrl : url, method, params);
  const callAll: CallAll = (calls) => jsonRpcAll(url, calls);
  return { networkId: "solana", url, controlUrl, call, callAll, ...program };
}
