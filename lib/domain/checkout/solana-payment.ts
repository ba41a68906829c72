import { concatBytes, numberToBytes, sha256, stringToBytes } from "viem/utils";
import { decodeBase58, encodeBase58 } from "@/lib/domain/addresses/families";

/** A payment for a wallet to sign. Addresses, mint and blockhash are base58; `units` are base units of the mint. */
export interface SolanaPayment {
  payer: string;
  recipient: string;
  mint: string;
  units: bigint;
  decimals: number;
  /** A recent blockhash: the transaction is valid for the 150 blocks after it. */
  blockhash: string;
}

/**
 * The ids of the programs that the payment uses. Sources: solana.com/docs/programs (system program), solana-program/token and
 * solana-program/associated-token-account.
 */
const SYSTEM_PROGRAM = "11111111111111111111111111111111";
const TOKEN_PROGRAM = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
const ASSOCIATED_TOKEN_PROGRAM = "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL";
/** Instruction numbers: AssociatedTokenAccountInstruction::CreateIdempotent, TokenInstruction::TransferChecked. */
const CREATE_IDEMPOTENT = 1;
const TRANSFER_CHECKED = 12;
const SIGNATURE_BYTES = 64;

/**
 * Returns an unsigned legacy transaction that transfers tokens from the payer's associated account to the recipient's. If the recipient's
 * account does not exist yet, the transaction creates it at the payer's expense. Both mints that Stablegate supports belong to the first
 * token program.
 * @see https://solana.com/docs/core/transactions (the layout of a message)
 */
export function solanaPayment({ payer, recipient, mint, units, decimals, blockhash }: SolanaPayment): Uint8Array {
  const from = associatedAccount(payer, mint);
  const to = associatedAccount(recipient, mint);
  const accounts = [payer, from, to, recipient, mint, SYSTEM_PROGRAM, TOKEN_PROGRAM, ASSOCIATED_TOKEN_PROGRAM];
  const cursor = (account: string) => accounts.indexOf(account);
  const instruction = (program: string, keys: string[], data: Uint8Array) =>
    concatBytes([Uint8Array.of(cursor(program), keys.length, ...keys.map(cursor), data.length), data]);
  const amount = numberToBytes(units, { size: 8 }).reverse();
  return concatBytes([
    // The wallet fills in the only signature. The only signer is the payer, and five accounts are read-only.
    Uint8Array.of(1, ...new Uint8Array(SIGNATURE_BYTES)),
    Uint8Array.of(1, 0, 5, accounts.length),
    ...accounts.map(keyBytes),
    keyBytes(blockhash),
    Uint8Array.of(2),
    instruction(
      ASSOCIATED_TOKEN_PROGRAM,
      [payer, to, recipient, mint, SYSTEM_PROGRAM, TOKEN_PROGRAM],
      Uint8Array.of(CREATE_IDEMPOTENT),
    ),
    instruction(TOKEN_PROGRAM, [from, mint, to, payer], Uint8Array.of(TRANSFER_CHECKED, ...amount, decimals)),
  ]);
}

/**
 * Returns the token account (base58) in which wallets keep an owner's tokens of a mint: the first derived address that is not a point on
 * the curve.
 */
export function associatedAccount(owner: string, mint: string): string {
  const seeds = concatBytes([keyBytes(owner), keyBytes(TOKEN_PROGRAM), keyBytes(mint)]);
  const end = concatBytes([keyBytes(ASSOCIATED_TOKEN_PROGRAM), stringToBytes("ProgramDerivedAddress")]);
  for (let bump = 255; bump >= 0; bump--) {
    const address = sha256(concatBytes([seeds, Uint8Array.of(bump), end]), "bytes");
    if (!isPoint(address)) return encodeBase58(address);
  }
  throw new Error(`No token account can be derived for ${owner}`);
}

function keyBytes(text: string): Uint8Array {
  const bytes = decodeBase58(text);
  if (bytes?.length !== 32) throw new Error(`"${text}" is not a Solana key`);
  return bytes;
}

/** The field prime and the curve constant d of Ed25519 (RFC 8032, section 5.1). */
const P = 2n ** 255n - 19n;
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;

/** Returns true if 32 bytes are a point of Ed25519, so that a private key for them can exist: x² = (y² − 1) ÷ (d·y² + 1) has a root. */
function isPoint(bytes: Uint8Array): boolean {
  const y = bytes.reduceRight((sum, byte, index) => sum * 256n + BigInt(index === 31 ? byte & 127 : byte), 0n) % P;
  const square = (y * y) % P;
  return isSquare(((square - 1n) * (D * square + 1n)) % P);
}

/** Euler's criterion. */
function isSquare(value: bigint): boolean {
  let result = 1n;
  let base = ((value % P) + P) % P;
  for (let exponent = (P - 1n) / 2n; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) result = (result * base) % P;
    base = (base * base) % P;
  }
  return result !== P - 1n;
}
