import { createECDH } from "node:crypto";
import { type Hex, pad, toHex } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount, publicKeyToAddress } from "viem/accounts";
import type { LocalChain } from "@/sandbox/nodes/evm-node";
import type { CallAll, RpcCall } from "@/sandbox/nodes/json-rpc";
import { balanceEntry, PLENTY } from "@/sandbox/wallets/payers";

/** Accounts that pay once each, so that a reorg can revert any transaction without delaying others. */
export interface EvmPayers {
  /**
   * Returns an account that has not paid yet.
   * @param height the height of the head
   * @param minHeight the height up to which blocks are never replaced
   */
  take(height: number, minHeight: number): Promise<PrivateKeyAccount>;
  /** Funds new payers again after a reorg that left all blocks up to `kept` unchanged, because they may have lost their funds. */
  restore(kept: number, height: number): Promise<void>;
}

interface Payer {
  key: Hex;
  address: Hex;
}

interface Purse {
  payers: Payer[];
  /** The height at which the payers were funded. A reorg below it reverts the funding. */
  filledAt: number;
}

/**
 * The default number of accounts that are funded at a time. Three quarters of them last until the next batch is final, even on the chain
 * that needs the most blocks, regardless of the payment rate.
 */
export const BIG_PURSE = 320;
/**
 * The number of accounts that are funded at a time on chains with few payments between two final blocks. It is low because every account
 * slows down the mining of every block.
 */
export const SMALL_PURSE = 24;
const FEW = 0.75;

/**
 * Funds the first batch of `purse` accounts at the current head, below which no reorg may go. Each later batch is funded before the
 * previous one is used up, and is used once no reorg can reach it.
 */
export async function createEvmPayers(callAll: CallAll, { id, tokens }: LocalChain, purse: number): Promise<EvmPayers> {
  const ready = await fund(callAll, tokens, newPayers(purse));
  let coming: Purse | null = null;
  return {
    async take(height, minHeight) {
      if (coming !== null && coming.filledAt <= minHeight) {
        ready.push(...coming.payers);
        coming = null;
      }
      if (ready.length < purse * FEW && coming === null)
        coming = { payers: await fund(callAll, tokens, newPayers(purse)), filledAt: height };
      const payer = ready.shift();
      if (!payer) throw new Error(`All payers on ${id} have paid; mine more blocks between payments`);
      return privateKeyToAccount(payer.key);
    },
    async restore(kept, height) {
      if (coming === null || coming.filledAt <= kept) return;
      coming = { payers: await fund(callAll, tokens, coming.payers), filledAt: height };
    },
  };
}

/** Generates new payers. OpenSSL generates the keys, because it needs almost no time for hundreds of them. */
function newPayers(count: number): Payer[] {
  const pair = createECDH("secp256k1");
  return Array.from({ length: count }, () => {
    const address = publicKeyToAddress(toHex(pair.generateKeys()));
    return { key: pad(toHex(pair.getPrivateKey())), address };
  });
}

async function fund(callAll: CallAll, tokens: LocalChain["tokens"], payers: Payer[]): Promise<Payer[]> {
  const fill = ({ address }: Payer): RpcCall[] => {
    const { slot, value } = balanceEntry(address, PLENTY);
    return [
      ["anvil_setBalance", [address, toHex(10n ** 21n)]],
      ...tokens.map(({ contract }): RpcCall => ["anvil_setStorageAt", [contract, slot, value]]),
    ];
  };
  await callAll(payers.flatMap(fill));
  return payers;
}
