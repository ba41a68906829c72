import * as z from "zod";

const TokenBalance = z.object({
  accountIndex: z.number(),
  mint: z.string(),
  owner: z.string(),
  programId: z.string(),
  uiTokenAmount: z.object({
    amount: z.string(),
    decimals: z.number(),
    uiAmount: z.number().nullable(),
    uiAmountString: z.string(),
  }),
});
export type TokenBalance = z.infer<typeof TokenBalance>;

const InnerInstructions = z.object({
  index: z.number(),
  instructions: z.array(
    z.object({ programIdIndex: z.number(), accounts: z.array(z.number()), data: z.string(), stackHeight: z.number() }),
  ),
});
export type InnerInstructions = z.infer<typeof InnerInstructions>;

const Loaded = z.object({ writable: z.array(z.string()), readonly: z.array(z.string()) });
export type Loaded = z.infer<typeof Loaded>;

const TransactionError = z.union([z.string(), z.record(z.string(), z.unknown())]);

/** The effects of a transaction, in the format of nodes' responses. */
const Meta = z.object({
  err: TransactionError.nullable(),
  fee: z.number(),
  preBalances: z.array(z.number()),
  postBalances: z.array(z.number()),
  preTokenBalances: z.array(TokenBalance),
  postTokenBalances: z.array(TokenBalance),
  innerInstructions: z.array(InnerInstructions),
  logMessages: z.array(z.string()),
  loadedAddresses: Loaded,
  computeUnitsConsumed: z.number(),
});
export type Meta = z.infer<typeof Meta>;

export const StoredTransaction = z.object({
  signature: z.string(),
  /** The bytes as sent, in base64. */
  raw: z.string(),
  meta: Meta,
});
/** A transaction in a block. */
export type StoredTransaction = z.infer<typeof StoredTransaction>;
