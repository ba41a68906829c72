import { evmFalsifications } from "@/chaos/faults/evm-falsifications";
import type { Random } from "@/chaos/plan/random";
import { canonicalAddress } from "@/lib/domain/addresses/address";
import type { Network } from "@/lib/domain/networks";
import { RpcProblem } from "@/sandbox/nodes/json-rpc-answer";
import { FAKE_TOKEN } from "@/sandbox/token/install";
import {
  asTestChain,
  type ScriptedBlock,
  ScriptedChain,
  type ScriptedFamily,
  type ScriptedTransaction,
} from "@/testing/chains/scripted/scripted-chain";
import { serveScript } from "@/testing/chains/scripted/serve-script";

const PAYER = `0x${"9a".repeat(20)}`;
/** keccak256("Transfer(address,address,uint256)") */
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const TAG_LAG = 8;
const MAX_RANGE = 2_000;

interface LogFilter {
  blockHash?: string;
  fromBlock?: string;
  toBlock?: string;
  address: readonly string[];
  topics: readonly (string | readonly string[] | null)[];
}

/** The parts of a scripted family that EVM and TRON have in common. */
export function hexFamily(chainId: string): Pick<ScriptedFamily, "hashOf" | "txIdOf" | "strangeToken" | "positionsOf"> {
  return {
    // TRON's block ids begin with the height, and the first one ends with the chain id.
    hashOf: (height, seed) => {
      const rest = height === 0 ? Number(chainId).toString(16) : seed.toString(16);
      return `0x${height.toString(16).padStart(16, "0")}${rest.padStart(48, "0")}`;
    },
    txIdOf: (number) => `0x${number.toString(16).padStart(64, "7")}`,
    strangeToken: FAKE_TOKEN,
    positionsOf: ({ transfers }) =>
      transfers.map(({ token }, index) => {
        const ordinal = transfers.slice(0, index).filter((one) => one.token === token).length;
        return `${token}:${ordinal}`;
      }),
  };
}

export const hexAddress = (random: Random) =>
  `0x${Array.from({ length: 40 }, () => random.int(0, 15).toString(16)).join("")}`;

/** Starts two scripted nodes of one EVM chain. */
export async function startScriptedEvm(network: Network) {
  const { finality } = network;
  const isByDepth = finality.by === "depth";
  const finalLag = isByDepth ? finality.depth - 1 : TAG_LAG;
  const chain: ScriptedChain = new ScriptedChain(
    network,
    {
      ...hexFamily(network.chainId),
      newAddress: hexAddress,
      finalLag,
      finalMs: (isByDepth && finality.ms) || 0,
      deepest: finalLag,
      noises: ["fakeToken", "lookAlike", "zero", "failed"],
      falsifications: evmFalsifications,
    },
    PAYER,
  );
  const node = await serveScript(({ method, params }) => answerEvm(chain, method, params));
  return asTestChain(chain, [node.url, node.url], node.stop);
}

/**
 * Returns an EVM node's response to a JSON-RPC call.
 * @param receiptLag the number of blocks by which receipts and logs lag behind their block
 */
export function answerEvm(
  chain: ScriptedChain,
  method: string,
  [first, isFull]: readonly unknown[],
  receiptLag = 0,
): unknown {
  const hasReceipts = (block: ScriptedBlock | null) => block !== null && block.height <= chain.height - receiptLag;
  switch (method) {
    case "eth_chainId":
      return quantity(Number(chain.network.chainId));
    case "eth_blockNumber":
      return quantity(chain.height);
    case "eth_getBlockByNumber":
      return header(blockAt(chain, String(first)), isFull === true);
    case "eth_getBlockByHash":
      return header(chain.blockByHash(String(first)), isFull === true);
    case "eth_getLogs":
      return logsOf(chain, first as LogFilter, hasReceipts);
    case "eth_getTransactionReceipt": {
      const found = chain.find(String(first));
      return found && hasReceipts(found.block) ? receipt(found.block, found.transaction) : null;
    }
    case "eth_call":
      return decimals(chain.network, (first as { to: string }).to);
    default:
      throw new RpcProblem(-32601, `the method ${method} does not exist/is not available`);
  }
}

function blockAt(chain: ScriptedChain, at: string): ScriptedBlock | null {
  if (at === "latest") return chain.newest;
  return chain.block(at === "finalized" ? chain.minHeight : Number(at));
}

function header(block: ScriptedBlock | null, isFull: boolean): unknown {
  if (block === null) return null;
  const { height, hash, parentHash, time, transactions } = block;
  return {
    number: quantity(height),
    hash,
    parentHash,
    timestamp: quantity(time.getTime() / 1_000),
    transactions: transactions.map(({ id }) => (isFull ? { hash: id } : id)),
  };
}

function logsOf(chain: ScriptedChain, filter: LogFilter, hasReceipts: (block: ScriptedBlock | null) => boolean) {
  const { blockHash, fromBlock, toBlock, address, topics } = filter;
  const single = blockHash === undefined ? null : chain.blockByHash(blockHash);
  if (blockHash !== undefined && single === null) throw new RpcProblem(-32000, "unknown block");
  const [from, to] = single ? [single.height, single.height] : [Number(fromBlock), Number(toBlock)];
  if (to - from >= MAX_RANGE) throw new RpcProblem(-32005, `query exceeds max block range of ${MAX_RANGE}`);
  const [, sender, receivers] = topics;
  const isWanted = (wanted: LogFilter["topics"][number] | undefined, topic: string) =>
    wanted == null || (typeof wanted === "string" ? wanted === topic : wanted.includes(topic));
  return chain.blocks
    .filter((block) => block.height >= from && block.height <= to && hasReceipts(block))
    .flatMap((block) => block.transactions.flatMap((transaction) => receipt(block, transaction).logs))
    .filter((log) => address.includes(log.address) && isWanted(sender, log.topics[1] ?? ""))
    .filter((log) => isWanted(receivers, log.topics[2] ?? ""));
}

/** Returns a receipt; a failed transaction has no logs. */
export function receipt(block: ScriptedBlock, transaction: ScriptedTransaction) {
  const { hash: blockHash, height, transactions } = block;
  const index = transactions.indexOf(transaction);
  const firstLog = transactions.slice(0, index).reduce((sum, one) => sum + moved(one).length, 0);
  const cursor = { blockHash, blockNumber: quantity(height), transactionHash: transaction.id };
  return {
    ...cursor,
    transactionIndex: quantity(index),
    status: transaction.isSuccess ? "0x1" : "0x0",
    logs: moved(transaction).map(({ token, from, to, baseUnits }, at) => ({
      ...cursor,
      address: token,
      topics: [TRANSFER, word(from), word(to)],
      data: `0x${baseUnits.toString(16).padStart(64, "0")}`,
      logIndex: quantity(firstLog + at),
      removed: false,
    })),
  };
}

function moved({ isSuccess, transfers }: ScriptedTransaction) {
  return isSuccess ? transfers : [];
}

/** Returns the response of `decimals()`; "0x" if there is no contract. */
export function decimals(network: Network, contract: string): string {
  const known = [...network.tokens, ...network.lookAlikes].find(
    (one) => canonicalAddress(network.family, one.contract) === contract.toLowerCase(),
  );
  return known ? `0x${known.decimals.toString(16).padStart(64, "0")}` : "0x";
}

const word = (address: string) => `0x${address.slice(2).padStart(64, "0")}`;
const quantity = (value: number) => `0x${value.toString(16)}`;
