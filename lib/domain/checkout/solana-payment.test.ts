import { Keypair, type PublicKey, TransactionMessage, VersionedTransaction } from "@solana/web3.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { associatedAccount, solanaPayment } from "@/lib/domain/checkout/solana-payment";
import { SOLANA_TOKENS } from "@/sandbox/solana/accounts/mints";
import {
  associatedTokenAccount,
  createTokenAccount,
  transferChecked,
} from "@/sandbox/solana/transactions/instructions";

const key = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((seed) => Keypair.fromSeed(seed).publicKey);
const keyOf = (text: string) => Keypair.fromSeed(Buffer.from(text.padEnd(32, "."))).publicKey;
const mint = keyOf("a mint");
const text = (one: PublicKey) => one.toBase58();

test("the associated account is the one that the library derives", () => {
  const is = (owner: PublicKey, mint: PublicKey) => {
    expect(associatedAccount(text(owner), text(mint))).toBe(text(associatedTokenAccount({ owner, mint })));
  };
  fc.assert(fc.property(key, key, is), { numRuns: 50 });
});

test("the unsigned transaction opens the recipient's account where need be, and moves exactly the amount", () => {
  const units = fc.bigInt({ min: 1n, max: 2n ** 64n - 1n });
  const check = (payer: PublicKey, recipient: PublicKey, baseUnits: bigint, decimals: number) => {
    const blockhash = text(keyOf("a block"));
    const payment = { payer: text(payer), recipient: text(recipient), mint: text(mint), units: baseUnits };
    const bytes = solanaPayment({ ...payment, decimals, blockhash });
    const transaction = VersionedTransaction.deserialize(bytes);
    expect(transaction.version).toBe("legacy");
    expect(transaction.signatures).toEqual([new Uint8Array(64)]);
    expect(Buffer.from(transaction.serialize())).toEqual(Buffer.from(bytes));
    const [from, to] = [payer, recipient].map((owner) => associatedTokenAccount({ mint, owner }));
    if (!from || !to) throw new Error("no accounts");
    const instructions = [
      createTokenAccount({ mint, owner: recipient, payer }),
      transferChecked({ mint, from, to, owner: payer, baseUnits, decimals }),
    ];
    const message = TransactionMessage.decompile(transaction.message);
    expect(message.payerKey).toEqual(payer);
    expect(message.recentBlockhash).toBe(blockhash);
    expect(message.instructions.map(parts)).toEqual(
      new TransactionMessage({ payerKey: payer, recentBlockhash: blockhash, instructions }).instructions.map(parts),
    );
  };
  fc.assert(fc.property(key, key, units, fc.nat({ max: 18 }), check), { numRuns: 20 });
});

test("the mints of the sandbox are keys", () => {
  const owner = text(keyOf("someone"));
  for (const { contract } of SOLANA_TOKENS) expect(associatedAccount(owner, contract)).toMatch(/^[1-9A-Za-z]{32,44}$/);
  expect(() => associatedAccount("unknown", owner)).toThrow('"unknown" is not a Solana key');
});

/** Returns the parts of a message. An account has one role in a message, even if its instructions differ. */
function parts({ programId, keys, data }: TransactionMessage["instructions"][number]) {
  return { program: text(programId), keys: keys.map(({ pubkey }) => text(pubkey)), data: data.toString("hex") };
}
