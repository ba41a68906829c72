import { encodeFunctionData, type Hex } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import * as z from "zod";
import { type LocalChain, type Payment, spread } from "@/bench/catch-up/local-day";
import { runUnbuilt } from "@/bench/catch-up/run-unbuilt";
import { canonicalAddress } from "@/lib/domain/addresses/address";
import type { Network } from "@/lib/domain/networks";
import { startEvmNode } from "@/sandbox/nodes/evm-node";
import { jsonRpc } from "@/sandbox/nodes/json-rpc";
import { TEST_TOKEN_ABI } from "@/sandbox/token/install";

/** A node and its control interface. */
interface Node {
  rpcUrl: string;
  call(method: string, params?: readonly unknown[]): Promise<unknown>;
  stop(): Promise<void>;
}

/** The number of unrelated accounts. It is small because anvil hashes every balance of a token again at each block. */
const STRANGERS = 5;
const GAS = "0x1d4c0";
const Accounts = z.tuple([z.string()], z.string());

/**
 * Starts a chain of a network that is read by blocks. It produces requested blocks as fast as the machine can.
 * @param blockMs if given, an EVM chain produces blocks by itself at this interval
 */
export async function startBlockChain(network: Network, blockMs: number | null = null): Promise<LocalChain> {
  const node = await (network.family === "tron" ? startTronProcess() : startEvmProcess(network, blockMs));
  const [payer] = Accounts.parse(await node.call("eth_accounts"));
  const strangers = Array.from({ length: STRANGERS }, newAddress);
  const tokens = network.tokens.map(({ contract }) => canonicalAddress(network.family, contract));

  async function transfer(index: number, to: string): Promise<Payment> {
    const baseUnits = BigInt(index + 1);
    const token = tokens[index % tokens.length];
    const data = encodeFunctionData({ abi: TEST_TOKEN_ABI, functionName: "transfer", args: [to as Hex, baseUnits] });
    const txId = await node.call("eth_sendTransaction", [{ from: payer, to: token, data, gas: GAS }]);
    return { txId: z.string().parse(txId), to, baseUnits };
  }

  return {
    rpcUrl: node.rpcUrl,
    newAddress,
    stop: node.stop,
    pay: transfer,
    pass: async (blocks, unixSeconds) => {
      // The node's own clock keeps running. If simulating a second takes longer than a second, the blocks already have later timestamps
      // than requested.
      await node.call("evm_setNextBlockTimestamp", [unixSeconds]).catch(ignoreEarlier);
      await node.call("anvil_mine", [`0x${blocks.toString(16)}`, "0x0"]);
    },
    passDay: (plan) =>
      spread(
        plan,
        async (index) => {
          await transfer(index, strangers[index % STRANGERS] ?? "");
          return transfer(index, plan.receivers[index % plan.receivers.length] ?? "");
        },
        (blocks) => node.call("anvil_mine", [`0x${blocks.toString(16)}`]),
      ),
  };
}

function ignoreEarlier(error: unknown): void {
  if (!String(error).includes("lower than previous block's timestamp")) throw error;
}

function newAddress(): string {
  return privateKeyToAddress(generatePrivateKey()).toLowerCase();
}

async function startEvmProcess(network: Network, blockMs: number | null): Promise<Node> {
  const { url: rpcUrl, call, stop } = await startEvmNode(network, { blockMs, statesKept: 0 });
  return { rpcUrl, call, stop };
}

async function startTronProcess(): Promise<Node> {
  const { address, stop } = await runUnbuilt("The local TRON chain", "catch-up/tron-node.ts");
  const call: Node["call"] = (method, params = []) => jsonRpc(`http://${address}/control`, method, params);
  return { rpcUrl: `http://${address}/jsonrpc`, call, stop };
}
