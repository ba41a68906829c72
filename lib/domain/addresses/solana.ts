import { decodeBase58, encodeBase58 } from "@/lib/domain/addresses/base58";
import type { AddressReading } from "@/lib/domain/addresses/reading";

const PROGRAMS: ReadonlyMap<string, string> = new Map([
  ["11111111111111111111111111111111", "System"],
  ["TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", "Token"],
  ["TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb", "Token-2022"],
  ["ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL", "Associated Token Account"],
]);

/**
 * Reads a Solana address. It carries no checksum, so only its form is checked; a token account cannot be told from a
 * wallet without asking the chain.
 */
export function readSolanaAddress(typed: string): AddressReading {
  if (!isSolanaAddress(typed)) return { problem: null };
  const program = PROGRAMS.get(typed);
  if (!program) return { address: typed };
  return { problem: `${typed} is the ${program} program, not a wallet: money sent there is lost` };
}

/** Whether a text is 32 bytes in base58. */
export function isSolanaAddress(text: string): boolean {
  const bytes = text.length >= 32 && text.length <= 44 ? decodeBase58(text) : null;
  return bytes?.length === 32 && encodeBase58(bytes) === text;
}
