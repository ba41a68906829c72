import { randomUUID } from "node:crypto";
import { PublicKey, SystemProgram, Transaction } from "@solana/web3.js";
import * as z from "zod";
import type { RpcMethod } from "@/sandbox/nodes/json-rpc-answer";
import { FAUCET } from "@/sandbox/solana/accounts/mints";
import type { Chain } from "@/sandbox/solana/chain";
import { fromBase58 } from "@/sandbox/solana/kit";
import { showAccount } from "@/sandbox/solana/rpc/account-methods";
import { solanaError } from "@/sandbox/solana/rpc/answer-error";
import { type Config, configAt, inContext, Key } from "@/sandbox/solana/rpc/params";
import { memo } from "@/sandbox/solana/transactions/instructions";
import { readTransaction, type SentTransaction } from "@/sandbox/solana/transactions/message";
import { describeError, type TransactionError } from "@/sandbox/solana/transactions/transaction-error";

const LAMPORTS_PER_SIGNATURE = 5_000;

/** Returns the methods that send or simulate a transaction. */
export function sendingMethods(chain: Chain): [string, RpcMethod][] {
  return [
    ["sendTransaction", (params) => send(chain, readSent(params), configAt(params, 1))],
    ["simulateTransaction", (params) => simulate(chain, readSent(params), configAt(params, 1))],
    ["requestAirdrop", ([key, lamports]) => airdrop(chain, Key.parse(key), z.number().int().min(1).parse(lamports))],
    ["getFeeForMessage", ([message]) => feeForMessage(chain, z.string().parse(message))],
  ];
}

function readSent(params: readonly unknown[]): SentTransaction {
  const text = z.string().parse(params[0]);
  const { encoding } = configAt(params, 1);
  return readTransaction(encoding === "base64" ? text : base58ToBase64(text));
}

function base58ToBase64(text: string): string {
  return Buffer.from(fromBase58(text)).toString("base64");
}

function send(chain: Chain, sent: SentTransaction, config: Config): string {
  if (!isSigned(sent)) throw solanaError.badSignature();
  if (!config.skipPreflight) {
    const { err, ...rest } = trial(chain, sent, { ...config, sigVerify: true });
    if (err === "SignatureFailure") throw solanaError.badSignature();
    if (err !== null) throw solanaError.simulationFailed(describeError(err), { err, ...rest });
  }
  chain.submit(sent);
  return sent.signature;
}

function simulate(chain: Chain, sent: SentTransaction, config: Config) {
  return inContext(chain.slot("processed"), trial(chain, sent, config));
}

/** Returns the effects of a transaction in the next block. */
function trial(chain: Chain, sent: SentTransaction, config: Config) {
  const next = chain.slot("processed") + 1;
  const refused = refusal(chain, sent, config, next);
  if (refused) return trialResult({ err: refused, logs: [], unitsConsumed: 0, accounts: null });
  const result = chain.bank.simulate(sent, chain.timeOf(next), { checkSignatures: config.sigVerify === true });
  const wanted = config.accounts?.addresses ?? null;
  const decimals = (mint: string) => chain.bank.decimals(mint);
  const show = (key: string) => showAccount({ account: result.account, decimals }, key, { encoding: "base64" });
  return trialResult({
    err: result.error,
    logs: result.logs,
    unitsConsumed: result.unitsConsumed,
    accounts: result.error ? null : (wanted?.map(show) ?? null),
  });
}

function trialResult<T extends { err: TransactionError | null }>(result: T) {
  return { ...result, innerInstructions: null, replacementBlockhash: null, returnData: null };
}

/** Returns the error that a node finds before it executes a transaction; null if there is none. */
function refusal(chain: Chain, sent: SentTransaction, config: Config, slot: number): TransactionError | null {
  if (config.sigVerify && !isSigned(sent)) return "SignatureFailure";
  if (!config.replaceRecentBlockhash && !chain.isGoodHash(sent.recentBlockhash, slot)) return "BlockhashNotFound";
  return chain.isKnown(sent.signature) ? "AlreadyProcessed" : null;
}

function isSigned(sent: SentTransaction): boolean {
  return Object.values(sent.transaction.signatures).every((signature) => signature?.some((byte) => byte !== 0));
}

function airdrop(chain: Chain, key: string, lamports: number): string {
  const toPubkey = new PublicKey(key);
  const recentBlockhash = chain.blocks.hash(chain.slot("finalized"));
  const transaction = new Transaction({ feePayer: FAUCET.publicKey, recentBlockhash });
  transaction.add(SystemProgram.transfer({ fromPubkey: FAUCET.publicKey, toPubkey, lamports }), memo(randomUUID()));
  transaction.sign(FAUCET);
  return send(chain, readTransaction(transaction.serialize().toString("base64")), { skipPreflight: true });
}

function feeForMessage(chain: Chain, message: string) {
  const signatures = Buffer.from(message, "base64");
  const isVersioned = ((signatures[0] ?? 0) & 0x80) !== 0;
  const count = signatures[isVersioned ? 1 : 0] ?? 0;
  return inContext(chain.slot("processed"), count * LAMPORTS_PER_SIGNATURE);
}
