import { PublicKey } from "@solana/web3.js";
import type { ChaosChain, ChaosPayment, Noise } from "@/chaos/chain";
import type { Random } from "@/chaos/random";
import { SOLANA_LIES } from "@/chaos/solana-lies";
import { readSolanaTruth } from "@/chaos/solana-truth";
import { getToken, type Network } from "@/lib/domain/networks";
import { startSolanaNode } from "@/sandbox/solana-node";
import { openSolanaWallet } from "@/sandbox/solana-wallet";

const LAG = { confirmed: 1, finalized: 12 };
const FIRST_SLOTS = 20;
/** A final block and the second reading, which comes once a minute, are well behind after so many slots. */
const LAST_SLOTS = 400;
const SKIP_EVERY = 5;

/** A Solana chain whose slots pass only when told to; every fifth time one is skipped. */
export async function startSolanaChaosChain(network: Network): Promise<ChaosChain> {
  const node = await startSolanaNode({ slotMs: null, lag: LAG });
  const wallet = openSolanaWallet(node.url);
  let [height, floor, times] = [0, 0, 0];

  const advance = async (slots: number) => {
    times += 1;
    if (times % SKIP_EVERY === 0) await node.call("solana_skip", [1]);
    height = Number(await node.call("solana_advance", [slots]));
    floor = Math.max(floor, height - LAG.finalized);
  };
  const send = async (payments: readonly ChaosPayment[]) => {
    const [first] = payments;
    if (first) await wallet.transferBatch(getToken(network, first.currency).contract, payments);
  };

  await advance(FIRST_SLOTS);
  return {
    network,
    urls: [node.url, node.url],
    rewrite: (call) => call,
    lies: SOLANA_LIES,
    get height() {
      return height;
    },
    deepest: LAG.finalized - 1,
    newAddress: (random: Random) => new PublicKey(Uint8Array.from({ length: 32 }, () => random.int(0, 255))).toBase58(),
    send,
    async sendNoise(noise: Noise, payment) {
      // There are no look-alike contracts here: a token is its mint. Nothing moves, or more than there is.
      const baseUnits = noise === "failed" ? 2n ** 63n : 0n;
      await send([{ ...payment, baseUnits }]).catch(() => {});
    },
    mine: advance,
    async reorg(how, depth, random) {
      const slots = Math.min(depth, height - floor - 1);
      if (slots < 1) return 0;
      height = Number(
        await node.call("solana_fork", [slots, { reinclude: random.chance(0.6), skip: how === "rollBack" }]),
      );
      return slots;
    },
    settle: () => advance(LAST_SLOTS),
    truth: (addresses, from = 0) => readSolanaTruth(node.call, network, addresses, from),
    stop: () => node.stop(),
  };
}
