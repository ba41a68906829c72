import { randomBytes } from "node:crypto";
import { type Hex, toHex } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import type { Network } from "@/lib/domain/networks";
import { balanceEntry, PLENTY } from "@/sandbox/payers";

type Call = (method: string, params?: readonly unknown[]) => Promise<unknown>;

/** Accounts that pay once each, so that a reorg can take any transaction back without holding up another. */
export interface EvmPayers {
  take(height: number): Promise<PrivateKeyAccount>;
}

const AT_ONCE = 100;
const FEW = 40;
/** A reorg may take the money of new payers back for so many blocks. */
const RIPE_AFTER = 30;

/** Fills the first purse; later ones are filled before the last is empty. */
export async function createEvmPayers(call: Call, network: Network): Promise<EvmPayers> {
  const ready = await fund(call, network);
  const coming: { payers: PrivateKeyAccount[]; atHeight: number }[] = [];
  return {
    async take(height) {
      if (ready.length < FEW && coming.length === 0)
        coming.push({ payers: await fund(call, network), atHeight: height + RIPE_AFTER });
      if ((coming[0]?.atHeight ?? Number.POSITIVE_INFINITY) <= height) ready.push(...(coming.shift()?.payers ?? []));
      const payer = ready.shift();
      if (!payer) throw new Error(`All payers on ${network.id} have paid; mine more blocks between payments`);
      return payer;
    },
  };
}

async function fund(call: Call, network: Network): Promise<PrivateKeyAccount[]> {
  const payers = Array.from({ length: AT_ONCE }, () => privateKeyToAccount(toHex(randomBytes(32)) as Hex));
  for (const { address } of payers) {
    await call("anvil_setBalance", [address, toHex(10n ** 21n)]);
    const { slot, value } = balanceEntry(address, PLENTY);
    for (const { contract } of network.tokens) await call("anvil_setStorageAt", [contract, slot, value]);
  }
  return payers;
}
