import { PublicKey, SystemProgram, TransactionInstruction } from "@solana/web3.js";

const TOKEN_PROGRAM = new PublicKey("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA");
const ASSOCIATED_TOKEN_PROGRAM = new PublicKey("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL");
const MEMO_PROGRAM = new PublicKey("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr");

/** The instruction numbers of the token programs. */
const CREATE_IDEMPOTENT = 1;
const MINT_TO = 7;
const CLOSE_ACCOUNT = 9;
const TRANSFER_CHECKED = 12;

interface Owned {
  mint: PublicKey;
  owner: PublicKey;
}

/** Returns the account that contains an owner's tokens of a mint, unless the owner chose a different account. */
export function associatedTokenAccount({ mint, owner }: Owned): PublicKey {
  const seeds = [owner.toBytes(), TOKEN_PROGRAM.toBytes(), mint.toBytes()];
  return PublicKey.findProgramAddressSync(seeds, ASSOCIATED_TOKEN_PROGRAM)[0];
}

/** Returns the instruction that creates an associated token account at the payer's expense. It does nothing if the account exists. */
export function createTokenAccount({ payer, ...owned }: Owned & { payer: PublicKey }): TransactionInstruction {
  const keys = [
    { pubkey: payer, isSigner: true, isWritable: true },
    writable(associatedTokenAccount(owned)),
    readonly(owned.owner),
    readonly(owned.mint),
    readonly(SystemProgram.programId),
    readonly(TOKEN_PROGRAM),
  ];
  return new TransactionInstruction({
    programId: ASSOCIATED_TOKEN_PROGRAM,
    keys,
    data: Buffer.from([CREATE_IDEMPOTENT]),
  });
}

interface TokenAmount {
  mint: PublicKey;
  to: PublicKey;
  baseUnits: bigint;
}

/** Returns the instruction that mints tokens to the token account `to`. */
export function mintTo({ mint, to, baseUnits, authority }: TokenAmount & { authority: PublicKey }) {
  return tokenInstruction([writable(mint), writable(to), signer(authority)], [MINT_TO], baseUnits);
}

interface TokenMove extends TokenAmount {
  from: PublicKey;
  owner: PublicKey;
  decimals: number;
}

/** Returns the instruction that transfers tokens between two token accounts. */
export function transferChecked({ mint, from, to, owner, baseUnits, decimals }: TokenMove) {
  const keys = [writable(from), readonly(mint), writable(to), signer(owner)];
  return tokenInstruction(keys, [TRANSFER_CHECKED], baseUnits, [decimals]);
}

/** Returns the instruction that closes an empty token account; its rent goes to the owner. */
export function closeTokenAccount({ account, owner }: { account: PublicKey; owner: PublicKey }) {
  return new TransactionInstruction({
    programId: TOKEN_PROGRAM,
    keys: [writable(account), writable(owner), signer(owner)],
    data: Buffer.from([CLOSE_ACCOUNT]),
  });
}

/** Returns a memo instruction. A unique text makes a transaction differ from an otherwise identical one. */
export function memo(text: string): TransactionInstruction {
  return new TransactionInstruction({ programId: MEMO_PROGRAM, keys: [], data: Buffer.from(text) });
}

function tokenInstruction(keys: Role[], before: number[], baseUnits: bigint, after: number[] = []) {
  const amount = Buffer.alloc(8);
  amount.writeBigUInt64LE(baseUnits);
  const data = Buffer.concat([Buffer.from(before), amount, Buffer.from(after)]);
  return new TransactionInstruction({ programId: TOKEN_PROGRAM, keys, data });
}

type Role = { pubkey: PublicKey; isSigner: boolean; isWritable: boolean };
const writable = (pubkey: PublicKey): Role => ({ pubkey, isSigner: false, isWritable: true });
const readonly = (pubkey: PublicKey): Role => ({ pubkey, isSigner: false, isWritable: false });
const signer = (pubkey: PublicKey): Role => ({ pubkey, isSigner: true, isWritable: false });
