import type { Network } from "@/lib/domain/networks";
import { openSolanaWallet } from "@/sandbox/wallets/solana-wallet";
import { openTronWallet } from "@/sandbox/wallets/tron-wallet";
import { openWallet, type Wallet } from "@/sandbox/wallets/wallet";

/** Opens the sandbox's payer on the local chain of a network; for TRON, `rpcUrl` can be any of the node's URLs. */
export async function openWalletOn({ family }: Network, rpcUrl: string): Promise<Wallet<string>> {
  switch (family) {
    case "evm":
      return openWallet(rpcUrl);
    case "tron":
      return openTronWallet(rpcUrl.replace(/\/jsonrpc$/, ""));
    case "solana":
      return openSolanaWallet(rpcUrl);
  }
}
