import * as z from "zod";
import type { EvmNode } from "@/sandbox/nodes/evm-node";
import { blockId, heightOf } from "@/sandbox/tron/network";

const Quantity = z
  .string()
  .regex(/^0x[0-9a-f]+$/)
  .transform(Number);
const Sum = z
  .string()
  .regex(/^0x[0-9a-f]+$/)
  .transform(BigInt);

const EvmTransaction = z.object({
  hash: z.string(),
  from: z.string(),
  to: z.string().nullable(),
  input: z.string(),
  value: Sum,
  gas: Quantity,
  transactionIndex: Quantity.nullable(),
});
export type EvmTransaction = z.infer<typeof EvmTransaction>;

const EvmBlock = z.object({
  number: Quantity,
  hash: z.string(),
  parentHash: z.string(),
  timestamp: Quantity,
  miner: z.string(),
  transactionsRoot: z.string(),
  gasUsed: z.string(),
  gasLimit: z.string(),
  size: z.string(),
  transactions: z.array(EvmTransaction),
});
export type EvmBlock = z.infer<typeof EvmBlock>;

const EvmLog = z.object({
  address: z.string(),
  topics: z.array(z.string()),
  data: z.string(),
  blockNumber: Quantity,
  blockHash: z.string(),
  transactionHash: z.string(),
  transactionIndex: z.string(),
  logIndex: z.string(),
});
export type EvmLog = z.infer<typeof EvmLog>;

const EvmReceipt = z.object({
  transactionHash: z.string(),
  transactionIndex: z.string(),
  blockHash: z.string(),
  blockNumber: Quantity,
  from: z.string(),
  to: z.string().nullable(),
  contractAddress: z.string().nullish(),
  status: z.string().transform((status) => status === "0x1"),
  gasUsed: Quantity,
  cumulativeGasUsed: z.string(),
  logs: z.array(EvmLog),
});
export type EvmReceipt = z.infer<typeof EvmReceipt>;

export interface ChainLag {
  /** The number of blocks between the head and the solid block. */
  solid: number;
  /** The number of newest blocks whose receipts and logs are not available yet. */
  receipts: number;
}

/** The blocks of the EVM node behind the TRON node, and the lag with which TRON shows them. */
export class EvmChain {
  readonly node: EvmNode;
  lag: ChainLag;

  constructor(node: EvmNode, lag: ChainLag) {
    this.node = node;
    this.lag = lag;
  }

  async head(): Promise<number> {
    return Quantity.parse(await this.node.call("eth_blockNumber"));
  }

  async solid(): Promise<number> {
    return Math.max(0, (await this.head()) - this.lag.solid);
  }

  /** Returns the height of the newest block with receipts. */
  async receiptHead(): Promise<number> {
    return Math.max(0, (await this.head()) - this.lag.receipts);
  }

  async block(height: number): Promise<EvmBlock | null> {
    const block = await this.node.call("eth_getBlockByNumber", [toQuantity(height), true]);
    return EvmBlock.nullable().parse(block);
  }

  /** Returns the block with a TRON id, or null if the chain has a different block at that height. */
  async blockById(id: string): Promise<EvmBlock | null> {
    const height = heightOf(id);
    const block = Number.isSafeInteger(height) ? await this.block(height) : null;
    return block && blockId(block.number, block.hash) === id.replace(/^0x/, "") ? block : null;
  }

  async transaction(hash: string): Promise<EvmTransaction | null> {
    return EvmTransaction.nullable().parse(await this.node.call("eth_getTransactionByHash", [hash]));
  }

  /** Returns a transaction's receipt, or null if it is not available yet. */
  async receipt(hash: string): Promise<EvmReceipt | null> {
    const receipt = EvmReceipt.nullable().parse(await this.node.call("eth_getTransactionReceipt", [hash]));
    return receipt && receipt.blockNumber <= (await this.receiptHead()) ? receipt : null;
  }

  /** Returns all receipts of a block, including those that the TRON node does not serve yet. */
  async receipts(height: number): Promise<EvmReceipt[]> {
    return EvmReceipt.array().parse((await this.node.call("eth_getBlockReceipts", [toQuantity(height)])) ?? []);
  }

  async logs(filter: { from: number; to: number; address?: unknown; topics?: unknown }): Promise<EvmLog[]> {
    const { from, to, ...rest } = filter;
    const range = { fromBlock: toQuantity(from), toBlock: toQuantity(to) };
    return EvmLog.array().parse(await this.node.call("eth_getLogs", [{ ...rest, ...range }]));
  }

  /** Returns the balance of an address in wei. */
  async balance(address: string): Promise<bigint> {
    return Sum.parse(await this.node.call("eth_getBalance", [address, "latest"]));
  }
}

/** Returns a number in JSON-RPC's hex format. */
export function toQuantity(value: number | bigint): string {
  return `0x${value.toString(16)}`;
}
