import { randomBytes } from "node:crypto";
import { type Hex, toHex } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import type { LocalChain } from "@/sandbox/evm-node";
import { balanceEntry, PLENTY } from "@/sandbox/payers";

type Call = (method: string, params?: readonly unknown[]) => Promise<unknown>;

/** Accounts that pay once each, so that a reorg can take any transaction back without holding up another. */
export interface EvmPayers {
  take(height: number): Promise<PrivateKeyAccount>;
  /** After a reorg: new payers may have lost their money. */
  restore(height: number): Promise<void>;
}

const AT_ONCE = 160;
const FEW = 100;
/** A reorg may take the money of new payers back for so many blocks. */
const RIPE_AFTER = 15;

/** Fills the first purse; later ones are filled before the last is empty. */
export async function createEvmPayers(call: Call, { id, tokens }: LocalChain): Promise<EvmPayers> {
  const ready = await fund(call, tokens, newPayers());
  let coming: { payers: PrivateKeyAccount[]; atHeight: number } | null = null;
  return {
    async take(height) {
      if (coming !== null && coming.atHeight <= height) {
        ready.push(...coming.payers);
        coming = null;
      }
      if (ready.length < FEW && coming === null)
        coming = { payers: await fund(call, tokens, newPayers()), atHeight: height + RIPE_AFTER };
      const payer = ready.shift();
      if (!payer) throw new Error(`All payers on ${id} have paid; mine more blocks between payments`);
      return payer;
    },
    async restore(height) {
      if (coming !== null) coming = { payers: await fund(call, tokens, coming.payers), atHeight: height + RIPE_AFTER };
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
  for (const { address } of payers) {
    await call("anvil_setBalance", [address, toHex(10n ** 21n)]);
    const { slot, value } = balanceEntry(address, PLENTY);
    for (const { contract } of tokens) await call("anvil_setStorageAt", [contract, slot, value]);
  }
  return payers;
}
