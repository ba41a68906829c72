import { toBase58 } from "@/sandbox/solana/kit";
import { type Manners, shownVersion } from "@/sandbox/solana/rpc/age";
import { solanaError } from "@/sandbox/solana/rpc/answer-error";
import type { Config } from "@/sandbox/solana/rpc/params";
import { accountKeys, keyRoles, readTransaction, type SentTransaction } from "@/sandbox/solana/transactions/message";
import type { StoredTransaction } from "@/sandbox/solana/transactions/stored-transaction";

/**
 * Returns a transaction with its meta in the requested encoding. @throws RpcProblem −32015 for a version that the caller does not support.
 */
export function renderTransaction(stored: StoredTransaction, config: Config, manners: Manners) {
  const sent = readTransaction(stored.raw);
  return {
    ...versionOf(sent, config, manners),
    meta: fullMeta(stored, config),
    transaction: renderSent(sent, stored, config.encoding ?? "json"),
  };
}

/** Returns a transaction with its accounts and balances only. */
export function renderAccounts(stored: StoredTransaction, config: Config, manners: Manners) {
  const sent = readTransaction(stored.raw);
  const { err, fee, preBalances, postBalances, preTokenBalances, postTokenBalances } = stored.meta;
  const accountKeys = keyRoles(sent, stored.meta.loadedAddresses);
  return {
    ...versionOf(sent, config, manners),
    meta: { err, status: statusOf(err), fee, preBalances, postBalances, preTokenBalances, postTokenBalances },
    transaction: { accountKeys, signatures: sent.signatures },
  };
}

/** Returns the result in the older format that nodes still include. */
export function statusOf(err: StoredTransaction["meta"]["err"]) {
  return err === null ? { Ok: null } : { Err: err };
}

function versionOf(sent: SentTransaction, config: Config, manners: Manners) {
  const future = manners.unreadable.get(sent.signature);
  if (future !== undefined) throw solanaError.version(future);
  return shownVersion(sent.version, config);
}

function fullMeta(stored: StoredTransaction, config: Config) {
  const { loadedAddresses, innerInstructions, ...meta } = stored.meta;
  const isParsed = config.encoding === "jsonParsed";
  const keys = isParsed ? accountKeys(readTransaction(stored.raw), loadedAddresses) : [];
  const inner = innerInstructions.map(({ index, instructions }) => ({
    index,
    instructions: instructions.map((one) => named(one, keys)),
  }));
  return {
    ...meta,
    innerInstructions: isParsed ? inner : innerInstructions,
    ...(isParsed ? {} : { loadedAddresses }),
    rewards: [],
    status: statusOf(meta.err),
  };
}

function renderSent(sent: SentTransaction, stored: StoredTransaction, encoding: NonNullable<Config["encoding"]>) {
  if (encoding === "base64") return [stored.raw, "base64"];
  if (encoding === "base58") return [toBase58(Buffer.from(stored.raw, "base64")), "base58"];
  const common = { recentBlockhash: sent.recentBlockhash };
  const own = {
    ...(sent.version === 0 ? { addressTableLookups: sent.lookups } : {}),
    ...(sent.config ? { transactionConfig: sent.config } : {}),
  };
  const instructions = sent.instructions.map((instruction) => ({ ...instruction, stackHeight: null }));
  if (encoding === "json") {
    const message = { ...common, accountKeys: sent.staticKeys, header: sent.header, instructions, ...own };
    return { message, signatures: sent.signatures };
  }
  const roles = keyRoles(sent, stored.meta.loadedAddresses);
  const keys = roles.map((role) => role.pubkey);
  const message = {
    ...common,
    accountKeys: roles,
    instructions: instructions.map((one) => named(one, keys)),
    ...own,
  };
  return { message, signatures: sent.signatures };
}

/** Returns an instruction of a program that a node cannot parse: accounts as addresses, data unchanged. */
function named<T extends { programIdIndex: number; accounts: number[]; data: string; stackHeight: number | null }>(
  { programIdIndex, accounts, data, stackHeight }: T,
  keys: readonly string[],
) {
  const name = (index: number) => keys[index] ?? "";
  return { programId: name(programIdIndex), accounts: accounts.map(name), data, stackHeight };
}
