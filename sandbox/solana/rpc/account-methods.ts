import * as z from "zod";
import { type RpcMethod, RpcProblem } from "@/sandbox/nodes/json-rpc-answer";
import {
  readMint,
  readTokenAccount,
  TOKEN_PROGRAM,
  TOKEN_PROGRAMS,
  toUiAmount,
} from "@/sandbox/solana/accounts/token-account";
import type { Bank } from "@/sandbox/solana/bank";
import type { Chain } from "@/sandbox/solana/chain";
import { type EncodedAccount, fromBase58, toBase58 } from "@/sandbox/solana/kit";
import { solanaError } from "@/sandbox/solana/rpc/answer-error";
import { type Config, commitmentOf, configAt, contextSlot, inContext, Key } from "@/sandbox/solana/rpc/params";

const MAX_ACCOUNTS = 100;
/** The offset of the owner in a token account. */
const OWNER_AT = 32;
const TokenFilter = z.union([z.object({ mint: Key }), z.object({ programId: Key })]);

/** Returns the methods for accounts and their tokens. */
export function accountMethods(chain: Chain): [string, RpcMethod][] {
  /** Returns a method that reads the accounts at the requested commitment. */
  const reading = (read: (bank: Bank, key: string, config: Config) => unknown): RpcMethod => {
    return (params) => {
      const config = configAt(params, 1);
      const slot = contextSlot(chain, config);
      return inContext(slot, read(chain.bankAt(commitmentOf(config)), Key.parse(params[0]), config));
    };
  };
  return [
    ["getBalance", reading((bank, key) => bank.balance(key))],
    ["getAccountInfo", reading((bank, key, config) => showAccount(bank, key, config))],
    ["getTokenAccountBalance", reading(tokenBalance)],
    ["getTokenSupply", reading(tokenSupply)],
    ["getMultipleAccounts", (params) => manyAccounts(chain, params)],
    ["getTokenAccountsByOwner", (params) => tokenAccounts(chain, params)],
    ["getMinimumBalanceForRentExemption", ([space]) => chain.bank.rent(z.number().int().min(0).parse(space))],
  ];
}

function manyAccounts(chain: Chain, params: readonly unknown[]) {
  const keys = Key.array().max(MAX_ACCOUNTS).parse(params[0]);
  const config = configAt(params, 1);
  const bank = chain.bankAt(commitmentOf(config));
  const values = keys.map((key) => showAccount(bank, key, config));
  return inContext(contextSlot(chain, config), values);
}

function tokenAccounts(chain: Chain, params: readonly unknown[]) {
  const owner = Key.parse(params[0]);
  const filter = TokenFilter.parse(params[1]);
  const config = configAt(params, 2);
  const bank = chain.bankAt(commitmentOf(config));
  if ("mint" in filter && !isMint(bank, filter.mint)) throw solanaError.invalidParam("could not find mint");
  if ("programId" in filter && !TOKEN_PROGRAMS.some((program) => program === filter.programId))
    throw solanaError.invalidParam("unrecognized Token program id");
  const ownerBytes = Buffer.from(fromBase58(owner));
  const found = TOKEN_PROGRAMS.flatMap((program) => bank.programAccounts(program)).filter((account) => {
    if (!ownerBytes.equals(account.data.subarray(OWNER_AT, OWNER_AT + ownerBytes.length))) return false;
    const token = readTokenAccount(account);
    if (token?.owner !== owner) return false;
    return "mint" in filter ? token.mint === filter.mint : account.programAddress === filter.programId;
  });
  const values = found.map((account) => ({ pubkey: account.address, account: accountValue(bank, account, config) }));
  return inContext(contextSlot(chain, config), values);
}

function tokenBalance(bank: Bank, key: string) {
  const account = bank.account(key);
  if (!account) throw solanaError.invalidParam("could not find account");
  const token = readTokenAccount(account);
  if (!token) throw solanaError.invalidParam("not a Token account");
  return toUiAmount(token.amount, bank.decimals(token.mint));
}

function tokenSupply(bank: Bank, key: string) {
  const account = bank.account(key);
  const mint = account && readMint(account);
  if (!mint) throw solanaError.invalidParam(account ? "not a Token mint" : "could not find account");
  return toUiAmount(mint.supply, mint.decimals);
}

function isMint(bank: Bank, key: string): boolean {
  const account = bank.account(key);
  return account !== null && readMint(account) !== null;
}

/** Returns an account in the format of nodes' responses; null if it does not exist. */
export function showAccount(bank: Pick<Bank, "account" | "decimals">, key: string, config: Config) {
  const account = bank.account(key);
  return account && accountValue(bank, account, config);
}

function accountValue(bank: Pick<Bank, "decimals">, account: EncodedAccount, config: Config) {
  return {
    data: accountData(bank, account, config),
    executable: account.executable,
    lamports: Number(account.lamports),
    owner: account.programAddress,
    rentEpoch: 0,
    space: account.data.length,
  };
}

function accountData(bank: Pick<Bank, "decimals">, account: EncodedAccount, { encoding, dataSlice }: Config) {
  if (encoding === "jsonParsed") {
    const parsed = parseTokenData(bank, account);
    if (parsed) return parsed;
  }
  const { offset = 0, length = account.data.length } = dataSlice ?? {};
  const data = account.data.slice(offset, offset + length);
  if (encoding !== undefined && encoding !== "base58") return [Buffer.from(data).toString("base64"), "base64"];
  if (data.length > 128)
    throw new RpcProblem(
      -32600,
      "Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.",
    );
  return encoding ? [toBase58(data), "base58"] : toBase58(data);
}

function parseTokenData(bank: Pick<Bank, "decimals">, account: EncodedAccount) {
  const wrap = (type: string, info: object) => ({
    parsed: { info, type },
    program: account.programAddress === TOKEN_PROGRAM ? "spl-token" : "spl-token-2022",
    space: account.data.length,
  });
  const token = readTokenAccount(account);
  if (token) {
    const { mint, owner, state, amount } = token;
    const tokenAmount = toUiAmount(amount, bank.decimals(mint));
    return wrap("account", { isNative: false, mint, owner, state, tokenAmount });
  }
  const mint = readMint(account);
  return mint && wrap("mint", { ...mint, supply: mint.supply.toString() });
}
