import { associatedAccount } from "@/lib/chains/solana/accounts";
import type { Network } from "@/lib/domain/networks";
import { watchedTokens } from "@/lib/domain/networks/token";
import type { SolanaMemory } from "@/lib/watch/accounts/solana-scan";

/** The token accounts of receiving addresses: the associated ones, each worked out once, and others that were found. */
export function tokenAccounts(network: Network, memory: SolanaMemory, owners: Iterable<string>): string[] {
  return [...owners].flatMap((owner) => {
    const known = memory.accounts.get(owner);
    if (known) return known;
    const accounts = [...watchedTokens(network).keys()].map((mint) => associatedAccount(owner, mint));
    memory.accounts.set(owner, accounts);
    return accounts;
  });
}

/** The receiving address that a watched account belongs to; empty for one that nobody watches. */
export function ownerOf({ accounts }: Pick<SolanaMemory, "accounts">, account: string): string {
  for (const [owner, known] of accounts) if (known.includes(account)) return owner;
  return "";
}
