import { PublicKey } from "@solana/web3.js";
import { displayAddress } from "@/lib/domain/addresses/address";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { startTestChain } from "@/testing/chains/evm";
import { ownerNamed, startTestSolana } from "@/testing/chains/solana";
import { startTronChain } from "@/testing/chains/tron";

/** A real local chain of any family that advances only on request. All its transfers are in USDT. */
export interface TestNetwork {
  url: string;
  /** Returns an address in canonical form; the same name always gives the same address. */
  addressOf(name: string): string;
  /** Sends several transfers in one transaction. @param payments addresses in canonical form, with base units */
  payAll(payments: readonly (readonly [to: string, baseUnits: bigint])[]): Promise<unknown>;
  mine(blocks: number): Promise<unknown>;
  stop(): Promise<void>;
}

/** The networks that have their own local chain. */
export const LOCAL_NETWORKS = ["ethereum", "bsc", "tron", "solana"] as const;

/** Starts the local chain of a network. */
export async function startTestNetwork(id: (typeof LOCAL_NETWORKS)[number]): Promise<TestNetwork> {
  if (id === "solana") return startSolana();
  const hexOf = (name: string) => `0x${Buffer.from(name).toString("hex").padStart(40, "0").slice(-40)}`;
  if (id === "tron") {
    const { node, payAll, mine, stop } = await startTronChain();
    return { url: node.jsonRpcUrl, addressOf: hexOf, payAll, mine, stop };
  }
  const { node, payAll, mine, stop } = await startTestChain(getNetwork(id));
  const { contract } = getToken(getNetwork(id), "USDT");
  return { url: node.url, addressOf: hexOf, payAll: (payments) => payAll(contract, payments), mine, stop };
}

async function startSolana(): Promise<TestNetwork> {
  const { node, pay, advance, stop } = await startTestSolana();
  await advance(40);
  return {
    url: node.url,
    addressOf: (name) => ownerNamed(name).publicKey.toBase58(),
    payAll: (payments) =>
      pay(
        payments.map(([to, baseUnits]) => {
          return { to: new PublicKey(displayAddress("solana", to)), currency: "USDT", baseUnits };
        }),
      ),
    mine: advance,
    stop,
  };
}
