import { base58 } from "@scure/base";
import { generateMnemonic, mnemonicToSeed, validateMnemonic } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { HDKey } from "micro-key-producer/slip10.js";

/**
 * Returns the derivation path of an account (SLIP-0044). Phantom and Solflare use the third level for accounts (m/44'/501'/n'/0'). All
 * steps are hardened, because ed25519 supports no others.
 */
const pathOf = (account) => `m/44'/501'/${account}'/0'`;

/** The number of bits of entropy in a recovery phrase of 24 English words (BIP-39). */
const STRENGTH = 256;

/** Returns the recovery phrase of a new wallet, from the machine's randomness. */
export function newWords() {
  return generateMnemonic(wordlist, STRENGTH);
}

/**
 * Reads the words of a wallet as a person typed them.
 * @param {string} typed
 * @returns {string | null} in the form that seeds are made from; null where they are no wallet's words, or their checksum does not fit
 */
export function readWords(typed) {
  const words = typed.normalize("NFKD").trim().toLowerCase().split(/\s+/).join(" ");
  return validateMnemonic(words, wordlist) ? words : null;
}

/**
 * Derives Solana addresses of a wallet, without a passphrase as those wallets do.
 * @param {string} words as `readWords` answered them
 * @param {number} first account, 0 and up
 * @param {number} count
 * @returns {Promise<string[]>} in base58
 */
export async function solanaAddresses(words, first, count) {
  const root = HDKey.fromMasterSeed(await mnemonicToSeed(words));
  return Array.from({ length: count }, (_, step) => base58.encode(root.derive(pathOf(first + step)).publicKeyRaw));
}
