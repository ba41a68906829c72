import * as z from "zod";

export const Slot = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
/** The base58 form of 32 bytes: addresses and hashes. */
const KEY = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
const Key = z.string().regex(KEY);
export const Signature = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/);
const Seconds = z
  .number()
  .int()
  .transform((seconds) => new Date(seconds * 1_000));

/** A block without its transactions; its height is its slot, as everywhere in Stablegate. */
const blockShape = { blockhash: Key, previousBlockhash: Key, parentSlot: Slot, blockTime: Seconds };
export const SolanaHeader = z.object(blockShape);

const ABOVE_U64 = 2n ** 64n;
const U64 = z
  .string()
  .regex(/^\d{1,20}$/, { abort: true })
  .refine((text) => BigInt(text) < ABOVE_U64, "exceeds 64 bits");

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
const Failure = z.custom<null | string | Readonly<Record<string, unknown>>>(
  (value) => typeof value === "string" || (typeof value === "object" && !Array.isArray(value)),
  "neither null, a string nor an object",
);

/** A list whose elements are checked elsewhere, or not used. A block contains tens of thousands of them. */
const List = z.custom<readonly unknown[]>(Array.isArray, "not a list");

/**
 * The effects of a transaction. Nodes that do not record balances leave some fields out: such a response proves nothing
 * about payments.
 */
const Meta = z.object({
  err: Failure,
  /** A balance for each account. */
  preBalances: List.optional(),
  preTokenBalances: z.array(TokenBalance),
  postTokenBalances: z.array(TokenBalance),
  loadedAddresses: z.object({ writable: z.array(Key), readonly: z.array(Key) }).nullish(),
});

/** The keys of accounts, given as strings or as objects; `isPlain` is true if all are strings. */
interface AccountKeys {
  keys: string[];
  isPlain: boolean;
}

const AccountKeys = List.transform((given, context): AccountKeys => {
  const read = readKeys(given);
  if (read) return read;
  context.addIssue("an account key is not the base58 form of 32 bytes");
  return z.NEVER;
});

const signatures = z.array(Signature).min(1);
const Body = z.union([
  z.object({ signatures, accountKeys: AccountKeys }),
  z.object({ signatures, message: z.object({ accountKeys: AccountKeys }) }),
]);

/**
 * A transaction in any of the forms `json`, `jsonParsed` and `accounts`, with its account keys in the order of the
 * indexes.
 */
export const SolanaTransaction = z
  .object({ meta: Meta, transaction: Body })
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
  { keys, isPlain }: AccountKeys,
  loaded: { writable: string[]; readonly: string[] } | null | undefined,
): string[] {
  return isPlain && loaded ? [...keys, ...loaded.writable, ...loaded.readonly] : keys;
}

/** Reads account keys without zod, whose unions take several times as long. Returns null if one of them is malformed. */
function readKeys(given: readonly unknown[]): AccountKeys | null {
  let isPlain = true;
  const keys: string[] = [];
  for (const one of given) {
    if (typeof one !== "string") isPlain = false;
    const key = typeof one === "object" && one !== null && "pubkey" in one ? one.pubkey : one;
    if (typeof key !== "string" || !KEY.test(key)) return null;
    keys.push(key);
  }
  return { keys, isPlain };
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
