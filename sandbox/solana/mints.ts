import { address } from "@solana/kit";
import { Keypair } from "@solana/web3.js";
import { TOKEN_PROGRAM } from "@/sandbox/solana/token-account";

/** The sandbox's payer, who may mint every token. Known to everybody: it only means something on a local chain. */
export const PAYER = Keypair.fromSeed(Buffer.from("stablegate sandbox: pays, mints."));

/** Gives the lamports of requestAirdrop. */
export const FAUCET = Keypair.fromSeed(Buffer.from("stablegate sandbox: airdrops SOL"));

/** A million SOL: more would not fit into a JSON number without loss. */
const RICH = 1_000_000n * 1_000_000_000n;

/** The accounts with SOL that a new chain begins with. */
export const GENESIS_BALANCES = [PAYER, FAUCET].map(({ publicKey }) => ({
  address: address(publicKey.toBase58()),
  lamports: RICH,
}));

const DECIMALS = 6;

/** The sandbox's tokens at their real mint addresses. */
export const SOLANA_TOKENS = [
  { currency: "USDC", contract: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", decimals: DECIMALS },
  { currency: "USDT", contract: "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB", decimals: DECIMALS },
] as const;

/** The mint accounts a new chain begins with; `rent` = lamports that keep `space` bytes alive. */
export function genesisMints(rent: (space: bigint) => bigint) {
  return SOLANA_TOKENS.map(({ contract, decimals }) => {
    const data = mintData(decimals);
    return { address: address(contract), data, lamports: rent(BigInt(data.length)), owner: TOKEN_PROGRAM };
  });
}

function mintData(decimals: number): Uint8Array {
  const data = new Uint8Array(82);
  data.set([1], 0);
  data.set(PAYER.publicKey.toBytes(), 4);
  data[44] = decimals;
  data[45] = 1;
  return data;
}
