import { z } from "zod";
import type { Block } from "@/lib/domain/networks/finality";

const Hex = z.string().regex(/^0x[0-9a-f]*$/i);
const Hash = z
  .string()
  .regex(/^0x[0-9a-f]{64}$/i)
  .transform((text) => text.toLowerCase());
const Address = z
  .string()
  .regex(/^0x[0-9a-f]{40}$/i)
  .transform((text) => text.toLowerCase());
/** A quantity that fits a JavaScript integer: heights, indexes, seconds. */
const Quantity = z
  .string()
  .regex(/^0x[0-9a-f]{1,13}$/i)
  .transform(Number);

export const Height = Quantity;

/** A block header as a node serves it, without its transactions. */
export const Header = z.object({ number: Quantity, hash: Hash, parentHash: Hash, timestamp: Quantity }).transform(
  (header): Block => ({
    height: header.number,
    hash: header.hash,
    parentHash: header.parentHash,
    time: new Date(header.timestamp * 1_000),
  }),
);

/** A block's header with the ids of its transactions, which nodes give alone or as objects. */
export const BlockContent = z
  .object({ number: Quantity, hash: Hash, transactions: z.array(z.union([Hash, z.object({ hash: Hash })])) })
  .transform(({ number: height, hash, transactions }) => ({
    height,
    hash,
    txIds: transactions.map((one) => (typeof one === "string" ? one : one.hash)),
  }));
export type BlockContent = z.infer<typeof BlockContent>;

export const EvmLog = z.object({
  address: Address,
  topics: z.array(Hash),
  data: Hex.transform((text) => text.toLowerCase()),
  blockNumber: Quantity,
  blockHash: Hash,
  transactionHash: Hash,
  logIndex: Quantity,
  removed: z.boolean().optional(),
});
export type EvmLog = z.infer<typeof EvmLog>;

const ReceiptShape = z.object({
  transactionHash: Hash,
  transactionIndex: Quantity.optional(),
  blockHash: Hash,
  blockNumber: Quantity,
  status: Quantity.refine((status) => status === 0 || status === 1, "neither 0x0 nor 0x1"),
  logs: z.array(EvmLog),
});

export const EvmReceipt = ReceiptShape.refine(hasOwnLogs, {
  path: ["logs"],
  message: "transactionHash, blockHash, blockNumber or order of logIndex are not the receipt's, or removed is true",
});
export type EvmReceipt = z.infer<typeof EvmReceipt>;

function hasOwnLogs({ transactionHash, blockHash, blockNumber, logs }: z.infer<typeof ReceiptShape>): boolean {
  return logs.every((log, index) => {
    const isOwn = log.transactionHash === transactionHash && log.blockHash === blockHash;
    const before = index === 0 ? -1 : (logs[index - 1]?.logIndex ?? -1);
    return isOwn && log.blockNumber === blockNumber && log.removed !== true && log.logIndex > before;
  });
}

/** The answer of `decimals()`; empty where there is no contract. */
export const CallResult = Hex;

/** A number as JSON-RPC writes it. */
export function quantity(value: number): string {
  return `0x${value.toString(16)}`;
}
