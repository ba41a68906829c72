import { randomInt, randomUUID } from "node:crypto";
import { Connection, PublicKey, type TransactionInstruction } from "@solana/web3.js";
import { PAYER, SOLANA_TOKENS } from "@/sandbox/solana/accounts/mints";
import {
  associatedTokenAccount,
  createTokenAccount,
  memo,
  transferChecked,
} from "@/sandbox/solana/transactions/instructions";
import { type TransactionVersion, VERSIONS } from "@/sandbox/solana/transactions/message";
import { signTransaction } from "@/sandbox/solana/transactions/sign-transaction";
import type { MinedTransfer, TokenTransfer, Wallet } from "@/sandbox/wallets/wallet";

const MINED_MS = 60_000;
const POLL_MS = 100;

/**
 * Opens the payer's account on the local Solana chain. `contract` is a mint and `to` an owner: the tokens go to the owner's associated
 * token account, which is created if necessary. A transfer's `blockHeight` is its slot. `version` is called for every transaction; by
 * default it returns a random version, because payers' wallets use all of them.
 */
export function openSolanaWallet(rpcUrl: string, version: () => TransactionVersion = anyVersion): Wallet<string> {
  const connection = new Connection(rpcUrl, "confirmed");

  const transferBatch: Wallet<string>["transferBatch"] = async (contract, transfers) => {
    const mint = new PublicKey(contract);
    const decimals = SOLANA_TOKENS.find((token) => token.contract === contract)?.decimals;
    if (decimals === undefined) throw new Error(`The sandbox has no token ${contract} on Solana`);
    const from = associatedTokenAccount({ mint, owner: PAYER.publicKey });
    const moves = transfers.flatMap(({ to, baseUnits }) => {
      const recipient = { mint, owner: new PublicKey(to) };
      const move = { mint, from, to: associatedTokenAccount(recipient), owner: PAYER.publicKey, baseUnits, decimals };
      return [createTokenAccount({ ...recipient, payer: PAYER.publicKey }), transferChecked(move)];
    });
    return send(connection, version(), [...moves, memo(randomUUID())]);
  };

  return {
    address: PAYER.publicKey.toBase58(),
    transfer: ({ contract, ...transfer }: TokenTransfer) => transferBatch(contract, [transfer]),
    transferBatch,
    mined: (txId) => mined(connection, txId),
  };
}

function anyVersion(): TransactionVersion {
  return VERSIONS[randomInt(VERSIONS.length)] ?? "legacy";
}

async function send(
  connection: Connection,
  version: TransactionVersion,
  instructions: TransactionInstruction[],
): Promise<string> {
  const blockhash = await lastingHash(connection);
  const signed = await signTransaction(version, { instructions, blockhash, signers: [PAYER] });
  return connection.sendRawTransaction(signed, { preflightCommitment: "processed" });
}

/**
 * Returns the blockhash of a final block, so that the transaction stays valid after a fork. If that blockhash has expired because no block
 * becomes final, returns the hash of a newer block.
 */
async function lastingHash(connection: Connection): Promise<string> {
  const { blockhash } = await connection.getLatestBlockhash("finalized");
  if ((await connection.isBlockhashValid(blockhash, { commitment: "processed" })).value) return blockhash;
  return (await connection.getLatestBlockhash("confirmed")).blockhash;
}

async function mined(connection: Connection, txId: string): Promise<MinedTransfer<string> | null> {
  const deadline = performance.now() + MINED_MS;
  while (performance.now() < deadline) {
    const { value } = await connection.getSignatureStatus(txId);
    if (value && value.confirmationStatus !== "processed")
      return { txId, blockHeight: value.slot, isSuccess: value.err === null };
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return null;
}
