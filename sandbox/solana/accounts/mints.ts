import { Keypair, PublicKey } from "@solana/web3.js";
import { TOKEN_PROGRAM } from "@/sandbox/solana/accounts/token-account";
import { type Address, address } from "@/sandbox/solana/kit";
import { associatedTokenAccount } from "@/sandbox/solana/transactions/instructions";

/** The sandbox's payer, who can mint every token. Its key is public, because it is used on local chains only. */
export const PAYER = Keypair.fromSeed(Buffer.from("stablegate sandbox: pays, mints."));

/** The account that sends the lamports of requestAirdrop. */
export const FAUCET = Keypair.fromSeed(Buffer.from("stablegate sandbox: airdrops SOL"));

/** The initial balance of accounts in lamports: a million SOL. A larger number would lose precision in JSON. */
const RICH = 1_000_000n * 1_000_000_000n;

/** The payer's balance of each token in base units. It exists from the first block, so that no fork removes it. */
export const PLENTY = 10n ** 18n;

const DECIMALS = 6;
const SYSTEM_PROGRAM = address("11111111111111111111111111111111");
const MINT_BYTES = 82;
const ACCOUNT_BYTES = 165;
const INITIALIZED = 1;

/** The sandbox's tokens at their real mint addresses. */
export const SOLANA_TOKENS = [
  { currency: "USDC", contract: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", decimals: DECIMALS },
  { currency: "USDT", contract: "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB", decimals: DECIMALS },
] as const;

interface GenesisAccount {
  address: Address;
  owner: Address;
  data: Uint8Array;
  lamports: bigint;
}

/** Returns the accounts that a new chain starts with. `rent` returns the lamports that make an account of `space` bytes rent-exempt. */
export function genesisAccounts(rent: (space: bigint) => bigint): GenesisAccount[] {
  const rich = [PAYER, FAUCET].map(({ publicKey }) => account(publicKey, SYSTEM_PROGRAM, new Uint8Array(0), RICH));
  const tokens = SOLANA_TOKENS.flatMap(({ contract, decimals }) => {
    const mint = new PublicKey(contract);
    const held = associatedTokenAccount({ mint, owner: PAYER.publicKey });
    return [
      account(mint, TOKEN_PROGRAM, mintData(decimals), rent(BigInt(MINT_BYTES))),
      account(held, TOKEN_PROGRAM, accountData(mint), rent(BigInt(ACCOUNT_BYTES))),
    ];
  });
  return [...rich, ...tokens];
}

function account(key: PublicKey, owner: Address, data: Uint8Array, lamports: bigint): GenesisAccount {
  return { address: address(key.toBase58()), owner, data, lamports };
}

/** Returns the data of a mint: mint authority, supply, decimals, initialized, freeze authority. */
function mintData(decimals: number): Uint8Array {
  const data = Buffer.alloc(MINT_BYTES);
  data.writeUInt32LE(1, 0);
  data.set(PAYER.publicKey.toBytes(), 4);
  data.writeBigUInt64LE(PLENTY, 36);
  data[44] = decimals;
  data[45] = INITIALIZED;
  data.writeUInt32LE(1, 46);
  data.set(PAYER.publicKey.toBytes(), 50);
  return new Uint8Array(data);
}

/** Returns the data of a token account: mint, owner, amount, no delegate, initialized. */
function accountData(mint: PublicKey): Uint8Array {
  const data = Buffer.alloc(ACCOUNT_BYTES);
  data.set(mint.toBytes(), 0);
  data.set(PAYER.publicKey.toBytes(), 32);
  data.writeBigUInt64LE(PLENTY, 64);
  data[108] = INITIALIZED;
  return new Uint8Array(data);
}
