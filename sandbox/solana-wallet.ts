import { randomUUID } from "node:crypto";
import {
  Connection,
  PublicKey,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from "@solana/web3.js";
import {
  associatedTokenAccount,
  createTokenAccount,
  memo,
  mintTo,
  transferChecked,
} from "@/sandbox/solana/instructions";
import { PAYER, SOLANA_TOKENS } from "@/sandbox/solana/mints";
import type { TokenTransfer, Wallet } from "@/sandbox/wallet";

const RESERVE = 10n ** 15n;
const MINED_MS = 60_000;
const POLL_MS = 100;

/**
 * Opens the payer's account on the local Solana chain. `contract` is a mint, `to` an owner: the tokens go to the owner's
 * associated token account, which is opened if need be. A transfer's `blockHeight` is its slot.
 */
export function openSolanaWallet(rpcUrl: string): Wallet {
  const connection = new Connection(rpcUrl, "confirmed");

  const transferBatch: Wallet["transferBatch"] = async (contract, transfers) => {
    const mint = new PublicKey(contract);
    const decimals = SOLANA_TOKENS.find((token) => token.contract === contract)?.decimals;
    if (decimals === undefined) throw new Error(`The sandbox has no token ${contract} on Solana`);
    const from = associatedTokenAccount({ mint, owner: PAYER.publicKey });
    const total = transfers.reduce((sum, { baseUnits }) => sum + baseUnits, 0n);
    const moves = transfers.flatMap(({ to, baseUnits }) => {
      const recipient = { mint, owner: new PublicKey(to) };
      const move = { mint, from, to: associatedTokenAccount(recipient), owner: PAYER.publicKey, baseUnits, decimals };
      return [createTokenAccount({ ...recipient, payer: PAYER.publicKey }), transferChecked(move)];
    });
    return send(connection, [...(await refill(connection, mint, from, total)), ...moves, memo(randomUUID())]);
  };

  return {
    address: PAYER.publicKey.toBase58(),
    transfer: ({ contract, ...transfer }: TokenTransfer) => transferBatch(contract, [transfer]),
    transferBatch,
    mined: (txId, timeoutMs = MINED_MS) => mined(connection, txId, timeoutMs),
  };
}

/** What must come first so that the payer has enough: often nothing. */
async function refill(connection: Connection, mint: PublicKey, account: PublicKey, wanted: bigint) {
  const held = await connection.getTokenAccountBalance(account, "processed").catch(() => null);
  if (BigInt(held?.value.amount ?? 0) >= wanted + RESERVE / 2n) return [];
  return [
    createTokenAccount({ mint, owner: PAYER.publicKey, payer: PAYER.publicKey }),
    mintTo({ mint, to: account, baseUnits: wanted + RESERVE, authority: PAYER.publicKey }),
  ];
}

/** Names a final block, so that the transaction can come back after a fork. */
async function send(connection: Connection, instructions: TransactionInstruction[]): Promise<string> {
  const { blockhash } = await connection.getLatestBlockhash("finalized");
  const message = new TransactionMessage({ payerKey: PAYER.publicKey, recentBlockhash: blockhash, instructions });
  const transaction = new VersionedTransaction(message.compileToLegacyMessage());
  transaction.sign([PAYER]);
  return connection.sendTransaction(transaction, { preflightCommitment: "processed" });
}

async function mined(connection: Connection, txId: string, timeoutMs: number) {
  const giveUpAt = performance.now() + timeoutMs;
  while (performance.now() < giveUpAt) {
    const { value } = await connection.getSignatureStatus(txId);
    if (value && value.confirmationStatus !== "processed")
      return { txId, blockHeight: value.slot, isSuccess: value.err === null };
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`Transaction ${txId} was in no block after ${timeoutMs / 1_000} s`);
}
