import { z } from "zod";

export const Slot = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
/** The base58 form of 32 bytes: addresses and hashes. */
const Key = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
export const Signature = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/);
const Seconds = z
  .number()
  .int()
  .transform((seconds) => new Date(seconds * 1_000));

/** A block without its transactions; its height is its slot, as everywhere in Stablegate. */
const blockShape = { blockhash: Key, previousBlockhash: Key, parentSlot: Slot, blockTime: Seconds };
export const SolanaHeader = z.object(blockShape);

const U64 = z
  .string()
  .regex(/^\d{1,20}$/, { abort: true })
  .refine((text) => BigInt(text) < 2n ** 64n, "exceeds 64 bits");

const TokenBalance = z.object({
  accountIndex: z.number().int().min(0),
  mint: Key,
  /** The owner of the account, absent in data that nodes recorded before September 2021. */
  owner: Key.nullish(),
  uiTokenAmount: z.object({ amount: U64 }),
});
export type TokenBalance = z.infer<typeof TokenBalance>;

/**
 * The error of a failed transaction: a string, or an object with details; null if it succeeded. The field is required.
 */
const Failure = z.union([z.null(), z.string(), z.record(z.string(), z.unknown())]);

/**
 * The effects of a transaction. Nodes that do not record balances leave some fields out: such a response proves nothing
 * about payments.
 */
const Meta = z.object({
  err: Failure,
  /** A balance for each account. */
  preBalances: z.array(z.unknown()).optional(),
  preTokenBalances: z.array(TokenBalance),
  postTokenBalances: z.array(TokenBalance),
  loadedAddresses: z.object({ writable: z.array(Key), readonly: z.array(Key) }).nullish(),
});

const AccountKey = z.union([Key, z.object({ pubkey: Key })]);
const body = z.union([
  z.object({ signatures: z.array(Signature).min(1), message: z.object({ accountKeys: z.array(AccountKey) }) }),
  z.object({ signatures: z.array(Signature).min(1), accountKeys: z.array(AccountKey) }),
]);

/**
 * A transaction in any of the forms `json`, `jsonParsed` and `accounts`, with its account keys in the order of the
 * indexes.
 */
export const SolanaTransaction = z
  .object({ meta: Meta, transaction: body })
  .transform(({ meta, transaction }, context) => {
    const given = "message" in transaction ? transaction.message.accountKeys : transaction.accountKeys;
    const accountKeys = allKeys(given, meta.loadedAddresses);
    if ((meta.preBalances ?? accountKeys).length !== accountKeys.length)
      context.addIssue("accountKeys: the number of accounts differs from the number of preBalances");
    return {
      signature: transaction.signatures[0] ?? "",
      isSuccess: meta.err === null,
      accountKeys,
      before: meta.preTokenBalances,
      after: meta.postTokenBalances,
    };
  })
  .refine(
    hasItsAccounts,
    "accountIndex: a balance of an account that is not in the transaction, or two balances of one account",
  );
export type SolanaTransaction = z.infer<typeof SolanaTransaction>;

/**
 * Returns all account keys. Keys given as objects are complete; keys given as strings are those of the message, followed by those loaded
 * from lookup tables.
 */
function allKeys(
  given: readonly z.infer<typeof AccountKey>[],
  loaded: { writable: string[]; readonly: string[] } | null | undefined,
): string[] {
  const keys = given.map((key) => (typeof key === "string" ? key : key.pubkey));
  const isPlain = given.every((key) => typeof key === "string");
  return isPlain && loaded ? [...keys, ...loaded.writable, ...loaded.readonly] : keys;
}

function hasItsAccounts(sent: { accountKeys: string[]; before: TokenBalance[]; after: TokenBalance[] }): boolean {
  return [sent.before, sent.after].every((balances) => {
    const indexes = new Set(balances.map(({ accountIndex }) => accountIndex));
    return indexes.size === balances.length && balances.every(({ accountIndex: at }) => at < sent.accountKeys.length);
  });
}

/** A block with its transactions. */
export const SolanaBlock = z.object({ ...blockShape, transactions: z.array(SolanaTransaction) });
export type SolanaBlock = z.infer<typeof SolanaBlock>;

/** A transaction in the response to a request by signature. */
export const IncludedTransaction = z.intersection(z.object({ slot: Slot }), SolanaTransaction);
export type IncludedTransaction = z.infer<typeof IncludedTransaction>;

/** The token accounts of an owner, without their content. */
export const TokenAccounts = z.object({ value: z.array(z.object({ pubkey: Key })) });

/** An entry of an account's history; nodes return the newest first. */
export const HistoryEntry = z.object({ signature: Signature, slot: Slot.min(1), err: Failure });
export type HistoryEntry = z.infer<typeof HistoryEntry>;
