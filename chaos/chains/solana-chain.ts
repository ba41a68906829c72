import { PublicKey } from "@solana/web3.js";
import type { ChaosChain, ChaosPayment, Noise } from "@/chaos/chains/chain";
import { listFinal, readSolanaTransfers } from "@/chaos/chains/solana-truth";
import { SOLANA_FALSIFICATIONS } from "@/chaos/faults/solana-falsifications";
import type { Random } from "@/chaos/plan/random";
import { getToken, type Network } from "@/lib/domain/networks";
import { startSolanaNode } from "@/sandbox/nodes/solana-node";
import { VERSIONS } from "@/sandbox/solana/transactions/message";
import { openSolanaWallet } from "@/sandbox/wallets/solana-wallet";

const LAG = { confirmed: 1, finalized: 12 };
const FIRST_SLOTS = 20;
/** The number of slots that is enough for a block to become final and for the second read, which happens once a minute. */
const LAST_SLOTS = 400;
const SKIP_EVERY = 5;
/** The commitments that can halt. Later commitments halt together with an earlier one. */
const COMMITMENTS = ["confirmed", "finalized"] as const;
const DUST = 1n;
/** The probability that an unsupported version becomes readable, because the nodes were upgraded. */
const READ_LATER = 0.5;
/** The probability that the chain continues under Alpenglow after a halt. */
const SWITCHES = 0.3;

/**
 * Starts a Solana chain whose slots advance only on request. Every fifth request also skips a slot. `random` selects the version of every
 * transaction.
 */
export async function startSolanaChaosChain(network: Network, random: Random): Promise<ChaosChain> {
  const node = await startSolanaNode({ slotMs: null, lag: LAG });
  const wallet = openSolanaWallet(node.url, () => random.pick(VERSIONS));
  /** The transactions that were made unreadable. The value is true if the transaction becomes readable in the end. */
  const unreadable = new Map<string, boolean>();
  let height = 0;
  let minHeight = 0;
  let times = 0;
  let finalLag = LAG.finalized;
  let isHeld = false;

  const advance = async (slots: number) => {
    times += 1;
    if (times % SKIP_EVERY === 0) await node.call("solana_skip", [1]);
    height = Number(await node.call("solana_advance", [slots]));
    minHeight = Math.max(minHeight, height - finalLag);
  };
  const send = async (payments: readonly ChaosPayment[]) => {
    const [first] = payments;
    return first ? wallet.transferBatch(getToken(network, first.currency).contract, payments) : null;
  };
  const remaining = () => [...unreadable].flatMap(([txId, isLater]) => (isLater ? [] : [txId]));

  await advance(FIRST_SLOTS);
  return {
    network,
    urls: [node.url, node.url],
    rewrite: (call) => call,
    falsifications: SOLANA_FALSIFICATIONS,
    // Solana has no look-alike contracts, because a token is identified by its mint.
    noises: ["zero", "failed", "unreadable"],
    get height() {
      return height;
    },
    deepest: LAG.finalized - 1,
    newAddress: (luck: Random) => new PublicKey(Uint8Array.from({ length: 32 }, () => luck.int(0, 255))).toBase58(),
    async send(payments) {
      await send(payments);
    },
    async sendNoise(noise: Noise, payment) {
      if (noise === "unreadable") {
        const txId = await send([{ ...payment, baseUnits: DUST }]);
        if (!txId) return;
        unreadable.set(txId, random.chance(READ_LATER));
        await node.call("solana_setUnreadable", [txId]);
        return;
      }
      // The transferred amount is either zero or higher than the balance.
      const baseUnits = noise === "failed" ? 2n ** 63n : 0n;
      await send([{ ...payment, baseUnits }]).catch(() => {});
    },
    mine: advance,
    async skip(slots) {
      await node.call("solana_skip", [slots]);
      height = Number(await node.call("solana_advance", [slots]));
    },
    async reorg(how, depth, luck) {
      const slots = Math.min(depth, height - minHeight - 1);
      if (slots < 1) return 0;
      height = Number(
        await node.call("solana_fork", [slots, { reinclude: luck.chance(0.6), skip: how === "rollBack" }]),
      );
      return slots;
    },
    async holdFinal(isNow) {
      if (isHeld && !isNow && random.chance(SWITCHES)) {
        await node.call("solana_switchToAlpenglow");
        finalLag = LAG.confirmed;
        minHeight = Math.max(minHeight, height - finalLag);
      }
      isHeld = isNow;
      await node.call("solana_hold", [isNow ? random.pick(COMMITMENTS) : null]);
    },
    async settle() {
      for (const [txId, isLater] of unreadable) if (isLater) await node.call("solana_setUnreadable", [txId, null]);
      await advance(LAST_SLOTS);
    },
    unreadable: () => listFinal(node.call, remaining()),
    expected: (addresses, from = 0) => readSolanaTransfers(node, network, addresses, { from, except: remaining() }),
    stop: () => node.stop(),
  };
}
