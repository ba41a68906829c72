import type { NodeProtocol, RpcCall } from "@/lib/chains/endpoints/rpc";
import { ChainError } from "@/lib/chains/endpoints/source";
import { EVM_PROTOCOL } from "@/lib/chains/evm/protocol";
import type { Block } from "@/lib/domain/networks/finality";
import type { Included, ScriptedChain, SentTransfer } from "@/testing/properties/scripted-chain";

/**
 * A fault of one endpoint. `silent`: it does not respond; `behind`: it lacks the newest blocks; `falseTime`: the headers of blocks that
 * contain transactions have a wrong timestamp; `falseReceipt`: receipts show twice the amount; `noReceipt`: there are no receipts.
 */
export type Fault =
  | { kind: "silent" | "falseReceipt" | "noReceipt" }
  | { kind: "behind"; blocks: number }
  | { kind: "falseTime"; seconds: number };

/** keccak256("Transfer(address,address,uint256)") */
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const PUBLIC_URL = "http://endpoint";

/** The URLs of a chain's two endpoints. No server listens there; this process responds to their calls. */
export const ENDPOINT_URLS = [`${PUBLIC_URL}-1.test`, `${PUBLIC_URL}-2.test`] as const;

/** Returns the JSON-RPC methods of EVM nodes for a scripted chain. @param faultOf returns the current fault of an endpoint, by its index */
export function scriptedMethods(chain: ScriptedChain, faultOf: (endpoint: number) => Fault | null): NodeProtocol {
  return {
    ...EVM_PROTOCOL,
    callOf: () => async (url, call) => {
      const endpoint = ENDPOINT_URLS.findIndex((one) => url.startsWith(one));
      return answer(chain, faultOf(endpoint), call);
    },
  };
}

function answer(chain: ScriptedChain, fault: Fault | null, { method, params }: RpcCall): unknown {
  if (fault?.kind === "silent") throw new ChainError("unavailable", `${method}: no response within 8000 ms`);
  const node = new Node(chain, fault);
  const [first] = params;
  switch (method) {
    case "eth_chainId":
      return quantity(Number(chain.network.chainId));
    case "eth_getBlockByNumber":
      return node.header(node.blockAt(String(first)));
    case "eth_getBlockByHash":
      return node.header(node.known(chain.blockByHash(String(first))));
    case "eth_getLogs":
      return node.logs(first as LogFilter);
    case "eth_getTransactionReceipt":
      return node.receipt(String(first));
    case "eth_call":
      return node.decimals((first as { to: string }).to);
    default:
      throw new ChainError("refused", `${method}: the method is not supported (-32601)`, { code: -32601 });
  }
}

interface LogFilter {
  blockHash?: string;
  fromBlock?: string;
  toBlock?: string;
  address: readonly string[];
  topics: readonly (string | readonly string[] | null)[];
}

/** One endpoint's view of the chain. */
class Node {
  readonly #chain: ScriptedChain;
  readonly #fault: Fault | null;

  constructor(chain: ScriptedChain, fault: Fault | null) {
    this.#chain = chain;
    this.#fault = fault;
  }

  get #height(): number {
    return this.#chain.height - (this.#fault?.kind === "behind" ? this.#fault.blocks : 0);
  }

  blockAt(tag: string): Block | null {
    if (tag === "latest") return this.#chain.block(this.#height);
    if (tag !== "finalized") return this.known(this.#chain.block(Number(tag)));
    const { finality } = this.#chain.network;
    if (finality.by === "depth") throw new ChainError("refused", "finalized: unknown tag (-32602)", { code: -32602 });
    return this.#chain.block(Math.max(0, this.#height - finality.depth));
  }

  /** Returns the block if the endpoint has it. */
  known(block: Block | null): Block | null {
    return block && block.height <= this.#height ? block : null;
  }

  header(block: Block | null): unknown {
    if (block === null) return null;
    const { height, hash, parentHash, time } = block;
    const included = this.#chain.contents(height);
    const shift = this.#fault?.kind === "falseTime" && included.length > 0 ? this.#fault.seconds : 0;
    return {
      number: quantity(height),
      hash,
      parentHash,
      timestamp: quantity(time.getTime() / 1_000 + shift),
      transactions: included.map(({ transaction }) => transaction.id),
    };
  }

  logs({ blockHash, fromBlock, toBlock, address, topics }: LogFilter): unknown {
    const single = blockHash === undefined ? null : this.known(this.#chain.blockByHash(blockHash));
    if (blockHash !== undefined && single === null) throw new ChainError("inconsistent", "unknown block (-32000)");
    const [from, to] = single ? [single.height, single.height] : [Number(fromBlock), Number(toBlock)];
    const receivers = topics[2];
    return this.#chain
      .filledHeights(from, Math.min(to, this.#height))
      .flatMap((height) => this.#chain.contents(height))
      .flatMap((included) => included.transaction.sends.map((sent, index) => toLog(included, sent, index)))
      .filter((log) => address.includes(log.address))
      .filter((log) => !Array.isArray(receivers) || receivers.includes(log.topics[2] ?? ""));
  }

  receipt(txId: string): unknown {
    const included = this.#fault?.kind === "noReceipt" ? null : this.#chain.find(txId);
    if (!included || !this.known(included.block)) return null;
    const times = this.#fault?.kind === "falseReceipt" ? 2n : 1n;
    const { block, transaction } = included;
    return {
      transactionHash: txId,
      blockHash: block.hash,
      blockNumber: quantity(block.height),
      status: "0x1",
      logs: transaction.sends.map((sent, index) =>
        toLog(included, { ...sent, baseUnits: sent.baseUnits * times }, index),
      ),
    };
  }

  decimals(contract: string): string {
    const token = this.#chain.network.tokens.find((one) => one.contract.toLowerCase() === contract.toLowerCase());
    return token ? `0x${token.decimals.toString(16).padStart(64, "0")}` : "0x";
  }
}

function toLog({ transaction, block, firstLogIndex }: Included, sent: SentTransfer, index: number) {
  return {
    address: sent.token,
    topics: [TRANSFER, word(sent.from), word(sent.to)],
    data: `0x${sent.baseUnits.toString(16).padStart(64, "0")}`,
    blockNumber: quantity(block.height),
    blockHash: block.hash,
    transactionHash: transaction.id,
    logIndex: quantity(firstLogIndex + index),
    removed: false,
  };
}

const word = (address: string) => `0x${address.slice(2).padStart(64, "0")}`;
const quantity = (value: number) => `0x${value.toString(16)}`;
