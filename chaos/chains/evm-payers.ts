import { randomBytes } from "node:crypto";
import { type Hex, toHex } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import type { LocalChain } from "@/sandbox/nodes/evm-node";
import { balanceEntry, PLENTY } from "@/sandbox/wallets/payers";

type Call = (method: string, params?: readonly unknown[]) => Promise<unknown>;

/** Accounts that pay once each, so that a reorg can take any transaction back without holding up another. */
export interface EvmPayers {
  /**
   * @param height of the head
   * @param floor what lies at or below it is never replaced
   */
  take(height: number, floor: number): Promise<PrivateKeyAccount>;
  /** After a reorg that left all up to `kept` as it was: new payers may have lost their money. */
  restore(kept: number, height: number): Promise<void>;
}

interface Purse {
  payers: PrivateKeyAccount[];
  /** A reorg that goes below this height takes the money back. */
  filledAt: number;
}

const AT_ONCE = 320;
const FILLED_AT_ONCE = 16;
/** Enough until a purse is final where that takes the most blocks. */
const FEW = 240;

/**
 * Fills the first purse at the head as it is, below which no reorg may ever go. Later ones are filled before the last is
 * empty, and used once no reorg can reach them.
 */
export async function createEvmPayers(call: Call, { id, tokens }: LocalChain): Promise<EvmPayers> {
  const ready = await fund(call, tokens, newPayers());
  let coming: Purse | null = null;
  return {
    async take(height, floor) {
      if (coming !== null && coming.filledAt <= floor) {
        ready.push(...coming.payers);
        coming = null;
      }
      if (ready.length < FEW && coming === null)
        coming = { payers: await fund(call, tokens, newPayers()), filledAt: height };
      const payer = ready.shift();
      if (!payer) throw new Error(`All payers on ${id} have paid; mine more blocks between payments`);
      return payer;
    },
    async restore(kept, height) {
      if (coming === null || coming.filledAt <= kept) return;
      coming = { payers: await fund(call, tokens, coming.payers), filledAt: height };
    },
  };
}

function newPayers(): PrivateKeyAccount[] {
  return Array.from({ length: AT_ONCE }, () => privateKeyToAccount(toHex(randomBytes(32)) as Hex));
}

async function fund(
  call: Call,
  tokens: LocalChain["tokens"],
  payers: PrivateKeyAccount[],
): Promise<PrivateKeyAccount[]> {
  const fill = ({ address }: PrivateKeyAccount) => {
    const { slot, value } = balanceEntry(address, PLENTY);
    return Promise.all([
      call("anvil_setBalance", [address, toHex(10n ** 21n)]),
      ...tokens.map(({ contract }) => call("anvil_setStorageAt", [contract, slot, value])),
    ]);
  };
  for (let first = 0; first < payers.length; first += FILLED_AT_ONCE)
    await Promise.all(payers.slice(first, first + FILLED_AT_ONCE).map(fill));
  return payers;
}
