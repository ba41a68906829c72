import type { SolanaSource } from "@/lib/chains/solana/source";
import type { SolanaMemory } from "@/lib/watch/accounts/solana-scan";

export interface FoundAccount {
  owner: string;
  account: string;
}

/**
 * Looks for token accounts of receivers that are not known yet: wallets pay into the associated account, but nothing
 * forces them to.
 */
export async function findAccounts(
  source: Pick<SolanaSource, "accountsOf">,
  memory: Pick<SolanaMemory, "accounts">,
): Promise<FoundAccount[]> {
  const found: FoundAccount[] = [];
  for (const [owner, known] of memory.accounts) {
    const others = (await source.accountsOf(owner)).filter((account) => !known.includes(account));
    found.push(...others.map((account) => ({ owner, account })));
  }
  return found;
}

/** Watches accounts from now on; call it once their cursors are stored. */
export function watchAccounts(memory: Pick<SolanaMemory, "accounts">, found: readonly FoundAccount[]): void {
  for (const { owner, account } of found) {
    memory.accounts.set(owner, [...new Set([...(memory.accounts.get(owner) ?? []), account])]);
  }
}
