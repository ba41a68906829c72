import { Keypair } from "@solana/web3.js";
import { type LocalChain, type Payment, spread } from "@/bench/catch-up/local-day";
import type { Network } from "@/lib/domain/networks";
import { startSolanaNode } from "@/sandbox/nodes/solana-node";
import { openSolanaWallet } from "@/sandbox/wallets/solana-wallet";

const STRANGERS = 5;

/** Starts a Solana chain whose slots advance on request. */
export async function startSolanaChain(network: Network): Promise<LocalChain> {
  const node = await startSolanaNode({ slotMs: null });
  const wallet = openSolanaWallet(node.url);
  const strangers = Array.from({ length: STRANGERS }, newAddress);

  async function pay(index: number, to: string): Promise<Payment> {
    const contract = network.tokens[index % network.tokens.length]?.contract ?? "";
    const baseUnits = BigInt(index + 1);
    const owners = [strangers[index % STRANGERS] ?? "", to];
    const txId = await wallet.transferBatch(
      contract,
      owners.map((owner) => ({ to: owner, baseUnits })),
    );
    return { txId, to, baseUnits };
  }

  return {
    rpcUrl: node.url,
    newAddress,
    stop: node.stop,
    pay,
    pass: async (slots, unixSeconds) => void (await node.call("solana_advance", [slots, unixSeconds * 1_000])),
    passDay: (plan) =>
      spread(
        plan,
        (index) => pay(index, plan.receivers[index % plan.receivers.length] ?? ""),
        (slots) => node.call("solana_advance", [slots]),
      ),
  };
}

function newAddress(): string {
  return Keypair.generate().publicKey.toBase58();
}
