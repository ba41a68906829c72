import { Keypair, PublicKey, Transaction } from "@solana/web3.js";
import { expect, test } from "vitest";
import { PAYER, SOLANA_TOKENS } from "@/sandbox/solana/accounts/mints";
import { Bank } from "@/sandbox/solana/bank";
import { createTokenAccount } from "@/sandbox/solana/transactions/instructions";
import { readTransaction, type SentTransaction } from "@/sandbox/solana/transactions/message";

const at = (slot: number) => ({ slot, unixTime: 1_700_000_000, recent: [] });
const some = () => Keypair.generate().publicKey;

/** Returns a transaction that creates a token account for a random owner. */
function opening(): SentTransaction {
  const transaction = new Transaction({ feePayer: PAYER.publicKey, recentBlockhash: some().toBase58() });
  const mint = new PublicKey(SOLANA_TOKENS[0]?.contract ?? "");
  transaction.add(createTokenAccount({ mint, owner: some(), payer: PAYER.publicKey })).sign(PAYER);
  return readTransaction(transaction.serialize().toString("base64"));
}

test.each([31, 32, 33, 34])("a bank as it was at slot 33 runs programs in slot %i of another fork", (slot) => {
  const bank = Bank.genesis();
  expect(bank.run(opening(), at(33))).toMatchObject({ included: true, meta: { err: null } });
  const restored = Bank.restore(bank.snapshot());
  expect(restored.simulate(opening(), at(slot), { checkSignatures: true }).error).toBeNull();
  expect(restored.run(opening(), at(slot))).toMatchObject({ included: true, meta: { err: null } });
});
