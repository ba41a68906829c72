import { z } from "zod";
import type { Block } from "@/lib/domain/block";

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

/** How many transactions a block has; nodes that speak for other chains leave the list out. */
export const TransactionCount = z
  .object({ transactions: z.array(z.unknown()).optional() })
  .transform(({ transactions }) => transactions?.length ?? null);

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

export const EvmReceipt = z.object({
  transactionHash: Hash,
  blockHash: Hash,
  blockNumber: Quantity,
  status: Quantity,
  logs: z.array(EvmLog),
});
export type EvmReceipt = z.infer<typeof EvmReceipt>;

/** The answer of `decimals()`; empty where there is no contract. */
export const CallResult = Hex;

/** A number as JSON-RPC writes it. */
export function quantity(value: number): string {
  return `0x${value.toString(16)}`;
}
