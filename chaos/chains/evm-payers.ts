import { createECDH } from "node:crypto";
import { type Hex, pad, toHex } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount, publicKeyToAddress } from "viem/accounts";
import type { LocalChain } from "@/sandbox/nodes/evm-node";
import type { CallAll, RpcCall } from "@/sandbox/nodes/json-rpc";
import { balanceEntry, PLENTY } from "@/sandbox/wallets/payers";

/** Accounts that pay once each, so that a reorg can take any transaction back without holding up another. */
export interface EvmPayers {
  /**
   * @param height of the head
   * @param minHeight the height up to which blocks are never replaced
   */
  take(height: number, minHeight: number): Promise<PrivateKeyAccount>;
  /** After a reorg that left all up to `kept` as it was: new payers may have lost their money. */
  restore(kept: number, height: number): Promise<void>;
}

interface Payer {
  key: Hex;
  address: Hex;
}

interface Purse {
  payers: Payer[];
  /** A reorg that goes below this height takes the money back. */
  filledAt: number;
}

/** Three quarters are enough until the next purse is final where that takes the most blocks, however fast payments come. */
export const BIG_PURSE = 320;
/** The number of accounts on chains with few payments between two final blocks: every account makes every block slower to mine. */
export const SMALL_PURSE = 24;
const FEW = 0.75;

/**
 * Fills the first purse, of so many accounts, at the head as it is, below which no reorg may ever go. Later ones are filled
 * before the last is empty, and used once no reorg can reach them.
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

/** Keys are drawn by OpenSSL: hundreds of them take no time. */
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
