import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Network } from "@/lib/domain/networks";
import { anvilBinary } from "@/sandbox/anvil-binary";
import { jsonRpc } from "@/sandbox/json-rpc";
import { PAYERS_COUNT, PAYERS_MNEMONIC } from "@/sandbox/payers";
import { GUARDIAN } from "@/sandbox/root";
import { installTokens } from "@/sandbox/token/install";

export interface EvmNode {
  networkId: string;
  /** Takes eth_*, evm_* and anvil_* calls. */
  url: string;
  /** Process that owns the node. */
  pid: number;
  /** One JSON-RPC call. @throws Error with the node's words. */
  call(method: string, params?: readonly unknown[]): Promise<unknown>;
  /** Resolves when the node has ended, for whatever reason. */
  ended: Promise<void>;
  /** Stops the node; its chain is kept if it has a state file. */
  stop(): Promise<void>;
}

interface EvmNodeOptions {
  /** Milliseconds between blocks; null = a block only when evm_mine is called. */
  blockMs: number | null;
  /** Where the chain is kept between starts; without it every start is a new chain. */
  stateFile?: string;
}

/** Blocks whose state stays in memory: reorgs reach back this far. Without a limit anvil fills the disk. */
const STATES_KEPT = 300;
const SAVE_EVERY_S = 20;
const START_MS = 30_000;

/**
 * Starts a real EVM node with the network's chain id on a free loopback port, with its tokens at their real addresses.
 * `finalized` is four blocks behind the head. The node ends with this process, also when this process is killed.
 */
export async function startEvmNode(network: Network, options: EvmNodeOptions): Promise<EvmNode> {
  const guardian = spawn(process.execPath, [GUARDIAN, anvilBinary(), ...anvilArguments(network, options)], {
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  const ended = once(guardian, "exit").then(() => {});
  const url = await listeningUrl(guardian, network);
  const call = (method: string, params: readonly unknown[] = []) => jsonRpc(url, method, params);
  const stop = async () => {
    guardian.kill("SIGTERM");
    await ended;
  };
  try {
    await call("anvil_setLoggingEnabled", [false]);
    await installTokens(call, network);
  } catch (error) {
    await stop();
    throw error;
  }
  return { networkId: network.id, url, pid: guardian.pid ?? 0, call, ended, stop };
}

function anvilArguments(network: Network, { blockMs, stateFile }: EvmNodeOptions): string[] {
  const mining = blockMs === null ? ["--no-mining"] : ["--block-time", String(blockMs / 1_000)];
  const keeping = stateFile ? ["--state", stateFile, "--state-interval", String(SAVE_EVERY_S)] : [];
  return [
    ...["--port", "0", "--chain-id", String(network.chainId), "--slots-in-an-epoch", "2"],
    ...[
      "--prune-history",
      String(STATES_KEPT),
      "--mnemonic",
      PAYERS_MNEMONIC,
      "--accounts",
      String(PAYERS_COUNT),
      "--balance",
      "1000000",
    ],
    ...mining,
    ...keeping,
  ];
}

/** Waits for the line that names the port, then lets the rest of the output pass by. */
async function listeningUrl(guardian: ChildProcess, network: Network): Promise<string> {
  const errors: string[] = [];
  guardian.stderr?.setEncoding("utf8").on("data", (text: string) => errors.push(text.slice(0, 2_000)));
  if (!guardian.stdout) throw new Error("The local chain has no output to read");
  const lines = createInterface({ input: guardian.stdout });
  return await new Promise((resolve, reject) => {
    const fail = (why: string) => {
      guardian.kill("SIGTERM");
      reject(new Error(`The local chain of ${network.id} did not start: ${why}`));
    };
    const timer = setTimeout(() => fail(`no port after ${START_MS / 1_000} s`), START_MS);
    const onExit = (code: number | null) => fail(`it ended with code ${code}. ${errors.join("").trim()}`);
    guardian.once("exit", onExit);
    lines.on("line", (line) => {
      const address = /^Listening on ([\d.]+:\d+)/.exec(line)?.[1];
      if (!address) return;
      clearTimeout(timer);
      guardian.off("exit", onExit);
      resolve(`http://${address}`);
    });
  });
}
